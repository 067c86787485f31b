"""The PDF of a print job: all its sheets, and the paper that each page needs."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

from companion.core import games
from companion.text.sentence import Text, count, say
from companion.values import Value
from firmware.paper import badges, cards, control, guide, scanner, trial
from firmware.paper.pen import Pen
from firmware.paper.print_job import PrintJob, SheetKind
from firmware.paper.symbols import symbol

PLAIN: Final = say("plain paper")


class Pages(Value):
    """Pages that belong together, counted from 1, and what to put into the printer for them."""

    first: int
    last: int
    what: Text
    paper: Text


class Document(Value):
    """The bytes of a PDF file, always the same for the same print job."""

    pdf: bytes
    pages: tuple[Pages, ...]
    module_mm: float


def document(
    print_job: PrintJob,
    say_in: Callable[[Text], str] = str,
    shaped: Callable[[str], str] | None = None,
) -> Document:
    """Make the document of a print job; for `say_in` and `shaped` see `Pen`.

    Raises `InvalidRequest` where a code is too large for its place.
    """
    module = _style(print_job).module if print_job.decks else print_job.module or print_job.code.usual_mm
    pen = Pen(print_job.paper, "nimmt-companion", say_in, shaped)
    pages: list[Pages] = []
    for kind in print_job.kinds:
        for sheets, what, paper in _drawn(pen, print_job, kind, module):
            first = pages[-1].last + 1 if pages else 1
            pages.append(Pages(first, first + sheets - 1, what, paper))
    return Document(pen.finished(), tuple(pages), module)


def _drawn(pen: Pen, print_job: PrintJob, kind: SheetKind, module: float) -> Iterator[tuple[int, Text, Text]]:
    """Draw one kind; yields the number of pages, what is on them, and the paper they need."""
    match kind:
        case SheetKind.SCANNER:
            scanner.draw(pen)
            yield 1, say("scanner set-up"), PLAIN
        case SheetKind.TEST_PAGE:
            trial.draw(pen)
            yield 1, say("test page"), PLAIN
        case SheetKind.CONTROL:
            yield control.draw(pen, print_job.code, module), say("control sheet"), PLAIN
        case SheetKind.BADGES:
            yield badges.draw(pen, print_job.badges, print_job.code, module), say("player badges"), PLAIN
            backs = badges.draw_backs(pen, print_job.badges, print_job.code, module)
            yield backs, say("backs of the badges"), PLAIN
        case SheetKind.TABLE_CARD:
            for key in print_job.games:
                guide.draw_table_card(pen, key)
                yield 1, say("table card of {game}", game=games.module(key).TITLE), PLAIN
        case SheetKind.CARDS:
            yield from _cards(pen, print_job)


def _cards(pen: Pen, print_job: PrintJob) -> Iterator[tuple[int, Text, Text]]:
    """The labels, every deck on sheets of its own, and where they go."""
    style = _style(print_job)
    cut = print_job.bought is None and not print_job.own_grid
    stock = PLAIN if cut else say("your label sheet")
    if print_job.bought is not None:
        stock = say("label sheet {title}", title=print_job.bought.title)
    for number, deck in enumerate(print_job.decks):
        sheets = cards.draw(pen, deck, style, 0 if number else print_job.skip, cut=cut)
        amount = len(deck.cards)
        yield (
            sheets,
            count("{count} label for {game}", "{count} labels for {game}", amount, game=deck.title),
            stock,
        )
    if print_job.guide:
        guide.draw(pen, print_job.grid)
        yield 1, say("where the labels go"), PLAIN


def _style(print_job: PrintJob) -> cards.Style:
    """How the labels are filled: the same for all decks of a print job."""
    symbols = [symbol(print_job.code, card.code) for deck in print_job.decks for card in deck.cards]
    return cards.style(print_job.paper, print_job.grid, print_job.code, print_job.module, symbols)
