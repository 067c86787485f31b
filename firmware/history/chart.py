"""The totals of a match as lines, drawn by a pen: the one here makes SVG, that of `chart_png` a bitmap.

Every person has a colour, a shape and a label at the end of the line, so that the chart can be read without
colours. Places are in points, y downwards.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING, Final, Literal, Protocol, TypeAlias
from xml.sax.saxutils import escape

from companion.core.cards import Seat
from companion.values import Value
from firmware.text.translation import Translator

if TYPE_CHECKING:
    from firmware.history.played_match import PlayedMatch

Point: TypeAlias = tuple[float, float]
Outline: TypeAlias = tuple[tuple[Point, ...], ...]
"""In a circle of radius 1: the starting point, then lines to one point and Bezier curves with three."""

LEFT: Final = 46
TOP: Final = 24
BOTTOM: Final = 44
LABEL: Final = 22
"""The least distance of two names."""
MARKER: Final = 7.5
INK: Final = "#111111"
FAINT: Final = "#555555"
LIMIT: Final = "#8c1c13"
_STEPS: Final = (1, 2, 5, 10, 20, 25, 50, 100, 200, 250, 500, 1000, 2000, 5000, 10000)
_MOST_STEPS: Final = 6
_AFTER: Final = 22
"""From the ends of the lines to the shapes before the names."""


class Size(Value):
    """The size of a chart; `names` is the room for the names at the ends of the lines."""

    width: int
    height: int
    names: int


WIDE: Final = Size(960, 480, 190)
NARROW: Final = Size(440, 400, 162)
"""For phones."""


class PlayerLook(Value):
    """How a player is drawn: a colour such as `#1b4f9c`, and a shape."""

    colour: str
    shape: Outline


class Word(Value):
    """A text with its baseline at `at`; it may be cut if it is longer than `most`."""

    text: str
    at: Point
    size: int = 15
    anchor: Literal["start", "middle", "end"] = "start"
    colour: str = FAINT
    bold: bool = False
    most: float | None = None


class Pen(Protocol):
    """Draws a chart; the background is white."""

    def line(self, places: Sequence[Point], colour: str, width: float, *, dotted: bool = False) -> None:
        """A line through these places; a dotted one is horizontal."""

    def shape(self, look: PlayerLook, centre: Point) -> None:
        """The shape of a player with a white edge."""

    def text(self, word: Word) -> None:
        """A text."""


def looks_of(past: PlayedMatch, looks: Mapping[int, PlayerLook]) -> dict[Seat, PlayerLook]:
    """How each player is drawn, of looks by badge. A player without a badge gets one that is free."""
    taken = {person.badge for person in past.people}
    spare = iter([look for badge, look in sorted(looks.items()) if badge not in taken])
    return {
        person.seat: looks[person.badge] if person.badge in looks else next(spare) for person in past.people
    }


def draw(
    past: PlayedMatch, looks: Mapping[Seat, PlayerLook], translate: Translator, pen: Pen, size: Size = WIDE
) -> None:
    """Draw the chart of a match, from the back to the front: the winners' lines lie on the others."""
    totals = {person.seat: _totals(past, person.seat) for person in past.people}
    limit, deals = past.match.game.end.target, max(1, len(past.deals))
    low, high, step = _scale(totals.values(), limit)
    right, floor = size.width - size.names, size.height - BOTTOM

    def x(deal: int) -> float:
        return round(LEFT + deal * (right - LEFT) / deals, 1)

    def y(total: int) -> float:
        return round(floor - (total - low) * (floor - TOP) / (high - low), 1)

    for total in range(low, high + 1, step):
        pen.line([(LEFT, y(total)), (right, y(total))], "#8a8a8a" if total == 0 else "#e4e4e4", 1)
        pen.text(Word(translate.number(total), (LEFT - 10, y(total) + 5), anchor="end"))
    for deal in range(1, deals + 1, -(-deals * 28 // (right - LEFT))):
        told = translate("deal {deal}", deal=deal) if deal == 1 else translate.number(deal)
        pen.text(Word(told, (x(deal), floor + 26), anchor="middle"))
    if limit:
        pen.line([(LEFT, y(limit)), (right, y(limit))], LIMIT, 1.5, dotted=True)
        pen.text(Word(translate.number(limit), (LEFT + 6, y(limit) - 7), colour=LIMIT))
    sign_x = right + _AFTER
    signs = dict(_spread(sorted((y(line[-1]), seat) for seat, line in totals.items()), size))
    for person in sorted(past.people, key=past.winners.__contains__):
        look, wins, sign_y = looks[person.seat], person in past.winners, signs[person.seat]
        places = [(x(deal), y(total)) for deal, total in enumerate(totals[person.seat])]
        pen.line(places, look.colour, 4.0 if wins else 2.5)
        end_x, end_y = places[-1]
        if abs(end_y - sign_y) > MARKER:  # the name had to move away from the end of its line
            pen.line([(end_x + MARKER + 2, end_y), (sign_x - MARKER - 2, sign_y)], look.colour, 0.7)
        for place in (*places[1:], (sign_x, sign_y)):
            pen.shape(look, place)
        number = translate.number(totals[person.seat][-1])
        pen.text(Word(number, (sign_x + 13, sign_y + 5.5), 17, colour=INK, bold=True))
        most, at = size.width - sign_x - 54, (sign_x + 52, sign_y + 5.5)
        pen.text(Word(person.name, at, 17, colour=INK, bold=wins, most=most))


def flattened(outline: Outline, centre: Point, radius: float, pieces: int = 8) -> list[Point]:
    """An outline as a polygon around `centre`."""
    return [(centre[0] + x * radius, centre[1] + y * radius) for x, y in _corners(outline, pieces)]


@lru_cache(maxsize=32)  # a chart draws the shape of each player after each deal
def _corners(outline: Outline, pieces: int) -> tuple[Point, ...]:
    found: list[Point] = []
    for piece in outline:
        if len(piece) == 1:
            found.append(piece[0])
        else:
            corners = (found[-1], *piece)
            found += [_bezier(corners, part / pieces) for part in range(1, pieces + 1)]
    return tuple(found)


def _bezier(corners: Sequence[Point], t: float) -> Point:
    """A point of a Bezier curve (de Casteljau)."""
    while len(corners) > 1:
        corners = [(ax + (bx - ax) * t, ay + (by - ay) * t) for (ax, ay), (bx, by) in pairwise(corners)]
    return corners[0]


def _totals(past: PlayedMatch, seat: Seat) -> list[int]:
    """The starting score of a seat, then its total after each deal; 0 for a seat that had not joined yet."""
    start = past.match.scoring.start
    after = [deal.totals[seat] if seat < len(deal.totals) else 0 for deal in past.deals]
    return [start[seat] if seat < len(start) else 0, *after]


def _scale(lines: Iterable[Sequence[int]], limit: int) -> tuple[int, int, int]:
    """The lowest and the highest total on the axis, and the distance of its marks."""
    totals = [total for line in lines for total in line]
    low, high = min(0, *totals), max(limit, *totals)
    high = max(high, low + 1)
    step = next((one for one in _STEPS if (high - low) / one <= _MOST_STEPS), _STEPS[-1])
    return low // step * step, -(-high // step) * step, step


def _spread(ends: Sequence[tuple[float, Seat]], size: Size) -> Iterator[tuple[Seat, float]]:
    """Heights for the names, as near to the ends of the lines as they can be without touching."""
    most = size.height - BOTTOM - LABEL * (len(ends) - 1)
    free = float(TOP)
    for place, (y, seat) in enumerate(ends):
        at = max(free, min(y, most + LABEL * place))
        yield seat, at
        free = at + LABEL


_FONT: Final = "system-ui, -apple-system, 'Segoe UI', Roboto, 'DejaVu Sans', sans-serif"
_LETTER: Final = 0.58
"""The approximate width of a letter, relative to its size."""


class _SvgPen:
    def __init__(self) -> None:
        self.drawn: list[str] = []

    def line(self, places: Sequence[Point], colour: str, width: float, *, dotted: bool = False) -> None:
        points = " ".join(f"{x:.1f},{y:.1f}" for x, y in places)
        dots = ' stroke-dasharray="2 5"' if dotted else ' stroke-linecap="round"'
        pen = f'fill="none" stroke="{colour}" stroke-width="{width}" stroke-linejoin="round"{dots}'
        self.drawn.append(f'<polyline points="{points}" {pen}/>')

    def shape(self, look: PlayerLook, centre: Point) -> None:
        corners = " ".join(f"{x:.1f},{y:.1f}" for x, y in flattened(look.shape, centre, MARKER))
        edge = 'stroke="#fff" stroke-width="1.2"'
        self.drawn.append(f'<polygon points="{corners}" fill="{look.colour}" {edge}/>')

    def text(self, word: Word) -> None:
        (x, y), text = word.at, word.text
        if word.most is not None and len(text) * word.size * _LETTER > word.most:
            text = text[: max(1, int(word.most / word.size / _LETTER) - 1)] + "…"
        weight = ' font-weight="700"' if word.bold else ""
        self.drawn.append(
            f'<text x="{x:.1f}" y="{y:.1f}" font-size="{word.size}" text-anchor="{word.anchor}"'
            f' fill="{word.colour}"{weight}>{escape(text)}</text>'
        )


def as_svg(
    past: PlayedMatch, looks: Mapping[Seat, PlayerLook], translate: Translator, title: str, size: Size = WIDE
) -> str:
    """The chart of a match as SVG; screen readers read the `title`."""
    pen = _SvgPen()
    draw(past, looks, translate, pen, size)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {size.width} {size.height}" role="img"'
        f' direction="ltr" font-family="{_FONT}">\n<title>{escape(title)}</title>\n'
        f'<rect width="{size.width}" height="{size.height}" fill="#fff"/>\n'
    ) + "\n".join([*pen.drawn, "</svg>\n"])
