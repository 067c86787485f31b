"""Whose card it is, by its place: without a press and without a scan."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.core.ask import AskKind
from companion.core.codes import card_code
from firmware.extensions.camera.seen import CardsLie, Seen
from firmware.loop.react import handle_message
from tests.firmware.evening import FOUR, ROWS
from tests.firmware.extensions.camera.evening_by_camera import Evening
from tests.firmware.extensions.camera.tables import Place, deck, in_row

AT = (Place(160, 200), Place(700, 160, 90), Place(1100, 500), Place(640, 860))
"""Where the four players lay their cards."""


@pytest.fixture
def evening(tmp_path: Path) -> Iterator[Evening]:
    made = Evening(tmp_path, deck((12, 37, 43)))
    made.press(FOUR + ROWS)
    made.until(lambda: made.count(CardsLie) > 0)  # what else it sees the tests say
    yield made
    made.close()


def opened(evening: Evening, *cards: tuple[int, Place]) -> None:
    """Cards are opened together, each at a place."""
    lies = tuple(Seen(at.corners, card_code("6N", card)) for card, at in cards)
    said = CardsLie(lies, tuple(seen.code for seen in lies))
    handle_message(evening.table, said, evening.table.now_s)
    evening.press("+1")


def off(place: Place) -> Place:
    return place._replace(x=place.x + 60, turn=place.turn + 10)  # 3 cm


def owners(evening: Evening) -> dict[int, int | None]:
    return dict(evening.runtime.session.playing.position.table.newest)


def whose(evening: Evening) -> int | None:
    """Who is asked to open a card now."""
    return evening.table.front.whose  # type: ignore[attr-defined,no-any-return]


def in_order(evening: Evening, *cards: int) -> None:
    for seat, card in enumerate(cards):
        assert whose(evening) == seat
        opened(evening, (card, AT[seat]))


def test_after_a_turn_in_the_order_of_seats_each_card_is_known_by_its_place(evening: Evening) -> None:
    in_order(evening, 14, 44, 61, 15)
    opened(evening, (90, off(AT[2])), (91, off(AT[0])))
    assert (owners(evening), whose(evening)) == ({90: 2, 91: 0}, None)
    opened(evening, (16, off(AT[3])), (17, off(AT[1])))
    assert owners(evening) == {16: 3, 17: 1, 90: 2, 91: 0}


def test_who_took_a_row_in_that_turn_is_not_asked_and_undo_takes_that_back(evening: Evening) -> None:
    in_order(evening, 90, 3, 91, 92)
    assert evening.runtime.session.playing.asks[0].kind is AskKind.CHOOSE
    evening.press("+3 R1 +1")
    assert owners(evening)[3] == 1
    evening.press("+9 UNDO UNDO +1")
    assert evening.runtime.session.playing.asks[0].kind is AskKind.CHOOSE


def test_cards_that_came_together_teach_no_place(evening: Evening) -> None:
    opened(evening, (14, AT[3]))
    opened(evening, (44, AT[0]), (61, AT[1]))
    assert whose(evening) is None
    opened(evening, (15, AT[2]))
    opened(evening, (90, AT[0]))
    assert owners(evening) == {90: None}


def test_a_badge_and_an_answer_teach_a_place_and_a_badge_another_one(evening: Evening) -> None:
    evening.press("b2")
    opened(evening, (90, AT[0]))
    opened(evening, (3, AT[3]), (91, AT[1]), (92, AT[2]))
    evening.press("+3 R1 +3 b4 +1")
    opened(evening, (13, off(AT[3])), (14, off(AT[0])))
    assert owners(evening) == {13: 3, 14: 1}
    evening.press("b1")
    opened(evening, (15, AT[0]))
    opened(evening, (93, AT[2]))
    evening.press("b3")  # of cards that are opened together nobody knows which one it means
    opened(evening, (95, AT[1]), (94, off(AT[0])))
    assert owners(evening) == {94: 0, 95: None}


def test_where_a_place_says_nothing_nobody_is_named(evening: Evening) -> None:
    in_order(evening, 14, 44, 61, 15)
    opened(evening, (90, AT[0]), (91, Place(430, 180)))
    opened(evening, (12, AT[1]))  # it lies in a row and is refused, so it names nobody for the next one
    opened(evening, (92, Place(160, 400)))
    assert owners(evening) == {90: 0, 91: None, 92: None}


def test_places_outlast_a_power_cut_and_end_with_the_match(evening: Evening, tmp_path: Path) -> None:
    in_order(evening, 14, 44, 61, 15)
    evening.close()
    again = Evening(tmp_path, None)
    try:
        again.until(lambda: again.count(CardsLie) > 0)
        opened(again, (90, off(AT[2])))
        assert owners(again) == {90: 2}
        again.runtime.session.suspend()
        again.press(FOUR + ROWS)
        assert whose(again) == 0
    finally:
        again.close()


def test_a_row_is_chosen_by_laying_the_card_at_it_but_not_by_one_that_was_opened_there(
    evening: Evening,
) -> None:
    rows = [(card, in_row(row, 0)) for row, card in enumerate((12, 37, 43, 58))]

    def holds(at: Place) -> list[int]:
        """The rows that hold the card 3, from 0, once it was laid there."""
        opened(evening, *rows, (3, at))
        stacks = evening.runtime.session.playing.board.stacks
        return [row for row, stack in enumerate(stacks) if "3" in stack.cards]

    evening.press("b1")
    opened(evening, (3, AT[0]))  # beside the first row
    opened(evening, *rows, (3, AT[0]), (90, AT[1]), (91, AT[2]), (92, AT[3]))
    assert [holds(at) for at in (off(AT[0]), in_row(0, 1), Place(90, 475), in_row(2, 1))] == [[], [], [], [2]]
    evening.press("+9 UNDO +1")
    assert [holds(in_row(2, 1)), holds(in_row(1, 0))] == [[], [1]]
