"""Commands speak the language of the configuration, as the device does."""

from contextlib import closing
from pathlib import Path

import pytest

from firmware.cli.main import main
from firmware.config.configuration import load
from firmware.paper.stock import SHEETS
from firmware.play.runtime import Runtime
from firmware.scripted.gallery import SCREENS
from firmware.scripted.script import perform
from firmware.text.translation import Translator


@pytest.fixture
def german(tmp_path: Path) -> str:
    """A configuration in German."""
    file = tmp_path / "german.toml"
    file.write_text('[screen]\nlanguage = "de"\n', encoding="utf-8")
    return str(file)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("de", f"{'':36}112 Etiketten (4211: ablösbar): ein Kartenspiel pro Bogen\n"),
        (
            "fa",
            f"{'':36}\u2067۱۱۲ برچسب (\u20664211\u2069: جداشدنی): یک دسته کارت در هر برگه\u2069\n",
        ),
    ],
)
def test_without_a_configuration_sheets_are_told_in_the_language_of_the_login(
    language: str,
    said: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("LC_ALL", f"{language}_XX.UTF-8")
    assert main(["print", "labels"]) == 0
    told = capsys.readouterr().out
    assert said in told
    assert told.count("\n") == 2 * len(SHEETS)
    assert "label" not in told
    assert main(["print", "badges", "--out", str(tmp_path / "badges.pdf")]) == 0
    assert "page" not in capsys.readouterr().out


@pytest.mark.parametrize("command", ["", "print", "mqtt"])
def test_persian_help_stands_right_of_the_options_with_all_isolates_closed(
    command: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("LC_ALL", "fa_IR.UTF-8")
    with pytest.raises(SystemExit):
        main([*command.split(), "--help"])
    told = capsys.readouterr().out
    assert "A referee" not in told
    lines = [line for line in told.splitlines() if line.startswith("  ") and "\u2067" in line]
    assert len(lines) > 2
    for line in lines:
        assert line.lstrip().startswith(("-", "\u2067")) or line.split()[0].isascii()
        assert line.endswith("\u2069")
        assert sum(map(line.count, "\u2066\u2067\u2068")) == line.count("\u2069"), line


def test_words_in_capitals_are_written_in_a_sentence_as_the_language_writes_them() -> None:
    assert Translator("en").in_a_sentence("TAKES ROW 3") == "takes row 3"
    assert Translator("de").in_a_sentence("NIMMT REIHE 3") == "nimmt Reihe 3"
    assert Translator("de").in_a_sentence("HÖHERES SYMBOL") == "höheres Symbol"
    assert Translator("fa").in_a_sentence("\u2068Ben\u2069: \u06f3 کارت") == "\u2068Ben\u2069: \u06f3 کارت"


@pytest.mark.parametrize(
    ("script", "expected"),
    [
        (SCREENS["correct-score"] + " OK OK OK", "-  Runde 2: Spieler 2 hat 27, nicht 15\n"),
        (SCREENS["confirm-end"] + " OK", "-  die Runde endet nach Zug 1; "),
    ],
)
def test_what_was_corrected_or_ended_in_english_is_told_in_german(
    script: str, expected: str, german: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    journal = tmp_path / "journal.sqlite"
    with closing(Runtime(load(None), journal)) as runtime:
        perform(script, runtime.app.controller)
    assert main(["show", "--story", "--config", german, "--journal", str(journal)]) == 0
    assert expected in capsys.readouterr().out


@pytest.mark.slow
def test_a_demo_tells_its_deals_in_the_language(german: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["demo", "--fast", "--seats", "2", "--config", german]) == 0
    told = capsys.readouterr().out
    assert told.startswith("Runde 1: S1 ")
    assert "gewonnen mit den wenigsten Punkten: S" in told
