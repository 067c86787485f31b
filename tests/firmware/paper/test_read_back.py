"""Every sheet is turned into pixels and read back, as a printer and a scanner would."""

import re
from collections import Counter
from typing import Any

import pytest

from companion.core import games
from companion.core.codes import (
    BADGES,
    ROWS,
    BadgeCode,
    CardCode,
    Control,
    ControlCode,
    RowCode,
    UnknownCode,
    card_code,
    read,
    row_code,
)
from companion.text.sentence import say
from firmware.paper import badges, scanner
from firmware.paper.cards import deck
from firmware.paper.print_job import PrintRequest, print_job
from firmware.paper.stock import SHEETS, Box, Paper
from firmware.paper.symbols import CodeKind, symbol
from tests.firmware.paper.printing import BOXED, all_seen, laid, overlap, pictures, printed, seen, texts_seen

pytestmark = pytest.mark.slow

CODES = [code.value for code in CodeKind]
KINDS = {CodeKind.DATAMATRIX: "Data Matrix", CodeKind.QR: "QR Code", CodeKind.CODE128: "Code 128"}
LETTERS = re.compile("[\ue000-\uf8ff]")
"""Pictures within a name; they are drawn, so they are no text in the document."""

at_both_resolutions = pytest.mark.parametrize("dpi", [200, 300])
in_every_code = pytest.mark.parametrize("code", CODES)


def test_the_cards_of_a_second_box_are_read_as_its_own_in_a_symbol_of_the_same_size() -> None:
    second = print_job(PrintRequest(sheet="cards", box=2)).decks[0]
    first = print_job(PrintRequest(sheet="cards")).decks[0]
    for cards in zip(first.cards, second.cards, strict=True):
        one, other = (symbol(CodeKind.DATAMATRIX, card.code) for card in cards)
        assert one.width_mm(1) == other.width_mm(1)
    texts = texts_seen(printed(sheet="cards", box=2, guide=False).pdf, 200)
    assert {read(text, box=2) for text in texts} == {CardCode("6N", str(card)) for card in range(1, 105)}
    foreign = say("from box {box}", box=2)
    assert set(texts) == {card.code for card in second.cards}
    assert all(read(text) == UnknownCode(text, foreign) for text in texts)


@pytest.mark.parametrize(
    # The codes of all games are as long, so their symbols are as large and lie in the same places.
    ("game", "code"),
    [*((game, "datamatrix") for game in BOXED), ("six", "qr"), ("six", "code128")],
)
def test_every_card_is_read_once_and_as_itself_and_its_name_and_the_number_to_type_stand_beside_it(
    game: str, code: str
) -> None:
    request: dict[str, Any] = {"sheet": "cards", "game": game, "code": code, "guide": False}
    pdf = printed(**request).pdf
    made = print_job(PrintRequest(**request))
    module = games.module(game)
    rules = module.make(module.SEATS[0], {})
    names = {
        card_code(module.CODE, number): (
            LETTERS.sub("", str(rules.label(card))),
            module.TITLE if card.isdigit() else f"{module.TITLE} {number}",
        )
        for number, card in enumerate(module.DECK, start=1)
    }
    checked = []
    for page, sightings in zip(laid(pdf), all_seen(pdf, 200), strict=True):
        for label in made.grid.boxes():
            codes = [at for at in sightings if overlap(Box(at.x - 1, at.y - 1, 2, 2), label)]
            texts = [thing.text for thing in page.texts if overlap(thing.box, label)]
            assert len(codes) <= 1
            for one in codes:
                assert texts == [*filter(None, names[one.text])]
                checked.append(one.text)
    assert sorted(checked) == sorted(names)
    assert [read(text, plain_numbers=False) for text in names] == [
        CardCode(module.CODE, str(number + 1)) for number in range(len(module.DECK))
    ]


@pytest.mark.parametrize(("labels", "code"), [("L4731", "qr"), ("4210", "code128"), ("3666", "code128")])
def test_other_codes_are_read_from_label_sheets_too(labels: str, code: str) -> None:
    pdf = printed(sheet="cards", labels=labels, code=code, guide=False).pdf
    assert sorted(texts_seen(pdf, 200)) == sorted(card.code for card in deck("six").cards)


@in_every_code
def test_every_command_is_read_once_from_the_control_sheet(code: str) -> None:
    texts = texts_seen(printed(sheet="control", code=code, paper="letter").pdf, 200)
    assert Counter(read(text) for text in texts) == Counter(map(ControlCode, Control))


def test_commands_in_wide_bars_go_on_on_further_pages() -> None:
    made = printed(sheet="control", code="code128", module=0.5)
    assert len(laid(made.pdf)) == made.pages[0].last > 1
    assert Counter(read(text) for text in texts_seen(made.pdf, 200)) == Counter(map(ControlCode, Control))


@in_every_code
def test_every_badge_is_read_once(code: str) -> None:
    texts = texts_seen(printed(sheet="badges", code=code, paper="letter").pdf, 200)
    backs = (RowCode(badge, row) for badge in BADGES for row in ROWS)
    assert Counter(read(text) for text in texts) == Counter([*map(BadgeCode, BADGES), *backs])


def test_the_back_of_each_badge_lies_behind_it_when_the_sheet_is_turned_over_its_long_edge() -> None:
    front, back = all_seen(printed(sheet="badges").pdf, 200)
    paper = Paper.A4.width
    for badge in BADGES:
        (code,) = (one for one in front if read(one.text) == BadgeCode(badge))
        rows = [one for one in back if read(one.text) in [RowCode(badge, row) for row in ROWS]]
        assert len(rows) == len(ROWS)
        assert [one.text for one in sorted(rows, key=lambda one: one.x)] == [row_code(badge, r) for r in ROWS]
        assert all((paper - one.x < paper / 2) is (code.x < paper / 2) for one in rows)
        assert all(abs(one.y - code.y) < badges.SIZE[1] / 2 for one in rows)


@at_both_resolutions
@pytest.mark.parametrize("paper", ["a4", "letter"])
def test_every_size_and_kind_of_the_test_page_is_read_and_tells_what_it_is(paper: str, dpi: int) -> None:
    pages = all_seen(printed(sheet="test-page", paper=paper).pdf, dpi)
    found = [(code.text, code.kind) for page in pages for code in page]
    assert Counter(found) == Counter((one.text, KINDS[one.code]) for one in scanner.TRIALS)
    assert len(scanner.TRIALS) == 18
    assert scanner.NO_GAME not in {games.module(key).CODE for key in games.GAMES}
    assert all(isinstance(read(one.text), UnknownCode) for one in scanner.TRIALS)


def test_the_scanner_can_be_tried_with_one_code_of_each_kind() -> None:
    texts = texts_seen(printed(sheet="scanner").pdf, 200)
    assert sorted(texts) == sorted(scanner.Trial(code, 0.5).text for code in CodeKind)


@pytest.mark.parametrize("sheet", ["cards", "table-card"])
def test_no_code_stands_where_it_would_be_scanned_by_mistake(sheet: str) -> None:
    """Neither on the table card nor beside the pictures that say where labels go."""
    *_, last = pictures(printed(sheet=sheet).pdf, 300)
    assert seen(last, 300) == []


def test_lost_labels_are_printed_alone_on_the_rest_of_a_sheet() -> None:
    pdf = printed(sheet="cards", labels="L4731", only="17, 55,90-92", skip=150, guide=False).pdf
    pages = all_seen(pdf, 300)
    codes = sorted(pages[0], key=lambda code: (round(code.y), code.x))
    assert [code.text for code in codes] == [card_code("6N", number) for number in (17, 55, 90, 91, 92)]
    boxes = list(next(sheet for sheet in SHEETS if "L4731" in sheet.numbers).grid.boxes())
    for code, label in zip(codes, boxes[150:], strict=False):
        assert overlap(Box(code.x - 1, code.y - 1, 2, 2), label)


def test_the_known_deck_of_four_players_is_44_cards() -> None:
    texts = texts_seen(printed(sheet="cards", deck="known:4").pdf, 200)
    assert sorted(texts) == [card_code("6N", number) for number in range(1, 45)]
