"""A game that the product has never seen: one file, one line, and everything works with it."""

import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from companion.core import games
from companion.core.ask import AskKind
from companion.core.codes import card_code
from companion.core.games import lacking
from companion.match.match import Terms, begin
from companion.protocol.referee import Referee
from companion.text.errors import CompanionError
from firmware.cli import main as cli
from firmware.commands.players import SimulatedGroup
from tests.companion.told import told
from tests.fifth_game import take_the_highest
from tests.firmware import telling
from tests.firmware.evening import Device, device

BEGUN = "DOWN DOWN DOWN DOWN DOWN OK b1 b2 b3 OK R2 "
"""The fifth game is chosen, three players join, and one deal is agreed."""


@pytest.fixture(autouse=True)
def _with_a_fifth_game() -> Iterator[None]:
    before = dict(games.GAMES)
    games.register("highest", "tests.fifth_game.take_the_highest")
    yield
    games.GAMES.clear()
    games.GAMES.update(before)


def text_on(at: Device) -> str:
    """Every text of the page in front, and the line that may be over it."""
    return " ".join((*telling.told(at), at.table.notice))


def test_its_module_offers_all_that_a_game_offers() -> None:
    assert lacking(take_the_highest) == ()


def test_it_is_the_fifth_game_of_the_start_page_on_a_page_of_its_own(tmp_path: Path) -> None:
    with device(tmp_path) as at:
        assert "TAKE THE" not in text_on(at)
        at.people("DOWN DOWN DOWN DOWN DOWN")
        assert "TAKE THE" in text_on(at)
        at.people("OK")
        assert at.page == "players"


@pytest.mark.parametrize("script", ["RIGHT R1", "UP UP UP OK", "LEFT OK"])
def test_it_begins_without_a_question_where_it_asks_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, script: str
) -> None:
    monkeypatch.setattr(take_the_highest, "questions", lambda _seats: ())
    with device(tmp_path, script + " b1 b2 b3 OK") as at:
        assert at.match.terms.game == "highest"


def test_a_card_of_it_chooses_it_on_the_start_page(tmp_path: Path) -> None:
    with device(tmp_path, f":{card_code('TH', 17)}") as at:
        assert "TAKE THE" in text_on(at)


@pytest.mark.parametrize(("keys", "deals"), [("DOWN " * 5 + "OK", 6), ("RIGHT R2", 6), ("R4", 4), ("OK", 3)])
def test_every_choice_of_a_long_question_can_be_reached(tmp_path: Path, keys: str, deals: int) -> None:
    with device(tmp_path, BEGUN.removesuffix("R2 ") + keys) as at:
        assert at.match.game.options() == {"deals": deals}


def test_a_turn_is_played_asked_about_ruled_on_and_undone(tmp_path: Path) -> None:
    with device(tmp_path, BEGUN + "17 60 3") as at:
        assert [ask.kind for ask in at.match.asks] == [AskKind.CLAIM]
        at.people("b2")
        assert at.match.points == (0, 3, 0)
        assert at.match.newest is not None
        assert told(at.match.newest) == (("TH-2", "60 is the highest: player 2 takes 3 cards"),)
        at.people("OK OK OK OK UNDO")
        assert at.match.points == (0, 0, 0)
        assert [ask.kind for ask in at.match.asks] == [AskKind.CLAIM]


def test_a_card_that_was_played_already_is_refused_with_its_rule(tmp_path: Path) -> None:
    with device(tmp_path, BEGUN + "17 60 3 b2 OK OK 60 WHY") as at:
        assert at.page == "refusal"
        assert "EACH CARD ONCE" in text_on(at)


@pytest.mark.parametrize("seats", [take_the_highest.SEATS[0], take_the_highest.SEATS[-1]])
def test_scripted_players_play_a_match_of_it_on_the_device(tmp_path: Path, seats: int) -> None:
    with device(tmp_path) as at:
        players = SimulatedGroup("highest", seats, random.Random(5))
        for _ in range(2000):
            message = players.next(at.table)
            if message is None:
                break
            at.wait(1)
            at.give(message)
            at.runtime.app.picture()
        assert at.match.winners
        assert sum(at.match.totals) == 3 * 5 * seats


def test_its_matches_are_listed_told_counted_exported_and_imported(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with device(tmp_path, BEGUN + "17 60 3 b2 OK 8 9 10 b1"):
        pass
    journal = ["--journal", str(tmp_path / "journal.sqlite")]
    for words in (["matches"], ["show"], ["show", "--steps"], ["stats"], ["export", "--format", "html"]):
        assert cli.main([*words, *journal]) == 0
        assert capsys.readouterr().out
    assert cli.main(["export", "--format", "jsonl", *journal]) == 0
    lines = capsys.readouterr().out
    (tmp_path / "match.jsonl").write_text(lines)
    assert '"kind":"turn_taken"' in lines.replace(" ", "")
    elsewhere = ["--journal", str(tmp_path / "other.sqlite")]
    assert cli.main(["import", str(tmp_path / "match.jsonl"), *elsewhere]) == 0
    capsys.readouterr()
    assert cli.main(["show", *elsewhere]) == 0
    assert "60" in capsys.readouterr().out


def test_the_protocol_plays_it() -> None:
    referee = Referee()

    def said(request: dict[str, Any]) -> dict[str, Any]:
        answer: dict[str, Any] = json.loads(json.dumps(referee.answer(json.dumps(request).encode())))
        return answer

    assert said({"new": "highest", "seats": 2, "options": {"deals": 1}})["ok"]
    assert said({"do": {"kind": "play", "card": 5}})["ok"]
    assert said({"do": {"kind": "play", "card": 61}})["rule"] == "TH-3"
    answer = said({"do": {"kind": "play", "card": 9, "seat": 1}})
    assert answer["state"]["points"] == [0, 2]
    assert [reason["rule"] for reason in answer["because"]] == ["TH-2"]
    assert answer["state"]["hidden"] == {}
    while answer["asks"]:
        answer = said({"do": said({"legal": True})["legal"][0]})
    assert answer["state"]["winners"] is not None


def test_bad_options_are_refused_with_what_would_do() -> None:
    for options, fault in (({"deals": 0}, "deals"), ({"dels": 1}, "dels")):
        with pytest.raises(CompanionError, match=fault):
            begin(Terms("highest", 3, options))
