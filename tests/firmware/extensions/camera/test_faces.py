from collections.abc import Callable

import cv2
import numpy as np
import pytest

from firmware.extensions.camera.faces import TaughtDeck
from firmware.extensions.camera.finding import as_corners, find
from firmware.extensions.camera.pictures import Picture, unpacked
from firmware.extensions.camera.rows import Known, Rows, due
from firmware.extensions.camera.seen import Seen
from tests.firmware.extensions.camera.conftest import FEW
from tests.firmware.extensions.camera.drawn_decks import BEAST, CIAO, DECKS, HEIGHT, PLAIN, WIDTH, Drawn
from tests.firmware.extensions.camera.photos import Look, Lying, Photo, grid, photo, rows, teach

pytestmark = pytest.mark.slow

Taught = Callable[[Drawn], TaughtDeck]


def codes(drawn: Drawn, shown: Photo, seen: list[Seen]) -> list[tuple[str, str]]:
    """For each card that is whole what it is, and what it was read as: "" not sure, "-" not found."""
    pairs = []
    for card in shown.cards:
        near = [read for read in seen if np.linalg.norm(np.mean(read.corners, 0) - card.centre) < 45]
        if card.visible > 0.97:
            pairs.append((drawn.code(card.number), near[0].code if near else "-"))
    return pairs


def some(drawn: Drawn) -> list[int]:
    """Nine of the cards that were taught, every other one."""
    return [number for number in drawn.kinds if number in FEW][::2][:9]


@pytest.mark.parametrize(
    ("drawn", "laid", "look", "most_asked"),
    [
        *((drawn, grid(some(drawn), 21, turn=180), Look(), 1) for drawn in DECKS),
        (BEAST, grid(some(BEAST), 21, turn=180), Look(worn=True, moved_px=3, lamps=2), 4),
        (CIAO, grid(some(CIAO), 21, turn=180), Look(hands=2), 1),
        (PLAIN, grid(some(PLAIN), 44, turn=180), Look(table="pale", lamps=2), 1),
        *((drawn, grid(some(drawn), 3), Look(table="checked", card_px=110), 1) for drawn in (BEAST, CIAO)),
    ],
    ids=lambda value: getattr(value, "name", getattr(value, "table", None)),
)
def test_cards_are_read_whatever_way_they_lie(
    taught: Taught, drawn: Drawn, laid: list[Lying], look: Look, most_asked: int
) -> None:
    shown = photo(laid, 21, drawn.face, look)
    pairs = codes(drawn, shown, taught(drawn).read(shown.picture))
    assert sum(was == read for was, read in pairs) >= len(pairs) - most_asked
    assert [read for was, read in pairs if read not in (was, "", "-")] == []


def test_cards_that_were_taught_in_sleeves_are_read_in_sleeves_and_without() -> None:
    numbers = BEAST.kinds[:8]
    deck = teach(BEAST, numbers, Look(sleeves=True))
    for look in (Look(sleeves=True), Look()):
        shown = photo(grid(numbers, 22, turn=20), 22, BEAST.face, look)
        assert all(was == read for was, read in codes(BEAST, shown, deck.read(shown.picture, deck.codes)))


@pytest.mark.parametrize(
    ("drawn", "seed", "look"),
    [*((drawn, 23, Look(sleeves=True)) for drawn in DECKS), (BEAST, 68, Look(table="pale", lamps=2))],
    ids=[*(f"{drawn.name} in sleeves" for drawn in DECKS), "beast on a pale table"],
)
def test_the_edge_of_a_card_is_found_not_its_sleeve_or_picture(drawn: Drawn, seed: int, look: Look) -> None:
    shown = photo(grid(drawn.kinds[24:36], seed, turn=20), seed, drawn.face, look)
    found = find(shown.picture)
    assert len(found) == len(shown.cards)
    for card in shown.cards:
        near = min(found, key=lambda seen: float(np.linalg.norm(np.mean(seen.corners, 0) - card.centre)))
        assert max(np.linalg.norm(np.subtract(near.corners, at), axis=1).min() for at in card.corners) < 6


def test_rows_of_known_cards_are_verified_where_only_a_strip_of_each_is_seen(taught: Taught) -> None:
    lie = ((3, 14, 15, 9, 2), (20, 7, 11, 22), (5, 16, 10))
    deck, due, lay = taught(BEAST), Rows(tuple(tuple(map(BEAST.code, row)) for row in lie)), list[Seen]()
    for laid in (lie, ((3, 7, 15, 9, 2), (20, 14, 11, 22), (5, 16, 10))):  # two lie wrong, a little aside
        cards = [at._replace(y=at.y + 12 * (at.number in (7, 14) and bool(lay))) for at in rows(laid, 4, 110)]
        shown = photo(cards, 4, BEAST.face, Look(table="dark wood", card_px=110, slant=30))
        seen = deck.read(shown.picture, deck.codes, known=Known(due, tuple(lay)))
        lay = lay or [Seen(as_corners(at.corners), BEAST.code(at.number)) for at in shown.cards]
        for card in shown.cards:
            near = [at for at in seen if np.linalg.norm(np.mean(at.corners, 0) - card.centre) < 15]
            assert [at.code for at in near] == [BEAST.code(card.number)]


def test_strips_that_tell_nothing_say_nothing_of_other_cards() -> None:
    def face(number: int) -> Picture:
        card, other, high = BEAST.face(number).copy(), BEAST.face(1), HEIGHT // 3
        card[:high], card[-high:] = other[:high], other[-high:]
        return card

    lie, drawn = ((2, 22, 8, 18, 17), (24, 23, 16, 21), (12, 3, 13), (11, 4)), Drawn("middle", "six", face)
    deck, due, lay = teach(drawn, FEW), Rows(tuple(tuple(map(drawn.code, row)) for row in lie)), list[Seen]()
    for seed in (5, 55):
        laid, look = rows(lie, seed, 110, upper=True), Look(table="felt", card_px=110, slant=30)
        shown = photo(laid, 1, face, look)
        seen = deck.read(shown.picture, deck.codes, known=Known(due, tuple(lay)))
        lay = lay or [Seen(as_corners(at.corners), drawn.code(at.number)) for at in shown.cards]
        for card in shown.cards:
            near = [at for at in seen if np.linalg.norm(np.mean(at.corners, 0) - card.centre) < 15]
            named = {"".join((at.code, *at.candidates)) for at in near if not at.candidates[1:]}
            assert named <= {"", drawn.code(card.number)}


def test_another_card_may_lie_where_one_was_taken_away() -> None:
    at = {"b": (200, 50), "c": (0, 50), "d": (0, 75), "e": (200, 0), "f": (200, 25)}
    outline = np.array([(0, 0), (60, 0), (60, 90), (0, 90)])
    lie = [Seen(as_corners(outline + where), code) for code, where in at.items()]
    found = due(lie, Rows((("a", "b", "c", "d"), ("e", "f"))))
    assert {(card.code, card.corners[0]) for card in found} == {("a", (0, 0)), ("b", (0, 25))}


def test_a_picture_in_which_a_card_was_cut_wrongly_is_left_out() -> None:
    deck = teach(BEAST, BEAST.kinds[:8])
    for code in deck.codes[::2]:
        deck.learn(code, [np.roll(unpacked(deck.showings(code)[0]), 25, axis=1)])
    shown = photo(grid(BEAST.kinds[:8], 22), 22, BEAST.face)
    assert all(was == read for was, read in codes(BEAST, shown, deck.read(shown.picture, deck.codes)))


def test_six_and_nine_are_told_apart_by_the_line_below(taught: Taught) -> None:
    laid = [lying._replace(turn=lying.turn + 90 * (at // 2)) for at, lying in enumerate(grid([6, 9] * 4, 1))]
    shown = photo(laid, 1, PLAIN.face)
    pairs = codes(PLAIN, shown, taught(PLAIN).read(shown.picture))
    assert [was == read for was, read in pairs] == [True] * len(laid)


def test_cards_that_nothing_tells_apart_are_never_read() -> None:
    def face(number: int) -> Picture:
        """Neither 6 nor 9 has a line."""
        card = PLAIN.face(8).copy()
        six = np.full_like(card, 240)
        cv2.putText(six, "6", (70, 270), cv2.FONT_HERSHEY_SIMPLEX, 6, (60, 60, 60), 14, cv2.LINE_AA)
        return {6: six, 9: np.ascontiguousarray(six[::-1, ::-1])}.get(number, card)

    drawn = Drawn("no line", "six", face)
    deck = teach(drawn, (6, 8, 9))
    shown = photo(grid([6, 8, 9], 2, 180), 2, face)
    seen = deck.read(shown.picture)
    assert [read for _, read in codes(drawn, shown, seen)] == ["", drawn.code(8), ""]
    assert all(set(card.candidates) == {drawn.code(6), drawn.code(9)} for card in seen if not card.code)


def test_a_card_is_not_read_as_another_one_upside_down(monkeypatch: pytest.MonkeyPatch) -> None:
    def face(number: int) -> Picture:
        """Number and frame lie a little beside the middle, the same in each card."""
        card, ink = np.full((HEIGHT, WIDTH, 3), (226, 240, 255), np.uint8), (154, 100, 0)
        frame = np.array([(49, 55), (206, 73), (205, 339), (48, 321)])
        cv2.fillPoly(card, [frame], (198, 222, 166), cv2.LINE_AA)
        cv2.putText(card, str(number), (56, 235), cv2.FONT_HERSHEY_DUPLEX, 3.6, ink, 12, cv2.LINE_AA)
        for _ in range(2):
            for x in (14, WIDTH - 56):
                cv2.putText(card, str(number), (x, 36), cv2.FONT_HERSHEY_DUPLEX, 1, ink, 3, cv2.LINE_AA)
            card = np.ascontiguousarray(card[::-1, ::-1])
        return card

    drawn, look = Drawn("flat", "six", face), Look(table="checked", card_px=96, slant=0, soft=(1.6, 1.6))
    deck = teach(drawn, (19, 61, 66, 68, 89, 99), Look(card_px=110))
    shown = photo([Lying(66, 600, 400, 0)], 1, face, look)
    there = shown.cards[0].corners[[2, 3, 0]] - (4, 6)  # 99 upside down, where all but its edge fits
    upright = np.array([[0, 0], [128, 0], [128, 196]], np.float32)
    matrix = cv2.getAffineTransform(upright, there.astype(np.float32))
    monkeypatch.setattr("firmware.extensions.camera.covered.proposals", lambda *_: [matrix])
    monkeypatch.setattr("firmware.extensions.camera.faces.search", lambda *_: [])
    assert codes(drawn, shown, deck.read(shown.picture)) == [(drawn.code(66), drawn.code(66))]


def test_what_is_no_card_of_the_deck_is_never_read(taught: Taught) -> None:
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
        assert [card.code for card in taught(drawn).read(shown.picture) if card.code] == []


@pytest.mark.parametrize("drawn", DECKS, ids=lambda drawn: drawn.name)
def test_a_card_that_was_not_taught_is_asked_about(taught: Taught, drawn: Drawn) -> None:
    shown = photo(grid(drawn.kinds[:12], 31, 180), 31, drawn.face)
    known, deck = taught(drawn), TaughtDeck(drawn.name, drawn.game)
    for code in known.codes[::2]:
        deck.restore(code, known.showings(code))
    pairs = codes(drawn, shown, deck.read(shown.picture))
    assert [read for was, read in pairs if read not in (was, "", "-")] == []
    assert sum(was == read for was, read in pairs) >= 5


def test_a_card_that_cannot_come_is_doubtful(taught: Taught) -> None:
    deck, shown = taught(BEAST), photo(grid([15], 3), 3, BEAST.face)
    assert [card.code for card in deck.read(shown.picture)] == [BEAST.code(15)]
    (doubtful,) = deck.read(shown.picture, {BEAST.code(14)})
    assert (doubtful.code, BEAST.code(15) in doubtful.candidates) == ("", False)
