"""A print job: a request in words, checked as a whole before anything is drawn; `document` draws the PDF."""

from collections.abc import Callable, Iterator, Mapping
from enum import Enum
from typing import Any, Final, TypeVar

from companion.core import games
from companion.text.errors import did_you_mean, quoted
from companion.text.sentence import Text
from companion.values import Value
from firmware.paper import badges, cards, control, guide, in_short, scanner, stock
from firmware.paper.cards import DeckLabels, chosen, deck
from firmware.paper.pen import Pen
from firmware.paper.rules_in_short import rules_of
from firmware.paper.stock import Grid, InvalidRequest, LabelSheet, Measures, Paper
from firmware.paper.symbols import CodeKind, symbol


class SheetKind(Enum):
    """What can be printed; the value is its name in requests."""

    CARDS = "cards"
    BADGES = "badges"
    CONTROL = "control"
    TABLE_CARD = "table-card"
    SCANNER = "scanner"
    TEST_PAGE = "test-page"


EVERYTHING: Final = "all"
IN_ORDER: Final = ("scanner", "test-page", "control", "badges", "table-card", "cards")
"""Everything, in the order in which it is needed."""
MODULES_MM: Final = (0.2, 1.0)
"""The smallest and the largest module: below, no printer; above, no label."""


class PrintRequest(Value):
    """A request in words and numbers as people give them; None means not given."""

    sheet: str
    game: str | None = None
    deck: str = "full"
    only: str = ""
    box: int = 1
    paper: str | None = None
    labels: str | None = None
    columns: int | None = None
    rows: int | None = None
    margin_left: float | None = None
    margin_top: float | None = None
    label_width: float | None = None
    label_height: float | None = None
    gap_across: float = 0.0
    gap_down: float = 0.0
    skip: int = 0
    code: str = CodeKind.DATAMATRIX.value
    module: float | None = None
    guide: bool = True
    rules: Mapping[str, Mapping[str, Any]] = {}
    """House rules by game; a sheet only needs to know the deck."""


class PrintJob(Value):
    """A request after it was checked. `bought` is the label sheet by its maker's number."""

    request: PrintRequest
    kinds: tuple[SheetKind, ...]
    games: tuple[str, ...]
    decks: tuple[DeckLabels, ...]
    paper: Paper
    bought: LabelSheet | None
    grid: Grid
    code: CodeKind
    badges: tuple[int, ...]

    @property
    def is_cut(self) -> bool:
        """Whether labels are cut out of plain paper: no label sheet is named, and no grid was measured."""
        return self.bought is None and self.request.columns is None


def print_job(request: PrintRequest) -> PrintJob:
    """The print job for a request. Raises `InvalidRequest` or `UnknownGame`, saying what would do."""
    kinds = _kinds(request.sheet)
    code = _named(CodeKind, request.code, f"there is no kind of code {quoted(request.code)}")
    bought = stock.sheet(request.labels) if request.labels is not None else None
    paper = paper_of(request, bought)
    grid = _grid(request, paper, bought, code)
    if request.module is not None and not MODULES_MM[0] <= request.module <= MODULES_MM[1]:
        fault = f"a module of {request.module:g} mm cannot be printed on a label"
        sizes = "use {} to {} mm".format(*MODULES_MM)
        raise InvalidRequest(fault, f"{sizes}; the usual size for {code.title} is {code.usual_mm:.2f}")
    if not 0 <= request.skip < grid.count:
        fault = f"{request.skip} labels cannot be skipped on a sheet of {grid.count}"
        raise InvalidRequest(fault, f"use 0 to {grid.count - 1}")
    keys = chosen(request.game or games.first())
    of_cards = keys if SheetKind.CARDS in kinds else ()
    decks = tuple(
        deck(key, request.deck, request.only, request.box, request.rules.get(key, {})) for key in of_cards
    )
    numbers = badges.chosen(request.only if kinds == (SheetKind.BADGES,) else "")
    return PrintJob(request, kinds, keys, decks, paper, bought, grid, code, numbers)


def _kinds(name: str) -> tuple[SheetKind, ...]:
    if name == EVERYTHING:
        return tuple(map(SheetKind, IN_ORDER))
    return (_named(SheetKind, name, f"there is no sheet {quoted(name)}", EVERYTHING),)


_E = TypeVar("_E", bound=Enum)


def _named(kind: type[_E], name: str, fault: str, *also: str) -> _E:
    for member in kind:
        if member.value == name.lower():
            return member
    raise InvalidRequest(fault, did_you_mean(name, [*(member.value for member in kind), *also]))


def paper_of(request: PrintRequest, bought: LabelSheet | None = None) -> Paper:
    """The paper of the label sheet, or of another sheet. Raises `InvalidRequest`."""
    paper = None
    if request.paper is not None:
        paper = _named(Paper, request.paper, f"there is no paper {quoted(request.paper)}")
    if bought is None:
        return paper or Paper.A4
    if paper not in (None, bought.paper):
        fault = f"{bought.title} is a sheet of size {bought.paper.title}, not {request.paper}"
        others = ", ".join(sheet.numbers[0] for sheet in stock.SHEETS if sheet.paper is paper)
        raise InvalidRequest(fault, f"leave --paper out, or use one of: {others}")
    return bought.paper


def _grid(request: PrintRequest, paper: Paper, bought: LabelSheet | None, code: CodeKind) -> Grid:
    given = request.columns is not None or request.rows is not None
    lengths = (request.margin_left, request.margin_top, request.label_width, request.label_height)
    if bought is not None:
        if given or any(length is not None for length in lengths):
            fault = f"{bought.title} has its own columns, rows and measures"
            raise InvalidRequest(fault, "give --labels or the measures, not both")
        return bought.grid
    if not given:
        if any(length is not None for length in lengths) or request.gap_across or request.gap_down:
            raise InvalidRequest("measures without a number of labels", "use --columns and --rows as well")
        return stock.plain_grid(paper, code)
    if request.columns is None or request.rows is None:
        raise InvalidRequest("columns without rows, or rows without columns", "use both --columns and --rows")
    gaps = (request.gap_across, request.gap_down)
    return stock.measured_grid(paper, Measures(request.columns, request.rows, *lengths, *gaps))


PLAIN: Final = "plain paper"


class PageRange(Value):
    """PageRange that belong together, counted from 1, and what to put into the printer for them."""

    first: int
    last: int
    what: str
    paper: str


class Document(Value):
    """The bytes of a PDF file, always the same for the same print job."""

    pdf: bytes
    pages: tuple[PageRange, ...]
    module_mm: float


def document(
    print_job: PrintJob, say_in: Callable[[Text], str] = str, shaped: Callable[[str], str] | None = None
) -> Document:
    """Make the document of a print job; for `say_in` and `shaped` see `Pen`.

    Raises `InvalidRequest` where a code is too large for its place.
    """
    usual = print_job.request.module or print_job.code.usual_mm
    module = _style(print_job).module if print_job.decks else usual
    pen = Pen(print_job.paper, "nimmt-companion", say_in, shaped)
    pages: list[PageRange] = []
    for kind in print_job.kinds:
        for sheets, what, paper in _drawn(pen, print_job, kind, module):
            first = pages[-1].last + 1 if pages else 1
            pages.append(PageRange(first, first + sheets - 1, what, paper))
    return Document(pen.finished(), tuple(pages), module)


def _drawn(pen: Pen, print_job: PrintJob, kind: SheetKind, module: float) -> Iterator[tuple[int, str, str]]:
    """Draw one kind; yields the number of pages, what is on them, and the paper they need."""
    match kind:
        case SheetKind.SCANNER:
            scanner.draw(pen)
            yield 1, "scanner set-up", PLAIN
        case SheetKind.TEST_PAGE:
            scanner.draw_test_page(pen)
            yield 1, "test page", PLAIN
        case SheetKind.CONTROL:
            yield control.draw(pen, print_job.code, module), "control sheet", PLAIN
        case SheetKind.BADGES:
            yield badges.draw(pen, print_job.badges, print_job.code, module), "player badges", PLAIN
            backs = badges.draw_backs(pen, print_job.badges, print_job.code, module)
            yield backs, "backs of the badges", PLAIN
        case SheetKind.TABLE_CARD:
            for key in print_job.games:
                title = games.module(key).TITLE
                in_short.draw(pen, title, rules_of(key))
                yield 1, f"table card of {title}", PLAIN
        case SheetKind.CARDS:
            yield from _cards(pen, print_job)


def _cards(pen: Pen, print_job: PrintJob) -> Iterator[tuple[int, str, str]]:
    style = _style(print_job)
    stock = PLAIN if print_job.is_cut else "your label sheet"
    if print_job.bought is not None:
        stock = f"label sheet {print_job.bought.title}"
    for number, labelled in enumerate(print_job.decks):
        sheets = cards.draw(
            pen, labelled, style, 0 if number else print_job.request.skip, cut=print_job.is_cut
        )
        labels = "1 label" if len(labelled.cards) == 1 else f"{len(labelled.cards)} labels"
        yield sheets, f"{labels} for {labelled.title}", stock
    if print_job.request.guide:
        guide.draw(pen, print_job.grid)
        yield 1, "where the labels go", PLAIN


def _style(print_job: PrintJob) -> cards.LabelStyle:
    symbols = [symbol(print_job.code, card.code) for labelled in print_job.decks for card in labelled.cards]
    return cards.style(print_job.paper, print_job.grid, print_job.code, print_job.request.module, symbols)
