"""Sheets in every language are read back: their codes by a scanner, their words by whoever copies them."""

import re
import unicodedata
from pathlib import Path
from typing import Any

import pypdfium2
import pytest

from companion.text.sentence import Text
from firmware.cli import main as cli
from firmware.paper.pen import Pen

_NO_LETTERS = {"Cf", "Co", "Cn", "Cc", "Mn", "Zs"}


def sheets(
    language: str, folder: Path, monkeypatch: pytest.MonkeyPatch, *which: str
) -> tuple[bytes, list[str]]:
    """Sheets, and the texts that were written on them, as they are read."""
    written: list[str] = []

    def noting(name: str) -> None:
        draw = getattr(Pen, name)

        def noted(self: Pen, said: Text | str, *rest: Any, **options: Any) -> float:
            written.append(said if isinstance(said, str) else self._say(said))
            drawn: float = draw(self, said, *rest, **options)
            return drawn

        monkeypatch.setattr(Pen, name, noted)

    noting("text")
    noting("paragraph")
    config, file = folder / "table.toml", folder / "sheets.pdf"
    config.write_text(f'[screen]\nlanguage = "{language}"\n', encoding="utf-8")
    assert cli.main(["print", *which, "--config", str(config), "--out", str(file)]) == 0
    monkeypatch.undo()
    return file.read_bytes(), written


def found(pdf: bytes) -> str:
    """All that a reader of the document finds."""
    document = pypdfium2.PdfDocument(pdf)
    pages = [page.get_textpage().get_text_range() for page in document]
    document.close()
    return "\n".join(pages)


def letters(text: str) -> str:
    """The letters and signs of a text: no spaces, ends of lines, isolates, pictures of cards, vowel marks."""
    shown = unicodedata.normalize("NFKC", text)
    return "".join(one for one in shown if unicodedata.category(one) not in _NO_LETTERS)


def test_all_that_german_sheets_say_can_be_copied_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pdf, written = sheets("de", tmp_path, monkeypatch, "all", "--game", "all")
    copied = letters(found(pdf))
    assert [text for text in written if letters(text) not in copied] == []
    assert letters("Deckt die Karten auf, dann scannt alle, in beliebiger Reihenfolge.") in copied


def test_every_word_that_persian_sheets_say_can_be_copied_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pdf, written = sheets("fa", tmp_path, monkeypatch, "all", "--game", "all")
    copied = letters(found(pdf))
    words = {word for text in written for word in re.findall("[\u0621-\u06cc\u200c]+", text)}
    assert [word for word in sorted(words) if letters(word) not in copied] == []
    assert "کله‌گاو" in words
