"""docs/referee.md and the pages of the games: nothing of the protocol is missing from them."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from companion.core import games
from companion.core.ask import Ask, AskKind, Gives, Wait
from companion.core.codec import LARGEST, encode_short, json_schema
from companion.core.game import Game
from companion.core.score_sheet import DealScored
from companion.match import commands as match_commands
from companion.match import match
from companion.protocol.referee import LONGEST_LINE, Referee
from companion.protocol.snapshot import state
from tests.companion.protocol_client import REQUEST
from tests.companion.random_match import EXPECTED, agreed, legal

DOCS = Path(__file__).parents[3] / "docs"
COMMON = (DOCS / "referee.md").read_text(encoding="utf-8")
PAGES = {key: (DOCS / f"{key}.md").read_text(encoding="utf-8") for key in games.GAMES}
REFERENCE = "".join((COMMON, *PAGES.values()))
GAMES = [games.module(key).make(games.module(key).SEATS[0], {}) for key in games.GAMES]

every_game = pytest.mark.parametrize("game", GAMES, ids=lambda game: game.key)


def session() -> list[tuple[str, str]]:
    """The requests of the worked examples and the answers printed below them."""
    return re.findall(r"^> (.+)\n< (.+)$", REFERENCE, flags=re.MULTILINE)


@pytest.mark.slow
def test_there_are_worked_examples_and_each_has_its_answer() -> None:
    assert len(session()) == REFERENCE.count("\n> ") == REFERENCE.count("\n< ") > 20
    for request, _ in session():
        REQUEST.validate(json.loads(request))


@every_game
def test_every_example_of_an_order_or_a_position_is_of_the_right_form(game: Game) -> None:
    examples = [
        json.loads(found)
        for found in re.findall(r'^\| `(\{"kind": "\w+".*?\})` \|', PAGES[game.key], flags=re.MULTILINE)
    ]
    assert {cls.KIND for cls in game.commands} <= {example["kind"] for example in examples}
    referee, new = Referee(), json.dumps({"new": game.key, "seats": 4}).encode()
    assert referee.answer(new)["ok"]
    for example in examples:
        answer = referee.answer(json.dumps({"do": example}).encode())
        assert answer["ok"] or "rule" in answer, (example, answer)
    (position,) = re.findall(r'^(\{"position": .*\})$', PAGES[game.key], flags=re.MULTILINE)
    assert referee.answer(new)["ok"]
    assert referee.answer(position.encode())["ok"]


def test_every_order_and_event_is_described_with_its_fields() -> None:
    orders = [(cls, PAGES["score"]) for cls in (*match_commands.COMMANDS, *match_commands.EVENTS)]
    orders += [(cls, PAGES[game.key]) for game in GAMES for cls in (*game.commands, *game.events)]
    referee = Referee()
    assert referee.answer(b'{"new": "six", "seats": 4}')["ok"]
    for cls, page in (*orders, (DealScored, REFERENCE)):
        fields = json_schema(cls)["properties"]
        kind = fields.pop("kind")["const"]
        lines = [
            line for line in page.splitlines() if line.startswith("|") and re.search(rf"\b{kind}\b", line)
        ]
        assert lines, kind
        for field in fields:
            assert any(re.search(rf"\b{field}\b", line) for line in lines), (kind, field)
        if cls in match_commands.COMMANDS:
            (example,) = re.findall(r"^\| `(\{.*?\})` \|", lines[0])
            assert "rule" in referee.answer(json.dumps({"do": json.loads(example)}).encode())


@every_game
def test_every_option_and_every_field_of_a_state_or_a_position_is_described(game: Game) -> None:
    module, page = games.module(game.key), PAGES[game.key]
    assert f"<!-- rules of {game.key} -->" in page
    adopt = next(command for command in game.commands if command.KIND == "adopt")
    fields = {f"| `{option}` |": page for option in module.options_schema()["properties"]}
    fields |= {f"`{field}`": page for field in json_schema(adopt, tagged=False)["properties"]}
    begun = match.begin(match.Terms(game.key, module.SEATS[0]))
    fields |= {f"| `{field}` |": COMMON + page for field in state(begun)}
    assert [field for field, text in fields.items() if field not in text] == []


def test_every_question_is_described() -> None:
    for kind in AskKind:
        assert f"| `{kind.value}` |" in REFERENCE
    for wait in Wait:
        assert f'`"{wait.value}"`' in REFERENCE


@pytest.mark.slow
def test_the_word_of_every_choice_is_described_with_its_command() -> None:
    table = REFERENCE.partition("| word | command |")[2].partition("\n\n")[0]
    printed = {
        word: json.loads(found[2])
        for line in table.splitlines()
        if (found := re.match(r"\| (.+?) \| `(\{.*?\})`", line))
        for word in re.findall(r"`([^`]+)`", found[1])
    }
    seen: set[str] = set()
    for at, ask in (pair for game in GAMES for pair in questions(game)):
        for word in ask.choices if ask.kind.gives is Gives.WORD else ():
            if not (at.terms.game == "score" and ask.kind is AskKind.DECIDE):  # that is about two cards
                seen.add(word)
                meant = encode_short(at.game.read(ask, None, word))
                assert meant.keys() == printed[word].keys()
                values = {name: value for name, value in meant.items() if name not in ("kind", "seat")}
                assert meant["kind"] == printed[word]["kind"]
                assert all(value in (printed[word][name], word) for name, value in values.items())
    assert seen == printed.keys()


def questions(game: Game) -> Iterator[tuple[match.Match, Ask]]:
    """What is asked in random matches of a game."""
    for seed in range(len(EXPECTED[game.key].agreements)):
        random = Random(seed)
        at = agreed(game.key, random)
        opening = EXPECTED[game.key].opening(at, random)
        step = None if opening is None else at.propose(opening)
        for _ in range(60):
            yield from ((at, ask) for ask in at.asks)
            if not at.asks:
                break
            at = at.then(step if isinstance(step, match.Step) else legal(at, random))
            step = None


def test_every_request_is_described() -> None:
    for request in Referee().answer(b'{"hello": true}')["requests"]:
        assert f'| `{{"{request}": ' in REFERENCE


def test_every_field_of_an_answer_is_described() -> None:
    hello = Referee().answer(b'{"hello": true}')
    stored = next(json.loads(line)["matches"][0] for _, line in session() if '"matches"' in line)
    asked = Referee().answer(b'{"new": "six", "seats": 2}')["asks"][0]
    for field in (*hello, *stored, *asked):
        assert field == "ok" or re.search(rf"^\| (?:`\w+`, )*`{field}`", COMMON, flags=re.MULTILINE), field


def test_the_limits_are_those_that_hold() -> None:
    assert f"{LONGEST_LINE:,} bytes" in REFERENCE
    assert f"{LARGEST:,} in size" in REFERENCE
