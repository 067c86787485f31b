"""Labels for the cards: which get one, a code, and the name of the card large in clear text.

`guide` draws around them.
"""

import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any, Final

from companion.core import games
from companion.core.cards import Seat
from companion.core.codes import BOXES, card_code
from companion.text.digits import in_latin_digits
from companion.text.errors import InvalidRecord, UnknownCard, quoted
from companion.text.sentence import Decimals, Text, say
from companion.values import Value
from firmware.paper import frame
from firmware.paper.pen import FAINT, INK, RULE, Pen, Type
from firmware.paper.stock import SHEETS, Box, Grid, InvalidRequest, Paper, largest, parts_of
from firmware.paper.symbols import BARS_MM, CodeKind, CodeSymbol, symbol


class PrintedCard(Value):
    """A card of the box: the number in its code, its name, its label for players, and its code."""

    number: int
    name: str
    label: Text
    code: str


class DeckLabels(Value):
    """Cards of one game that need a label."""

    key: str
    title: str
    cards: tuple[PrintedCard, ...]


EVERY_GAME: Final = "all"


def chosen(name: str) -> tuple[str, ...]:
    """The games of a print job: one, or `all` that have cards. Raises `UnknownGame` or `InvalidRequest`."""
    boxed = tuple(key for key in games.GAMES if games.module(key).DECK)
    if name == EVERY_GAME:
        return boxed
    module = games.module(name)
    if name not in boxed:
        fix = f"use one of: {', '.join((*boxed, EVERY_GAME))}"
        raise InvalidRequest(f"{module.TITLE} has no cards of its own", fix)
    return (name,)


def deck(
    key: str, which: str = "full", only: str = "", box: int = 1, rules: Mapping[str, Any] = {}
) -> DeckLabels:
    """The cards of a game: `full`, or `known:4` for the known deck of four players.

    `only` picks from them by number or name, as in `17,55,90-99`. Raises `InvalidRequest`, naming
    the invalid part. `box` numbers the boxes of a game that is there more than once. House `rules` can add
    cards to those of the box.
    """
    if box not in BOXES:
        raise InvalidRequest(f"there is no box {box}", f"use --box {BOXES[0]} to --box {BOXES[-1]}")
    module = games.module(key)
    seats, numbers = module.SEATS[0], rules.get("deck")
    game = module.make(seats, {"deck": numbers} if isinstance(numbers, dict) else {})
    table, names = game.start(seats, tuple(map(Seat, range(seats))), Seat(0)), list(module.DECK)
    with suppress(UnknownCard):  # no card has the next number
        while True:
            names.append(game.card(table, str(len(names) + 1)))
    cards = tuple(
        PrintedCard(number, name, game.label(name), card_code(module.CODE, number, box))
        for number, name in enumerate(names, start=1)
    )
    if which != "full":
        known = _known(key, which)
        cards = tuple(card for card in cards if card.name in known)
    if only:
        cards = _only(cards, only)
    return DeckLabels(key, module.TITLE, cards)


def _known(key: str, which: str) -> frozenset[str]:
    form = re.fullmatch(r"known:([0-9]{1,2})", in_latin_digits(which))
    if not form:
        fault = f"there is no deck {quoted(which)}"
        raise InvalidRequest(fault, "use full, or known:N with the number of players")
    seats = int(form.group(1))
    module = games.module(key)
    try:
        game = module.make(seats, {"deck": "known"})
    except InvalidRecord as bad:
        fault = f"the deck {quoted(which)} cannot be used: {bad.fault}"
        raise InvalidRequest(fault, "use --deck full") from bad
    players = tuple(Seat(seat) for seat in range(seats))
    return frozenset(game.cards(game.start(seats, players, players[0])))


def _only(cards: tuple[PrintedCard, ...], only: str) -> tuple[PrintedCard, ...]:
    wanted: set[int] = set()
    for part, numbers in parts_of(only):
        # Every copy of a card has its name.
        found = {
            card.number
            for card in cards
            if card.number in numbers or part in (card.name, card.name.partition("#")[0])
        }
        if not found:
            fix = "use the whole deck: no card of it is left"
            if cards:
                fix = f"use numbers and ranges such as 17,55,90-99 ({cards[0].number} to {cards[-1].number})"
            raise InvalidRequest(f"this deck has no card {quoted(part)}", fix)
        wanted |= found
    return tuple(card for card in cards if card.number in wanted)


RIM: Final = 1.0
"""Free margin inside each label, in mm: printers feed sheets up to a millimetre askew."""
BETWEEN: Final = 0.6
"""Between a code's quiet zone and the name, in mm."""
MAX_NAME_SIZE: Final = 24.0
"""The largest letters of a name, in points."""
MAX_HEIGHT_MM: Final = 12.0
"""The tallest bars, in mm: more only costs ink."""
MIN_RIM: Final = 0.3
"""Free around a quiet zone, which is itself free, in mm."""
BESIDE: Final = 5.5
"""The least width for the name beside a code, in mm."""
BELOW: Final = 3.2
"""The least height for the name below a code, in mm."""

_TURNED: Final = str.maketrans("01689", "01986")


class LabelStyle(Value):
    """How all labels of a print job look."""

    grid: Grid
    code: CodeKind
    module: float
    beside: bool
    """The name is beside the code, otherwise below it."""


class _SharedStyle(Value):
    """What all labels of a deck share, so that all names are equally large."""

    game: str
    longest: str
    style: LabelStyle


def style(
    paper: Paper, grid: Grid, code: CodeKind, request: float | None, symbols: Sequence[CodeSymbol]
) -> LabelStyle:
    """How labels of that size are filled; the module size is the largest useful one that fits, unless given.

    Raises `InvalidRequest` where the codes do not fit, saying what would.
    """
    widest = max(symbols, key=lambda made: made.columns)

    def fits(module: float, labels: Grid = grid) -> bool:
        return any(_fits(labels, widest, module, beside=beside) for beside in (True, False))

    module = largest(code.usual_mm, fits) if request is None else request
    if module is not None and fits(module):
        bars = code is CodeKind.CODE128 and grid.height >= MAX_HEIGHT_MM + 5
        below = bars and _fits(grid, widest, module, beside=False)
        return LabelStyle(grid, code, module, beside=not below and _fits(grid, widest, module, beside=True))
    wanted = code.usual_mm if module is None else module
    smaller = largest(wanted, fits)
    ways = [say("use --module {module} or smaller", module=f"{smaller:.2f}")] if smaller else []
    for known in SHEETS:
        if known.paper is paper and fits(wanted, known.grid):
            ways.append(say("use larger labels, such as --labels {number}", number=known.numbers[0]))
            break
    if code is not CodeKind.DATAMATRIX:
        ways.append(say("use --code {code}", code=CodeKind.DATAMATRIX.value))
    raise InvalidRequest(
        say(
            "a {code} of {module} mm modules takes {width} x {height} mm; a label of {across} x {down} mm has"
            " no room for it and the card's name",
            code=code.title,
            module=Decimals(wanted, 2),
            width=Decimals(widest.width_mm(wanted), 1),
            height=Decimals(widest.height_mm(wanted), 1),
            across=Decimals(grid.width, 1),
            down=Decimals(grid.height, 1),
        ),
        say("do one of these: {ways}", ways=tuple(ways)) if ways else say("use larger labels"),
    )


def _rim(code: CodeKind, module: float) -> float:
    """Free around the quiet zone, so that the dark modules stay off the edge of a sheet fed askew."""
    return max(MIN_RIM, RIM + 0.2 - code.quiet * module)


def _fits(grid: Grid, widest: CodeSymbol, module: float, *, beside: bool) -> bool:
    rim = _rim(widest.code, module)
    width, height = grid.width - 2 * rim, grid.height - 2 * rim
    if beside:
        width -= BESIDE
    else:
        height -= BELOW
    return widest.width_mm(module) <= width + 1e-6 and widest.height_mm(module) <= height + 1e-6


def draw(pen: Pen, deck: DeckLabels, style: LabelStyle, skip: int, *, cut: bool) -> int:
    """All labels of a deck, after `skip` that are used up already. Returns the number of sheets."""
    boxes = tuple(style.grid.boxes())
    longest = max((pen.words(card.label) for card in deck.cards), key=Type(1, bold=True).width)
    alike = _SharedStyle(deck.title, longest, style)
    sheets = -(-(skip + len(deck.cards)) // len(boxes))
    labels = list(zip((boxes * sheets)[skip:], deck.cards, strict=False))
    for number in range(sheets):
        first, end = number * len(boxes) - skip, (number + 1) * len(boxes) - skip
        here = labels[max(first, 0) : end]
        _dress(pen, deck, style.grid, (number + 1, sheets), cut=cut)
        with pen.literal():
            if cut:
                _cutting_marks(pen, [box for box, _ in here])
            for box, card in here:
                _label(pen, box, card, alike)
    return sheets


def _dress(pen: Pen, deck: DeckLabels, grid: Grid, sheet: tuple[int, int], *, cut: bool) -> None:
    """What is printed around the labels: never inside them, and on bought sheets only in the upper margin."""
    where = say("On the face of the card, in the same place on every card, never on the back.")
    if cut:
        frame.page(pen, say("{game} card labels", game=deck.title), where)
        return
    pen.page()
    if grid.top >= 7:  # noqa: PLR2004 - below this the line would not be printed by many printers
        look = Type(6.5, colour=FAINT)
        title = say("{game}, sheet {sheet} of {sheets}.", game=deck.title, sheet=sheet[0], sheets=sheet[1])
        used = pen.text(title, (max(grid.left, 5.0), grid.top - 2.6), look)
        pen.text(where, (max(grid.left, 5.0) + used + 1.5, grid.top - 2.6), look)


def _cutting_marks(pen: Pen, used: list[Box]) -> None:
    """Ticks around the labels for a guillotine, and small crosses where four labels meet."""
    xs = sorted({round(edge, 4) for box in used for edge in (box.x, box.x + box.width)})
    ys = sorted({round(edge, 4) for box in used for edge in (box.y, box.y + box.height)})
    frame.cutting_marks(pen, xs, ys)
    for x in xs:
        for y in ys:
            pen.line((x - 0.6, y), (x + 0.6, y), width=0.12, colour=RULE)
            pen.line((x, y - 0.6), (x, y + 0.6), width=0.12, colour=RULE)


def _label(pen: Pen, box: Box, card: PrintedCard, alike: _SharedStyle) -> None:
    style = alike.style
    code = symbol(style.code, card.code)
    rim = _rim(style.code, style.module)
    wide = code.width_mm(style.module)
    bars = style.code is CodeKind.CODE128
    inner = box.inset(RIM)
    if style.beside:
        tall = min(MAX_HEIGHT_MM, inner.height) if bars else code.height_mm(style.module)
        room = min(box.width - rim - wide - BETWEEN - RIM, 1.7 * inner.height)
        x = box.x + max(rim, (box.width - wide - BETWEEN - room) / 2)
        pen.symbol(code, (x, box.y + (box.height - tall) / 2), style.module, tall)
        _name(pen, card, alike, Box(x + wide + BETWEEN, inner.y, room, inner.height))
        return
    tall = (
        min(MAX_HEIGHT_MM, max(BARS_MM, box.height - 2 * rim - 5.2)) if bars else code.height_mm(style.module)
    )
    pen.symbol(code, (box.x + (box.width - wide) / 2, box.y + rim), style.module, tall)
    y = box.y + rim + tall
    _name(pen, card, alike, Box(inner.x, y, inner.width, inner.y + inner.height - y))


def _name(pen: Pen, card: PrintedCard, alike: _SharedStyle, room: Box) -> None:
    """The name as large as the longest of the deck goes; the game below it, and a number that is no name."""
    title = alike.game if card.name.isdigit() else f"{alike.game} {card.number}"
    small = Type(4.6, colour=FAINT).fitting(title, room.width)
    with_title = room.height >= 5.5  # noqa: PLR2004 - mm; the name matters more
    below = small.leading + 0.6 if with_title else 0.0
    look = Type(min(MAX_NAME_SIZE, (room.height - below) * 0.86 / Type(1).capital), bold=True)
    look = look.fitting(alike.longest, room.width)
    name = pen.words(card.label)
    middle = room.x + room.width / 2
    base = room.y + (room.height - below + look.capital) / 2
    long = pen.text(name, (middle, base), look, align="center")
    if _reads_upside_down(name):
        pen.line((middle - long / 2, base + 0.6), (middle + long / 2, base + 0.6), width=0.3, colour=INK)
    if with_title:
        pen.text(title, (middle, base + 1.2 + small.capital), small, align="center")


def _reads_upside_down(name: str) -> bool:
    """Whether a number turned by half a circle reads as another one: 6 and 9, 16 and 91, 68 and 89."""
    turned = name.translate(_TURNED)[::-1]
    return set(name) <= set("01689") and turned != name and not turned.startswith("0")
