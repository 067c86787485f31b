"""Translated pages of docs keep in step with the English ones, so that none of them falls behind unseen."""

import re
import unicodedata
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

import pytest

from firmware.text.translation import LANGUAGES
from tests.whole.catalogues import translations

DOCS: Final = Path(__file__).parents[1] / "docs"
TRANSLATED: Final = sorted(page for code in LANGUAGES for page in DOCS.glob(f"*.{code}.md"))
IN_GERMAN: Final = sorted(DOCS.glob("*.de.md"))
FENCED: Final = re.compile(r"^(```\w*)\n.*?^```$", re.MULTILINE | re.DOTALL)
SPAN: Final = re.compile(r"`([^`\n]+)`")
LINK: Final = re.compile(r"\]\(([^)#\s]*)(#?)[^)]*\)")
"""Of a picture as well. A heading is called otherwise in each language."""
MARK: Final = re.compile(rf"[.-]({'|'.join(LANGUAGES)})(?=\.\w+$)")
"""The language in the name of a page or a picture."""
NUMBER: Final = re.compile(r"\d{2,}(?:[.,٫]\d+)?|\d[.,٫]\d+")
"""A measure, a time or a count; a single digit may be a word in another language."""
CAPITALS: Final = re.compile(r"\b[A-ZÄÖÜ]{2,}-?(?: [A-ZÄÖÜ]{2,})+\b|\b[A-ZÄÖÜ]{7,}\b")
"""What is in capitals on a German page and no abbreviation: a text of the display."""


def languages_of(page: Path) -> Mapping[str, Path]:
    """The same page in each language in which there is one."""
    name = page.name.partition(".")[0]
    pages = {code: DOCS / (f"{name}.md" if code == "en" else f"{name}.{code}.md") for code in LANGUAGES}
    return {code: page for code, page in pages.items() if page.exists()}


def languages_line(page: Path) -> str:
    """The line below the title: the language of the page, and a link to each other one."""
    return " · ".join(
        f"**{LANGUAGES[code].title}**" if file == page else f"[{LANGUAGES[code].title}]({file.name})"
        for code, file in languages_of(page).items()
    )


def sections(page: Path) -> list[str]:
    """The text from each heading to the next; of a block of code only where it begins."""
    text = page.read_text(encoding="utf-8").replace(f"\n{languages_line(page)}\n", "")
    return re.split(r"^(?=#)", FENCED.sub(r"\1", text), flags=re.MULTILINE)[1:]


def numbers(text: str) -> Iterator[float]:
    for found in NUMBER.findall(text):
        yield float("".join(str(unicodedata.digit(sign, ".")) for sign in found))


def shape(section: str) -> Mapping[str, object]:
    """What a section has in every language: its level, code, links, numbers and parts."""
    text = SPAN.sub("", LINK.sub("", section))
    return {
        "level of the heading": len(section) - len(section.lstrip("#")),
        "code": re.findall(r"^(?:```\w*| {4,}\S.*)$", section, re.MULTILINE),
        "code in the text": Counter(SPAN.findall(section)),
        "links": Counter((MARK.sub("", file), mark) for file, mark in LINK.findall(section)),
        "numbers": Counter(numbers(text)),
        "rows of tables": len(re.findall(r"^\|", section, re.MULTILINE)),
        "items of lists": len(re.findall(r"^(?:-|\d+\.) ", section, re.MULTILINE)),
    }


@pytest.mark.parametrize("page", TRANSLATED, ids=lambda page: page.name)
def test_a_translated_page_has_in_each_section_what_the_english_one_has(page: Path) -> None:
    ours, english = sections(page), sections(languages_of(page)["en"])
    for section, original in zip(ours, english, strict=False):
        assert shape(section) == shape(original), section.partition("\n")[0]
    assert len(ours) == len(english)


@pytest.mark.parametrize("page", TRANSLATED, ids=lambda page: page.name)
def test_a_page_and_its_translations_link_to_each_other_below_their_titles(page: Path) -> None:
    for one in languages_of(page).values():
        assert one.read_text(encoding="utf-8").splitlines()[2] == languages_line(one), one.name


@pytest.mark.parametrize("page", IN_GERMAN, ids=lambda page: page.name)
def test_a_german_page_quotes_the_display_as_its_german_texts_are(page: Path) -> None:
    shown = "\n".join(text.upper() for _, texts in translations("de") for text in texts)
    text = SPAN.sub("", LINK.sub("", FENCED.sub("", page.read_text(encoding="utf-8"))))
    assert [words for words in CAPITALS.findall(text) if words not in shown] == []
