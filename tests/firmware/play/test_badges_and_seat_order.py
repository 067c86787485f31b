"""Whose a card is, and which row it takes: cards in the order of seats, and both sides of a badge."""

from pathlib import Path

import pytest
from msgspec.structs import replace

from companion.core.ask import AskKind
from firmware.config.configuration import load
from firmware.screens.turn.questions import ChooseStack
from tests.firmware.evening import choose_in_menu, device
from tests.whole.careful import CarefulCanvas

SCRIPT = "R1 b1 b2 b3 b4 OK R1 R1 12 37 43 58 "


def test_in_seat_order_the_display_names_the_next_player_and_a_badge_changes_it_for_one_card(
    tmp_path: Path,
) -> None:
    table = replace(load(None).table, seat_order=True)
    with device(tmp_path, SCRIPT + "14 b4 44 61", table=table) as at:
        assert dict(at.match.position.table.newest) == {14: 0, 44: 3, 61: 1}
        assert at.table.session.next_in_order(at.match.asks[0]) == 2
        at.people("UNDO")
        assert at.table.session.next_in_order(at.match.asks[0]) == 1


@pytest.mark.parametrize("size", ["normal", "large"])
@pytest.mark.parametrize("language", ["en", "de", "fa"])
def test_ten_long_names_in_seat_order_have_room_on_the_display(
    tmp_path: Path, language: str, size: str
) -> None:
    names = tuple(f"Maximiliane {letter}" for letter in "ABCDEFGHIJ")
    usual = load(None)
    table = replace(usual.table, seat_order=True, names=names)
    screen = replace(usual.screen, language=language, size=size)
    badges = " ".join(f"b{badge}" for badge in range(1, 11))
    with device(tmp_path, f"R1 {badges} OK R1 R1 12 37 43 58 ", table=table, screen=screen) as at:
        for card in range(90, 99):  # drawn after each, and a text that does not fit raises
            at.people(str(card))
            assert at.table.session.next_in_order(at.match.asks[0]) == card - 89


def test_the_menu_changes_the_order_of_scans_and_the_table_keeps_it(tmp_path: Path) -> None:
    with device(tmp_path, SCRIPT) as at:
        assert at.table.session.next_in_order(at.match.asks[0]) is None
        choose_in_menu(at, "CARDS IN SEAT ORDER")
        assert at.table.session.next_in_order(at.match.asks[0]) is None
        at.people("OK 44")
        assert dict(at.match.position.table.newest) == {44: 0}
    with device(tmp_path) as at:  # after a power cut
        assert at.table.session.next_in_order(at.match.asks[0]) == 1
        choose_in_menu(at, "CARDS IN ANY ORDER")
        at.people("OK")
        assert at.table.session.next_in_order(at.match.asks[0]) is None
    table = replace(load(None).table, seat_order=True)
    with device(tmp_path, table=table) as at:  # the configuration says something else since
        assert at.table.session.notes.in_seat_order


LOW = SCRIPT + "3 90 91 92 "
"""3 is lower than the end of every row."""


def test_the_back_of_a_badge_counts_under_a_view_and_only_where_a_row_is_chosen(tmp_path: Path) -> None:
    with device(tmp_path, SCRIPT + "3 b2r3 90") as at:  # not all cards are there
        assert "refused" in at.signals
        assert dict(at.match.position.table.newest) == {3: None, 90: None}
        at.people("91 92 :6NC-ROWSF b2r3")
        assert dict(at.match.position.table.newest)[3] == 1


@pytest.mark.parametrize(
    ("script", "hands", "seat_order"),
    [
        (SCRIPT + "b1 3 90 91 92", [], False),
        (SCRIPT + "3 90 91 92", [], True),
        (SCRIPT + "3 60 61 62 63 64 65 66 67 68 " + "3 90 91 92", [0], False),
        ("R1 b1 b2 OK R1 R3 " + " ".join(map(str, range(1, 21))) + " 20 19", [], True),  # its hands are known
    ],
    ids=["badge", "seat order", "hand is known", "open draft"],
)
def test_wherever_a_row_is_asked_the_back_of_the_badge_of_its_owner_takes_it_and_another_is_refused(
    tmp_path: Path, script: str, hands: list[int], seat_order: bool
) -> None:
    table = replace(load(None).table, seat_order=seat_order)
    with device(tmp_path, script, table=table, rules={"six": {"hands": hands}}) as at:
        owner = at.runtime.session.badge(at.match.asks[0].seats[0])
        assert (at.match.asks[0].kind, len(at.match.asks[0].seats)) == (AskKind.CHOOSE, 1)
        at.people(f"b{3 - owner}r3")
        assert ("refused" in at.signals, at.match.asks[0].kind) == (True, AskKind.CHOOSE)
        row = at.match.board.stacks[2].cards
        at.people(f"b{owner}r3")
        assert at.match.board.newest[0].takes == row


@pytest.mark.parametrize("script", ["b2r3", "b2 R3", "R3 b2", "R3 b2r1", "R3 b2r4", "b2 UNDO R3 b2"])
def test_a_badge_before_or_after_the_row_and_its_back_say_whose_the_low_card_is(
    tmp_path: Path, script: str
) -> None:
    with device(tmp_path, LOW + script) as at:
        assert "refused" not in at.signals
        assert dict(at.match.position.table.newest)[3] == 1
        assert at.match.points == (0, 1, 0, 0)
        assert at.match.asks[0].kind is AskKind.PLAY


@pytest.mark.parametrize(("keys", "asked"), [("", AskKind.CHOOSE), ("R3 ", AskKind.CLAIM)])
def test_the_back_of_a_badge_that_does_not_play_is_refused(tmp_path: Path, keys: str, asked: AskKind) -> None:
    with device(tmp_path, LOW + keys + "b7r3") as at:
        assert at.table.notice == "BADGE 7 NOT PLAYING"
        assert at.match.asks[0].kind is asked


@pytest.mark.slow
@pytest.mark.parametrize("size", ["normal", "large"])
@pytest.mark.parametrize("language", ["en", "de", "fa"])
def test_a_long_name_has_room_beside_the_question_for_its_row(
    tmp_path: Path, language: str, size: str
) -> None:
    usual = load(None)
    table = replace(usual.table, names=("Maximiliane A", "Maximiliane B"))
    screen = replace(usual.screen, language=language, size=size)
    with device(tmp_path, LOW + "b2", table=table, screen=screen) as at:
        page, canvas = at.table.front, CarefulCanvas()
        assert isinstance(page, ChooseStack)
        assert page.owner == 1
        page.draw(canvas, at.table.session)
        assert not canvas.faults
