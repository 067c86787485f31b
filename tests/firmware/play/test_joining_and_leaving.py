"""Somebody comes in the middle of a match: the badge that was scanned is theirs from then on."""

from pathlib import Path

import pytest

from companion.core.score_sheet import DealScored
from companion.match import log
from firmware.history import erasing
from firmware.history.exported import matches_in
from firmware.play.joining import join
from tests.firmware.evening import PLACED, Device, device
from tests.firmware.telling import told

NEXT_DEAL = PLACED + ":6NC-NEXTK OK "
COMES = NEXT_DEAL + ":6NC-ABSENTS b9 "


def badges(at: Device) -> list[int]:
    """Those of everybody who plays, by seat."""
    return [at.runtime.session.badge(seat) for seat in at.match.players]


IN_A_DEAL = PLACED + "31 "
NEW = "menu:PLAYERS_JOIN/LEAVE OK "
TAKEN_BACK = COMES + "UNDO :6NC-ABSENTS b7 :6NC-ABSENTS b9"
PLAY = {
    "who went": (COMES + ":6NC-ABSENTS b9 OK", [1, 2, 3, 4], "P9 IS OUT"),
    "who went after all not": (COMES + ":6NC-ABSENTS b9 UNDO", [1, 2, 3, 4, 9], ""),
    "who went and comes again": (COMES + ":6NC-ABSENTS b9 OK :6NC-ABSENTS b9", [1, 2, 3, 4, 9], "P9 IS IN"),
    "who left and comes back in a deal": (
        COMES + ":6NC-ABSENTS b2 OK 1 2 3 4 10 20 30 40 OK b2 :6NC-NEXTK OK", [1, 2, 3, 4, 9], "P2 IS IN",
    ),
    "another badge after the first was taken back": (TAKEN_BACK, [1, 2, 3, 4, 7, 9], "P9 IS IN"),
    "both taken back": (TAKEN_BACK + " UNDO UNDO", [1, 2, 3, 4], "UNDONE: P7 JOINED"),
    "the second done again": (TAKEN_BACK + " UNDO UNDO :6NC-REDOL", [1, 2, 3, 4, 7], "REDONE: P7 JOINED"),
    "the first in place of the second": (
        TAKEN_BACK + " UNDO UNDO :6NC-ABSENTS b9", [1, 2, 3, 4, 9], "P9 IS IN",
    ),
    "a badge before the first card of a deal": (NEXT_DEAL + "b9", [1, 2, 3, 4, 9], "P9 IS IN"),
    "who has no badge gets one that is free": (
        NEXT_DEAL + NEW + ":6NC-ABSENTS b9", [1, 2, 3, 4, 5, 9], "P9 IS IN",
    ),
    "a new player of the menu": (IN_A_DEAL + NEW + "R1", [1, 2, 3, 4], "P5 JOINS IN DEAL 2"),
    "two of them, in the next deal": (
        IN_A_DEAL + NEW + "R1 " + NEW + "R1 45 62 63 OK :6NC-NEXTK OK +1",
        [1, 2, 3, 4, 5, 6], "P6 IS IN",
    ),
}  # fmt: skip


@pytest.mark.parametrize(("script", "play", "says"), PLAY.values(), ids=PLAY)
def test_who_plays_and_what_is_said_of_it(tmp_path: Path, script: str, play: list[int], says: str) -> None:
    with device(tmp_path, script) as at:
        assert badges(at) == play
        assert at.table.notice == says


def test_those_who_went_can_be_picked_and_those_who_were_taken_back_cannot(tmp_path: Path) -> None:
    with device(tmp_path, COMES + ":6NC-ABSENTS b1 :6NC-ABSENTS") as at:
        assert {"P1", "P4", "P9"} <= set(told(at))
        at.people("UNDO UNDO UNDO :6NC-ABSENTS")
        assert {"P1", "P4"} <= set(told(at))
        assert "P9" not in told(at)


def test_who_comes_without_a_badge_does_not_get_that_of_somebody_who_was_taken_back(tmp_path: Path) -> None:
    with device(tmp_path, COMES + "UNDO " + NEW) as at:
        assert badges(at) == [1, 2, 3, 4, 5]
    with device(tmp_path) as at:
        assert badges(at) == [1, 2, 3, 4, 5]


@pytest.mark.parametrize(
    ("full", "seats"),
    [
        ("R1 " + "R1 " * 10 + "OK R1 R1 ", 10),
        ("R2 " + "R1 " * 7 + "OK OK R1 ", 7),
        ("R3 " + "R1 " * 6 + "OK OK R1 R1 ", 6),
        ("R4 " + "R1 " * 10 + "OK R1 R1 R1 ", 10),
    ],
)
def test_at_a_table_with_no_free_seat_who_comes_is_refused(tmp_path: Path, full: str, seats: int) -> None:
    with device(tmp_path, full) as at:
        assert len(at.match.players) == seats
        at.do(lambda table: join(table, 0))
        assert f"all {seats} seats are taken" in str(at.table.refusal[1])


def test_a_badge_in_the_middle_of_a_deal_joins_with_the_next_one(tmp_path: Path) -> None:
    with device(tmp_path, IN_A_DEAL + "b9 R1") as at:
        assert (at.table.notice, at.signals[-1]) == ("P9 JOINS IN DEAL 2", "accepted")
        assert badges(at) == [1, 2, 3, 4]
        at.people("b9")
        assert (at.table.notice, at.signals[-1]) == ("P9 JOINS IN DEAL 2", "duplicate")
    with device(tmp_path, "45 62 63 OK :6NC-NEXTK") as at:  # the power was off meanwhile
        assert at.page == "deal_end"
        assert badges(at) == [1, 2, 3, 4]
        at.people("OK")
        assert badges(at) == [1, 2, 3, 4, 9]
        assert at.table.notice == "P9 IS IN"
        at.people("UNDO +3 1 2 3 4")
        assert badges(at) == [1, 2, 3, 4]


def test_undoing_the_only_card_of_a_deal_lets_nobody_join_who_waits_for_the_next_one(tmp_path: Path) -> None:
    with device(tmp_path, IN_A_DEAL + "45 62 63 OK :6NC-NEXTK OK 1 2 3 4 10 b9 R1 20 UNDO +3 UNDO") as at:
        assert at.have == ""
        assert badges(at) == [1, 2, 3, 4]
        assert at.runtime.session.notes.joins_next == (9,)


def test_who_was_to_join_stays_away_after_all(tmp_path: Path) -> None:
    with device(tmp_path, IN_A_DEAL + "b9 R1 UNDO") as at:
        assert at.table.notice == "P9 DOES NOT JOIN"
        assert at.have == "31"
        at.people("b9 R1 b8 R1 32 :6NC-ABSENTS b9")
        assert at.runtime.session.notes.joins_next == (8,)
        at.people("UNDO")
        assert at.have == "31"
        at.runtime.session.suspend()
        at.runtime.session.erase(8)
        assert erasing.traces(at.runtime.journal.reader, 8) == erasing.Traces({}, {})


def test_points_that_are_typed_right_after_a_deal_are_those_of_a_deal_with_who_joins(tmp_path: Path) -> None:
    with device(tmp_path, "R4 b1 b2 b3 OK R4 R1 R1 R1 1 b9 R1 2 3 OK 4 5 6 7 OK") as at:
        assert at.match.totals == (5, 7, 9, 7)


def test_who_joins_between_deals_chooses_the_points_to_begin_with_and_undo_takes_nothing_back(
    tmp_path: Path,
) -> None:
    with device(tmp_path, "R4 b1 b2 b3 OK R4 R1 R1 R1 10 20 6 OK OK b9") as at:
        assert {"P9 BEGINS WITH?", "0 POINTS", "THE WORST: 20", "THE AVERAGE: 12"} <= set(told(at))
        at.people("UNDO")
        assert badges(at) == [1, 2, 3]
        at.people("b9 R3")
        assert (badges(at), at.match.totals) == ([1, 2, 3, 9], (10, 20, 6, 12))
        at.people("UNDO b9 R2")
        assert at.match.totals == (10, 20, 6, 20)
    with device(tmp_path, "1 2 b8 R2 3 4 OK") as at:  # who comes in the deal begins with what is worst then
        assert list(at.match.totals) == [11, 22, 9, 24]
        at.people("OK")
        assert list(at.match.totals) == [11, 22, 9, 24, 24]


def test_the_next_match_is_of_those_who_began_this_one(tmp_path: Path) -> None:
    with device(tmp_path, COMES) as at:
        at.runtime.session.begin(at.match.terms)
        assert at.match.terms.badges == (1, 2, 3, 4)


def test_who_came_is_forgotten_like_everybody(tmp_path: Path) -> None:
    with device(tmp_path, COMES) as at:
        at.runtime.session.suspend()
        assert at.runtime.session.matches_of(9) == 1
        at.runtime.session.erase(9)
        assert erasing.traces(at.runtime.journal.reader, 9) == erasing.Traces({}, {})
        assert at.runtime.journal.reader.matches()[0].header["badges"] == [1, 2, 3, 4, 0]


def test_a_match_to_which_somebody_came_can_be_exported_and_imported(tmp_path: Path) -> None:
    with device(tmp_path, COMES) as at:
        entry = at.runtime.journal.reader.matches()[0]
        match = log.replay([entry.header, *at.runtime.journal.reader.steps(entry.id)])
        assert match.terms.badges == (1, 2, 3, 4, 9)
        assert any(isinstance(event, DealScored) for event in match.before.newest.events)  # type: ignore[union-attr]
        lines = log.to_lines([entry.header, *at.runtime.journal.reader.steps(entry.id)])
    (kept,) = matches_in("\n".join(lines))
    assert kept.header["badges"] == [1, 2, 3, 4, 9]
