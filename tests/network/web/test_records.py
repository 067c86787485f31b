from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from network.web.server import application
from network.web.site import Site, SiteSetup
from tests.firmware.evening import EXAMPLE_1, device
from tests.network.web.asking import ask

if TYPE_CHECKING:
    from starlette.types import ASGIApp


@pytest.fixture
def app(tmp_path: Path) -> ASGIApp:
    with device(tmp_path, EXAMPLE_1):
        pass
    setting = SiteSetup(
        tmp_path / "t.sock", tmp_path / "journal.sqlite", tmp_path / "phones.json", players=("<i>A</i>", "B")
    )
    return application(Site(setting))


@pytest.mark.parametrize("language", ["en", "de", "fa"])
@pytest.mark.parametrize("path", ["/records", "/records/1", "/records/people"])
def test_stored_matches_are_told_with_names_as_they_are(app: ASGIApp, path: str, language: str) -> None:
    answer = ask(app, f"{path}?language={language}")
    assert answer.status == 200
    assert "&lt;i&gt;A&lt;/i&gt;" in answer.text
    assert "<i>A" not in answer.text
    assert "style=" not in answer.text


def test_a_match_can_be_taken_along_as_on_the_command_line(app: ASGIApp) -> None:
    lines = ask(app, "/records/1/jsonl").text.splitlines()
    assert json.loads(lines[0])["game"] == "six"
    assert next(csv.reader(io.StringIO(ask(app, "/records/all/csv").text)))[0] == "game_id"
    report = ask(app, "/records/1/html")
    assert report.headers["content-disposition"] == 'attachment; filename="nimmt-match-1.html"'
    assert report.text.startswith("<!DOCTYPE html>")
    assert json.loads(ask(app, "/records/all/bgstats").text)["plays"] == []  # none is finished


@pytest.mark.parametrize(
    "path",
    ["/records/2", "/records/2/csv", "/records/1/exe", "/records/x/csv", "/records/99999999999999/csv"],
)
def test_what_is_not_there_is_said(app: ASGIApp, path: str) -> None:
    assert ask(app, path).status == 404


def test_before_the_first_match_there_is_a_sentence(tmp_path: Path) -> None:
    with device(tmp_path):
        pass
    app = application(
        Site(SiteSetup(tmp_path / "t.sock", tmp_path / "journal.sqlite", tmp_path / "phones.json"))
    )
    assert "No match has been played yet." in ask(app, "/records").text
