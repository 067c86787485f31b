"""The sheets of a tournament, from its log: everybody is on them, at the right table and place."""

import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from companion.core.codec import encode
from companion.tournament import acts
from companion.tournament.course import Tournament, fold
from companion.tournament.standing import draw, standing
from firmware.cli import main as cli
from tests.firmware.paper.printing import laid, printed_in

pytestmark = pytest.mark.slow

NAMES = ("Sara", "Zoë", "علی", "Иван", "Maximilian the Second", "Kim", "=1+1", "مینا رضایی")


def log_of(
    folder: Path, players: int, rounds: int, *, names: Sequence[str] = ("Player",)
) -> tuple[Path, Tournament]:
    """The log of a tournament with so many closed rounds, and one more that is drawn; and its state.

    Where there are fewer `names` than players, a number is added.
    """
    done: list[acts.Act] = [acts.Opened("Club night", "4 8 15", rounds=6)]
    for badge in range(1, players + 1):
        name = names[(badge - 1) % len(names)]
        done.append(acts.Registered(badge, name if len(names) == players else f"{name} {badge}"))
    state = state_of(done)
    for _ in range(rounds):
        drawn = draw(state)
        done.append(drawn)
        for number, badges in enumerate(drawn.tables, start=1):
            heads = tuple(badge * 3 for badge in badges)
            done.append(acts.ResultTold(drawn.round, number, f"m{drawn.round}-{number}", heads))
        done.append(acts.Closed(drawn.round))
        state = state_of(done)
    done.append(draw(state))
    file, by = folder / "tournament.jsonl", {"at": "", "by": "director"}
    lines = [json.dumps({"number": number, **by, **encode(act)}) for number, act in enumerate(done, start=1)]
    file.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return file, state_of(done)


def state_of(done: Sequence[acts.Act]) -> Tournament:
    return fold(acts.LogEntry(number, act) for number, act in enumerate(done, start=1))


def printed(folder: Path, sheet: str, log: Path, language: str = "en") -> list[str]:
    """The words of each page."""
    return [page.words for page in laid(printed_in(language, folder, sheet, "--log", str(log)))]


@pytest.mark.parametrize(("players", "pages"), [(4, 2), (160, 6)])
def test_everybody_finds_the_table_on_the_seating_plan(tmp_path: Path, players: int, pages: int) -> None:
    log, state = log_of(tmp_path, players, 1)
    found = printed(tmp_path, "seating", log)
    assert len(found) == pages
    told = " ".join(found)
    for table in state.rounds[-1].tables:
        seated = " ".join(f"{badge} Player {badge}" for badge in table.badges)
        assert f"Table {table.number} {seated}" in told
        for badge in table.badges:
            assert f" Player {badge} {badge} {table.number} " in told  # in the list of names


def test_names_stand_in_the_order_of_their_letters(tmp_path: Path) -> None:
    log, state = log_of(tmp_path, 6, 1, names=("Zoë", "Älva", "Anna", "Иван", "bert", "علی"))
    told, _ = printed(tmp_path, "seating", log)
    tables = {badge: table.number for table in state.rounds[-1].tables for badge in table.badges}
    places = [
        told.index(f"{name} {badge} {tables[badge]}")
        for name, badge in (("Älva", 2), ("Anna", 3), ("bert", 5), ("Zoë", 1), ("badge 4", 4))
    ]
    assert places == sorted(places)


def test_persian_names_stand_in_the_order_of_the_persian_alphabet(tmp_path: Path) -> None:
    names = ("واله", "یاسمن", "پریسا", "هما", "آرش", "بابک")
    log, _ = log_of(tmp_path, 6, 1, names=names)
    told, _ = printed(tmp_path, "seating", log, "fa")
    in_order = ("آرش", "بابک", "پریسا", "واله", "هما", "یاسمن")
    places = [told.index(name) for name in in_order]
    assert places == sorted(places)


@pytest.mark.parametrize("players", [4, 12])
def test_the_result_list_is_the_standing(tmp_path: Path, players: int) -> None:
    log, state = log_of(tmp_path, players, 2)
    told = " ".join(printed(tmp_path, "results", log))
    assert "Standings after round 2. Draw seed: 4 8 15" in told
    at = -1
    for row in standing(state):
        line = f" {row.place} {row.badge} {row.name} "
        assert told.index(line) > at
        at = told.index(line)


@pytest.mark.parametrize("language", ["en", "de", "fa"])
def test_a_name_without_letters_here_is_the_number_of_its_badge(tmp_path: Path, language: str) -> None:
    log, _ = log_of(tmp_path, 8, 1, names=NAMES)
    for sheet in ("seating", "results"):
        told = " ".join(printed(tmp_path, sheet, log, language))
        assert "Zoë" in told
        assert "И" not in told
        assert ("badge 4" in told) == (language == "en")


@pytest.mark.parametrize(
    ("content", "fault"),
    [
        (None, "cannot be read"),
        ("rubbish\n", "line 1: this is not a log entry"),
        (
            '{"number": 1, "at": "", "by": "", "kind": "won"}\n',
            "line 1: the record has an unknown kind 'won'",
        ),
        ("[]\n", "line 1: this is not a log entry"),
        ("", "the log of the tournament is empty"),
    ],
)
def test_a_file_that_is_no_log_is_told_with_its_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], content: str | None, fault: str
) -> None:
    log = tmp_path / "log.jsonl"
    if content is not None:
        log.write_text(content, encoding="utf-8")
    assert cli.main(["print", "seating", "--log", str(log), "--out", str(tmp_path / "out.pdf")]) == 1
    assert fault in capsys.readouterr().err
    assert not (tmp_path / "out.pdf").exists()


def test_a_tournament_sheet_without_a_log_says_where_to_get_it(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["print", "results"]) == 1
    assert "/tournament of the hub" in capsys.readouterr().err


def test_badges_of_a_club_night_are_printed_ten_on_a_page(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "badges.pdf"
    assert cli.main(["print", "badges", "--only", "9-12,41", "--out", str(out)]) == 0
    page, back = laid(out.read_bytes())
    for told in ("Pink heart", "Brown hexagon", "11", "12", "41"):
        assert told in page.words
    assert (len(page.codes), len(back.codes)) == (5, 20)
    assert cli.main(["print", "badges", "--only", "11-30", "--out", str(out)]) == 0
    assert len(laid(out.read_bytes())) == 4
    assert cli.main(["print", "badges", "--only", "990-1000", "--out", str(out)]) == 1
    assert "there are no badges '990-1000'" in capsys.readouterr().err
