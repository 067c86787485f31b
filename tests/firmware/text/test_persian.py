"""Every Persian text has Persian letters, half-spaces, and isolates round what runs from left to right."""

import re
from functools import cache
from pathlib import Path
from typing import Final

import pytest

from tests.whole.catalogues import translations

_PERSIAN: Final = "\u0600-\u06ff"
_OPENED: Final = "\u2066\u2067\u2068"
_CLOSED: Final = "\u2069"
_KEY: Final = re.compile(r"^!?(?:OK|UNDO|UP|DOWN|R[1-4]|BADGE)[=:/]")
"""A key and what it does, as the display has it at its edge: no sentence."""
_LATIN_FACTS: Final = frozenset({
    "backup", "board", "chip", "device", "error", "factory", "file", "folder", "game", "host", "journal",
    "key", "kind", "mounts", "name", "node", "option", "package", "path", "port", "readlink",
    "source", "strerror", "target", "text", "title",
})  # fmt: skip
"""Facts that are, or can be, in Latin letters: paths, names, words of the system, what people typed."""
_FACT: Final = re.compile(r"(?<!\{)\{(\w+)\}(?!\})|%(?:\(\w+\))?[sr]")
WRONG: Final = {
    "an Arabic letter or digit": r"[\u0643\u0649\u064a\u0660-\u0669\u066d]",
    "ه with a hamza instead of ه‌ی": r"\u06c0|\u0647\u0654",
    "a stretched letter": "\u0640",
    "a Latin comma, semicolon or question mark": rf"[{_PERSIAN}\u200c»)][,;?]",
    "a Latin percent sign": r"[\u06f0-\u06f9}] ?%",
    "a number beside a number": r"}[\u2066-\u2069]* [\u2066-\u2069]*{(?!colour|package|place|where)",
    "a space before a mark": r"[^\s] [،؛؟:.!](?:\s|$)",
    "no space after a comma": r"[،؛][^\s]",
    "a space instead of a half-space": (
        rf"(?<![{_PERSIAN}])ن?می (?=[{_PERSIAN}])|ه ی\b| (?:ها|های|هایی|ترین)(?![{_PERSIAN}])"
    ),
    "a half-space at the end of a word": rf"\u200c(?![{_PERSIAN}])|(?<![{_PERSIAN}])\u200c",
}  # fmt: skip


ROOT: Final = Path(__file__).parents[3]
PAGES: Final = (ROOT / "README.fa.md", *sorted((ROOT / "docs").glob("*.fa.md")))
_NO_TEXT: Final = re.compile(r"^```.*?^```$|^ {4,}\S.*$|(?<=\])\([^)]*\)", re.MULTILINE | re.DOTALL)
"""What is no text of a page: blocks of code, and where its links go."""
_TURNED: Final = re.compile(r'<span dir="ltr">(.*?)</span>', re.DOTALL)
_QUOTED: Final = re.compile("«([^»]+)»")


@cache
def persian() -> list[tuple[str, str]]:
    """The templates and their Persian forms, without those that have no Persian word."""
    pairs = [(texts[0], form) for texts, forms in translations("fa") for form in forms]
    assert len(pairs) > 1500
    return [(template, form) for template, form in pairs if re.search(f"[{_PERSIAN}]", form)]


def outside(text: str) -> str:
    """A text without what stands in isolates; ValueError if they are not in pairs."""
    depth, kept = 0, ""
    for char in text:
        depth += (char in _OPENED) - (char == _CLOSED)
        if depth < 0:
            break
        if not depth and char != _CLOSED:
            kept += char
    if depth:
        raise ValueError(f"isolates without their other half in {text!r}")
    return kept


def left_to_right(form: str) -> list[str]:
    """What runs from left to right in a Persian text, and would pull the words around it along."""
    bare = _KEY.sub("", outside(form))
    facts = [found[0] for found in _FACT.finditer(bare) if not found[1] or found[1] in _LATIN_FACTS]
    return facts + re.findall("[A-Za-z]+", _FACT.sub(" ", bare))


def test_no_persian_text_is_written_with_a_wrong_letter_mark_or_space() -> None:
    found = [(name, form) for name, one in WRONG.items() for _, form in persian() if re.search(one, form)]
    assert found == []


def test_what_runs_from_left_to_right_in_a_persian_text_stands_in_isolates() -> None:
    # In a terminal, "را ببینید docs/kiosk.md" would begin at the left, and its marks stand at the wrong end.
    assert {template: found for template, form in persian() if (found := left_to_right(form))} == {}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_a_persian_page_is_written_as_the_texts_of_the_device_are(page: Path) -> None:
    text = _NO_TEXT.sub("", page.read_text(encoding="utf-8"))
    # A forge takes other tags away, and where a paragraph begins with code, this one keeps it Persian.
    assert re.findall(r"<(?!/|span dir=\"ltr\">|div dir=\"rtl\">)|`", _TURNED.sub("", text)) == []
    plain = re.sub(r"<[^>]+>|\*", "", _TURNED.sub("x", text))
    assert {
        name: found for name, one in WRONG.items() if (found := re.findall(f".*(?:{one}).*", plain))
    } == {}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_a_persian_page_quotes_the_display_and_the_sheets_as_they_are(page: Path) -> None:
    shown = re.sub("[\u2066-\u2069]", "", "\n".join(form for _, form in persian()))
    quoted = [" ".join(words.split()) for words in _QUOTED.findall(page.read_text(encoding="utf-8"))]
    assert quoted
    assert [words for words in quoted if words not in shown] == []
