"""An order for sheets: a request in words, checked before anything is drawn. Drawing is in `book`."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, Final, TypeVar

from companion import games
from companion.errors import did_you_mean, quoted
from paper import measured, stock
from paper.deck import Deck, chosen, deck
from paper.errors import BadOrder
from paper.measured import Measures
from paper.stock import Paper
from paper.symbols import Code

if TYPE_CHECKING:
    from paper.stock import Grid, Sheet


class Kind(Enum):
    """What can be printed; the value is its name in orders."""

    CARDS = "cards"
    BADGES = "badges"
    CONTROL = "control"
    TABLE_CARD = "table-card"
    SCANNER = "scanner"
    TEST_PAGE = "test-page"


EVERYTHING: Final = "all"
MODULES_MM: Final = (0.2, 1.0)
"""The smallest and the largest module: below, no printer; above, no label."""


@dataclass(frozen=True, slots=True)
class Asked:
    """An order in words and numbers as given by the user; None means left out."""

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
    code: str = Code.DATAMATRIX.value
    module: float | None = None
    guide: bool = True


@dataclass(frozen=True, slots=True)
class Order:
    """An order as it is understood.

    `bought` is the label sheet by its maker's number, `own_grid` says that the grid was
    measured; without either, plain paper is cut. `module` is None if the place decides.
    """

    kinds: tuple[Kind, ...]
    games: tuple[str, ...]
    decks: tuple[Deck, ...]
    paper: Paper
    bought: Sheet | None
    grid: Grid
    own_grid: bool
    skip: int
    code: Code
    module: float | None
    guide: bool


def order(asked: Asked) -> Order:
    """The order meant by these words. Raises `BadOrder` or `UnknownGame`, saying what would work."""
    kinds = _kinds(asked.sheet)
    code = _named(Code, asked.code, "kind of code")
    bought = stock.sheet(asked.labels) if asked.labels is not None else None
    paper = _paper(asked, bought)
    own = asked.columns is not None or asked.rows is not None
    grid = _grid(asked, paper, bought, code)
    if asked.module is not None and not MODULES_MM[0] <= asked.module <= MODULES_MM[1]:
        raise BadOrder(
            f"a module of {asked.module:g} mm cannot be printed on a label",
            f"use {MODULES_MM[0]} to {MODULES_MM[1]} mm; usual for {code.title} is {code.usual_mm:.2f}",
        )
    if not 0 <= asked.skip < grid.count:
        raise BadOrder(
            f"{asked.skip} labels cannot be skipped on a sheet of {grid.count}", f"use 0 to {grid.count - 1}"
        )
    keys = chosen(asked.game or games.first())
    decks = tuple(deck(key, asked.deck, asked.only, asked.box) for key in keys) if Kind.CARDS in kinds else ()
    return Order(kinds, keys, decks, paper, bought, grid, own, asked.skip, code, asked.module, asked.guide)


def _kinds(name: str) -> tuple[Kind, ...]:
    if name == EVERYTHING:
        return (Kind.SCANNER, Kind.TEST_PAGE, Kind.CONTROL, Kind.BADGES, Kind.TABLE_CARD, Kind.CARDS)
    return (_named(Kind, name, "sheet", EVERYTHING),)


_E = TypeVar("_E", bound=Enum)


def _named(kind: type[_E], name: str, what: str, *also: str) -> _E:
    for member in kind:
        if member.value == name.lower():
            return member
    raise BadOrder(
        f"there is no {what} {quoted(name)}", did_you_mean(name, [*(member.value for member in kind), *also])
    )


def _paper(asked: Asked, bought: Sheet | None) -> Paper:
    paper = _named(Paper, asked.paper, "paper") if asked.paper is not None else None
    if bought is None:
        return paper or Paper.A4
    if paper not in (None, bought.paper):
        others = ", ".join(sheet.numbers[0] for sheet in stock.SHEETS if sheet.paper is paper)
        raise BadOrder(
            f"{bought.title} is a sheet of size {bought.paper.title}, not {asked.paper}",
            f"leave --paper out, or use one of: {others}",
        )
    return bought.paper


def _grid(asked: Asked, paper: Paper, bought: Sheet | None, code: Code) -> Grid:
    given = asked.columns is not None or asked.rows is not None
    lengths = (asked.margin_left, asked.margin_top, asked.label_width, asked.label_height)
    if bought is not None:
        if given or any(length is not None for length in lengths):
            raise BadOrder(
                f"{bought.title} has its own columns, rows and measures",
                "give --labels or the measures, not both",
            )
        return bought.grid
    if not given:
        if any(length is not None for length in lengths) or asked.gap_across or asked.gap_down:
            raise BadOrder("measures without a number of labels", "use --columns and --rows as well")
        return measured.plain(paper, code)
    if asked.columns is None or asked.rows is None:
        raise BadOrder("columns without rows, or rows without columns", "use both --columns and --rows")
    return measured.grid(
        paper, Measures(asked.columns, asked.rows, *lengths, asked.gap_across, asked.gap_down)
    )
