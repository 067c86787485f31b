"""`nimmt review` and the page of the report: what a hard robot would have played."""

import json
import sys
from contextlib import closing
from pathlib import Path

import pytest

from companion.match import log
from companion.match.match import Match
from companion.robots.levels import Level
from firmware.cli import main as cli
from firmware.journal.store import Journal, wall
from firmware.journal.writes import Append
from tests.companion.robots.positions import drafted_match


@pytest.fixture(scope="module")
def match() -> Match:
    return drafted_match((Level.EASY, Level.NORMAL, Level.EASY), 1, (1, 2, 3))


@pytest.fixture
def stored(tmp_path: Path, match: Match) -> list[str]:
    """The arguments that name a journal with a match whose hands are known."""
    journal, _ = Journal.open(tmp_path / "journal.sqlite", wall=wall)
    with closing(journal):
        number = journal.begin(log.header(match.terms))
        for _, step, _ in match.live_steps():
            journal.write([Append(number, step.number, log.write_step(step, sentences=False), None, None)])
    return ["--journal", str(tmp_path / "journal.sqlite")]


@pytest.mark.slow
def test_the_costliest_plays_are_told_and_every_play_stands_in_the_json(
    stored: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(["review", *stored]) == 0
    said = capsys.readouterr().out
    assert said.startswith("The most expensive plays:\n  1. Deal 1, turn ")
    assert "was better" in said
    assert "P2: plays " in said
    assert cli.main(["review", "--json", *stored]) == 0
    plays = json.loads(capsys.readouterr().out)
    cards = [play for play in plays if play["row"] is None]
    assert len(plays) > len(cards) == 27  # nobody chooses the last card of a hand
    assert {(play["turn"], play["seat"]) for play in cards} == {
        (turn, seat) for turn in range(1, 10) for seat in (1, 2, 3)
    }
    certain = [play for play in plays if play["certain"]]
    worst = max(certain, key=lambda one: one["expected"] - one["expected_better"])
    if worst["row"] is None:
        told = f"P{worst['seat']} played {worst['card']}. {worst['better']} was better"
    else:
        told = f"P{worst['seat']} took row {worst['row']} for {worst['card']}. Row {worst['better_row']} was"
    assert f"turn {worst['turn']}: {told}" in said


@pytest.mark.slow
def test_the_report_has_a_page_of_the_coach_where_numpy_is_there(
    stored: list[str], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert cli.main(["export", "--format", "html", *stored]) == 0
    page = capsys.readouterr().out
    assert "What a hard robot would have played" in page
    assert page.count("was better") == 3
    monkeypatch.setitem(sys.modules, "numpy", None)
    assert cli.main(["export", "--format", "html", *stored]) == 0
    assert "hard robot" not in capsys.readouterr().out
    assert cli.main(["review", *stored]) == 1
    assert "numpy" in capsys.readouterr().err


def test_of_a_match_whose_hands_are_not_known_nothing_is_claimed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    journal, _ = Journal.open(tmp_path / "journal.sqlite", wall=wall)
    with closing(journal):
        journal.begin({"log": 1, "game": "six", "seats": 2, "options": {}, "first": 0})
    assert cli.main(["review", "--journal", str(tmp_path / "journal.sqlite")]) == 0
    assert "no hand of match 1 is known" in capsys.readouterr().out
    assert cli.main(["review", "--json", "--journal", str(tmp_path / "journal.sqlite")]) == 0
    assert capsys.readouterr().out == "[]\n"
