"""The arena: the same cards for all, honest figures, files that replay, programs that cannot spoil it."""

import json
import re
import sys
from collections import Counter
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from companion.robots.arena import matches, six_rounds, standing
from companion.robots.arena.program import schema
from companion.robots.arena.standing import ArenaResult, Entry, SixRound
from companion.robots.eleven import players as eleven
from companion.robots.six.hard import Hard
from companion.robots.six.plain import Easy, Greedy, Normal
from firmware.cli import main as cli
from tools import sessions
from tools.pages import DOCS

pytestmark = pytest.mark.slow


def clock() -> float:
    return 0.0


def entries(*players: object) -> list[Entry]:
    return [Entry(type(player).__name__, player, clock) for player in players]


def result(points: tuple[int, ...], block: int = 0, deals: int = 1) -> ArenaResult:
    return ArenaResult(block, deals, points, tuple(float(one == min(points)) for one in points), ())


def test_everybody_plays_every_hand_of_a_deal_once() -> None:
    played = list(six_rounds.play(entries(Easy(1), Normal(), Greedy()), range(4), 9, matches=False))
    assert len(played) == 12
    by_hand: Counter[tuple[int, int, str]] = Counter()
    for one in played:
        record = one.records[0]
        assert isinstance(record, SixRound)
        for seat, entry in enumerate(record.sits):
            by_hand[one.block, entry, str(record.hands[seat])] += 1
    assert len(by_hand) == 4 * 3 * 3
    assert set(by_hand.values()) == {1}


def test_rounds_in_step_are_the_same_as_one_after_the_other() -> None:
    def players() -> list[Entry]:
        return entries(Hard(1, tables=60, hands=30, blocks=1), Normal(), Easy(2))

    alone = six_rounds.play(players(), range(2), 4, matches=True)
    in_step = six_rounds.play(players(), range(2), 4, matches=True, together=3)
    assert sorted(alone, key=str) == sorted(in_step, key=str)


def test_a_match_ends_after_the_deal_in_which_somebody_has_66() -> None:
    for one in six_rounds.play(entries(Easy(1), Normal(), Greedy()), range(2), 5, matches=True):
        assert max(one.points) >= 66
        assert one.deals == len(one.records)
        totals = [0, 0, 0]
        for record in one.records:
            assert isinstance(record, SixRound)
            assert max(totals) < 66
            for seat, entry in enumerate(record.sits):
                totals[entry] += record.heads[seat]
        assert tuple(totals) == one.points
        assert sum(one.wins) == pytest.approx(1)


def test_hard_beats_normal_and_normal_beats_easy() -> None:
    players = entries(Hard(1, tables=300, hands=12_000), Normal(), Greedy(), Easy(1))
    played = list(six_rounds.play(players, range(4), 21, matches=False, together=4))
    lines = standing.standing(players, played)
    assert [line.name for line in lines] == ["Hard", "Normal", "Greedy", "Easy"]
    assert lines[0].points < 0.9 * lines[1].points


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_hard_has_fewer_points_in_11_nimmt_than_normal_ones_and_wins_more(seats: int) -> None:
    players = [*entries(eleven.Hard(1, worlds=8)), *entries(*[eleven.Normal()] * (seats - 1))]
    hard, normal = standing.standing(players, list(matches.play("eleven", players, range(3), 12)))
    assert (hard.name, normal.name) == ("Hard", "Normal")
    assert hard.points < 0.8 * normal.points
    assert hard.wins > 1.2 / seats


def test_the_mean_is_of_deals_and_its_error_of_blocks() -> None:
    played = [result((10, 0), 0), result((14, 0), 0), result((20, 0), 1), result((20, 0), 1)]
    mean, error = standing.mean_points([0], played)
    assert mean == pytest.approx(16)
    # Blocks differ from their share by -8 and +8: their variance is 128, the error 1.96 x sqrt(128 x 2) / 4.
    assert error == pytest.approx(1.96 * 16 / 4)
    assert standing.mean_points([0, 1], played)[0] == pytest.approx(8)
    assert standing.mean_points([0], played[:2])[1] == float("inf")


def test_elo_says_how_often_the_better_one_wins() -> None:
    names = ["one", "two"]
    played = [result((0, 1))] * 3 + [result((1, 0))]
    rating = standing.elo(names, names, played)
    won = 1 / (1 + 10 ** ((rating["two"] - rating["one"]) / 400))
    assert won == pytest.approx(3.5 / 5)
    assert rating["one"] + rating["two"] == pytest.approx(3000)
    assert standing.elo(["one"], ["one", "one"], played) == {"one": 1500}


def test_the_command_prints_a_table_and_writes_rounds_that_the_referee_confirms(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "rounds.jsonl"
    assert cli.main(["arena", "normal", "easy", "greedy", "normal", "--rounds", "6", "--out", str(out)]) == 0
    told = capsys.readouterr().out.splitlines()
    assert told[0] == "8 rounds of 6 NIMMT!, each deal 4 times, seed 1"
    assert [line.split()[0] for line in told[2:]].count("normal") == 1
    assert cli.main(["arena", "--replay", str(out)]) == 0
    assert capsys.readouterr().out == "8 rounds: the referee counts the same heads\n"
    header, *records = map(json.loads, out.read_text(encoding="utf-8").splitlines())
    assert header["players"] == ["normal", "easy", "greedy", "normal"]
    for change in ({"heads": [0, 0, 0, 0]}, {"cards": records[0]["cards"][:9]}, {"rows": [1, 1, 2, 3]}):
        out.write_text(json.dumps(records[0] | change), encoding="utf-8")
        assert cli.main(["arena", "--replay", str(out)]) == 1
    for text in ("[]", "{", "{}"):
        out.write_text(text, encoding="utf-8")
        assert cli.main(["arena", "--replay", str(out)]) == 1
    assert "Traceback" not in capsys.readouterr().err


def test_a_file_that_cannot_be_replayed_is_named_with_what_would_do(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    binary = tmp_path / "rounds.png"
    binary.write_bytes(b"\x89PNG")
    for file, fault in (
        (
            tmp_path / "none.jsonl",
            f"{tmp_path / 'none.jsonl'} cannot be read: there is no such file or folder",
        ),
        (tmp_path, f"{tmp_path} cannot be read: it is a folder"),
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


@pytest.mark.parametrize("game", ["eleven", "ciao"])
def test_matches_of_the_other_games_are_ruled_on_and_replayed_by_the_referee(
    game: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "matches.jsonl"
    words = ["arena", "normal", "easy", "--game", game, "--matches", "2"]
    assert cli.main([*words, "--out", str(out)]) == 0
    told = capsys.readouterr().out.splitlines()
    assert told[0].startswith("2 matches, ")
    assert {line.split()[0] for line in told[2:]} == {"normal", "easy"}
    assert cli.main(["arena", "--replay", str(out)]) == 0
    again = out.with_suffix(".again")
    assert cli.main([*words, "--out", str(again)]) == 0
    assert again.read_text(encoding="utf-8") == out.read_text(encoding="utf-8")
    record = json.loads(out.read_text(encoding="utf-8").splitlines()[1])
    changes: list[dict[str, object]] = [
        {"points": [0, 0]},
        {"answers": [[0, 0, "nothing"]]},
        {"answers": 1},
        {"sits": []},
    ]
    for change in changes:
        out.write_text(json.dumps(record | change), encoding="utf-8")
        assert cli.main(["arena", "--replay", str(out)]) == 1
    assert "Traceback" not in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "fault"),
    [
        (["hrad", "easy"], "there is no player 'hrad'"),
        (["easy"], "6 NIMMT! cannot be played with 1 players"),
        (["easy", "easy", "--rounds", "0"], "--rounds is 0"),
        (["easy", "cmd:"], "a program has no name"),
        (["easy", "greedy", "--game", "ciao"], "'greedy' does not play this game"),
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
    points = {line.split()[-7] for line in told.out.splitlines()[2:]}
    assert len(points) == 1
    assert all(line.endswith(" 0") for line in told.out.splitlines()[2:])
    assert not told.err


@pytest.mark.parametrize(
    ("program", "fault"),
    [
        ("pass", "the program has ended"),
        ("import sys; [print(7, flush=True) for _ in sys.stdin]", "not a JSON object"),
        ("import sys; [print([] , flush=True) for _ in sys.stdin]", "not a JSON object"),
        ("import sys; print(chr(123) + chr(34), flush=True); sys.stdin.readline()", "not a JSON object"),
        ("import sys; [print(chr(123) + chr(125), flush=True) for _ in sys.stdin]", "is legal"),
    ],
)
def test_a_program_that_ends_or_answers_nonsense_loses_its_moves_and_is_told_of(
    program: str, fault: str, capsys: pytest.CaptureFixture[str]
) -> None:
    line, told = played_with(program, capsys, 300)
    assert fault in told
    assert int(line.split()[-1]) >= 18
    assert line.split()[-7]


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
    lines = [json.loads(line) for line in sessions.told(answers)]
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
