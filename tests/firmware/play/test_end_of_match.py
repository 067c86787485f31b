"""The end of a match at the device: tie, winner, awards, records, all deals; and the match that follows."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.core.cards import Card
from companion.games.six.records import Lay
from companion.match.commands import TieSettled
from companion.match.match import Terms
from companion.match.tally import tally_of
from companion.values import replace
from firmware.cli import main as cli
from firmware.config.configuration import load
from firmware.loop.react import handle_message
from firmware.play import table as table_module
from firmware.play.page import StepResult
from firmware.screens.before.start import HelloPage
from firmware.screens.result.ending import Awards
from hardware.ports import Key, KeyPressed, Signal
from tests.firmware.display.read_canvas import ReadCanvas
from tests.firmware.evening import EXAMPLE_1, Device, device
from tests.firmware.telling import told
from tests.gallery import pictures as gallery
from tests.gallery.scripts import UNTIL_10_KEYS

TIED = gallery.SCREENS["tie"]
WON = gallery.SCREENS["winner"]
OVER = gallery.SCREENS["match-end"]


def standings(at: Device) -> list[tuple[int, int, int]]:
    """Rank, badge and total of each player, best first."""
    badge = at.runtime.session.badge
    return [(place.rank, badge(place.seats[0]), place.total) for place in at.match.places]


def test_a_tie_is_asked_about_when_it_happens_and_shared_is_under_the_cursor(tmp_path: Path) -> None:
    with device(tmp_path, TIED) as at:
        assert at.page == "tie"
        assert at.match.winners == (0, 1, 3)
        assert "P1/P2/P4" in told(at)  # a plus is between the names of a team
        at.people("OK")
        assert at.page == "winner"
        assert at.match.newest is not None
        assert at.match.newest.events == (TieSettled("shared"),)
        at.people("OK OK")
        assert at.page == "match_end"


def test_one_more_deal_is_played_after_a_tie_and_the_match_ends_with_it(tmp_path: Path) -> None:
    with device(tmp_path, TIED + "R3") as at:
        assert (at.page, at.match.position.deal, at.match.winners) == ("deal", 2, None)
        at.people("12 37 43 58 3 44 60 61 R4 b1 OK OK OK :6NC-NEXTK OK")
        assert at.page == "tie"
        assert at.match.winners == (1, 3)


def test_undo_of_what_was_agreed_asks_again_and_it_survives_a_power_cut(tmp_path: Path) -> None:
    with device(tmp_path, TIED + "R2 OK OK") as at:
        assert at.page == "match_end"
    with device(tmp_path) as at:
        assert at.page == "match_end"
        at.people("UNDO")
        assert len(at.match.tied) == 3
    with device(tmp_path) as at:
        while at.page != "tie":
            at.people("OK")  # what the last turn led to, and the deal, are shown once more
        at.people("R1")
        assert at.match.tied == ()


def test_the_winner_and_the_awards_go_on_by_themselves(tmp_path: Path) -> None:
    with device(tmp_path, WON) as at:
        assert at.page == "winner"
        assert at.signals[-1] == Signal.WON.value
        at.people("+7")
        assert at.page == "awards"
        at.people("+8")
        assert at.page == "match_end"


@pytest.mark.parametrize("script", ["R1", "OK R1"])
def test_a_key_of_the_result_works_over_the_ceremony(tmp_path: Path, script: str) -> None:
    with device(tmp_path, WON + script) as at:
        assert at.page == "share"
        at.people("OK")
        assert at.page == "match_end"


def test_who_joins_is_in_the_standings_at_once_and_has_no_best_deal_before(tmp_path: Path) -> None:
    with device(tmp_path, "R4 b1 b2 b3 b4 OK R4 R1 R1 R1 R1 13 11 20 1 OK OK b5 R1") as at:
        assert standings(at)[0] == (1, 5, 0)
        assert (4,) in [place.seats for place in tally_of(at.match).places]
        at.people("12 15 20 5 7 OK OK")
        best = at.runtime.session.about.honours().best
        assert best is not None
        assert (best.points, best.seats, best.deal) == (1, (3,), 1)
        canvas = ReadCanvas()
        Awards().draw(canvas, at.runtime.session)
        assert canvas.words[-4:-2] == ["BEST DEAL", "+1"]


def test_after_a_corrected_score_the_last_deal_is_called_so(tmp_path: Path) -> None:
    deals = f"b1 b2 b3 b4 {UNTIL_10_KEYS}12 37 43 58 21 26 27 28 OK OK OK OK :6NC-NEXTK OK OK 12"
    with device(tmp_path, f"R1 {deals} :6NC-EDITR b1 12 OK") as at:
        assert (at.table.notice, told(at)[0]) == ("THIS IS THE LAST DEAL", "LAST DEAL")


def test_a_better_total_than_in_all_matches_before_is_told(tmp_path: Path) -> None:
    with device(tmp_path, OVER + "OK") as at:  # the next match has begun
        session = at.runtime.session
        while session.journal_care.portion(lambda: False):
            pass
        at.people(
            "12 37 43 58 21 26 27 28 OK 29 30 31 32 b1 OK OK 33 34 38 44 b2 OK OK OK "
            "2 59 60 61 R4 b3 OK OK OK :6NC-NEXTK OK OK OK"
        )
        assert standings(at) == [(1, 4, 0), (2, 3, 1), (3, 1, 5), (4, 2, 11)]
        found = {record.badge: record for record in session.about.records()}
        assert {badge: record.best for badge, record in found.items()} == {1: 0, 2: 1, 3: 5, 4: 11}
        assert [badge for badge in sorted(found) if found[badge].is_best] == [3, 4]
        assert not any(record.table for record in found.values())  # 0 was reached before
        assert [(found[badge].wins, found[badge].matches) for badge in (1, 4)] == [(1, 2), (1, 2)]


def test_the_records_are_those_of_all_matches_after_a_restart_and_lack_an_erased_player(
    tmp_path: Path,
) -> None:
    with device(tmp_path, OVER + "OK") as at:
        pass
    with device(tmp_path) as at:
        session = at.runtime.session
        while session.journal_care.portion(lambda: False):
            pass
        kept = at.runtime.journal.recall("best")
        assert kept == {"6 NIMMT! >=1": {"1": [1, 1, 0], "2": [1, 0, 1], "3": [1, 0, 5], "4": [1, 0, 11]}}
        at.people(":6NC-NEXTK menu:SUSPEND_THE_MATCH OK")
        session.erase(4)
        assert at.runtime.journal.recall("best") == {
            "6 NIMMT! >=1": {"1": [1, 1, 0], "2": [1, 0, 1], "3": [1, 0, 5]}
        }


def test_the_standings_are_sorted_by_seat_or_by_rank(tmp_path: Path) -> None:
    with device(tmp_path, gallery.SCREENS["standings"]) as at:
        session = at.runtime.session
        assert not session.notes.by_seat
        at.people("R1")
        assert at.table.notice == "SORTED BY SEAT"
    with device(tmp_path) as at:
        assert at.runtime.session.notes.by_seat
        at.people("LEFT R1")
        assert not at.runtime.session.notes.by_seat


def test_all_deals_show_other_players_and_earlier_deals(tmp_path: Path) -> None:
    everybody = " ".join(f"b{badge}" for badge in range(1, 11))
    deal = "1 " * 10 + "OK R3 "
    with device(tmp_path, f"R4 {everybody} OK R4 R1 R1 R1 R1 {deal}") as at:
        assert [told(at).count(word) for word in ("P1", "P10", "+1", "1")] == [1, 1, 10, 10]
        at.people(f"OK {deal}OK LEFT R2")
        assert at.page == "deals"
        first = at.runtime.app.picture().tobytes()
        at.people("RIGHT")
        second = at.runtime.app.picture().tobytes()
        at.people("RIGHT RIGHT")
        assert first == at.runtime.app.picture().tobytes() != second


def test_after_a_match_the_next_one_is_offered_and_begins_with_one_key(tmp_path: Path) -> None:
    with device(tmp_path, OVER + " R2 R3") as at:
        assert at.page == "start"
        at.people("OK")
        assert at.match.terms.badges == (1, 2, 3, 4)


def test_the_first_key_after_the_start_is_not_lost_on_the_page_of_the_devices(tmp_path: Path) -> None:
    with device(tmp_path) as at:
        at.table.open(HelloPage(), lasts_s=3.0)
        at.people("R1")
        assert at.page == "players"


def test_a_key_before_ok_does_nothing_to_a_saved_match(tmp_path: Path) -> None:
    with device(tmp_path, EXAMPLE_1) as at:
        steps = at.match.steps
        at.table.open(HelloPage())
        at.people("R1 R2 R3")
        assert (at.page, at.match.steps) == ("hello", steps)
        at.people("R4")
        assert (at.page, at.runtime.session.has_suspended) == ("start", True)


def test_what_was_seen_long_ago_is_forgotten(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(table_module, "_MAX_SEEN", 5)
    with device(tmp_path) as on:
        for _ in range(7):
            on.table.session.begin(Terms("six", 3, badges=(1, 2, 3)))
            on.table.session.propose(Lay(Card(5)))
            on.do(lambda table: table.acknowledge(StepResult.DEAL))
            assert on.table.has_seen(StepResult.DEAL)
        assert len(on.table.state.seen) == 5


def test_ok_on_the_last_page_of_a_match_begins_no_other_one_for_two_seconds(tmp_path: Path) -> None:
    with device(tmp_path, gallery.SCREENS["awards"]) as at:
        at.people("OK")
        assert at.page == "match_end"
        before, now_s = at.runtime.session.match_id, at.table.now_s
        handle_message(at.table, KeyPressed(Key.OK), now_s + 1.9)
        assert (at.runtime.session.match_id, at.table.notice) == (before, "ONE MOMENT")
        handle_message(at.table, KeyPressed(Key.OK), now_s + 2.1)
        assert at.runtime.session.match_id != before


def test_who_was_to_join_with_the_next_deal_is_asked_about_before_the_next_match(tmp_path: Path) -> None:
    with device(tmp_path, "R4 b1 b2 OK R4 R1 R1 R1 100 b9 R1 3 OK OK OK OK +1 OK") as at:
        assert at.page == "players"
        assert at.table.front.joined == (1, 2, 9)


def test_commands_take_the_newest_match_with_a_finished_deal_and_know_whose_names_are_missing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    table = replace(load(None).table, names=("Ana", "Bo", "Cem", "Di"))
    with device(tmp_path, OVER + "OK", table=table):
        pass
    journal = ["--journal", str(tmp_path / "journal.sqlite")]

    def told(*words: str) -> tuple[str, str]:
        assert cli.main([*words, *journal]) == 0
        return capsys.readouterr()

    for command in (("show",), ("export", "--format", "csv")):
        out, err = told(*command)
        assert "P4" in out
        assert "--config FILE" in err  # the names are in the configuration alone
        assert "no finished deal" not in err  # of a match without a card nothing is told
    assert len(told("matches")[0].splitlines()) == 1
    (tmp_path / "table.toml").write_text('[table]\nnames = ["Ana", "Bo", "Cem", "Di"]\n')
    out, err = told("show", "--config", str(tmp_path / "table.toml"))
    assert ("Ana" in out, err) == (True, "")
    with device(tmp_path, "12 37 43 58", table=table):
        pass
    out, err = told("show", "--config", str(tmp_path / "table.toml"))
    assert "match 2 has no finished deal yet: this is match 1" in err
