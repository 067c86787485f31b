"""What was exported comes back with the same totals; what is damaged or here already does not."""

import json
import re
from contextlib import closing
from pathlib import Path
from zipfile import ZipFile

import pytest

from firmware.history.stored_time import minutes_of
from firmware.journal.store import Journal
from tests.firmware.journal.journal_device import DeviceProcess
from tests.firmware.past_evenings import LOGS, MATCHES, TOTALS, Evenings


@pytest.fixture
def other(tmp_path: Path) -> Evenings:
    """Another table, where nothing was played."""
    return Evenings(tmp_path, ())


@pytest.fixture(scope="module")
def exported(evenings: Evenings) -> str:
    return evenings.said("export", "--all")


@pytest.fixture
def file(exported: str, tmp_path: Path) -> Path:
    """All matches as one file."""
    path = tmp_path / "evening.jsonl"
    path.write_text(exported, encoding="utf-8")
    return path


def whole(evenings: Evenings) -> list[object]:
    with closing(Journal.read(evenings.path)) as journal:
        matches = journal.matches()
        return [(one.uid, one.header, one.started_at, list(journal.timed_steps(one.id))) for one in matches]


@pytest.mark.slow
def test_matches_come_back_whole_with_their_totals_times_and_identities(
    evenings: Evenings, other: Evenings, file: Path
) -> None:
    said = other.said("import", str(file))
    assert len(said.splitlines()) == len(MATCHES)
    assert "match 1: 6 NIMMT!, 2026-02-21 00:00 UTC, 50 min, to 66, won by Alí with 31" in said
    assert whole(other) == whole(evenings)
    for number, name in enumerate(MATCHES, start=1):
        assert list(other.past(number).match.totals) == TOTALS[f"{name}.jsonl"]["totals"]
    assert other.said("export", "--all") == file.read_text(encoding="utf-8")
    assert other.said("matches") == evenings.said("matches")


SCORES: list[dict[str, object]] = [
    {"step": number, "events": [{"kind": "deal_scored", "points": [9, 5]}]} for number in (1, 2, 3)
]


def scored(times: str) -> list[str]:
    """A match of three deals by another program, with the times of its start and of each deal."""
    header: dict[str, object] = {"log": 1, "game": "score", "seats": 2, "options": {"end": {"deals": 3}}}
    return [
        json.dumps({**record, "at": at}) for record, at in zip([header, *SCORES], times.split(), strict=True)
    ]


@pytest.mark.parametrize(
    ("times", "minutes"),
    [
        # A box without a clock; one whose clock stood still while it was off; a clock that is set back.
        ("1970-01-01T00:05 1970-01-01T00:25 2026-11-28T19:40 2026-11-28T20:00", 70),
        ("2024-03-01T10:00 2024-03-01T10:10 2024-03-01T10:20 2026-11-28T20:00", 50),
        ("2026-11-28T20:00 2026-11-28T20:20 2024-01-01T10:00 2024-01-01T10:15", 35),
        ("1970-01-01T00:05 1970-01-01T00:25 1970-01-01T00:45 1970-01-01T00:50", 45),
        ("2038-01-19T03:10 2038-01-19T03:20 2038-01-19T03:25 1901-12-13T20:50", 15),  # seconds in 32 bits
        # Suspended until the next day, and for a year; the nights on which summer time ends and begins.
        ("2026-11-27T21:00 2026-11-27T21:20 2026-11-28T19:00 2026-11-28T19:29", 79),
        ("2025-11-27T21:00 2025-11-27T21:30 2026-11-28T19:00 2026-11-28T19:30", 90),
        ("2026-10-25T02:50+02:00 2026-10-25T02:05+01:00 2026-10-25T02:20+01:00 2026-10-25T02:30+01:00", 40),
        ("2026-03-29T01:50+01:00 2026-03-29T03:05+02:00 2026-03-29T03:20+02:00 2026-03-29T03:30+02:00", 40),
    ],
)
def test_a_duration_is_what_was_played_by_any_clock(
    other: Evenings, tmp_path: Path, times: str, minutes: int
) -> None:
    file = tmp_path / "match.jsonl"
    file.write_text("\n".join(scored(times)))
    assert f", {minutes} min, " in other.said("import", str(file))
    assert f", {minutes} min, " in other.said("show", "1")
    assert f"{minutes} minutes" in other.said("export", "--format", "html")
    link = other.said("export", "--format", "bgstats", "--to", str(tmp_path))
    assert f"durationMin%22%3A{minutes}%2C" in link
    assert ("playDate" in link) is ("20" in times.rsplit(maxsplit=1)[-1][:2])  # of a clock that was set
    with closing(Journal.read(other.path)) as journal:  # as the display says
        assert minutes_of((journal.entry(1).started_at, *journal.times(1))) == minutes


def test_two_matches_with_the_same_scores_are_two(other: Evenings, tmp_path: Path) -> None:
    both = tmp_path / "both.jsonl"
    both.write_text("\n".join((*scored("2026-11-27T20:00 " * 4), *scored("2026-11-28T20:00 " * 4))))
    assert len(other.said("import", str(both)).splitlines()) == 2
    assert "is the same match" in other.refused("import", str(both))


@pytest.mark.parametrize(
    "uid",
    ["=HYPERLINK(1)", "@SUM(1+1)", "x;=1+1", "＝1+1", " -1", "\t=1", "1e5", "۱۲", "Mar 3", "True", "<\x01&>"],
)
def test_no_cell_of_a_table_is_a_formula_and_no_text_a_number(
    other: Evenings, tmp_path: Path, uid: str
) -> None:
    header, *steps = scored("2026-11-28T20:00 " * 4)
    (tmp_path / "match.jsonl").write_text(
        "\n".join((json.dumps({**json.loads(header), "match": uid}), *steps))
    )
    other.said("import", str(tmp_path / "match.jsonl"))
    lines = [other.said("export", "--format", form).splitlines()[1] for form in ("csv", "csv-people")]
    for cell in re.split("[,;\t]", ",".join(lines).replace('"', "")):
        assert not cell.lstrip().startswith(tuple("=+-@＝＋－＠"))
    assert (lines[1].lstrip('"')[0] == "\u200e") is bool(re.search(r"\d|True", uid))
    other.said("export", "--format", "xlsx", "--to", str(tmp_path))
    with ZipFile(next(tmp_path.glob("*.xlsx"))) as workbook:
        sheet = workbook.read("xl/worksheets/sheet1.xml")
    assert b'<c r="A2" t="s">' in sheet  # a text, whatever it looks like
    assert b"<f" not in sheet
    assert b"hyperlink" not in sheet


def test_imported_matches_stand_behind_those_that_were_played(other: Evenings, file: Path) -> None:
    with closing(Journal.open(other.path, wall=lambda: "2026-01-01T00:00:00Z")[0]) as journal:
        journal.begin({"log": 1, "game": "six", "seats": 2, "options": {}, "first": 0})
    assert "match 2: 6 NIMMT!" in other.said("import", str(file))
    with closing(Journal.open(other.path, wall=lambda: "")[0]) as journal:
        assert journal.begin({"log": 1}) == 2 + len(MATCHES)


def test_what_is_here_already_is_refused_and_nothing_of_the_file_comes_in(
    evenings: Evenings, other: Evenings, file: Path
) -> None:
    one = file.with_name("one.jsonl")
    one.write_text(evenings.said("export", "3"), encoding="utf-8")
    other.said("import", str(one))
    before = other.path.read_bytes()
    told = other.refused("import", str(one))
    assert "match 1 in the journal is the same match, with 27 steps" in told
    assert "there is nothing to import" in told
    assert "match 1 in the journal is the same match" in other.refused("import", str(file))
    assert len(whole(other)) == 1
    assert other.path.read_bytes() == before


def test_a_file_that_goes_further_than_the_journal_is_not_mixed_in(
    evenings: Evenings, other: Evenings, tmp_path: Path
) -> None:
    lines = evenings.said("export", "1").splitlines(keepends=True)
    early, late = tmp_path / "early.jsonl", tmp_path / "late.jsonl"
    early.write_text("".join(lines[:30]), encoding="utf-8")
    late.write_text("".join(lines), encoding="utf-8")
    assert "not finished, 0 deals played" in other.said("import", str(early))
    assert json.loads(other.said("stats", "--json"))[0]["deals"] == 0
    told = other.refused("import", str(late))
    assert "with 29 steps of the 199 in the file" in told
    assert "--journal" in told


@pytest.mark.slow
@pytest.mark.parametrize("name", MATCHES)
def test_a_log_without_an_identity_is_known_when_it_comes_again(name: str, other: Evenings) -> None:
    path = str(LOGS / f"{name}.jsonl")
    other.said("import", path)
    assert list(other.past(1).match.totals) == TOTALS[f"{name}.jsonl"]["totals"]
    assert "is the same match" in other.refused("import", path)


def damaged(file: Path, old: str, new: str) -> None:
    text = file.read_text(encoding="utf-8")
    assert old in text
    file.write_text(text.replace(old, new, 1), encoding="utf-8")


@pytest.mark.slow
@pytest.mark.parametrize(
    "case",
    [
        ('{"log": 1', '{"lag": 1', "line 1 is not a match header"),
        ('"card": 94', '"card": "94"', "the match that begins in line 1: after step"),
        ('"game": "six"', '"game": "chess"', "there is no game 'chess'"),
        ('"badges": [3, 1, 7, 2]', '"badges": [3, 1, 7]', "3 badges for 4 seats"),
        ('"badges": [3, 1, 7, 2]', '"badges": [3, 1, 7, 11]', "there is no badge 11"),
        ('"badges": [3, 1, 7, 2]', '"badges": [3, 1, 7, 7]', "two seats have the same badge"),
        ('"events": [{', '"events": [', "is not valid JSON"),
    ],
)
def test_a_damaged_file_is_refused_with_the_place_and_changes_nothing(
    other: Evenings, file: Path, case: tuple[str, str, str]
) -> None:
    old, new, told = case
    damaged(file, old, new)
    said = other.refused("import", str(file))
    assert f"{file} was not imported: " in said
    assert told in said
    assert whole(other) == []


def test_a_file_that_was_cut_off_has_a_match_twice_or_is_not_there_is_refused(
    other: Evenings, file: Path
) -> None:
    text = file.read_text(encoding="utf-8")
    file.write_text(text[:-30], encoding="utf-8")
    assert "is not valid JSON" in other.refused("import", str(file))
    file.write_text(text + text, encoding="utf-8")
    assert "is in the file twice" in other.refused("import", str(file))
    refused = other.refused("import", "/no/where.jsonl")
    assert "/no/where.jsonl cannot be read: there is no such file" in refused


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (b"", "the file contains no match"),
        (b"\n\n", "the file contains no match"),
        (b"\x89PNG\r\n", "is not UTF-8 text in line 1, character 1"),
        (b"game_id,utc_end\n", "line 1 is not valid JSON"),
    ],
)
def test_what_is_no_export_is_refused(other: Evenings, tmp_path: Path, content: bytes, told: str) -> None:
    path = tmp_path / "some.file"
    path.write_bytes(content)
    assert told in other.refused("import", str(path))


def test_nothing_is_imported_while_a_device_has_the_journal(other: Evenings, file: Path) -> None:
    with DeviceProcess(other.path) as device:
        device.ask("open")
        assert "is in use by process" in other.refused("import", str(file))
        assert device.ask("append") == 1
    assert len(whole(other)) == 1


@pytest.mark.slow
@pytest.mark.parametrize("at", ["<script>2026-", "yesterday", 7, None, "2026-13-01T00:00:00Z"])
@pytest.mark.parametrize("line", [0, 3])
def test_what_is_no_time_does_not_come_in_as_one(other: Evenings, file: Path, at: object, line: int) -> None:
    lines = [json.loads(text) for text in file.read_text(encoding="utf-8").splitlines()]
    del lines[next(place for place, row in enumerate(lines) if place and "log" in row) :]  # one match will do
    lines[line]["at"] = at
    file.write_text("".join(json.dumps(one) + "\n" for one in lines), encoding="utf-8")
    said = other.refused("import", str(file))
    assert f"the time of {'step 3' if line else 'the start'} is not a time: {at!r}" in said
    del lines[line]["at"]
    file.write_text("".join(json.dumps(one) + "\n" for one in lines), encoding="utf-8")
    assert other.said("import", str(file))
