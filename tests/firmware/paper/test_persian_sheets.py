"""Sheets in Persian: letters that are joined, from right to left, around codes that stay as they are."""

from pathlib import Path

import pytest

from companion.text.sentence import say
from firmware.cli import main as cli
from firmware.paper.pen import Pen, Type
from firmware.paper.stock import Paper
from tests.firmware.paper.printing import (
    BOXED,
    Laid,
    grown,
    inside,
    laid,
    overlap,
    printed,
    texts_seen,
    whole,
)


@pytest.fixture(scope="module")
def everything(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    return in_persian(tmp_path_factory.mktemp("persian"), "all", "--game", "all")


def in_persian(folder: Path, *request: str) -> bytes:
    config = folder / "table.toml"
    config.write_text('[screen]\nlanguage = "fa"\n', encoding="utf-8")
    file = folder / "persian.pdf"
    assert cli.main(["print", *request, "--config", str(config), "--out", str(file)]) == 0
    return file.read_bytes()


def test_codes_are_read_back_as_those_of_the_english_sheets(everything: bytes) -> None:
    english = printed(sheet="all", game="all").pdf
    assert sorted(texts_seen(everything, 200)) == sorted(texts_seen(english, 200))


def test_labels_lie_where_the_english_ones_do(tmp_path: Path) -> None:
    request = ("--labels", "L4731", "--no-guide")
    persian = laid(in_persian(tmp_path, "cards", *request))[0]
    english = laid(printed(sheet="cards", labels="L4731", guide=False).pdf)[0]
    assert [code.box for code in persian.codes] == [code.box for code in english.codes]
    numbers = {thing.text for thing in persian.texts if thing.text.isascii() and thing.text.isdigit()}
    assert numbers == {str(card) for card in range(1, 105)}


def test_every_sheet_stays_on_its_page_and_off_its_codes(everything: bytes) -> None:
    pages = laid(everything)
    assert len(pages) == 9 + len(BOXED)
    for page in pages:
        for thing in page.things:
            assert inside(thing.box, whole(Paper.A4).inset(5.0)), thing
        _nothing_on_a_code(page)


def _nothing_on_a_code(page: Laid) -> None:
    for code in page.codes:
        rim = grown(code.box, 0.3, 0.3)
        for text in page.texts:
            assert not overlap(rim, text.box), text


def test_the_title_begins_on_the_right(everything: bytes) -> None:
    for page in laid(everything):
        title = max(page.texts, key=lambda thing: thing.box.height)
        first = page.texts[0]
        assert first.box.y <= title.box.y + 40
        assert first.box.x + first.box.width > page.width - 17, first


def test_a_letter_that_no_font_has_is_refused_instead_of_printed_as_a_box() -> None:
    pen = Pen(Paper.A4, "test")
    pen.page()
    with pytest.raises(ValueError, match="Vazirmatn-Regular has no"):
        pen.text(say("王"), (20, 20), Type(10))
