"""A table of a tournament: who sits here, whose badge belongs elsewhere, and the result that all confirm."""

from pathlib import Path
from random import Random
from typing import Any

import pytest

from companion.core.codec import read
from companion.match.dealer import players_by_chance
from firmware.config.sections import KioskOptions
from firmware.extensions.tournament.messages import GiveSeats, RegisteredBadges, Seats
from firmware.extensions.tournament.pages import Registration
from firmware.extensions.tournament.round import RoundLog
from firmware.extensions.tournament.table import result
from firmware.kiosk.kiosk import install
from firmware.play import table as table_module
from tests.firmware.evening import Device, device

SEATS: dict[str, Any] = {
    "title": "Friday",
    "round": 2,
    "table": 7,
    "game": "six",
    "options": {"end": {"deals": 1}},
    "players": [{"badge": 41, "name": "Ali"}, {"badge": 7, "name": "Sara"}, {"badge": 112, "name": "سارا"}],
    "elsewhere": {"5": 3},
}


def give(at: Device, seats: dict[str, Any] | None = SEATS) -> None:
    given = None if seats is None else read(seats, Seats, "seats")
    at.give(GiveSeats(kind="act", seats=given))


def is_of_tournament(at: Device) -> bool:
    return RoundLog(at.table.session.notes).is_match(at.table.session.match_id)


def test_the_match_begins_with_the_last_badge(tmp_path: Path) -> None:
    with device(tmp_path) as at:
        give(at)
        assert at.page == "seated_here"
        at.people(":6NC-T112E :6NC-T041M 44")
        assert at.page == "seated_here"
        at.people(":6NC-P07E")
        assert at.match.terms.badges == (41, 7, 112)
        assert at.match.terms.options == {"end": {"deals": 1}}
        session = at.table.session
        assert [session.names.all[badge - 1] for badge in (41, 7, 112)] == ["Ali", "Sara", "سارا"]
    with device(tmp_path) as at:  # after a power cut
        assert is_of_tournament(at)


@pytest.mark.parametrize(("code", "table"), [(":6NC-P05P", 3), (":6NC-P06X", None), (":6NC-T300T", None)])
def test_a_badge_of_another_table_is_sent_there(tmp_path: Path, code: str, table: int | None) -> None:
    with device(tmp_path) as at:
        give(at)
        at.people(code)
        assert at.page == "another_table"
        assert str(table or "no seat") in str(at.table.front.refusal[0])
        at.people("OK :6NC-T041M :6NC-P07E :6NC-T112E 12 37 43 58 14 " + code)
        assert at.page == "another_table"
        assert at.match.steps == 5


def test_a_badge_of_a_large_evening_does_not_play_elsewhere(tmp_path: Path) -> None:
    with device(tmp_path, ":6NC-T041M") as at:
        assert at.page == "another_table"
        assert "for tournaments" in str(at.table.front.refusal[0])
        assert at.table.session.notes.joining() == ("", ())


def test_all_badges_confirm_the_result_and_an_undo_asks_them_again(tmp_path: Path) -> None:
    with device(tmp_path) as at:
        give(at)
        at.people(":6NC-T041M :6NC-P07E :6NC-T112E")
        _play_to_the_end(at)
        assert at.page == "confirm_result"
        at.people(":6NC-T041M :6NC-T112E :6NC-T041M")
        told = result(at.table.session)
        assert told is not None
        assert (told.round, told.badges, told.confirmed) == (2, (41, 7, 112), (41, 112))
        assert told.totals == at.match.totals
        at.people("UNDO")
        assert result(at.table.session) is None
        at.people(":6NC-REDOL " + "OK " * 7)
        assert at.page == "confirm_result"
        again = result(at.table.session)
        assert again is not None
        assert again.confirmed == ()
        give(at, {**SEATS, "round": 3})
        assert at.page == "seated_here"


def _play_to_the_end(at: Device) -> None:
    players = players_by_chance("six", Random(6))
    while at.match.asks:
        match = at.match
        answer = players.answer(match)
        assert at.propose(match.game.read(answer.ask, answer.seat, answer.text))
    at.table.home()
    at.people("OK " * 9)


def test_a_name_that_is_put_right_does_not_end_the_match_of_the_round(tmp_path: Path) -> None:
    with device(tmp_path) as at:
        give(at)
        at.people(":6NC-T041M :6NC-P07E :6NC-T112E")
        give(at, {**SEATS, "players": [{**SEATS["players"][0], "name": "Aylin"}, *SEATS["players"][1:]]})
        session = at.table.session
        assert is_of_tournament(at)
        assert session.names.all[40] == "Aylin"


def test_seats_that_are_taken_back_leave_no_page_behind(tmp_path: Path) -> None:
    with device(tmp_path) as at:
        give(at)
        at.people(":6NC-T041M")
        give(at, None)
        assert at.page == "start"
        give(at)
        at.people(":6NC-T041M")
        give(at, REGISTRATION)
        at.people(":6NC-P07E")
        assert at.page == "registration"
        give(at, {**REGISTRATION, "tournament": 5})
        assert at.table.front == Registration()
        at.people(":6NC-P07E")
        give(at, None)
        assert at.page == "start"


def test_a_kiosk_takes_no_seats_while_strangers_play(tmp_path: Path) -> None:
    with device(tmp_path, kiosk=KioskOptions(on=True, pin="1234")) as at:
        install(at.runtime, rng=Random(1))
        give(at)
        assert RoundLog(at.table.session.notes).seats is None


@pytest.mark.parametrize("code", [":6NC-T041M", "R1 b1 b2 :6NC-T041M", ":6NC-ERASEZ :6NC-T041M"])
def test_a_table_without_tournaments_refuses_their_badges(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, code: str
) -> None:
    monkeypatch.setattr(table_module, "installed", tuple)
    with device(tmp_path, code) as at:
        assert at.table.notice == "USE BADGES 1 TO 10"
        assert at.signals[-1] == "refused"
        assert 41 not in at.table.session.notes.joining()[1]


@pytest.mark.parametrize(
    "change",
    [
        {"game": "chess"},
        {"options": {"end": {"deals": 0}}},
        {"players": [{"badge": 1, "name": "A"}, {"badge": 1, "name": "B"}]},
        {"players": [{"badge": 1, "name": "A"}, {"badge": 2, "name": "B\n"}]},
        {"elsewhere": {"x": 1}},
        {"table": 10_000},
    ],
)
def test_seats_that_cannot_be_taken_are_refused_and_change_nothing(
    tmp_path: Path, change: dict[str, Any]
) -> None:
    with device(tmp_path) as at:
        give(at, {**SEATS, **change})
        assert at.page == "start"
        assert at.signals == ["refused"]


REGISTRATION = {**SEATS, "round": 0, "players": [], "elsewhere": {}, "tournament": 4}


def test_badges_are_registered_before_the_first_round(tmp_path: Path) -> None:
    with device(tmp_path) as at:
        give(at, REGISTRATION)
        at.people(":6NC-T041M :6NC-P07E :6NC-T041M")
        assert at.page == "registration"
        at.people("OK")
        give(at, REGISTRATION)  # the hub was restarted: whoever is choosing a game goes on
        assert at.page == "start"
        at.people(":6NC-T112E")  # it can be scanned for nothing else
        assert at.page == "registered"
        at.people("OK :6NC-P03Z")
        assert at.page != "registered"
    with device(tmp_path) as at:  # after a power cut
        round_ = RoundLog(at.table.session.notes)
        assert round_.registration() == RegisteredBadges(4, (41, 7, 112))
        give(at, {**REGISTRATION, "tournament": 5})
        assert round_.registered == ()
        give(at)
        assert round_.registration() is None
        assert at.page == "seated_here"


def test_a_match_that_is_played_during_the_registration_goes_on(tmp_path: Path) -> None:
    with device(tmp_path, "R1 b1 b2 OK OK OK OK") as at:
        match = at.table.session.match
        page = at.page
        give(at, REGISTRATION)
        assert (at.table.session.match, at.page) == (match, page)
        at.people(":6NC-T041M")
        assert at.page == "registered"
        at.people("OK")
        assert (at.table.session.match, at.page) == (match, page)
        assert RoundLog(at.table.session.notes).registered == (41,)
