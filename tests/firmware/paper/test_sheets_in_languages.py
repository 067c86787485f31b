"""Sheets in every language: codes as they are, words that can be copied out, Persian from right to left."""

import re
import unicodedata
from pathlib import Path
from typing import Any

import pypdfium2
import pytest

from companion.text.sentence import Text, say
from firmware.paper.frame import SIDE
from firmware.paper.pen import Pen, Type
from firmware.paper.stock import Box, Paper
from tests.firmware.paper.printing import inside, laid, printed, printed_in, texts_seen, whole
from tests.firmware.paper.test_sheets import check_nothing_overlaps
from tests.firmware.paper.test_tournament_sheets import NAMES, log_of

pytestmark = pytest.mark.slow

_NO_LETTERS = {"Cf", "Co", "Cn", "Cc", "Mn", "Zs"}


def sheets(language: str, folder: Path) -> tuple[bytes, list[str]]:
    """All sheets, and the texts that were written on them, as they are read."""
    written: list[str] = []
    monkeypatch = pytest.MonkeyPatch()

    def noting(name: str) -> None:
        draw = getattr(Pen, name)

        def noted(self: Pen, said: Text | str, *rest: Any, **options: Any) -> float:
            written.append(said if isinstance(said, str) else self._say(said))
            drawn: float = draw(self, said, *rest, **options)
            return drawn

        monkeypatch.setattr(Pen, name, noted)

    noting("text")
    noting("paragraph")
    pdf = printed_in(language, folder, "all", "--game", "all")
    monkeypatch.undo()
    return pdf, written


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


@pytest.fixture(scope="module")
def persian(tmp_path_factory: pytest.TempPathFactory) -> tuple[bytes, list[str]]:
    return sheets("fa", tmp_path_factory.mktemp("persian"))


def test_all_that_german_sheets_say_can_be_copied_out(tmp_path: Path) -> None:
    pdf, written = sheets("de", tmp_path)
    copied = letters(found(pdf))
    assert [text for text in written if letters(text) not in copied] == []
    assert letters("Deckt die Karten auf, dann scannt sie alle, in beliebiger Reihenfolge.") in copied


def test_every_word_that_persian_sheets_say_can_be_copied_out(persian: tuple[bytes, list[str]]) -> None:
    pdf, written = persian
    copied = letters(found(pdf))
    words = {word for text in written for word in re.findall("[\u0621-\u06cc\u200c]+", text)}
    assert [word for word in sorted(words) if letters(word) not in copied] == []
    assert "کله‌گاو" in words


def test_the_vowel_sign_that_decides_is_printed(persian: tuple[bytes, list[str]]) -> None:
    assert any("پُر" in text for text in persian[1])
    assert "\u064f" in found(persian[0])


def test_codes_are_read_back_as_those_of_the_english_sheets(tmp_path: Path) -> None:
    for sheet in ("cards", "badges", "control"):
        persian, english = printed_in("fa", tmp_path, sheet), printed(sheet=sheet).pdf
        assert sorted(texts_seen(persian, 200)) == sorted(texts_seen(english, 200))


def test_labels_lie_where_the_english_ones_do(tmp_path: Path) -> None:
    request = ("--labels", "L4731", "--no-guide")
    persian = laid(printed_in("fa", tmp_path, "cards", *request))[0]
    english = laid(printed(sheet="cards", labels="L4731", guide=False).pdf)[0]
    assert [code.box for code in persian.codes] == [code.box for code in english.codes]
    numbers = {thing.text for thing in persian.texts if thing.text.isascii() and thing.text.isdigit()}
    assert numbers == {str(card) for card in range(1, 105)}


@pytest.mark.parametrize("paper", Paper)
@pytest.mark.parametrize("language", ["en", "de", "fa"])
def test_no_text_leaves_its_frame_or_touches_another(tmp_path: Path, language: str, paper: Paper) -> None:
    log = ("--log", str(log_of(tmp_path, 8, 2, names=NAMES)[0]))
    for words in (("all", "--game", "all"), ("script",), ("seating", *log), ("results", *log)):
        for page in laid(printed_in(language, tmp_path, *words, "--paper", paper.value)):
            check_nothing_overlaps(page)
            assert [thing for thing in page.things if not inside(thing.box, whole(paper).inset(5.0))] == []
            column = Box(SIDE, 0, page.width - 2 * SIDE, page.height)
            assert [text for text in page.texts if not inside(text.box, column, slack=0.1)] == []


def test_the_title_begins_on_the_right(persian: tuple[bytes, list[str]]) -> None:
    for page in laid(persian[0]):
        title = max(page.texts, key=lambda thing: thing.box.height)
        first = page.texts[0]
        assert first.box.y <= title.box.y + 40
        assert first.box.x + first.box.width > page.width - 17, first


def test_a_letter_that_no_font_has_is_refused_instead_of_printed_as_a_box() -> None:
    pen = Pen(Paper.A4, "test")
    pen.page()
    with pytest.raises(ValueError, match="Vazirmatn-Regular has no"):
        pen.text(say("王"), (20, 20), Type(10))
