from functools import cache

import cv2
import numpy as np
import pytest

from firmware.extensions.camera.faces import Deck
from firmware.extensions.camera.finding import find
from firmware.extensions.camera.light import Picture
from firmware.extensions.camera.seen import Seen
from tests.firmware.extensions.camera.drawn_decks import BEAST, CIAO, DECKS, HEIGHT, PLAIN, WIDTH, Drawn
from tests.firmware.extensions.camera.photos import Look, Lying, Photo, fan, grid, photo, touching
from tests.firmware.extensions.camera.taught import teach

pytestmark = pytest.mark.slow

FEW = range(1, 25)
"""Cards of which every test teaches so many at most: a whole deck costs three seconds."""


kept = cache(teach)


def taught(drawn: Drawn) -> Deck:
    """A deck that has seen no picture yet: the one before may have shown larger cards."""
    deck = kept(drawn, FEW)
    deck._size = None
    return deck


def codes(drawn: Drawn, shown: Photo, seen: list[Seen]) -> list[tuple[str, str]]:
    """For each card that is whole what it is, and what it was read as: "" not sure, "-" not found."""
    pairs = []
    for card in shown.cards:
        near = [one for one in seen if np.linalg.norm(np.mean(one.corners, 0) - card.centre) < 45]
        if card.visible > 0.97:
            pairs.append((drawn.code(card.number), near[0].code if near else "-"))
    return pairs


@pytest.mark.parametrize("drawn", DECKS, ids=lambda drawn: drawn.name)
@pytest.mark.parametrize(
    ("look", "most_asked"),
    [(Look(), 1), (Look(worn=True, moved_px=3, lamps=2), 4), (Look(hands=2), 1)],
    ids=["usual", "worn", "hands"],
)
def test_cards_are_read_whatever_way_they_lie(drawn: Drawn, look: Look, most_asked: int) -> None:
    numbers = [number for number in drawn.kinds if number in FEW][::2][:9]
    shown = photo(grid(numbers, 21, turn=180), 21, drawn.face, look)
    pairs = codes(drawn, shown, taught(drawn).read(shown.picture))
    assert sum(was == read for was, read in pairs) >= len(pairs) - most_asked
    assert [read for was, read in pairs if read not in (was, "", "-")] == []


@pytest.mark.parametrize("drawn", DECKS, ids=lambda drawn: drawn.name)
def test_cards_that_were_taught_in_sleeves_are_read_in_sleeves_and_without(drawn: Drawn) -> None:
    numbers = [number for number in drawn.kinds if number in FEW]
    deck = teach(drawn, numbers[:12], Look(sleeves=True))
    for look in (Look(sleeves=True), Look()):
        shown = photo(grid(numbers[:12], 22, turn=20), 22, drawn.face, look)
        assert all(was == read for was, read in codes(drawn, shown, deck.read(shown.picture, deck.codes)))


@pytest.mark.parametrize(
    ("drawn", "seed", "look"),
    [
        *((drawn, 23, Look(sleeves=True)) for drawn in DECKS),
        (BEAST, 68, Look(pale=True, lamps=2)),
    ],
    ids=[*(f"{drawn.name} in sleeves" for drawn in DECKS), "beast on a pale table"],
)
def test_the_edge_of_a_card_is_found_not_that_of_its_sleeve_or_picture(
    drawn: Drawn, seed: int, look: Look
) -> None:
    shown = photo(grid(drawn.kinds[24:36], seed, turn=20), seed, drawn.face, look)
    found = find(shown.picture)
    assert len(found) == len(shown.cards)
    for card in shown.cards:
        near = min(found, key=lambda one: float(np.linalg.norm(np.mean(one.corners, 0) - card.centre)))
        off = [np.linalg.norm(np.array(near.corners) - corner, axis=1).min() for corner in card.corners]
        assert max(off) < 6


def test_a_white_card_on_a_white_cloth_is_read_though_only_its_frame_has_an_edge() -> None:
    shown = photo(grid(FEW[::2][:9], 44, 180), 44, PLAIN.face, Look(pale=True, lamps=2))
    deck = taught(PLAIN)
    assert all(was == read for was, read in codes(PLAIN, shown, deck.read(shown.picture, deck.codes)))


def test_cards_that_touch_are_read() -> None:
    shown = photo(touching([3, 14, 15, 9, 2], 4), 4, BEAST.face)
    assert all(was == read for was, read in codes(BEAST, shown, taught(BEAST).read(shown.picture)))


@pytest.mark.parametrize(
    ("drawn", "laid", "least"),
    [
        (BEAST, fan([3, 14, 15, 9, 2], 4), 4),
        (CIAO, fan([number for number in CIAO.kinds if number in FEW][:5], 4), 4),
        (BEAST, touching([20, 14, 15, 9], 1, overlap=0.7), 3),  # in all as wide as high, nearly as one card
    ],
    ids=["upper strips", "of Ciao!", "left strips"],
)
def test_cards_of_which_a_strip_is_visible_are_read_or_asked(
    drawn: Drawn, laid: list[Lying], least: int
) -> None:
    shown = photo(laid, 4, drawn.face)
    deck = taught(drawn)
    seen = [one.code for one in deck.read(shown.picture, set(deck.codes)) if one.code]
    assert len(seen) >= least
    assert len(seen) == len(set(seen))
    assert set(seen) <= {drawn.code(card.number) for card in shown.cards}


@pytest.mark.parametrize("way", range(4))
def test_six_and_nine_are_told_apart_by_the_line_below(way: int) -> None:
    shown = photo([one._replace(turn=one.turn + 90 * way) for one in grid([6, 9], way)], way, PLAIN.face)
    assert all(was == read for was, read in codes(PLAIN, shown, taught(PLAIN).read(shown.picture)))


def test_copies_that_look_alike_are_one_face() -> None:
    deck = taught(CIAO)
    assert len(deck.codes) == len({CIAO.code(number) for number in FEW})
    assert deck.confusable() == []


def test_cards_that_nothing_tells_apart_are_named_and_never_read() -> None:
    def face(number: int) -> Picture:
        """Neither 6 nor 9 has a line."""
        card = PLAIN.face(8).copy()
        six = np.full_like(card, 240)
        cv2.putText(six, "6", (70, 270), cv2.FONT_HERSHEY_SIMPLEX, 6, (60, 60, 60), 14, cv2.LINE_AA)
        return {6: six, 9: np.ascontiguousarray(six[::-1, ::-1])}.get(number, card)

    drawn = Drawn("no line", "six", face)
    deck = teach(drawn, (6, 8, 9))
    assert deck.confusable() == [(drawn.code(6), drawn.code(9))]
    shown = photo(grid([6, 8, 9], 2, 180), 2, face)
    seen = deck.read(shown.picture)
    assert [read for _, read in codes(drawn, shown, seen)] == ["", drawn.code(8), ""]
    doubtful = [one for one in seen if not one.code]
    assert all(set(one.candidates) == {drawn.code(6), drawn.code(9)} for one in doubtful)


def test_what_is_no_card_of_the_deck_is_never_read() -> None:
    chance = np.random.default_rng(5)

    def thing(number: int) -> Picture:
        """The back of a card, a phone, a badge."""
        if number == 1:
            rough = cv2.resize(chance.integers(0, 255, (12, 8, 3)).astype(np.uint8), (WIDTH, HEIGHT))
            return np.asarray(rough, np.uint8)
        shade = np.full((HEIGHT, WIDTH, 3), 30 if number == 2 else 235, np.uint8)
        cv2.rectangle(shade, (30, 60), (WIDTH - 30, HEIGHT - 90), (90, 60, 40), -1)
        cv2.putText(shade, "P03", (40, 230), cv2.FONT_HERSHEY_SIMPLEX, 2.5, (250, 250, 250), 6)
        return shade

    shown = photo(grid([1, 2, 3], 3, 180), 3, thing)
    for drawn in DECKS:
        assert [one.code for one in taught(drawn).read(shown.picture) if one.code] == []


@pytest.mark.parametrize("drawn", DECKS, ids=lambda drawn: drawn.name)
def test_a_card_that_was_not_taught_is_asked_about(drawn: Drawn) -> None:
    deck, read, sure = teach(drawn, drawn.kinds[:24:2]), 0, list[str]()
    for seed in (31, 32):
        shown = photo(grid(drawn.kinds[:24], seed, 180), seed, drawn.face)
        for was, told in codes(drawn, shown, deck.read(shown.picture)):
            read += was == told
            sure += [told] * (told not in (was, "", "-"))
    assert sure == []
    assert read >= 10


def test_a_card_that_cannot_come_is_doubtful() -> None:
    shown = photo(grid([15], 3), 3, BEAST.face)
    deck = taught(BEAST)
    assert [one.code for one in deck.read(shown.picture)] == [BEAST.code(15)]
    (doubtful,) = deck.read(shown.picture, {BEAST.code(14)})
    assert doubtful.code == ""
    assert BEAST.code(15) not in doubtful.candidates


def test_a_deck_that_was_taught_nothing_sees_nothing() -> None:
    deck = Deck("new", "six")
    assert deck.read(photo(grid([15], 3), 3, BEAST.face).picture) == []
    assert deck.confusable() == []
    assert deck.codes == ()
