"""The referee for programs: what it answers, and that nothing that is sent can upset it."""

import json
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from companion.core import games
from companion.match.match import Match, Step, Terms
from companion.protocol.referee import VERSION, Referee
from companion.text.errors import CompanionError
from tests.companion.protocol_client import SCHEMA, ProtocolClient, started
from tests.companion.random_match import EXPECTED


def test_a_turn_is_shown_ruled_on_and_explained() -> None:
    client = ProtocolClient()
    answer = client.send(new="six", seats=4)
    assert answer["asks"] == [
        {"verb": "lay four rows", "seats": [0, 1, 2, 3], "wait": "any", "choices": [], "card": None}
    ]
    assert answer["state"] == {
        "game": "six", "deal": 1, "names": [None] * 4, "totals": [0] * 4, "points": [0] * 4, "winners": None,
        "rows": [], "taken": [[]] * 4, "missing": 0, "turn": 0, "shown": [], "hidden": {},
    }  # fmt: skip
    client.send(do={"kind": "lay_rows", "cards": [12, 37, 43, 58]})
    client.send(do={"kind": "play", "card": 14, "seat": 0})
    answer = client.send(do={"kind": "play", "card": 15})
    assert answer["state"]["shown"] == [{"card": 14, "seat": 0}, {"card": 15, "seat": None}]
    assert answer["asks"] == [
        {"verb": "play a card", "seats": [1, 2, 3], "wait": "all", "choices": [], "card": None}
    ]
    client.send(do={"kind": "play", "card": 44, "seat": 2})
    answer = client.send(do={"kind": "play", "card": 61, "seat": 3})
    assert answer["state"]["rows"] == [[12, 14, 15], [37], [43, 44], [58, 61]]
    assert answer["state"]["turn"] == 1
    assert answer["state"]["shown"] == []
    assert answer["because"][3] == {
        "rule": "6N-2",
        "says": "44 goes to row 3: 43 is the closest end below it; row 1 ends at 15, row 2 at 37",
    }
    refused = client.fault('{"do": {"kind": "play", "card": 44}}')
    assert refused == {
        "ok": False,
        "fault": "card 44 is already in row 3",
        "fix": "scan the card again, or undo the wrong one",
        "rule": "6N-ONE-OF-EACH",
    }


@pytest.mark.parametrize("game", games.GAMES)
def test_every_agreement_of_a_game_is_within_the_schema(game: str) -> None:
    for options in EXPECTED[game].agreements:
        assert ProtocolClient().send(new=game, seats=games.module(game).SEATS[0], options=options, first=0)[
            "ok"
        ]


@pytest.mark.slow
def test_the_schema_is_one() -> None:
    Draft202012Validator.check_schema(SCHEMA)
    assert json.loads(json.dumps(ProtocolClient().send(schema=True)["schema"])) == SCHEMA


class Unwritten(CompanionError):
    """Nothing can be written."""


def test_what_cannot_be_made_durable_does_not_happen() -> None:
    refuse: list[bool] = [False]
    seen: list[object] = []

    def store(what: Terms | Step, *_matches: Match) -> None:
        if refuse[0]:
            raise Unwritten("the disk is full", "make room")
        seen.append(what)

    client = ProtocolClient(Referee(store, store))
    assert client.send(new="six", seats=2)["ok"]
    assert client.send(do={"kind": "lay", "card": 5})["ok"]
    refuse[0] = True
    for line in ('{"do": {"kind": "lay", "card": 6}}', '{"undo": true}', '{"new": "six", "seats": 3}'):
        assert client.fault(line) == {"ok": False, "fault": "the disk is full", "fix": "make room"}
    refuse[0] = False
    assert client.send(do={"kind": "lay", "card": 6})["state"]["rows"] == [[5], [6]]
    assert [type(one) for one in seen] == [Terms, Step, Step]
    assert [one.number for one in seen if isinstance(one, Step)] == [1, 2]


def test_hello_says_which_program_answers_and_what_it_can_do() -> None:
    client = ProtocolClient(Referee(version="1.2.3"))
    answer = client.send(hello=True)
    assert answer["version"] == "1.2.3"
    assert answer["protocol"] == VERSION == 1
    assert answer["language"] == "en"
    assert answer["journal"] is False
    assert {game["game"]: tuple(game["seats"]) for game in answer["games"]} == {
        key: (games.module(key).SEATS[0], games.module(key).SEATS[-1]) for key in games.GAMES
    }


@pytest.mark.parametrize("request_", ProtocolClient().send(hello=True)["requests"])
def test_every_request_that_hello_names_is_understood(request_: str) -> None:
    answer = started().raw(b'{"%s": null}' % request_.encode())
    assert "names no action" not in answer["fault"]


def test_undone_steps_are_done_again_until_another_step_is_made() -> None:
    client = started()
    cards = [client.send(do={"kind": "lay", "card": card}) for card in (5, 6)]
    client.send(undo=True)
    client.send(undo=True)
    assert [client.send(redo=True) for _ in cards] == cards
    assert client.fault('{"redo": true}') == {
        "ok": False,
        "fault": "there is nothing to redo",
        "fix": "continue the match",
        "rule": "M-UNDO",
    }
    client.send(undo=True)
    client.send(do={"kind": "lay", "card": 7})
    assert client.fault('{"redo": true}')["rule"] == "M-UNDO"


def test_names_are_in_the_state_and_nowhere_else() -> None:
    begun: list[Any] = []
    client = ProtocolClient(Referee(begun.append))
    answer = client.send(new="six", seats=3, names=["Ana", None])
    assert answer["state"]["names"] == ["Ana", None, None]
    assert "Ana" not in str(begun)
    assert client.send(names=["Ana", "Bo", "علی‌رضا"])["state"]["names"] == ["Ana", "Bo", "علی‌رضا"]
    client.send(do={"kind": "join", "seat": 3})
    assert client.send(show=True)["state"]["names"] == ["Ana", "Bo", "علی‌رضا", None]
    assert client.send(new="six", seats=2)["state"]["names"] == [None, None]


@pytest.mark.parametrize(
    "names",
    ['"Ana"', "{}", "null", '["Ana", 7]', '[""]', '[" "]', '["a\\nb"]', '["\\ud800"]', '["%s"]' % ("x" * 41),
     "[null, null, null, null, null, null, null, null, null, null, null]"],
)  # fmt: skip
def test_names_that_cannot_be_used_are_refused_and_the_match_stays(names: str) -> None:
    client = started()
    client.send(do={"kind": "lay", "card": 5})
    for line in (f'{{"names": {names}}}', f'{{"new": "six", "seats": 2, "names": {names}}}'):
        assert "name" in client.fault(line)["fault"]


@pytest.mark.parametrize("request_", ["undo", "redo", "show", "legal"])
def test_without_a_match_the_answer_says_how_to_start_one(request_: str) -> None:
    answer = ProtocolClient().raw(b'{"%s": true}' % request_.encode())
    assert answer["fault"] == "no match has been started"
    assert '{"new": "six", "seats": 4}' in answer["fix"]
