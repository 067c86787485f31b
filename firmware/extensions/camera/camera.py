"""The thread of the camera: it looks at the table, reads what was laid, and teaches decks.

It posts what it has seen and knows no match: what can lie there it is told (`Camera.watch`). No picture
leaves this thread.
"""

from __future__ import annotations

import queue
from collections.abc import Callable
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

from companion.text.errors import CompanionError
from companion.values import Value
from firmware.extensions.camera import capture, deck_files
from firmware.extensions.camera.capture import DEVICE, Frames
from firmware.extensions.camera.config import CameraOptions
from firmware.extensions.camera.rows import Rows
from firmware.extensions.camera.seen import CardsLie
from hardware.background import BackgroundDevice
from hardware.errors import HardwareError, sentence
from hardware.ports import ExtensionMessage

if TYPE_CHECKING:
    from firmware.extensions.camera.faces import TaughtDeck
    from firmware.extensions.camera.lesson import DeckLesson
    from firmware.extensions.camera.pictures import Picture
    from firmware.extensions.camera.progress import Progress
    from firmware.extensions.camera.still import Watch

BETWEEN_S: Final = 0.15
"""Seconds from one picture that is looked at to the next."""
_LAST: Final = 6
"""After so many pictures in a row a change of the light counts: a hand over the lens is gone sooner."""
_TRIES: Final = 3
"""How often holding the exposure is tried; a camera that does not keep it then sets it by itself."""
DARK: Final = (
    sentence("the camera sees nothing: it is too dark"),
    sentence("switch a light on, or uncover the lens"),
)


class LessonMoved(ExtensionMessage, frozen=True):
    """A lesson has come to this."""

    progress: Progress


class DeckFailed(ExtensionMessage, frozen=True):
    """A deck could not be read or written."""

    error: CompanionError


class Watched(Value):
    """What is looked for: a deck by its name, empty for nothing, and the codes that can lie on the table."""

    deck: str = ""
    lie: frozenset[str] = frozenset()
    rows: Rows = Rows()
    changed_ns: int = 0
    """When the decks of the box have changed last; then the deck is read from its file again."""


class Camera(BackgroundDevice):
    """The camera over the table, with the decks of a folder.

    `between_s`: seconds between two pictures that are looked at.
    """

    def __init__(self, options: CameraOptions, folder: Path, *, between_s: float = BETWEEN_S) -> None:
        super().__init__(DEVICE)
        self._options, self._folder, self._between_s = options, folder, between_s
        self._orders: queue.SimpleQueue[Callable[[], None]] = queue.SimpleQueue()
        self._watched = Watched()
        self._deck: TaughtDeck | None = None
        self._watch: Watch | None = None
        self._whole: Watch | None = None
        """Reads the whole table, where somebody has asked for that."""
        self._lesson: DeckLesson | None = None
        self._dark = 0
        self._lit: Picture | None = None
        """A picture in the light for which the exposure was set; `_others` in another light came since."""
        self._others = 0

    def watch(self, watched: Watched) -> None:
        """Look for these cards from the next picture on."""
        self._orders.put(partial(self._begin_watch, watched))

    def read_table(self) -> None:
        """Read the whole table once; `CardsLie` tells it."""
        self._orders.put(self._begin_table)

    def teach(self, name: str, game: str, box: int, cards: tuple[str, ...] = ()) -> None:
        """Begin a lesson of a deck; `cards` are the codes to teach, all that are left without them."""
        self._orders.put(partial(self._begin_lesson, name, game, box, cards))

    def end_lesson(self) -> None:
        """End the lesson; what was learned stays."""
        self._orders.put(self._end_lesson)

    def _interrupt(self) -> None:
        """A camera gives a picture soon."""

    def _look(self) -> str:
        from firmware.extensions.camera.still import is_dark, small

        with closing(capture.opened(self._options)) as frames:
            picture = frames.read(capture.FIRST_S)
        if is_dark(small(picture)):
            raise HardwareError(DEVICE, *DARK)
        high, wide = picture.shape[:2]
        return sentence("it gives pictures of {wide} × {high} pixels", wide=wide, high=high)

    def _serve(self) -> None:
        with closing(capture.opened(self._options)) as frames:
            self._adjust(frames)
            self._opened()
            while not self.stopping.is_set():
                self._work(frames)

    def _work(self, frames: Frames) -> None:
        """Carry out what was ordered, and look at one picture."""
        try:
            while not self._orders.empty():
                self._orders.get()()
            picture = frames.read(self._between_s)
            if self._is_lit(picture, frames):
                self._see(picture)
        except CompanionError as bad:
            self._post(DeckFailed(bad))

    def _adjust(self, frames: Frames) -> None:
        """Let the camera set its exposure to the light there is, and hold it.

        Else a hand that moves in would make it hunt, and no picture would be like the one before. But in the
        evening a room gets another light: when most of the picture has become lighter or darker, and stays
        so, it is set again (`_is_lit`). The focus is held for good: the table does not come nearer.
        """
        from firmware.extensions.camera.still import is_same_light, small

        def seen() -> Picture:
            return small(frames.read(_LAST * self._between_s))

        self._others = 0
        for _ in range(_TRIES):
            frames.hold(on=False)
            before, self._lit = seen(), seen()
            if is_same_light(self._lit, before):
                frames.hold(on=True)
                if is_same_light(seen(), self._lit):
                    return
        frames.hold(on=False)

    def _is_lit(self, picture: Picture, frames: Frames) -> bool:
        """Whether a picture is in the light for which the exposure is held; else it is set again in time."""
        from firmware.extensions.camera.still import is_same_light, small

        same = self._lit is None or is_same_light(small(picture), self._lit)
        self._others = 0 if same else self._others + 1
        if self._others >= _LAST:
            self._adjust(frames)
        return same

    def _see(self, picture: Picture) -> None:
        from firmware.extensions.camera.still import is_dark, small

        compared = small(picture)
        self._dark = self._dark + 1 if is_dark(compared) else 0
        if self._dark:
            if self._dark >= _LAST:
                self._fault(*DARK)
            return
        if self._lesson is not None:
            if self._movement.stopped(compared):
                self._post(LessonMoved(self._lesson.take(picture)))
        elif self._watch is not None and self._deck is not None:
            self._read(picture, compared, self._watch, self._deck)
        self._recovered()

    def _read(self, picture: Picture, compared: Picture, watch: Watch, deck: TaughtDeck) -> None:
        reading = partial(deck.read, possible=self._watched.lie)
        if self._whole is not None:
            settled = self._whole.see(picture, compared, reading, self._watched.rows)
            if settled is not None:
                self._whole = None
                self._post(CardsLie(settled.cards, asked=True))
        settled = watch.see(picture, compared, reading, self._watched.rows)
        if settled is not None:
            self._post(settled)

    def _begin_watch(self, watched: Watched) -> None:
        from firmware.extensions.camera.still import Watch

        before, self._watched = self._watched, watched
        if watched.deck != before.deck:
            self._deck, self._watch = None, None
        if watched.deck and (self._watch is None or watched.changed_ns != before.changed_ns):
            self._deck = deck_files.load(self._folder, watched.deck)
            self._watch = self._watch or Watch()
        if self._watch is not None:  # a card that was taken is soon gone, whatever its place looks like then
            self._watch.lies = tuple(at for at in self._watch.lies if at.code in {"", *watched.lie})

    def _begin_table(self) -> None:
        from firmware.extensions.camera.still import Watch

        self._whole = Watch(() if self._watch is None else self._watch.lies)

    def _begin_lesson(self, name: str, game: str, box: int, cards: tuple[str, ...]) -> None:
        from firmware.extensions.camera.lesson import DeckLesson
        from firmware.extensions.camera.still import Movement

        deck = deck_files.load_or_new(self._folder, name, game, box)
        self._lesson = DeckLesson(deck, cards, partial(deck_files.save, self._folder))
        self._movement = Movement()
        self._post(LessonMoved(self._lesson.progress))

    def _end_lesson(self) -> None:
        self._lesson = None
        watched, self._watched = self._watched, Watched()
        self._begin_watch(watched)  # the deck on the table may be the one that was taught
