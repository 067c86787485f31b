"""Where things lie on the sheets: on the page, on their label, at their size, and on nothing else."""

from collections.abc import Iterator
from itertools import combinations, islice
from typing import Any

import pytest

from firmware.paper import in_short
from firmware.paper.cards import deck
from firmware.paper.pen import Pen
from firmware.paper.print_job import PrintRequest, SheetKind, print_job
from firmware.paper.rules_in_short import RULES
from firmware.paper.stock import SHEETS, Measures, Paper, measured_grid, sheet
from firmware.paper.symbols import CodeKind, symbol
from tests.examples import TIMES
from tests.firmware.paper.printing import (
    BOXED,
    Laid,
    Thing,
    grown,
    inside,
    laid,
    overlap,
    printed,
    texts_seen,
    whole,
)

pytestmark = pytest.mark.slow

WITH_OTHER_CODES = (SheetKind.CARDS, SheetKind.BADGES, SheetKind.CONTROL)
PLAIN_SHEETS = [
    *({"sheet": kind.value, "paper": "a4", "code": "datamatrix", "game": "all"} for kind in SheetKind),
    *({"sheet": kind.value, "paper": "letter", "code": "datamatrix", "game": "all"} for kind in SheetKind),
    *({"sheet": kind.value, "paper": "a4", "code": "qr", "game": "six"} for kind in WITH_OTHER_CODES),
    *(
        {"sheet": kind.value, "paper": "letter", "code": "code128", "game": "six"}
        for kind in WITH_OTHER_CODES
    ),
]

on_every_plain_sheet = pytest.mark.parametrize("job", PLAIN_SHEETS, ids=lambda job: "-".join(job.values()))
on_every_label_sheet = pytest.mark.parametrize("bought", SHEETS, ids=lambda bought: bought.title)


FAN = "27"
"""The number of the cards in a fan: a card covers those of the others."""
APART_MM = 0.5
"""From text to text in a line."""


def check_nothing_overlaps(page: Laid) -> None:
    for one, other in at_one_height(page):
        for thing, beside in ((one, other), (other, one)):
            texts = bool(thing.text and beside.text)
            box = grown(thing.box, APART_MM, 0.0) if texts else thing.box
            if not overlap(box, beside.box, slack=0.05 if texts else 0.0):
                continue
            assert not texts, (thing.text, beside.text)
            framed = thing.text not in ("", FAN) and beside.box.height > thing.box.height
            assert inside(thing.box, beside.box) or not (thing.is_code or framed), (thing, beside)


def at_one_height(page: Laid) -> Iterator[tuple[Thing, Thing]]:
    """The pairs of things of which one reaches down to the other: no others can touch."""
    things = sorted(page.things, key=lambda thing: thing.box.y)
    for place, one in enumerate(things):
        for other in islice(things, place + 1, None):
            if other.box.y > one.box.y + one.box.height:
                break
            yield one, other


QUIET = {CodeKind.DATAMATRIX: 1, CodeKind.QR: 4, CodeKind.CODE128: 10}
"""ISO/IEC 16022, 18004 and 15417."""


def check_quiet_zones(page: Laid, code: CodeKind, module: float) -> None:
    """Nothing but paper, or a field drawn below it, within the light rim that a scanner needs."""
    quiet = QUIET[code] * module
    for one in page.codes:
        rim = grown(one.box, quiet - 0.01, 0.0 if code is CodeKind.CODE128 else quiet - 0.01)
        for other in page.things:
            assert other is one or inside(rim, other.box) or not overlap(rim, other.box), (one, other)


@on_every_plain_sheet
def test_nothing_overlaps_codes_have_their_rim_and_all_of_it_can_be_printed(job: dict[str, Any]) -> None:
    paper, made = Paper(job["paper"]), printed(**job)
    assert any(page.codes for page in laid(made.pdf)) or job["sheet"] == "table-card"
    for page in laid(made.pdf):
        if job["sheet"] in [kind.value for kind in WITH_OTHER_CODES]:
            check_quiet_zones(page, CodeKind(job["code"]), made.module_mm)
        line = [thing for thing in page.things if thing.box.y > page.height - 13 and thing.box.height < 0.5]
        assert any(thing.box.width == pytest.approx(50.0, abs=0.02) for thing in line), "to lay a ruler on"
        assert (page.width, page.height) == pytest.approx((paper.width, paper.height), abs=0.01)
        check_nothing_overlaps(page)
        for thing in page.things:
            assert inside(thing.box, whole(paper).inset(5.0)), thing


@pytest.mark.parametrize("bought", SHEETS if TIMES > 1 else SHEETS[::3], ids=lambda bought: bought.title)
def test_labels_lie_on_the_labels_of_a_bought_sheet_and_are_read_from_it(bought: Any) -> None:
    pdf = printed(sheet="cards", labels=bought.numbers[0], guide=False).pdf
    assert sorted(texts_seen(pdf, 200)) == sorted(card.code for card in deck("six").cards)
    pages = laid(pdf)
    labels = list(bought.grid.boxes())
    for page in pages:
        check_nothing_overlaps(page)
        assert (page.width, page.height) == pytest.approx((bought.paper.width, bought.paper.height), abs=0.01)
        for code in page.codes:
            assert any(inside(code.box, label.inset(0.9)) for label in labels), code
        for text in page.texts:
            on_a_label = any(inside(text.box, label.inset(0.5)) for label in labels)
            assert on_a_label or text.box.y + text.box.height < bought.grid.top, text


@on_every_label_sheet
def test_a_bought_sheet_fits_its_paper_and_its_labels_do_not_overlap(bought: Any) -> None:
    boxes = list(bought.grid.boxes())
    assert len(boxes) == bought.grid.count
    for box in boxes:
        assert inside(box, whole(bought.paper))
    assert bought.grid.step_x >= bought.grid.width
    assert bought.grid.step_y >= bought.grid.height
    margins = (bought.grid.left, bought.paper.width - bought.grid.right)
    assert margins[0] == pytest.approx(margins[1], abs=0.6), "columns lie centred on every sheet we know"
    assert bought.about.startswith(f"{bought.grid.count} ")
    assert bought.source


def test_no_number_names_two_label_sheets() -> None:
    numbers = [number for bought in SHEETS for number in bought.numbers]
    assert len(numbers) == len(set(numbers))
    for bought in SHEETS:
        for number in bought.numbers:
            assert sheet(f" {number.lower()} ") is bought


def test_a_label_sheet_is_found_by_what_is_written_on_its_pack() -> None:
    for words in ("L4731", "l4731rev-25", "Avery Zweckform L4731REV-25", "Avery L4731", "4731"):
        assert sheet(words).numbers[0] == "L4731", words
    assert sheet("Herma 4333").maker == "Herma"


@pytest.mark.parametrize("module", [0.3, 0.42, 0.5])
def test_codes_have_the_size_that_was_asked_for(module: float) -> None:
    page = laid(printed(sheet="cards", labels="L7651", module=module).pdf)[0]
    assert len(page.codes) == 65
    for code in page.codes:
        assert (code.box.width, code.box.height) == pytest.approx((12 * module, 12 * module), abs=0.01)


@pytest.mark.parametrize("code", CodeKind)
def test_the_modules_of_a_card_are_whole_dots_of_a_printer_with_300_dots_an_inch(code: CodeKind) -> None:
    """Otherwise some bars come out a dot wider than others that should be equal."""
    dots = 300 / 25.4
    made = printed(sheet="cards", code=code.value, guide=False)
    assert made.module_mm * dots == pytest.approx(round(made.module_mm * dots))
    for one in laid(made.pdf)[0].codes:
        assert one.box.x * dots == pytest.approx(round(one.box.x * dots), abs=0.01)


def test_cards_that_house_rules_add_have_labels_behind_those_of_the_box() -> None:
    request = PrintRequest("cards", game="ciao", rules={"ciao": {"step": 1, "deck": {"T": 4, "rJ": 3}}})
    assert [(card.number, card.name) for card in print_job(request).decks[0].cards[90:]] == [
        (91, "rJ#3"),
        (92, "T#4"),
    ]


def test_card_codes_are_the_smallest_that_can_hold_them() -> None:
    for key in BOXED:
        cards = print_job(PrintRequest("cards", game=key)).decks[0].cards
        for card in (cards[0], cards[-1]):  # the codes of all cards are as long
            assert len(card.code) == len(cards[0].code)
            assert len(symbol(CodeKind.DATAMATRIX, card.code).rows) == 12
            assert len(symbol(CodeKind.QR, card.code).rows) == 21
            assert symbol(CodeKind.CODE128, card.code).columns <= 121


def test_labels_on_plain_paper_have_a_cutting_mark_at_every_edge() -> None:
    made = print_job(PrintRequest("cards", guide=False))
    page = laid(printed(sheet="cards", guide=False).pdf)[0]
    used = list(made.grid.boxes())[: len(made.decks[0].cards)]
    bottom = max(box.y + box.height for box in used)
    ticks = [thing.box for thing in page.things if thing.box.height > 2 and thing.box.width < 0.5]
    above = {round(one.x + one.width / 2, 1) for one in ticks if one.y + one.height < made.grid.top}
    below = {round(one.x + one.width / 2, 1) for one in ticks if bottom < one.y < bottom + 3}
    edges = {round(edge, 1) for box in used for edge in (box.x, box.x + box.width)}
    assert above == below == edges


def test_labels_on_a_bought_sheet_have_no_cutting_marks() -> None:
    page = laid(printed(sheet="cards", labels="L4731", guide=False).pdf)[0]
    lines = [thing for thing in page.things if not thing.text and not thing.is_code]
    assert len(lines) == sum(1 for thing in page.texts if thing.text in UPSIDE_DOWN)


UPSIDE_DOWN = {"6", "9", "16", "18", "19", "61", "66", "68", "81", "86", "89", "91", "98", "99"}


def test_numbers_that_read_as_others_upside_down_are_underlined() -> None:
    page = laid(printed(sheet="cards", labels="L4731", guide=False).pdf)[0]
    strokes = [thing.box for thing in page.things if thing.stroked]
    underlined = {
        thing.text
        for thing in page.texts
        for stroke in strokes
        if overlap(grown(stroke, 0.0, 1.0), thing.box) and thing.text.isdigit()
    }
    assert underlined == UPSIDE_DOWN


@pytest.mark.parametrize("labels", [None, "5167"])
def test_every_sheet_of_labels_says_where_they_go(labels: str | None) -> None:
    *sheets, last = laid(printed(sheet="cards", labels=labels).pdf)
    for page in sheets:
        assert "On the face of the card, in the same place on every card, never on the back." in page.words
    assert "Where the labels go" in last.words
    assert "Nobody can recognise it from the back." in last.words
    assert "Nobody can tell a card by its feel" in last.words


def test_the_corner_to_stick_by_has_the_size_of_the_label() -> None:
    guide = laid(printed(sheet="cards", labels="L4731").pdf)[-1]
    sizes = [(thing.box.width, thing.box.height) for thing in guide.things if thing.stroked]
    assert any(size == pytest.approx((25.4, 10.0), abs=0.02) for size in sizes)


@pytest.mark.parametrize("key", RULES)
@pytest.mark.parametrize("paper", Paper)
def test_a_table_card_can_be_read_across_a_table(key: str, paper: Paper) -> None:
    pen = Pen(paper, "table card")
    in_short.draw(pen, "GAME", RULES[key])
    begins = tuple(str(says)[:12] for says in RULES[key].left.values())
    body = [thing for thing in laid(pen.finished())[0].texts if thing.text.startswith(begins)]
    assert len(body) == len(RULES[key].left)
    assert max(thing.box.height for thing in body) > 3.3, "at least 11 points"


def test_a_grid_of_ones_own_is_laid_out_as_it_was_measured() -> None:
    measured = measured_grid(Paper.A4, Measures(7, 27, 8.5, 13.5, 25.4, 10.0, 2.54, 0.0))
    assert (measured.left, measured.top, measured.width, measured.height) == (8.5, 13.5, 25.4, 10.0)
    assert (measured.step_x, measured.step_y) == pytest.approx((27.94, 10.0))
    margins = {"margin_left": 8.5, "margin_top": 13.5}
    sizes = {"label_width": 25.4, "label_height": 10.0, "gap_across": 2.54}
    pages = laid(printed(sheet="cards", columns=7, rows=27, **margins, **sizes).pdf)
    assert len(pages[0].codes) == 104
    for code in pages[0].codes:
        assert any(inside(code.box, label.inset(0.9)) for label in measured.boxes())


def test_what_was_not_measured_is_worked_out() -> None:
    filled = measured_grid(Paper.A4, Measures(5, 10))
    assert (filled.left, filled.top, filled.width, filled.height) == pytest.approx((10.0, 10.0, 38.0, 27.7))
    centred = measured_grid(Paper.LETTER, Measures(4, 20, label_width=44.45, label_height=12.7))
    assert centred.left == pytest.approx(Paper.LETTER.width - centred.right)
    assert centred.top == pytest.approx(Paper.LETTER.height - centred.bottom)


def test_badges_are_told_by_number_colour_and_shape() -> None:
    from firmware.paper.badges import MARKS

    assert list(MARKS) == list(range(1, 11))
    for one, other in combinations(MARKS.values(), 2):
        assert one.colour != other.colour
        assert one.shape != other.shape
        assert str(one.name) != str(other.name)
    words = laid(printed(sheet="badges").pdf)[0].words
    for mark in MARKS.values():
        assert str(mark.name) in words
