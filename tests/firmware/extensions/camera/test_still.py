"""What a camera reads over time: what was laid and lies still, once; hands and movement are waited for."""

from collections.abc import Mapping
from functools import cache, partial

import pytest

from companion.core.codes import card_code
from firmware.extensions.camera.faces import TaughtDeck
from firmware.extensions.camera.pictures import CHANGED, Mask, Picture, share_of
from firmware.extensions.camera.rows import Known, Rows
from firmware.extensions.camera.seen import CardsLie, Corners, Seen
from firmware.extensions.camera.still import Watch, is_dark, small
from tests.firmware.extensions.camera.drawn_decks import beast
from tests.firmware.extensions.camera.photos import Look, grid, photo
from tests.firmware.extensions.camera.tables import Place, before, deck, in_row, table

FOUR = {in_row(row, 0): number for row, number in enumerate((12, 37, 43, 58))}
APART = {Place(1000, 500): 58}
LAID = {**FOUR, before(0): 14}


@cache
def taught() -> TaughtDeck:
    return deck((12, 37, 43, 58, 14, 61, 35, 25))


def codes(*numbers: int) -> tuple[str, ...]:
    return tuple(card_code("6N", number) for number in numbers)


class Table:
    """A table that is looked at. Without a deck, who reads it knows what lies there: that costs no time."""

    def __init__(self, deck: TaughtDeck | None = None) -> None:
        self.watch, self.pictures, self.cards_read = Watch(), 0, 0
        self._deck, self._cards = deck, dict[Place, int]()

    def read(self, picture: Picture, /, *, changed: Mask, known: Known) -> list[Seen]:
        if self._deck is not None:  # no other cards are here
            found = self._deck.read(picture, self._deck.codes, changed=changed, known=known)
        else:
            lie = [Seen(at.corners, card_code("6N", number)) for at, number in self._cards.items()]
            scale = picture.shape[1] / changed.shape[1]
            found = [card for card in lie if share_of(card.corners, changed, scale) > CHANGED]
        self.cards_read += len(found)
        return found

    def look(
        self, cards: Mapping[Place, int], light: float = 1.0, hand: Place | None = None
    ) -> CardsLie | None:
        self._cards = dict(cards)
        self.pictures += 1
        picture = table(cards, light=light, hand=hand, noise=self.pictures)
        return self.watch.see(picture, small(picture), self.read, Rows((codes(*cards.values()),)))

    def settle(self, cards: Mapping[Place, int], light: float = 1.0) -> CardsLie:
        """What was made of a table, once it lies still."""
        for _ in range(9):
            settled = self.look(cards, light)
            if settled is not None:
                return settled
        raise AssertionError("it was not read")


def test_what_lay_there_before_is_no_news_and_a_card_that_is_laid_is_read_alone_and_once() -> None:
    seen = Table()
    before = seen.settle(FOUR)
    assert (before.first, sorted(card.code for card in before.cards)) == (True, sorted(codes(12, 37, 43, 58)))
    seen.cards_read = 0
    settled = seen.settle(LAID)
    assert (settled.came, settled.unsure, settled.first) == (codes(14), (), False)
    assert seen.cards_read == 2  # in two pictures
    assert [seen.look(LAID) for _ in range(6)] == [None] * 6


def test_cards_come_in_the_order_in_which_people_read() -> None:
    seen = Table()
    seen.settle({})
    assert seen.settle(dict(reversed(FOUR.items()))).came == codes(12, 37, 43, 58)


def test_a_reading_waits_for_the_hand_that_lays_the_card() -> None:
    seen = Table()
    seen.settle(FOUR)
    for step in range(6):
        hand = Place(1200 - 40 * step, 900 - 120 * step)
        assert seen.look(LAID, hand=hand) is None
    assert seen.settle(LAID).came == codes(14)


def test_a_card_that_was_lifted_and_laid_again_is_read_again() -> None:
    seen = Table()
    seen.settle(LAID)
    lifted = seen.settle(FOUR)
    assert (lifted.came, len(lifted.cards)) == ((), 4)
    assert seen.settle(LAID).came == codes(14)


@pytest.mark.parametrize("light", [1.0, 0.5])
@pytest.mark.parametrize("number", [96, 34, 33])
def test_a_card_that_is_laid_exactly_on_another_or_in_its_place_is_read(number: int, light: float) -> None:
    seen, (place,) = Table(), APART
    seen.settle({place: 32}, light)
    settled = seen.settle({place: number}, light)
    assert settled.came == tuple(card.code for card in settled.cards) == codes(number)


def test_a_card_that_moves_into_its_row_is_told_at_its_new_place() -> None:
    seen = Table()
    seen.settle(LAID)
    settled = seen.settle({**FOUR, in_row(0, 1): 14})
    assert (settled.came, len(settled.cards)) == (codes(14), 5)


@pytest.mark.slow
@pytest.mark.parametrize(("across", "down"), [(0, 50), (40, 0)], ids=["upper strips", "left strips"])
def test_cards_that_are_laid_over_each_other_come_once(across: int, down: int) -> None:
    seen, laid = Table(taught()), dict[Place, int]()
    seen.settle(laid)
    for at, number in enumerate((12, 14, 25)):
        laid[Place(300 + across * at, 300 + down * at)] = number
        settled = seen.settle(laid)
        assert (settled.came, settled.unsure) == (codes(number), ())
        assert {card.code for card in settled.cards} == set(codes(*laid.values()))


@pytest.mark.slow
def test_of_a_fan_that_is_taken_nothing_stays() -> None:
    fan = {Place(300, 300 + 50 * at): number for at, number in enumerate((12, 14, 25, 35))}
    seen = Table(taught())
    assert {card.code for card in seen.settle({**APART, **fan}).cards} >= set(codes(35, 58))
    settled = seen.settle({**APART, Place(300, 300): 37})
    assert (settled.came, settled.unsure) == (codes(37), ())
    assert {card.code for card in settled.cards} == set(codes(37, 58))


def test_another_light_changes_nothing() -> None:
    seen = Table()
    seen.settle(LAID)
    for light in (0.9, 0.7, 0.85):
        for _ in range(6):
            settled = seen.look(LAID, light)
            assert settled is None or (settled.came, settled.unsure) == ((), ())
    assert {card.code for card in seen.watch.lies} == set(codes(12, 37, 43, 58, 14))


@pytest.mark.parametrize(
    ("readings", "came", "unsure"),
    [
        ((35, 35), (35,), ()),
        ((35, 0, 35), (35,), ()),
        ((35, 25, 35, 35), (), ((35, 25),)),
        ((0, 0, 0, 0), (), ((35, 25),)),
        ((35, 0, 0, 0), (), ((35, 25),)),
        ((0, None, None, None), (), ()),
    ],
)
def test_a_reading_counts_when_two_agree_and_none_says_anything_else(
    readings: tuple[int | None, ...], came: tuple[int, ...], unsure: tuple[tuple[int, ...], ...]
) -> None:
    corners: Corners = ((900.0, 60.0), (1028.0, 60.0), (1028.0, 257.0), (900.0, 257.0))
    said = iter(readings)

    def read(_: Picture, /, **_how: object) -> list[Seen]:
        number = next(said)
        if number:
            return [Seen(corners, card_code("6N", number))]
        return [Seen(corners, candidates=codes(35, 25))] if number is not None else []

    watch, empty, laid = Watch(), table({}), table({before(0): 35})
    nothing = partial(list[Seen])
    for _ in range(3):
        watch.see(empty, small(empty), lambda *_, **__: nothing(), Rows())
    told = [settled for _ in range(9) if (settled := watch.see(laid, small(laid), read, Rows())) is not None]
    found = [(settled.came, settled.unsure) for settled in told]
    assert found == [(codes(*came), tuple(codes(*pair) for pair in unsure))]


@pytest.mark.parametrize(("light", "dark"), [(1.0, False), (0.2, False), (0.02, True)])
def test_a_black_table_is_not_dark_as_soon_as_a_card_lies_there(light: float, dark: bool) -> None:
    shown = photo(grid([12], 2), 2, beast, Look("black", 96, light, lamps=0)).picture
    assert is_dark(small(shown)) is dark
