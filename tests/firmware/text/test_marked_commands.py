"""What commands print for players, and every report, comes from templates.

The catalogue of these tests writes the letters of every template in Cyrillic ones. What is still Latin is a
word that people type, a path, a name, or a text that no translation could reach.
"""

import re
from contextlib import closing
from html.parser import HTMLParser
from pathlib import Path

import pytest

from firmware.cli.main import main
from firmware.config.configuration import load
from firmware.loop.runtime import Runtime
from firmware.text import translation
from tests.firmware.text.marking import Marking
from tests.gallery.pictures import SCREENS
from tests.gallery.script import perform

LATIN = re.compile("[A-Za-z]+")


@pytest.fixture(autouse=True)
def _marked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(translation, "_translations", lambda *_: Marking())


def test_every_line_that_a_command_prints_for_players_is_translated(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    journal = str(tmp_path / "1.sqlite")
    with closing(Runtime(load(None), Path(journal))) as runtime:
        perform(SCREENS["tie"] + "R1 OK OK", runtime.app.table)
        perform(SCREENS["ruling"], runtime.app.table)
    same = re.compile(r"\bP[0-9]+\b|\[[0-9A-Z]+-[0-9A-Z]+\]|\bUTC\b")
    for words in (["matches"], ["show"], ["show", "1"], ["show", "--steps"], ["stats"], ["review"]):
        assert main([*words, "--journal", journal]) == 0
        said = capsys.readouterr().out
        assert said
        assert LATIN.findall(same.sub("", said)) == [], words


class _Words(HTMLParser):
    """The words of a page that people see."""

    def __init__(self) -> None:
        super().__init__()
        self.said: list[str] = []
        self._skips = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._skips = tag in ("style", "script")
        self.said += [said or "" for name, said in attrs if name in ("title", "alt", "aria-label")]

    def handle_data(self, data: str) -> None:
        if not self._skips:
            self.said.append(data)


def test_every_word_of_a_report_is_translated(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    journal = tmp_path / "1.sqlite"
    with closing(Runtime(load(None), journal)) as runtime:
        perform(SCREENS["tie"] + "R1 OK OK", runtime.app.table)
    assert main(["export", "--format", "html", "--journal", str(journal)]) == 0
    words = _Words()
    words.feed(capsys.readouterr().out)
    rest = [re.sub(r"\bP[0-9]+\b|\b[0-9A-Z]+-[0-9A-Z]+\b|\bUTC\b", "", said) for said in words.said]
    assert len(rest) > 20
    assert [said for said in rest if LATIN.search(said)] == []
