"""`nimmt teach`: teach a deck with photos, and see what is read in one."""

from __future__ import annotations

import argparse
import os
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

from companion.core import games
from companion.text.errors import CompanionError
from firmware.bounded_file import read_bounded, write_whole
from firmware.commands.declared import Command, counted, option, path
from firmware.config.configuration import Config, load
from firmware.extensions.camera import deck_files
from firmware.extensions.camera.cards_in_play import codes, label, shown
from firmware.extensions.camera.config import CameraOptions, deck_folder
from firmware.extensions.camera.pages import HINTS
from firmware.extensions.camera.progress import Advice, Progress
from firmware.text.os_errors import unreadable
from firmware.text.translation import Translator, text_of
from hardware.errors import HardwareError

if TYPE_CHECKING:
    from firmware.extensions.camera.faces import TaughtDeck
    from firmware.extensions.camera.pictures import Picture

LARGEST_BYTES: Final = 30_000_000
"""A photo that has more is refused."""
MOST_PIXELS: Final = 100_000_000
"""A larger photo is refused. The largest cameras of phones have about as many."""


def run(args: argparse.Namespace) -> int:
    """Teach a deck until it is complete, or draw what it reads in a picture. Raises `CompanionError`."""
    config, work = load(args.config), _teach if args.look is None else _draw
    name = args.deck or games.module(args.game).TITLE
    return work(args, config, name, deck_folder(config, os.environ))


def _draw(args: argparse.Namespace, config: Config, name: str, folder: Path) -> int:
    """Write a picture with what is read in it."""
    from firmware.extensions.camera.pictures import drawn, encoded

    deck = deck_files.load(folder, name)
    picture = _photo(args.photos[0]) if args.photos else _of_camera(config)
    seen = deck.read(picture)
    named = partial(label, game=deck.game, box=deck.box, t=Translator())
    write_whole(args.look, encoded(drawn(picture, seen, named)))
    sure = [named(card.code) for card in seen if card.code]
    print(f"{counted(len(sure), 'card')} read:", *sure)
    unsure = sum(bool(card.candidates) and not card.code for card in seen)
    if unsure:
        print(f"{counted(unsure, 'card')} not read for sure")
    return 0


def _teach(args: argparse.Namespace, config: Config, name: str, folder: Path) -> int:
    """0 where everything that was asked for is taught; 1 where cards are left. Raises `CompanionError`."""
    from firmware.extensions.camera.lesson import DeckLesson  # who asks for help waits for none of it

    deck = deck_files.load_or_new(folder, name, args.game, config.codes.box)
    lesson = DeckLesson(deck, _cards(args.card or [], deck), partial(deck_files.save, folder))
    _print_progress(lesson.progress, deck)
    if not args.photos and lesson.progress.lay:
        fix = "give three photos of these cards with --photos; with the camera choose CAMERA in the menu"
        raise CompanionError("no photos were given", fix)
    for photo in args.photos:
        if lesson.progress.lay:
            _print_progress(lesson.take(_photo(photo)), deck)
    return 1 if lesson.progress.lay else 0


def _cards(typed: list[str], deck: TaughtDeck) -> list[str]:
    """The codes of cards that were typed: a card by its name, or the number in its code."""
    by_name = codes(deck.game, deck.box)
    names = {**by_name, **{str(at): code for at, code in enumerate(by_name.values(), 1)}}
    for name in typed:
        if name not in names:
            raise CompanionError(f"there is no card {name}", "type the number of a card")
    return list(dict.fromkeys(names[name] for name in typed))


def _of_camera(config: Config) -> Picture:
    """A picture of the camera. Raises `CompanionError`."""
    from firmware.extensions.camera.capture import FIRST_S, opened

    try:
        with closing(opened(config.section(CameraOptions))) as frames:
            return frames.read(FIRST_S)
    except HardwareError as bad:
        raise CompanionError(text_of(bad.fault), text_of(bad.check)) from bad


def _photo(file: Path) -> Picture:
    from firmware.extensions.camera.pictures import JPEG_OR_PNG, decoded

    fix = "give a whole JPEG or PNG file of at most 100 megapixels"
    try:
        content = read_bounded(file, LARGEST_BYTES)
    except OSError as bad:
        raise unreadable(file, bad, fix) from bad
    picture = decoded(content, JPEG_OR_PNG, MOST_PIXELS)
    if picture is None:
        raise CompanionError(f"{file} is not a picture", fix)
    return picture


def _print_progress(now: Progress, deck: TaughtDeck) -> None:
    """Print what is to be done next."""
    t = Translator()
    named = partial(shown, game=deck.game, box=deck.box, t=t)
    if now.read:
        print(f"read: {named(now.read)}")
    facts = {"number": now.showing + 1, "of": now.showings, "found": now.found, "all": len(now.lay)}
    advice = "the deck is taught; the camera will ask about {cards}" if now.doubtful else _ADVICE[now.advice]
    print(advice.format(cards=named(now.doubtful or now.lay), **facts))
    if now.hint:
        print(f"hint: {t.say(HINTS[now.hint]).lower()}")


_ADVICE: Final = {
    Advice.LAY: "lay {cards} in order, row by row, then take your hands away",
    Advice.SHIFT: "shift them a little or change the light: picture {number} of {of}",
    Advice.COUNT: "{found} of {all} cards are seen",
    Advice.ORDER: "lay them in the same order as before",
    Advice.SHOWN: "these were shown already: lay {cards}",
    Advice.AGAIN: "lay {cards} once more, as this was not read for sure; other light may help",
    Advice.DONE: "all cards are taught",
}


COMMAND = Command(
    help="teach a deck with photos, or see what is read in one",
    run=run,
    options=(
        option("--deck", metavar="NAME", help="the deck (default: that of the game)"),
        option(
            "--game",
            metavar="GAME",
            default=games.first(),
            help=f"the game of a new deck (default {games.first()})",
        ),
        option("--card", action="append", metavar="CARD", help="teach this card again; may be repeated"),
        path("--photos", nargs="+", default=[], help="the photos, in order; the camera teaches in the menu"),
        path("--look", help="write a picture with what is read in it to this file"),
    ),
    config=True,
    examples=("nimmt teach --deck club --photos 1.jpg 2.jpg 3.jpg",),
)
