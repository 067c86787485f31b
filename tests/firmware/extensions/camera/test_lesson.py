"""A lesson asks for the cards of a deck in order, and learns each group from three pictures."""

from functools import cache, partial

import numpy as np
import pytest

from companion.core.codes import card_code
from firmware.extensions.camera import deck_files
from firmware.extensions.camera.faces import SHOWINGS, TaughtDeck
from firmware.extensions.camera.finding import find
from firmware.extensions.camera.lesson import DeckLesson
from firmware.extensions.camera.pictures import Picture, unpacked
from firmware.extensions.camera.progress import Advice, Hint, Progress
from tests.firmware.extensions.camera.drawn_decks import beast
from tests.firmware.extensions.camera.photos import Look, grid, photo

pytestmark = pytest.mark.slow

CLEAR = Look(soft=(0.5, 0.8), noise=3, slant=30)
EMPTY = np.full((960, 1280, 3), 60, np.uint8)


def six(*numbers: int) -> tuple[str, ...]:
    return tuple(card_code("6N", number) for number in numbers)


@cache
def laid(numbers: tuple[int, ...], seed: int) -> Picture:
    return photo(grid(numbers, seed, 6), seed, beast, CLEAR).picture


def show(lesson: DeckLesson, numbers: tuple[int, ...], seed: int = 0) -> Progress:
    """The last progress after so many pictures of these cards as a group needs."""
    for showing in range(SHOWINGS):
        lesson.take(laid(numbers, seed + showing))
    return lesson.progress


def test_a_picture_that_does_not_show_what_was_asked_for_is_not_used() -> None:
    lesson = DeckLesson(TaughtDeck("ours", "six"), six(1, 2, 3, 4))
    lesson.take(laid((1, 2, 3, 4), 1))
    other, fewer = laid((1, 2, 4, 3), 9), laid((1, 2, 3), 9)
    for picture, advice, found in (
        (fewer, Advice.COUNT, 3),
        (EMPTY, Advice.COUNT, 0),
        (other, Advice.ORDER, 4),
    ):
        after = lesson.take(picture)
        assert (after.advice, after.found, after.showing) == (advice, found, 1)
    for cards in ((), (1, 2, 3, 4)):  # a table with a pattern is seen without cards first
        lesson.take(photo(grid(cards, 3, 6), 3, beast, CLEAR._replace(table="checked")).picture)
    assert (lesson.progress.found, lesson.progress.showing) == (4, 2)
    assert [lesson.take(picture).showing for picture in (other, other, laid((2, 1, 4, 9), 9))] == [2, 2, 1]


@pytest.mark.parametrize(
    ("light", "px", "soft", "hint"),
    [(1, 170, 1, None), (0.13, 170, 1, Hint.LIGHT), (1, 60, 1, Hint.NEARER), (1, 170, 6, Hint.FOCUS)],
)
def test_a_picture_says_what_would_help(light: float, px: int, soft: float, hint: Hint | None) -> None:
    lesson = DeckLesson(TaughtDeck("ours", "six"), six(1, 2, 3, 4, 5))
    look = CLEAR._replace(light=light, card_px=px, soft=(soft, soft))
    pictures = [photo(grid((1, 2, 3, 4), seed, 6), seed, beast, look).picture for seed in (3, 4)]
    after = [lesson.take(picture) for picture in pictures]
    assert [(now.hint, len(now.seen)) for now in after] == [(hint, 4), (hint or Hint.CLOTH, 4)]


def test_a_card_is_found_and_cut_like_the_others_and_one_look_is_enough_where_it_was_not_read(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def strip_of_table(card: int, wide: int) -> Picture:
        return np.asarray(np.pad(beast(card), ((0, 0), (0, wide * (card == 7)), (0, 0)), "edge"), np.uint8)

    cards = (5, 6, 7, 8)
    monkeypatch.setattr("firmware.extensions.camera.lesson.different", lambda *_: six(*cards))
    monkeypatch.setattr("firmware.extensions.camera.lesson.find", lambda *seen: find(*seen)[:-1])
    lesson = DeckLesson(TaughtDeck("ours", "six"))
    for seed, wide in enumerate((0, 26, 26)):
        lesson.take(photo(grid(cards, seed, 6), seed, partial(strip_of_table, wide=wide), CLEAR).picture)
    assert lesson.progress.advice is Advice.DONE
    assert np.corrcoef([unpacked(face).ravel() for face in lesson.deck.showings(*six(7))]).min() > 0.9
    lesson.deck.doubtful = {*six(7)}
    assert DeckLesson(lesson.deck).take(laid((7,), 9)).advice is Advice.DONE
    # Corrected, all showings of a card are new.
    before, after = lesson.deck.showings(*six(8)), show(DeckLesson(lesson.deck, six(8)), (8,), 40)
    assert (after.advice, after.lay) == (Advice.DONE, ())
    assert not set(before) & set(lesson.deck.showings(*six(8)))


def test_cards_that_were_shown_already_are_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("firmware.extensions.camera.lesson.GROUP", 4)
    lesson = DeckLesson(TaughtDeck("ours", "six"), six(*range(1, 9)))
    show(lesson, (1, 2, 3, 4))
    assert lesson.progress.lay == six(5, 6, 7, 8)
    assert lesson.take(laid((1, 2, 3, 4), 7)).advice is Advice.SHOWN
    assert lesson.take(laid((5, 6, 7, 8), 8)).advice is Advice.SHIFT


def test_cards_that_look_alike_are_asked_for_twice_more_and_then_named() -> None:
    def twins(number: int) -> Picture:
        return beast(40 if number == 41 else number)

    lesson = DeckLesson(TaughtDeck("ours", "six"), six(40, 41, 52))
    for seed in range(SHOWINGS):
        lesson.take(photo(grid((40, 41, 52), seed, 6), seed, twins, CLEAR).picture)
    asked = lesson.progress
    assert asked.advice is Advice.AGAIN
    assert set(asked.lay) <= set(six(40, 41))
    assert set(asked.read) == {*six(40, 41, 52)} - {*asked.lay}
    # The next lesson goes on with it, after what was never shown.
    next_one = DeckLesson(deck_files.unpacked(deck_files.packed(lesson.deck)))
    assert (next_one.progress.lay[:2], next_one.deck.doubtful) == (six(1, 2), set(asked.lay))
    for seed in range(SHOWINGS):
        lesson.take(photo(grid((40, 41)[: len(asked.lay)], seed, 6), seed, twins, CLEAR).picture)
    assert lesson.progress.hint is Hint.HARD
    for seed in range(SHOWINGS):
        lesson.take(photo(grid((40, 41)[: len(asked.lay)], seed, 6), seed, twins, CLEAR).picture)
    assert (lesson.progress.advice, lesson.progress.doubtful) == (Advice.DONE, asked.lay)
