"""The requests beside the game: hello, names, redo, legal, and what a referee without a journal answers."""

from typing import Any

import pytest

from companion.core import games
from companion.protocol.referee import VERSION, Referee
from tests.companion.protocol_client import ProtocolClient, started


def test_hello_says_which_program_answers_and_what_it_can_do() -> None:
    client = ProtocolClient(Referee(version="1.2.3"))
    answer = client.send(hello=True)
    assert answer["version"] == "1.2.3"
    assert answer["protocol"] == VERSION == 1
    assert answer["language"] == "en"
    assert answer["journal"] is False
    assert {one["game"]: tuple(one["seats"]) for one in answer["games"]} == {
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
    for line in (f'{{"names": {names}}}', f'{{"new": "six", "seats": 2, "names": {names}}}'):
        assert "name" in client.fault(line)["fault"]


def test_the_card_that_a_question_is_about_is_written_as_in_commands() -> None:
    client = started()
    client.send(position={"rows": [[30], [40], [50], [60]]})
    client.send(do={"kind": "play", "card": 3})
    (asked,) = client.send(do={"kind": "play", "card": 70})["asks"]
    assert (asked["verb"], asked["card"]) == ("choose a row", 3)
    (asked,) = client.send(do={"kind": "take_row", "row": 0})["asks"]
    assert client.send(do={"kind": "claim", "card": asked["card"], "seat": 1})["ok"]
    client.send(new="ciao", seats=3)
    client.send(do={"kind": "play", "card": "gP:SC"})
    (asked,) = client.send(do={"kind": "race", "card": "gS#2"})["asks"]
    assert (asked["verb"], asked["card"]) == ("who played it", "gS#2")
    client.send(new="score", seats=2, options={"of": "six", "entry": "piles"})
    (asked,) = client.send(do={"kind": "put_card", "card": "9", "typed": True})["asks"]
    assert (asked["verb"], asked["card"]) == ("decide", "9")


@pytest.mark.parametrize("request_", ["undo", "redo", "show", "legal"])
def test_without_a_match_the_answer_says_how_to_start_one(request_: str) -> None:
    answer = ProtocolClient().raw(b'{"%s": true}' % request_.encode())
    assert answer["fault"] == "no match has been started"
    assert '{"new": "six", "seats": 4}' in answer["fix"]
