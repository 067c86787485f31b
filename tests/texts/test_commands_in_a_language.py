"""Commands speak the language of the configuration, as the device does."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from firmware.cli import main

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def german(tmp_path: Path) -> str:
    """A configuration in German."""
    file = tmp_path / "german.toml"
    file.write_text('[screen]\nlanguage = "de"\n', encoding="utf-8")
    return str(file)


def test_sheets_are_printed_in_the_language(
    german: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    sheets = {}
    for name, options in (("en", ()), ("de", ("--config", german))):
        file = tmp_path / f"{name}.pdf"
        assert main(["print", "badges", "--out", str(file), *options]) == 0
        sheets[name] = file.read_bytes()
    told = capsys.readouterr().out
    assert "page 1: player badges; " in told
    assert "Seite 1: Spielerausweise; " in told
    assert sheets["en"] != sheets["de"]
