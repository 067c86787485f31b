"""Decks that were taught, in a folder: a file for each, which can be copied to another box as it is.

A file is a line of JSON, which says what follows, and the pictures of the cards as JPEG files. One that comes
from somebody else is checked before it is used: no size in it is believed, and no picture is unpacked that
is larger than a card.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Final
from urllib.parse import quote, unquote

import msgspec

from companion.core.codec import learned
from companion.text.errors import CompanionError
from companion.text.sentence import Text, say
from companion.values import Value
from firmware.bounded_file import open_regular, read_bounded, write_whole
from firmware.text.os_errors import unreadable, unwritable

if TYPE_CHECKING:
    from firmware.extensions.camera.faces import TaughtDeck

ENDING: Final = ".deck"
"""Of the file of a deck."""
MOST_BYTES: Final = 4_000_000
"""A larger file is refused."""
CHOSEN: Final = "camera-decks"
"""The note in the journal that keeps which deck of each game was chosen."""
LONGEST_NAME: Final = 40
"""Characters of the name of a deck."""
_FORMAT: Final = "nimmt deck 1"
_MOST_CARDS: Final = 999
_MOST_HEADER_BYTES: Final = 100_000
_LISTED: Final = say("DECKS in the menu lists the decks")
_OTHER_FILE: Final = say("give the file of a deck that was taught")


class Header(Value):
    """The first line of a file."""

    format: str
    name: str
    game: str
    box: int
    cards: list[tuple[str, list[int]]]
    """The code of each card, and the bytes of each of its pictures in the order of the file."""
    doubtful: tuple[str, ...] = ()
    """The codes of cards that a lesson has asked for once more."""


def names(folder: Path) -> list[str]:
    """The decks in a folder by name, in order of the alphabet; none where there is no folder."""
    try:
        return sorted(unquote(file.stem) for file in folder.iterdir() if file.suffix == ENDING)
    except OSError:
        return []


def changed_ns(folder: Path) -> int:
    """When a deck of a folder was added, changed or removed last, as `st_mtime_ns`; 0 without a folder."""
    try:
        return folder.stat().st_mtime_ns
    except OSError:
        return 0


def headers(folder: Path) -> Iterator[Header]:
    """What the decks of a folder are, without their pictures; files that are none are left out."""
    for name in names(folder):
        try:
            with open_regular(_file(folder, name)) as file:
                yield _header(file.readline(_MOST_HEADER_BYTES))
        except (OSError, ValueError):
            continue


def chosen_of(decks: Iterable[Header], game: str, box: int, chosen: object) -> str:
    """The deck of a game on the table by name: the one noted as `CHOSEN`, else the first; empty for none."""
    wanted = chosen.get(game) if isinstance(chosen, dict) else None
    fit = [deck.name for deck in decks if deck.game == game and deck.box == box]
    return next((name for name in (wanted, *fit) if name in fit), "")


def load(folder: Path, name: str) -> TaughtDeck:
    """A deck by its name. Raises `CompanionError`."""
    return unpacked(content(folder, name), _file(folder, name))


def load_or_new(folder: Path, name: str, game: str, box: int) -> TaughtDeck:
    """A deck by its name; where there is none, one that was taught nothing. Raises `CompanionError`."""
    from firmware.extensions.camera.faces import TaughtDeck

    return load(folder, name) if name in names(folder) else TaughtDeck(name, game, box)


def content(folder: Path, name: str) -> bytes:
    """A deck by its name, as the content of a file. Raises `CompanionError`."""
    file = _file(folder, name)
    try:
        return read_bounded(file, MOST_BYTES)
    except OSError as bad:
        raise unreadable(file, bad, _LISTED) from bad


def save(folder: Path, deck: TaughtDeck) -> None:
    """Keep a deck; it is on the disk when this returns. Raises `CompanionError`; then nothing has changed."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as bad:
        raise unwritable(folder, bad, say("choose another folder")) from bad
    write_whole(_file(folder, deck.name), packed(deck))


def remove(folder: Path, name: str) -> None:
    """Forget a deck. Raises `CompanionError`."""
    file = _file(folder, name)
    try:
        file.unlink()
    except OSError as bad:
        raise unwritable(file, bad, _LISTED) from bad


def packed(deck: TaughtDeck) -> bytes:
    """A deck as the content of a file."""
    shown = {code: deck.showings(code) for code in deck.codes}
    cards = [(code, [len(picture) for picture in showings]) for code, showings in shown.items()]
    header = Header(_FORMAT, deck.name, deck.game, deck.box, cards, tuple(sorted(deck.doubtful)))
    pictures = b"".join(picture for showings in shown.values() for picture in showings)
    return msgspec.json.encode(header) + b"\n" + pictures


def unpacked(content: bytes, source: Path | str = "") -> TaughtDeck:
    """The deck in the content of a file, which may come from anybody. Raises `CompanionError`."""
    from firmware.extensions.camera.faces import TaughtDeck  # a list of the decks needs no numpy

    first, _, pictures = content.partition(b"\n")
    try:
        header = _header(first, len(pictures))
        deck, at = TaughtDeck(header.name, header.game, header.box), 0
        deck.doubtful = set(header.doubtful)
        for code, sizes in header.cards:
            showings = []
            for size in sizes:
                showings.append(_checked(pictures[at : at + size]))
                at += size
            deck.restore(code, showings)
    except ValueError as bad:
        raise CompanionError(say("{file} holds no deck", file=source), _OTHER_FILE) from bad
    return deck


def name_fault(name: str) -> Text | None:
    """What is wrong with the name of a deck, if anything."""
    if not name.strip() or len(name) > LONGEST_NAME or not name.isprintable():
        return say("a deck needs a name of at most {count} characters", count=LONGEST_NAME)
    return None


def _header(line: bytes, rest: int | None = None) -> Header:
    """What a file says of itself; `rest` are the bytes after this line. Raises `ValueError`."""
    header = msgspec.json.decode(line, type=learned(Header))
    if header.format != _FORMAT or name_fault(header.name) or header.box not in range(1, 10):
        raise ValueError("not a deck")
    are_bad = [not code.isalnum() or min(sizes, default=0) <= 0 for code, sizes in header.cards]
    if len(are_bad) > _MOST_CARDS or any(are_bad):
        raise ValueError("not the cards of a deck")
    if rest not in (None, sum(size for _, sizes in header.cards for size in sizes)):
        raise ValueError("the sizes are wrong")
    return header


def _checked(picture: bytes) -> bytes:
    """The same bytes, if they are a JPEG file of the size of a card. Raises `ValueError`."""
    from firmware.extensions.camera.finding import FACE_HEIGHT_PX, FACE_WIDTH_PX
    from firmware.extensions.camera.pictures import JPEG, decoded

    found = decoded(picture, JPEG, FACE_WIDTH_PX * FACE_HEIGHT_PX)
    if found is None or found.shape[:2] != (FACE_HEIGHT_PX, FACE_WIDTH_PX):
        raise ValueError("no picture of a card")
    return picture


def _file(folder: Path, name: str) -> Path:
    if fault := name_fault(name):
        raise CompanionError(fault, say("choose another name"))
    return folder / (quote(name, safe=" ") + ENDING)
