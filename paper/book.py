"""All sheets of an order in one document, and the paper that each page needs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from companion import games
from companion.text import Text, count, say
from paper import badges, cards, control, guide, scanner, table_card, trial_page
from paper.order import Kind
from paper.pen import Pen
from paper.symbols import symbol

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from paper.order import Order


PLAIN: Final = say("plain paper")


@dataclass(frozen=True, slots=True)
class Pages:
    """Pages that belong together, counted from 1, and what to put into the printer for them."""

    first: int
    last: int
    what: Text
    paper: Text


@dataclass(frozen=True, slots=True)
class Book:
    """A printed order: the bytes of a PDF file, always the same for the same order."""

    pdf: bytes
    pages: tuple[Pages, ...]
    module_mm: float


def book(order: Order, say_in: Callable[[Text], str] = str) -> Book:
    """Print the order. Raises `BadOrder` where a code is too large for its place."""
    module = _style(order).module if order.decks else order.module or order.code.usual_mm
    pen = Pen(order.paper, "nimmt-companion", say_in)
    pages: list[Pages] = []
    for kind in order.kinds:
        for sheets, what, paper in _drawn(pen, order, kind, module):
            first = pages[-1].last + 1 if pages else 1
            pages.append(Pages(first, first + sheets - 1, what, paper))
    return Book(pen.finished(), tuple(pages), module)


def _drawn(pen: Pen, order: Order, kind: Kind, module: float) -> Iterator[tuple[int, Text, Text]]:
    """Draw one kind; yields the number of pages, what is on them, and the paper they need."""
    match kind:
        case Kind.SCANNER:
            scanner.draw(pen)
            yield 1, say("scanner set-up"), PLAIN
        case Kind.TEST_PAGE:
            trial_page.draw(pen)
            yield 1, say("test page"), PLAIN
        case Kind.CONTROL:
            yield control.draw(pen, order.code, module), say("control sheet"), PLAIN
        case Kind.BADGES:
            badges.draw(pen, order.code, module)
            yield 1, say("player badges"), PLAIN
        case Kind.TABLE_CARD:
            for key in order.games:
                table_card.draw(pen, key)
                yield 1, say("table card of {game}", game=games.module(key).TITLE), PLAIN
        case Kind.CARDS:
            yield from _cards(pen, order)


def _cards(pen: Pen, order: Order) -> Iterator[tuple[int, Text, Text]]:
    """The labels, every deck on sheets of its own, and where they go."""
    style = _style(order)
    cut = order.bought is None and not order.own_grid
    stock = PLAIN if cut else say("your label sheet")
    if order.bought is not None:
        stock = say("label sheet {title}", title=order.bought.title)
    for number, deck in enumerate(order.decks):
        sheets = cards.draw(pen, deck, style, 0 if number else order.skip, cut=cut)
        amount = len(deck.cards)
        yield (
            sheets,
            count("{count} label for {game}", "{count} labels for {game}", amount, game=deck.title),
            stock,
        )
    if order.guide:
        guide.draw(pen, order.grid)
        yield 1, say("where the labels go"), PLAIN


def _style(order: Order) -> cards.Style:
    """How the labels are filled: the same for all decks of an order."""
    symbols = [symbol(order.code, card.code) for deck in order.decks for card in deck.cards]
    return cards.style(order.paper, order.grid, order.code, order.module, symbols)
