"""Tables in a terminal and texts on the display count what is shown, not characters."""

from contextlib import closing
from pathlib import Path

import pytest

from firmware.cli.main import main
from firmware.config.configuration import load
from firmware.loop.runtime import Runtime
from firmware.text.columns import columns, cut, left, right, wrapped
from firmware.text.translation import LANGUAGES
from tests.gallery.pictures import SCREENS
from tests.gallery.script import perform


@pytest.mark.parametrize(
    ("text", "wide"), [("", 0), ("Züge", 4), ("کارت‌ها", 6), ("\u2066+3\u2069", 2), ("王", 2)]
)
def test_columns_are_those_of_a_terminal(text: str, wide: int) -> None:
    assert columns(text) == wide
    assert (left(text, 8), right(text, 8)) == (text + " " * (8 - wide), " " * (8 - wide) + text)
    assert (left(text, 0), right(text, 0)) == (text, text)


def test_lines_are_broken_and_cut_by_the_columns_that_are_shown() -> None:
    persian = "\u2066+3\u2069 کارت‌ها می‌آیند"
    assert wrapped(persian, 9) == ["\u2066+3\u2069 کارت‌ها", "می‌آیند"]
    assert wrapped(persian, 12, "  =  ") == ["  =  \u2066+3\u2069", "     کارت‌ها", "     می‌آیند"]
    assert wrapped("", 9, "=") == ["="]
    assert (cut("کارت‌ها", 5), cut("王王", 3)) == ("کارت‌ه", "王")


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_lines_of_the_statistics_are_equally_wide(
    language: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    journal, config = tmp_path / "journal.sqlite", tmp_path / "table.toml"
    config.write_text(
        f'[screen]\nlanguage = "{language}"\n[table]\nnames = ["علی‌رضا", "Bo"]\n', encoding="utf-8"
    )
    with closing(Runtime(load(config), journal)) as runtime:
        perform(SCREENS["tie"] + "R1 OK OK", runtime.app.table)
    assert main(["stats", "--config", str(config), "--journal", str(journal)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) > 2
    assert len({columns(line) for line in lines}) == 1
