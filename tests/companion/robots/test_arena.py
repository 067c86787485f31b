"""The arena: the same cards for all, honest figures, files that replay, programs that cannot spoil it."""

import json
import re
import sys
from collections import Counter
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from companion.robots.arena import standing
from companion.robots.arena.matches import ROUND, play
from companion.robots.arena.program import schema
from companion.robots.arena.standing import ArenaMatch, ArenaResult, Entry
from companion.robots.six.hard import Hard
from companion.robots.six.plain import Easy, Normal
from firmware.cli import main as cli
from tools import arena_page
from tools.pages import DOCS

pytestmark = pytest.mark.slow


def clock() -> float:
    return 0.0


def entries(*players: object) -> list[Entry]:
    return [Entry(type(player).__name__, player, clock) for player in players]


def result(points: tuple[int, ...], block: int = 0, deals: int = 1) -> ArenaResult:
    record = ArenaMatch(block, (0, 1), "six", 0, {}, (), points)
    return ArenaResult(block, deals, points, tuple(float(one == min(points)) for one in points), record)


def test_everybody_plays_every_hand_of_a_deal_once() -> None:
    hands: Counter[tuple[int, int, tuple[str, ...]]] = Counter()
    for one in play("six", entries(Easy(1), Normal(), Easy(2)), range(2), 9, ROUND):
        played: dict[int, list[str]] = {0: [], 1: [], 2: []}
        for _, seat, text in one.record.answers:
            if seat is not None and len(text) > 1:  # a card; rows have one digit
                played[seat].append(text)
        for seat, entry in enumerate(one.record.sits):
            hands[one.block, entry, tuple(sorted(played[seat]))] += 1
    assert len(hands) == 2 * 3 * 3


def test_a_match_ends_after_the_deal_in_which_somebody_has_66() -> None:
    for one in play("six", entries(Easy(1), Normal(), Easy(2)), range(1), 5, {}):
        assert max(one.points) >= 66
        assert one.deals > 1
        assert sorted(one.points) == sorted(one.record.points)
        assert sum(one.wins) == pytest.approx(1)


def test_hard_beats_normal_and_normal_beats_easy() -> None:
    players = entries(Hard(1), Normal(), Easy(1))
    lines = standing.standing(players, list(play("six", players, range(5), 21, ROUND)))
    assert [line.name for line in lines] == ["Hard", "Normal", "Easy"]
    assert lines[0].points < 0.9 * lines[1].points


def test_the_mean_is_of_deals_and_its_error_of_blocks() -> None:
    played = [result((10, 0), 0), result((14, 0), 0), result((20, 0), 1), result((20, 0), 1)]
    mean, error = standing.mean_points([0], played)
    assert mean == pytest.approx(16)
    # Blocks differ from their share by -8 and +8: their variance is 128, the error 1.96 x sqrt(128 x 2) / 4.
    assert error == pytest.approx(1.96 * 16 / 4)
    assert standing.mean_points([0, 1], played)[0] == pytest.approx(8)
    assert standing.mean_points([0], played[:2])[1] == float("inf")


@pytest.mark.parametrize("game", ["six", "eleven", "ciao"])
def test_the_command_prints_a_table_and_writes_matches_that_the_referee_confirms(
    game: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "matches.jsonl"
    words = ["arena", "normal", "easy", "normal", "--game", game, "--rounds", "3"]
    assert cli.main([*words, "--out", str(out)]) == 0
    told = capsys.readouterr().out.splitlines()
    assert told[0].startswith("3 rounds of 6 NIMMT!, each" if game == "six" else "3 matches, ")
    assert sorted(line.split()[0] for line in told[2:]) == ["easy", "normal"]
    assert cli.main(["arena", "--replay", str(out)]) == 0
    assert capsys.readouterr().out == "3 rounds: the referee counts the same points\n"
    again = out.with_suffix(".again")
    assert cli.main([*words, "--out", str(again)]) == 0
    assert again.read_text(encoding="utf-8") == out.read_text(encoding="utf-8")
    header, record, *_ = map(json.loads, out.read_text(encoding="utf-8").splitlines())
    assert header["players"] == ["normal", "easy", "normal"]
    changes: list[dict[str, object]] = [
        {"points": [0, 0, 0]},
        {"answers": [[0, 0, "nothing"]]},
        {"answers": 1},
        {"sits": []},
    ]
    for text in (*(json.dumps(record | change) for change in changes), "[]", "{", "{}"):
        out.write_text(text, encoding="utf-8")
        assert cli.main(["arena", "--replay", str(out)]) == 1
    assert "Traceback" not in capsys.readouterr().err


def test_a_file_that_cannot_be_replayed_is_named_with_what_would_do(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    binary = tmp_path / "rounds.png"
    binary.write_bytes(b"\x89PNG")
    for file, fault in (
        (tmp_path / "none.jsonl", f"there is no file {tmp_path / 'none.jsonl'}"),
        (tmp_path, f"{tmp_path} is a folder"),
        (binary, f"{binary} is not a text file"),
    ):
        assert cli.main(["arena", "--replay", str(file)]) == 1
        fix = "give a file as `nimmt arena --out` has written it"
        assert capsys.readouterr().err == f"nimmt: {fault}\n  {fix}\n"


def test_the_heads_of_the_table_stand_above_their_numbers(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["arena", "easy", "normal", "--rounds", "2"]) == 0
    _, *lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 3
    assert len(set(map(len, lines))) == 1


@pytest.mark.parametrize(
    ("words", "fault"),
    [
        (["hrad", "easy"], "there is no player 'hrad' of this game"),
        (["easy"], "6 NIMMT! cannot be played with 1 players"),
        (["easy", "easy", "--rounds", "0"], "--rounds is 0"),
        (["easy", "cmd:"], "a program has no name"),
        (["easy", "cmd:true", "--game", "ciao"], "there is no player 'cmd:true' of this game"),
        (["easy", "hard", "--think-ms", "0"], "--think-ms is 0"),
        (["easy", "cmd:'"], "cannot be read"),
        (["easy", "cmd:/nowhere/my-bot"], "cannot be started"),
    ],
)
def test_a_fault_says_what_would_do(words: list[str], fault: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["arena", *words]) == 1
    assert fault in capsys.readouterr().err


def played_with(program: str, capsys: pytest.CaptureFixture[str], limit_ms: int = 20_000) -> tuple[str, str]:
    """The line of the table of a Python program beside a normal robot, and what it was told of."""
    command = f"cmd:{sys.executable} -c '{program}'"
    words = ["arena", "normal", command, "--rounds", "2", "--limit-ms", str(limit_ms)]
    assert cli.main(words) == 0
    told = capsys.readouterr()
    return next(line for line in told.out.splitlines() if line.startswith("cmd:")), told.err


def test_the_program_of_the_documentation_plays_as_normal_does(capsys: pytest.CaptureFixture[str]) -> None:
    program = f"cmd:{sys.executable} docs/examples/arena_player.py"
    assert (
        cli.main(["arena", "normal", program, "--limit-ms", "20000"]) == 0
    )  # a busy machine is no fault of it
    told = capsys.readouterr()
    points = {line.split()[-6] for line in told.out.splitlines()[2:]}
    assert len(points) == 1
    assert all(line.endswith(" 0") for line in told.out.splitlines()[2:])
    assert not told.err


@pytest.mark.parametrize(
    ("program", "fault"),
    [
        ("pass", "the program has ended"),
        ("import sys; [print(7, flush=True) for _ in sys.stdin]", "not a JSON object"),
        ("import sys; [print([] , flush=True) for _ in sys.stdin]", "not a JSON object"),
        ("import sys; print(chr(123) + chr(34), flush=True); sys.stdin.read()", "not a JSON object"),
        ("import sys; [print(chr(123) + chr(125), flush=True) for _ in sys.stdin]", "is legal"),
    ],
)
def test_a_program_that_ends_or_answers_nonsense_loses_its_moves_and_is_told_of(
    program: str, fault: str, capsys: pytest.CaptureFixture[str]
) -> None:
    line, told = played_with(program, capsys, 300)
    assert fault in told
    assert int(line.split()[-1]) >= 18
    assert line.split()[-6]


def test_the_schema_describes_all_that_is_told_and_answered() -> None:
    described = schema()
    Draft202012Validator.check_schema(described)
    valid = {
        what: Draft202012Validator({**described, "$ref": f"#/$defs/{what}"}).validate
        for what in ("told", "answered", "hello", "card", "row", "fault")
    }
    # Without further answers the program ends, so both deals go on with the fallback.
    page = (DOCS / "robots.md").read_text(encoding="utf-8")
    answers = re.findall("^> (.*)$", page, re.MULTILINE)
    assert len(answers) > 2
    lines = [json.loads(line) for line in arena_page.told(answers)]
    for line in lines:
        valid["told"](line)
        valid["hello" if "hello" in line else line.get("ask", "fault")](line)
    assert {line.get("ask", next(iter(line))) for line in lines} == {"hello", "card", "row", "fault"}
    for answer in answers[:-1]:
        valid["answered"](json.loads(answer))
    assert list(
        Draft202012Validator({**described, "$ref": "#/$defs/answered"}).iter_errors(json.loads(answers[-1]))
    )


def test_a_program_that_never_stops_to_write_holds_up_nobody(capsys: pytest.CaptureFixture[str]) -> None:
    line, told = played_with('while True: print("{\\"id\\": 0}")', capsys, 20)
    assert told.count("no answer within 0.02 s") >= 20
    assert int(line.split()[-1]) >= 20


def test_a_program_that_hangs_loses_its_moves(capsys: pytest.CaptureFixture[str]) -> None:
    line, told = played_with("import signal; signal.pause()", capsys, 20)
    assert told.count("no answer within 0.02 s") >= 20
    assert int(line.split()[-1]) >= 20
