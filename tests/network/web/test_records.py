from __future__ import annotations

import csv
import io
import json
import sqlite3
import time
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from firmware.journal.store import Journal
from network.web.application import application
from network.web.pairing import Phones
from network.web.site import SiteSetup, TableSite
from tests.firmware.evening import EXAMPLE_1, device
from tests.network.web.asking import ask

if TYPE_CHECKING:
    from starlette.types import ASGIApp


def paired(folder: Path) -> dict[str, str]:
    """The header of a paired phone."""
    return {"cookie": f"nimmt_host={Phones(folder / 'phones.json', time.time).pair('me', 0)}"}


def recorded(folder: Path, script: str = EXAMPLE_1, **setting: Any) -> ASGIApp:
    """The pages of a box at which that was played."""
    with device(folder, script):
        pass
    files = (folder / "t.sock", folder / "journal.sqlite", folder / "phones.json")
    return application(TableSite(SiteSetup(*files, players=("<i>A</i>", "B"), **setting)))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("box")


@pytest.fixture(scope="module")
def app(folder: Path) -> ASGIApp:
    return recorded(folder)


@pytest.mark.parametrize("language", ["en", "de", "fa"])
@pytest.mark.parametrize("path", ["/records", "/records/1", "/records/people"])
def test_stored_matches_are_told_with_names_as_they_are(app: ASGIApp, path: str, language: str) -> None:
    answer = ask(app, f"{path}?language={language}")
    assert answer.status == 200
    assert "&lt;i&gt;A&lt;/i&gt;" in answer.text
    assert "<i>A" not in answer.text
    assert "style=" not in answer.text


def test_a_match_can_be_taken_along_as_on_the_command_line(app: ASGIApp, folder: Path) -> None:
    own = paired(folder)
    lines = ask(app, "/records/1/jsonl").text.splitlines()
    assert json.loads(lines[0])["game"] == "six"
    assert next(csv.reader(io.StringIO(ask(app, "/records/all/csv", own).text)))[0] == "game_id"
    report = ask(app, "/records/1/html")
    assert report.headers["content-disposition"] == 'attachment; filename="nimmt-match-1.html"'
    assert report.text.startswith("<!DOCTYPE html>")
    assert json.loads(ask(app, "/records/all/bgstats", own).text)["plays"] == []  # none is finished


@pytest.mark.parametrize(
    "path",
    ["/records/2", "/records/2/csv", "/records/1/exe", "/records/x/csv", "/records/99999999999999/csv"],
)
def test_what_is_not_there_is_said(app: ASGIApp, path: str) -> None:
    answer = ask(app, f"{path}?language=de")
    assert answer.status == 404
    assert "Unter dieser Adresse gibt es nichts." in answer.text


@pytest.mark.parametrize(("search", "found"), [("i>a", 1), ("B", 1), ("nobody", 0), ("%00", 0), ("{1}", 0)])
def test_matches_are_found_by_the_names_of_their_players(app: ASGIApp, search: str, found: int) -> None:
    assert ask(app, f"/records?search={search}").text.count('class="entry"') == found


def test_before_the_first_match_there_is_a_sentence(tmp_path: Path) -> None:
    assert "No match has been played yet." in ask(recorded(tmp_path, ""), "/records").text


def test_a_damaged_match_does_not_keep_the_others_from_being_taken_along(tmp_path: Path) -> None:
    app, own = recorded(tmp_path), paired(tmp_path)
    with closing(Journal.open(tmp_path / "journal.sqlite", wall=str)[0]) as journal:
        journal.begin(journal.reader.entry(1).header)
    with closing(sqlite3.connect(tmp_path / "journal.sqlite")) as shell:
        shell.execute("DELETE FROM step WHERE match_id = 1 AND number > 3")
        shell.commit()
    lines = ask(app, "/records/all/jsonl", own).text.splitlines()
    assert ["log" in json.loads(line) for line in lines] == [True, False, False, False, True]
    with closing(sqlite3.connect(tmp_path / "journal.sqlite")) as shell:
        shell.execute("""UPDATE "match" SET steps = 1 WHERE id = 1""")
        shell.commit()
    assert len(ask(app, "/records/all/jsonl", own).text.splitlines()) == 1
    for kind in ("html", "csv", "jsonl"):
        assert ask(app, f"/records/1/{kind}").status == 404
