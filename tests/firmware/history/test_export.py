"""What leaves the device can be read by what it is for: spreadsheets, browsers, printers, BG Stats."""

import csv
import io
import json
import re
import urllib.parse
import uuid
import xml.etree.ElementTree as ET
from contextlib import closing
from datetime import UTC, datetime, timedelta
from html.parser import HTMLParser
from itertools import pairwise
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest

from firmware.cli import main as cli
from firmware.commands import export
from firmware.history import usb_stick
from firmware.history.chart import NARROW, WIDE, ChartSize, as_svg, looks_of
from firmware.history.stored_time import read_time
from firmware.journal.store import Journal
from firmware.paper.badges import LOOKS
from firmware.text.translation import Translator
from tests.firmware.past_evenings import MATCHES, NAMES, TOTALS, Evenings, with_a_match_in_play

SVG = "{http://www.w3.org/2000/svg}"
SHEET = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"


def rows(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text)))


# --- CSV


def test_a_spreadsheet_gets_a_line_for_every_deal_and_player(evenings: Evenings) -> None:
    text = evenings.said("export", "1", "--format", "csv")
    assert (
        text.splitlines()[0] == "game_id,utc_end,game,match,deal,player,points,total,rank,rule,deck,verified"
    )
    found = rows(text)
    assert len(found) == 4 * 4
    who = (evenings.past(1).uid, "2026-02-21T00:49:45Z", "6 nimmt!", "1", "1", "Sara & Co")
    assert tuple(found[0].values()) == (*who, "8", "8", "1", ">=66", "104", "yes")


def test_the_points_in_a_spreadsheet_add_up_to_the_totals(evenings: Evenings) -> None:
    found = rows(evenings.said("export", "--all", "--format", "csv"))
    for number, name in enumerate(MATCHES, start=1):
        past = evenings.past(number)
        start = past.match.scoring.start or (0,) * 9
        for person in past.people:
            mine = [one for one in found if (one["game_id"], one["player"]) == (past.uid, person.name)]
            total = sum(int(one["points"]) for one in mine) + start[person.seat]
            assert total == TOTALS[f"{name}.jsonl"]["totals"][person.seat]
            assert not mine or int(mine[-1]["total"]) == total


@pytest.mark.slow
def test_a_deal_is_called_verified_only_where_its_cards_prove_it(evenings: Evenings) -> None:
    found = rows(evenings.said("export", "--all", "--format", "csv"))
    by_match = {}
    for number, name in enumerate(MATCHES, start=1):
        uid = evenings.past(number).uid
        by_match[name] = [one["verified"] for one in found if one["game_id"] == uid]
    assert set(by_match["match-of-four"]) == set(by_match["ciao-of-four"]) == {"yes"}
    assert set(by_match["match-corrected"]) == {"corrected"}
    assert set(by_match["score-in-teams"]) == {"corrected", "no"}


@pytest.mark.parametrize("language", ["en", "de", "fa"])
def test_spreadsheets_of_each_language_get_numbers_as_numbers_and_times_as_times(
    tmp_path: Path, language: str
) -> None:
    evenings = Evenings(tmp_path, ("match-of-four",))
    with evenings.config.open("a") as config:
        config.write(f'[screen]\nlanguage = "{language}"\n')
    file = Path(evenings.said("export", "--format", "xlsx", "--to", str(tmp_path)).strip())
    with ZipFile(file) as workbook:
        sheet, strings, styles = (
            ET.fromstring(workbook.read(f"xl/{name}.xml"))  # noqa: S314 - it is ours
            for name in ("worksheets/sheet1", "sharedStrings", "styles")
        )
    assert (sheet.find(".//{*}sheetView[@rightToLeft]") is not None) == (language == "fa")
    assert styles.find(".//{*}numFmt[@formatCode='yyyy-mm-dd hh:mm']") is not None
    texts = ["".join(each.itertext()) for each in strings]
    table = [[(cell.get("t"), cell.findtext("{*}v")) for cell in row] for row in sheet.iter(f"{SHEET}row")]
    assert texts[int(table[0][6][1] or "")] == Translator(language)("Points")
    begin = datetime(1899, 12, 30, tzinfo=UTC)  # of all spreadsheets
    found = rows(evenings.said("export", "--format", "csv"))
    for (uid, ended, *more), line in zip(table[1:], found, strict=True):
        assert texts[int(uid[1] or "")] == line["game_id"]
        at = begin + timedelta(days=float(ended[1] or ""))
        assert abs(at - datetime.fromisoformat(line["utc_end"])) < timedelta(seconds=1)
        numbers = [int(value or "") for kind, value in more if kind != "s"]
        assert numbers == [int(line[name]) for name in ("match", "deal", "points", "total", "rank", "deck")]
    people = evenings.said("export", "--format", "csv-people").splitlines()
    title, first, *_ = csv.reader(people, delimiter="," if language == "en" else ";")
    assert (title[0][0], title[6]) == ("\ufeff", Translator(language)("Points"))
    assert (first[1], first[6], first[-1]) == ("2026-02-21 00:49:45", found[0]["points"], "✓")


# --- JSON lines


def test_json_lines_carry_identity_and_times_and_can_be_replayed(
    evenings: Evenings, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    one, every = evenings.said("export", "1"), evenings.said("export", "--all")
    header, *steps = map(json.loads, one.splitlines())
    assert header["match"] == evenings.past(1).uid
    assert header["at"] == "2026-02-21T00:00:00Z"
    assert all("at" in step for step in steps)
    file = tmp_path / "match.jsonl"
    for text, matches in ((one, 1), (every, len(MATCHES))):
        file.write_text(text)
        assert cli.main(["replay", str(file)]) == 0
        told = capsys.readouterr().out
        assert told.count("\ntotals: ") == matches
        assert "totals: player 1: 53, player 2: 74, player 3: 35, player 4: 31" in told
    file.write_text("")
    assert cli.main(["replay", str(file)]) == 1
    assert "contains no match" in capsys.readouterr().err


# --- HTML


class Page(HTMLParser):
    """What a browser would fetch, and what it would show."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.fetched: list[str] = []
        self.open: list[str] = []
        self.shown: list[str] = []
        self.tags: list[str] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        if tag not in ("meta", "rect", "path", "polyline"):
            self.open.append(tag)
        links = ("src", "href", "srcset", "data", "poster")
        self.fetched += [value for name, value in attrs if value and name in links]

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open and self.open[-1] != "style" and data.strip():
            self.shown.append(data.strip())


def test_the_report_needs_nothing_from_elsewhere(tmp_path: Path) -> None:
    evenings = Evenings(tmp_path, ("match-corrected", "score-in-teams"))
    text = evenings.said("export", "--all", "--format", "html")
    page = Page(text)
    assert page.open == []
    assert all(link.startswith("#match-") for link in page.fetched)
    assert "script" not in page.tags
    assert "@import" not in text
    assert "url(" not in text
    assert set(re.findall(r"https?://[^\"' <]+", text)) == {"http://www.w3.org/2000/svg"}


def test_the_report_shows_standings_chart_points_and_story(evenings: Evenings) -> None:
    text = evenings.said("export", "1", "--format", "html")
    page = Page(text)
    said = " ".join(page.shown)
    assert said.count("6 NIMMT!") == 2
    assert "Alí wins with 31" in said
    assert "2026-02-21 00:00 UTC · 50 minutes · to 66 · 104 cards · match 1" in said
    for width, lines in (("4.0", 1), ("2.5", 3)):  # in the wide chart and in that for phones
        assert text.count(f'stroke-width="{width}"') == 2 * lines
    assert "Deal 4" in said
    assert "Max +16 24 is lower than the end of every row (39, 57, 68, 96): Max takes 33, 40, 55, 57" in said
    assert "@page { size: A4;" in text
    assert 'name="viewport" content="width=device-width' in text
    widths = [int(one) for one in re.findall(r'viewBox="0 0 (\d+) \d+" role', text)]
    assert widths == [WIDE.width, NARROW.width]


def test_names_cannot_break_the_report(tmp_path: Path) -> None:
    evil = Evenings(tmp_path, ("match-of-four", "score-in-teams"))
    evil.config.write_text("[table]\nnames = ['<script>x</script>', \"$title\", '\"&#0;']\n")
    page = Page(evil.said("export", "--all", "--format", "html"))
    assert "script" not in page.tags
    assert "<script>x</script>" in page.shown
    assert "$title" in page.shown


@pytest.mark.slow
def test_an_unfinished_match_is_reported_as_such(tmp_path: Path) -> None:
    short = Evenings(tmp_path, ())
    with closing(Journal.open(short.path, wall=lambda: "no clock")[0]) as journal:
        journal.begin({"log": 1, "game": "six", "seats": 2, "options": {}, "first": 0, "badges": [1, 9]})
    for kind in ("html", "csv", "svg"):
        assert short.said("export", "--format", kind)
    assert "Not finished" in short.said("export", "--format", "html")
    assert "no matches yet" in short.said("matches")  # nothing was played


# --- the chart


def lines(drawing: ET.Element) -> list[ET.Element]:
    """Those of the players."""
    return [line for line in drawing.iter(f"{SVG}polyline") if line.get("stroke-width") in ("2.5", "4.0")]


def test_the_chart_has_everybodys_totals_in_the_colours_of_the_badges(evenings: Evenings) -> None:
    drawing = ET.fromstring(evenings.said("export", "1", "--format", "svg"))  # noqa: S314 - it is ours
    colours = {LOOKS[badge].colour for badge in MATCHES["match-of-four"]}
    assert {line.get("stroke") for line in lines(drawing)} == colours
    assert {len((line.get("points") or "").split()) for line in lines(drawing)} == {1 + 4}
    words = [one.text for one in drawing.iter(f"{SVG}text")]
    assert set(NAMES) <= set(words)
    assert {"31", "35", "53", "74", "66", "deal 1", "4"} <= set(words)


def drawn(evenings: Evenings, number: int, size: ChartSize) -> ET.Element:
    past = evenings.past(number)
    return ET.fromstring(as_svg(past, looks_of(past, LOOKS), Translator(), size))  # noqa: S314 - it is ours


def test_the_lines_of_a_chart_end_at_the_totals(evenings: Evenings) -> None:
    for number in range(1, len(MATCHES) + 1):
        past = evenings.past(number)
        for size in (WIDE, NARROW):
            drawing = drawn(evenings, number, size)
            texts = [(one, float(one.get("y") or 0)) for one in drawing.iter(f"{SVG}text")]
            axis = [(y - 5, int(one.text or "")) for one, y in texts if one.get("text-anchor") == "end"]
            (low_y, low), *_, (high_y, high) = axis
            ends = [float((one.get("points") or "").split()[-1].partition(",")[2]) for one in lines(drawing)]
            totals = [round(low + (y - low_y) * (high - low) / (high_y - low_y)) for y in ends]
            assert sorted(totals) == sorted(past.match.totals)
            large = [one for one in texts if one[0].get("font-size") == "17"]
            numbers, names = large[::2], large[1::2]
            assert [int(one.text or "") for one, _ in numbers] == totals
            heights = sorted(y for _, y in names)
            assert all(lower - upper >= 21.9 for upper, lower in pairwise(heights))
            assert 0 < heights[0] < heights[-1] < size.height


# --- BG Stats


def carried(link: str) -> dict[str, Any]:
    base, data = link.split("?data=")
    assert base == "https://app.bgstatsapp.com/createPlay.html"
    assert re.fullmatch(r"[A-Za-z0-9._~%-]+", data)
    found: dict[str, Any] = json.loads(urllib.parse.unquote(data))
    return found


def test_bg_stats_gets_the_play_as_a_link(evenings: Evenings, tmp_path: Path) -> None:
    said = evenings.said("export", "1", "--format", "bgstats", "--to", str(tmp_path))
    file, link = said.splitlines()
    assert Path(file).name == "nimmt-2026-02-21-match-1.bgsplay"
    six = {"name": "6 nimmt!", "sourceGameId": "six", "bggId": 432}
    won = [{"winner": wins, "startPlayer": False} for wins in (False, True)]
    assert carried(link) == {
        "sourceName": "nimmt-companion",
        "sourcePlayId": evenings.past(1).uid,
        "playDate": "2026-02-21 00:49:45",
        "durationMin": 50,
        "comments": "4 deals, to 66",
        "game": {**six, "highestWins": False, "noPoints": False},
        "players": [
            {"name": name, "sourcePlayerId": badge, "score": score, "rank": rank, **won[rank == 1]}
            for name, badge, score, rank in (
                ("Alí", "p02", 31, 1),
                ("P7", "p07", 35, 2),
                ("Sara & Co", "p03", 53, 3),
                ("Max", "p01", 74, 4),
            )
        ],
    }


def test_the_end_of_a_play_is_not_when_its_score_was_put_right(evenings: Evenings) -> None:
    corrected = evenings.past(3)
    with closing(Journal.read(evenings.path)) as journal:
        times = [at for _, at in journal.timed_steps(3)]
    assert len(times) == 27
    assert corrected.ended == read_time(times[25])
    assert corrected.ended != read_time(times[26])


def test_the_play_file_links_games_players_and_plays(evenings: Evenings, tmp_path: Path) -> None:
    assert evenings.said("export", "--all", "--format", "bgstats", "--to", str(tmp_path))
    (file,) = tmp_path.glob("*.bgsplay")
    found = json.loads(file.read_text(encoding="utf-8"))
    assert set(found) == {"games", "players", "locations", "plays", "userInfo"}
    games = {one["id"]: one for one in found["games"]}
    players = {one["id"]: one for one in found["players"]}
    assert len(games) == len(found["games"])
    assert len(found["plays"]) == len(MATCHES)
    everything = [one["uuid"] for part in ("games", "players", "plays") for one in found[part]]
    assert len({uuid.UUID(one) for one in everything}) == len(everything)
    for number, play in enumerate(found["plays"], start=1):
        past = evenings.past(number)
        assert games[play["gameRefId"]]["highestWins"] is past.match.scoring.high_wins
        scores = {players[one["playerRefId"]]["name"]: one for one in play["playerScores"]}
        for place in past.match.places:
            for seat in place.seats:
                assert scores[past.people[seat].name]["score"] == str(past.match.totals[seat])
        assert [one["winner"] for one in play["playerScores"]].count(True) == len(past.winners)


def test_a_match_that_is_not_over_is_no_play(tmp_path: Path) -> None:
    evenings = with_a_match_in_play(tmp_path)
    assert "match 4 is not over" in evenings.refused("export", "4", "--format", "bgstats")
    (folder := tmp_path / "to").mkdir()
    words = ("export", "4", "--format", "bgstats", "--to", str(folder))
    assert "match 4 is not over" in evenings.refused(*words)
    assert not list(folder.iterdir())
    whole = json.loads(evenings.said("export", "--all", "--format", "bgstats"))
    assert len(whole["plays"]) == 3


# --- where it goes


SWITCHED_ON = ["1970-01-01T00:02:00Z", "1970-01-01T00:40:00Z"]
"""Of a clock that nobody set."""
PAUSES = ["2026-02-20T22:00:00Z", "2026-02-21T19:00:00Z", "2026-02-21T23:30:00+01:00", "2026-02-22T01:00:00Z"]


@pytest.mark.parametrize(
    ("times", "words", "matches"),
    [
        (PAUSES, "--evening", 3),
        (PAUSES, "3 --evening", 2),
        (PAUSES, "1 --evening", 1),
        (PAUSES, "4", 1),
        (PAUSES, "--all", 4),
        ([*PAUSES, "2026-02-21T20:00:00Z"], "--evening", 4),  # the clock was set back
        (["2026-02-21T19:00:00Z", "2026-02-21T20:00:00Z", *SWITCHED_ON], "--evening", 4),
        ([*SWITCHED_ON, "2026-02-21T21:00:00Z"], "--evening", 3),
        (["2026-02-20T19:00:00Z", *SWITCHED_ON], "--evening", 3),
        ([*SWITCHED_ON, "1970-01-01T00:03:00Z"], "--evening", 1),
        (["2026-02-21T19:00:00Z", "no time", "2026-02-21T20:00:00Z"], "--evening", 3),
        (["2026-02-21T10:00:00Z", "2026-02-21T18:00:00Z"], "--evening", 1),
    ],
)
def test_an_evening_ends_with_a_pause_of_six_hours_and_no_clock_that_jumps_divides_it(
    tmp_path: Path, times: list[str], words: str, matches: int
) -> None:
    days, now = Evenings(tmp_path, ()), iter(times)
    with closing(Journal.open(days.path, wall=lambda: next(now))[0]) as journal:
        for _ in times:
            journal.begin({"log": 1, "game": "six", "seats": 2, "options": {}, "first": 0})
    assert days.said("export", *words.split()).count('"log"') == matches


def test_a_file_gets_a_name_with_day_and_match(evenings: Evenings, tmp_path: Path) -> None:
    assert evenings.said("export", "2", "--to", str(tmp_path)).endswith("nimmt-2026-02-21-match-2.jsonl\n")
    many = evenings.said("export", "--all", "--to", str(tmp_path))
    assert many.endswith("-matches-1-to-6.jsonl\n")


def test_an_export_goes_to_the_stick(
    evenings: Evenings, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    at = ["--journal", str(evenings.path), "--config", str(evenings.config)]
    words = cli.parser().parse_args(["export", "1", "--format", "html", "--usb", *at])
    assert export.run(words, lambda: usb_stick.Mount("sda1", tmp_path, writable=True)) == 0
    assert capsys.readouterr().out == f"{tmp_path}/nimmt-2026-02-21-match-1.html\n"
    assert (tmp_path / "nimmt-2026-02-21-match-1.html").read_bytes().startswith(b"<!DOCTYPE html>")


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("export", "--all", "--format", "svg"), "shows one match, not 6"),
        (("export", "77"), "choose a match from 1 to 6"),
        (("export", "--to", "/no/such/folder"), "create the folder first"),
        (("export", "--to", "/etc/passwd"), "give a folder; the file name is generated"),
        (("export", "--to", "/proc"), "cannot be written"),
    ],
)
def test_what_is_in_the_way_of_an_export_is_said(
    evenings: Evenings, words: tuple[str, ...], told: str
) -> None:
    assert told in evenings.refused(*words)
