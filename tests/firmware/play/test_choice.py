"""Lists with a cursor, and the questions who played a card and who takes a row.

Each item can be reached with the row keys and without, however many there are. Where nobody knows who played
a card, play goes on, the deal is marked, and the owner can be named later.
"""

from pathlib import Path
from typing import cast

import pytest

from companion.values import replace
from firmware.play.table import Table
from firmware.screens.parts.base import Held
from firmware.screens.parts.kinds import ChoiceList
from firmware.screens.turn.questions import cards_without_owner
from firmware.session.actions import ROW_KEYS
from hardware.ports import Key, KeyPressed
from tests.firmware.evening import FOUR, ROWS, device
from tests.firmware.telling import told
from tests.gallery.pictures import SCREENS

LETTERS = "ABCDEFGHIJKLM"
ONE_BY_ONE = (Key.DOWN, Key.UP, Key.TURN_LEFT, Key.TURN_RIGHT)


def pressed(choices: ChoiceList[str], *keys: Key) -> ChoiceList[str] | str | None:
    """What a list is after some keys, or what they choose."""
    for key in keys:
        found = after(choices, key)
        if not isinstance(found, ChoiceList):
            return found
        choices = found
    return choices


def after(choices: ChoiceList[str], key: Key | Held) -> ChoiceList[str] | str | None:
    """What a list is after a key, or what the key chooses; None where it does nothing."""
    found: list[ChoiceList[str] | str] = []
    keys = choices.keys(
        lambda item, _: found.append(item), lambda cursor, _: found.append(replace(choices, cursor=cursor))
    )
    if key not in keys:
        return None
    keys[key].do(cast("Table", None))
    return found[0]


@pytest.mark.parametrize("many", range(1, 14))
@pytest.mark.parametrize("begin", [None, 0])
def test_each_item_of_a_list_can_be_chosen_with_the_cursor_and_with_a_row_key(
    many: int, begin: int | None
) -> None:
    items = tuple(LETTERS[:many])
    choices = ChoiceList(items, begin)
    downs = [(*(Key.DOWN,) * (place + (begin is None)), Key.OK) for place in range(many)]
    assert [pressed(choices, *keys) for keys in downs] == list(items)
    by_page = [
        pressed(choices, *(Key.RIGHT,) * page, ROW_KEYS[row])
        for page in range((many + 3) // 4)
        for row in range(min(4, many - 4 * page))
    ]
    assert by_page == list(items)


@pytest.mark.parametrize(("key", "first"), [(Key.DOWN, 0), (Key.UP, 8), (Key.RIGHT, 4), (Key.LEFT, 8)])
def test_the_first_key_brings_the_cursor(key: Key, first: int) -> None:
    found = pressed(ChoiceList(tuple(LETTERS[:9])), key)
    assert isinstance(found, ChoiceList)
    assert found.cursor == first


@pytest.mark.parametrize("key", ONE_BY_ONE)
def test_the_cursor_goes_round_by_single_steps(key: Key) -> None:
    found = pressed(ChoiceList(tuple(LETTERS[:9]), 3), *(key,) * 9)
    assert found == ChoiceList(tuple(LETTERS[:9]), 3)


@pytest.mark.parametrize("key", [Key.LEFT, Key.RIGHT])
def test_left_and_right_step_where_there_is_one_page_and_turn_it_where_there_are_more(key: Key) -> None:
    step = 1 if key is Key.RIGHT else -1
    one = pressed(ChoiceList(("A", "B", "C"), 1), key)
    assert one == ChoiceList(("A", "B", "C"), 1 + step)
    more = pressed(ChoiceList(tuple(LETTERS), 6), key)
    assert more == ChoiceList(tuple(LETTERS), 4 + 4 * step)


def test_a_page_has_four_rows_and_says_which_it_is() -> None:
    choices = ChoiceList(tuple(LETTERS[:9]), 8)
    assert (list(choices.shown), choices.page_number) == ([8], "3/3")
    assert after(choices, Key.ROW_2) is None
    assert ChoiceList(tuple(LETTERS[:4]), 3).page_number == ""


def test_nothing_is_chosen_by_ok_before_the_cursor_is_there_or_by_a_long_press() -> None:
    assert after(ChoiceList(("A",)), Key.OK) is None
    assert after(ChoiceList(("A",), 0), Held(Key.OK)) is None
    nothing: tuple[str, ...] = ()
    assert after(ChoiceList(nothing), Key.DOWN) is None


def test_a_second_taker_scans_while_the_first_taking_is_still_shown(tmp_path: Path) -> None:
    full_rows = "99 100 101 102 OK 13 14 15 16 OK "
    with device(tmp_path, FOUR + ROWS + full_rows + "103 104 17 18 b1") as at:
        assert at.page == "taken"
        at.people("b2")
        assert "refused" not in at.signals
        assert all(at.match.points[:2])
        assert at.match.asks[0].kind.value == "play a card"


def test_a_badge_that_nobody_asked_for_is_still_refused_on_top_of_a_page(tmp_path: Path) -> None:
    with device(tmp_path, "R2 b1 b2 b3 b4 b5 b6 b7 OK OK R1 20 LEFT b9") as at:
        assert at.signals[-1] == "refused"


ASKED = SCREENS["who-played"]


def test_ok_goes_on_and_the_points_wait_for_their_owner(tmp_path: Path) -> None:
    with device(tmp_path, ASKED + " OK") as at:
        assert (at.page, at.table.notice) == ("ruling", "30: OWNER LATER")
        assert at.match.position.table.unclaimed == ((30, (12, 14, 15, 21, 26)),)
        at.people("UNDO")
        assert at.page == "choose_player"


def test_the_owner_is_named_later_from_the_menu_and_the_points_are_told(tmp_path: Path) -> None:
    with device(tmp_path, ASKED + " OK OK OK 60 menu:OWNER_OF_A_CARD b3") as at:
        assert (at.match.points, at.table.notice) == ((0, 0, 6, 0), "30: P3 +6")
        assert at.match.position.table.unclaimed == ()


def test_before_a_deal_is_scored_a_card_without_an_owner_is_asked_for_again(tmp_path: Path) -> None:
    with device(tmp_path, ASKED + " OK OK OK OK OK :6NC-NEXTK") as at:
        assert at.page == "unclaimed"
        at.people("OK")
        assert (at.page, at.table.notice) == ("unclaimed", "CHOOSE A PLAYER")
        at.people("WHY")
        at.give(KeyPressed(Key.ROW_4), 0.4)
        assert (at.page, at.table.notice) == ("nobody_knows", "ONE MOMENT")
        at.people("OK")
        at.people("b3")
        assert (at.page, at.match.totals, at.table.notice) == ("deal_end", (0, 0, 6, 0), "30: P3 +6")
        at.people("UNDO WHY +2 R4")
        assert (at.page, at.match.totals) == ("deal_end", (0, 0, 0, 0))
        at.people("menu:OWNER_OF_A_CARD b3")
        assert at.match.totals == (0, 0, 6, 0)


def test_the_menu_offers_no_owner_whose_deal_can_no_longer_be_changed(tmp_path: Path) -> None:
    with device(tmp_path, ASKED + " OK OK OK :6NC-NEXTK WHY +3 R4 OK 1") as at:
        assert cards_without_owner(at.match) == []
        at.people("UNDO")
        assert len(cards_without_owner(at.match)) == 1


def test_ok_without_a_choice_says_that_a_player_is_to_be_chosen(tmp_path: Path) -> None:
    with device(tmp_path, ASKED + " OK OK OK 60 menu:OWNER_OF_A_CARD OK") as at:
        assert at.table.notice == "CHOOSE A PLAYER"
        assert at.match.points == (0, 0, 0, 0)


def test_a_row_that_nobody_took_is_shown_as_taken(tmp_path: Path) -> None:
    with device(tmp_path, ASKED + " OK") as at:
        while at.page == "ruling" and "NOBODY" not in told(at):
            at.people("OK")
        assert {"NOBODY", "+6"} <= set(told(at))
