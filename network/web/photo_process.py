"""The process that reads photos for the page; `photo_reader` starts it and asks it.

A question is a line of JSON, with what to `do` and its facts, and `size` bytes after it: a photo, or a file.
An answer is a line of JSON. The process ends by itself when it was not asked for some time. The kernel ends
it when an answer needs more than `work_s` seconds of a processor, however long that takes on a clock.
"""

import json
import resource
import select
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, BinaryIO, Final, TypeAlias

from msgspec import to_builtins

from companion.core import games
from companion.text.codec import encode_text
from companion.text.errors import CompanionError
from companion.text.sentence import NOTHING, say
from firmware.extensions.camera import deck_files
from firmware.extensions.camera.faces import TaughtDeck
from firmware.extensions.camera.finding import find
from firmware.extensions.camera.lesson import DeckLesson
from firmware.extensions.camera.pictures import JPEG, Picture, decoded
from firmware.plugins import add_installed_games

IDLE_S: Final = 180.0
"""So long it keeps its memory after the last photo."""

MAX_PIXELS: Final = 6_000_000
"""Of a photo: a few bytes can claim to be a picture that fills the memory."""

_LEAST_PX: Final = 64
"""Of its width and its height: in a smaller one OpenCV has no room for what looks for cards."""

MAX_LESSONS: Final = 4
"""The most lessons at once. One more drops the one unused for longest, whose group begins again."""

PhotoAnswer: TypeAlias = dict[str, Any]


def opened(photo: bytes) -> Picture:
    """The picture in a photo. Raises `CompanionError` for anything else."""
    picture = decoded(photo, JPEG, MAX_PIXELS)
    if picture is None or min(picture.shape[:2]) < _LEAST_PX:
        raise CompanionError(say("That is not a photo."), NOTHING)
    return picture


def new_deck(name: str, game: str, box: int) -> TaughtDeck:
    """A deck that was taught nothing yet. Raises `CompanionError`."""
    if fault := deck_files.name_fault(name):
        raise CompanionError(fault, say("choose another name"))
    games.module(game)  # raises for one that is not there
    return TaughtDeck(name, game, box)


class PhotoProcess:
    """What is kept from one question to the next."""

    def __init__(self) -> None:
        self._deck: tuple[bytes, TaughtDeck] | None = None
        """The deck that was read with last, and the content of its file."""
        self._lessons: dict[tuple[str, ...], DeckLesson] = {}
        """The lessons that go on, by what tells them apart, the newest last: several hosts may teach."""

    def read(self, photo: bytes, folder: str, deck: str) -> PhotoAnswer:
        """What a photo shows: `width`, `height`, and `seen`."""
        picture = opened(photo)
        high, wide = picture.shape[:2]
        seen = self._loaded(Path(folder), deck).read(picture)
        return {"width": wide, "height": high, "seen": to_builtins(seen)}

    def lesson(self, photo: bytes, folder: str, of: list[str]) -> PhotoAnswer:
        """Go on with the lesson of a deck, or begin it: the `progress`, and what was found in the photo.

        `of`: name of the deck, key of its game, number of its box, and the code of a card that is taught
        again, or an empty text. A deck that is not there is made when its first cards are taught. Without a
        photo nothing is taught.
        """
        own, (deck, game, box, card) = Path(folder), of
        lesson = self._lessons.pop(tuple(of), None)
        if lesson is None:
            taught = next((other.deck for other in self._lessons.values() if other.deck.name == deck), None)
            if taught is None and deck in deck_files.names(own):
                taught = deck_files.load(own, deck)
            save = partial(deck_files.save, own)
            lesson = DeckLesson(taught or new_deck(deck, game, int(box)), (card,) if card else (), save)
        self._lessons[tuple(of)] = lesson
        if len(self._lessons) > MAX_LESSONS:
            del self._lessons[next(iter(self._lessons))]
        if not photo:
            return {"progress": to_builtins(lesson.progress)}
        picture = opened(photo)
        progress = lesson.take(picture)
        high, wide = picture.shape[:2]
        found = [card.corners for card in find(picture)]
        return {"progress": to_builtins(progress), "width": wide, "height": high, "corners": found}

    def rename(self, _body: bytes, folder: str, deck: str, name: str) -> PhotoAnswer:
        """Give a deck another name, which no other deck has."""
        renamed = deck_files.load(Path(folder), deck)
        renamed.name = name
        self._add(Path(folder), renamed)
        self.remove(b"", folder, deck)
        return {}

    def remove(self, _body: bytes, folder: str, deck: str) -> PhotoAnswer:
        deck_files.remove(Path(folder), deck)
        self._lessons = {of: lesson for of, lesson in self._lessons.items() if lesson.deck.name != deck}
        return {}

    def add(self, file: bytes, folder: str) -> PhotoAnswer:
        """Add the deck of a file, which may come from anybody; gives its `name`."""
        deck = deck_files.unpacked(file)
        self._add(Path(folder), deck)
        return {"name": deck.name}

    def _add(self, folder: Path, deck: TaughtDeck) -> None:
        if deck.name in deck_files.names(folder):
            raise CompanionError(
                say("there is a deck of this name already: {name}", name=deck.name),
                say("give that one another name first"),
            )
        deck_files.save(folder, deck)

    def _loaded(self, folder: Path, name: str) -> TaughtDeck:
        content = deck_files.content(folder, name)
        if self._deck is None or self._deck[0] != content:
            self._deck = content, deck_files.unpacked(content, name)
        return self._deck[1]


def _limit_work(seconds: int) -> None:
    """Let the kernel end this process, by SIGXCPU, after this many more seconds of a processor."""
    _, hard = resource.getrlimit(resource.RLIMIT_CPU)
    resource.setrlimit(resource.RLIMIT_CPU, (int(time.process_time()) + seconds, hard))


def main(questions: BinaryIO, answers: BinaryIO) -> None:
    """PhotoAnswer until nobody asks any more. What cannot be done has a `fault` and a `fix` as answer."""
    add_installed_games()
    process = PhotoProcess()
    methods = (process.read, process.lesson, process.remove, process.rename, process.add)
    known: dict[str, Callable[..., PhotoAnswer]] = {method.__name__: method for method in methods}
    while select.select([questions], [], [], IDLE_S)[0] and (line := questions.readline()):
        asked = json.loads(line)
        _limit_work(asked.pop("work_s"))
        body = questions.read(asked.pop("size"))
        try:
            answer = known[asked.pop("do")](body, **asked)
        except CompanionError as bad:
            answer = {"fault": encode_text(bad.fault_text), "fix": encode_text(bad.fix_text)}
        answers.write(json.dumps(answer, default=str).encode() + b"\n")
        answers.flush()


if __name__ == "__main__":
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))  # no photo is ever written
    stdout, sys.stdout = sys.stdout.buffer, sys.stderr  # what a library prints is no answer
    main(sys.stdin.buffer, stdout)
