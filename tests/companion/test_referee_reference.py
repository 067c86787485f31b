"""docs/referee.md: the session in it is what happens, and nothing of the protocol is missing from it."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from companion import games, match
from companion.game import AnyGame, Verb, Wait
from companion.ledger import DealScored
from companion.protocol import LONGEST_LINE, Referee, state
from companion.records import LARGEST, json_schema

REFERENCE = (Path(__file__).parents[2] / "docs" / "referee.md").read_text()
GAMES = [games.module(key).make(games.module(key).SEATS[0], {}) for key in games.GAMES]


def session() -> list[tuple[str, str]]:
    """The requests of the worked example and the answers printed below them."""
    return re.findall(r"^> (.+)\n< (.+)$", REFERENCE, flags=re.MULTILINE)


def test_the_worked_example_is_answered_word_for_word() -> None:
    assert len(session()) == REFERENCE.count("\n> ") == REFERENCE.count("\n< ") > 10
    referee = Referee()
    for request, printed in session():
        assert json.dumps(referee.answer(request.encode())) == printed


def test_every_example_of_an_order_or_a_position_is_of_the_right_form() -> None:
    examples = re.findall(r'`(\{"kind": "\w+".*?\})` \|', REFERENCE)
    assert len(examples) >= len(GAMES[0].commands)
    referee = Referee()
    referee.answer(b'{"new": "six", "seats": 4}')
    for example in examples:
        answer = referee.answer(json.dumps({"do": json.loads(example)}).encode())
        assert answer["ok"] or "rule" in answer, (example, answer)
    (position,) = re.findall(r'^(\{"position": .*\})$', REFERENCE, flags=re.MULTILINE)
    assert referee.answer(position.encode())["ok"]


@pytest.mark.parametrize("cls", [cls for game in GAMES for cls in (*game.commands, *game.events, DealScored)])
def test_every_order_and_event_is_described_with_its_fields(cls: type) -> None:
    schema = json_schema(cls)
    kind = schema["properties"].pop("kind")["const"]
    lines = [
        line for line in REFERENCE.splitlines() if line.startswith("|") and re.search(rf"\b{kind}\b", line)
    ]
    assert lines, kind
    for field in schema["properties"]:
        assert any(re.search(rf"\b{field}\b", line) for line in lines), (kind, field)


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.key)
def test_every_rule_and_option_is_described(game: AnyGame) -> None:
    for option in games.module(game.key).options_schema()["properties"]:
        assert f"| `{option}` |" in REFERENCE
    for rule in (*game.rules.values(), match.UNDO, match.OVER):
        assert f"| `{rule.key}` | {rule.full} | {rule.source} |" in REFERENCE


def test_every_question_and_every_field_of_the_state_is_described() -> None:
    for verb in Verb:
        assert f"| `{verb.value}` |" in REFERENCE
    for wait in Wait:
        assert f'`"{wait.value}"`' in REFERENCE
    for key in games.GAMES:
        begun = match.begin(match.Terms(key, games.module(key).SEATS[0]))
        for field in state(begun):
            assert f"| `{field}` |" in REFERENCE


def test_the_limits_are_those_that_hold() -> None:
    assert f"{LONGEST_LINE:,} bytes" in REFERENCE
    assert f"{LARGEST:,} in size" in REFERENCE
