"""The totals of a match as lines: the place of each line and each word, in points, for any output.

`as_svg` and `chart_png` draw it. Every person has a colour, a shape and a label at the end of
the line, so that the chart can be read without colours.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Final, Literal, TypeAlias
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


class Curve(Value):
    """The totals of one player from the start; the shape before the name is at `sign`."""

    name: str
    total: int
    look: PlayerLook
    points: tuple[Point, ...]
    sign: Point
    wins: bool

    @property
    def width(self) -> float:
        """The width of the line; a winner's line is heavier."""
        return 4.0 if self.wins else 2.5

    @property
    def leads(self) -> tuple[Point, Point] | None:
        """A thin line from the end to the name, if the name had to move away from it."""
        (x, y), (sign_x, sign_y) = self.points[-1], self.sign
        moved = abs(y - sign_y) > MARKER
        return ((x + MARKER + 2, y), (sign_x - MARKER - 2, sign_y)) if moved else None


class Chart(Value):
    """A drawing, y downwards. `ticks` are heights with their totals, `deals` the places of the deals.

    The winners' curves come last, on top of the others.
    """

    size: Size
    curves: tuple[Curve, ...]
    ticks: tuple[tuple[float, int], ...]
    deals: tuple[tuple[float, int], ...]
    limit: tuple[float, int] | None

    @property
    def right(self) -> float:
        return float(self.size.width - self.size.names)

    def words(self, translate: Translator) -> Iterator[Word]:
        for y, total in self.ticks:
            yield Word(translate.number(total), (LEFT - 10, y + 5), anchor="end")
        for x, deal in self.deals:
            at = (x, self.size.height - BOTTOM + 26)
            said = translate("deal {deal}", deal=deal) if deal == 1 else translate.number(deal)
            yield Word(said, at, anchor="middle")
        if self.limit is not None:
            y, number = self.limit
            yield Word(translate.number(number), (LEFT + 6, y - 7), colour=LIMIT)
        for curve in self.curves:
            x, y = curve.sign
            yield Word(translate.number(curve.total), (x + 13, y + 5.5), 17, colour=INK, bold=True)
            most = self.size.width - x - 54
            yield Word(curve.name, (x + 52, y + 5.5), 17, colour=INK, bold=curve.wins, most=most)


def chart_of(past: PlayedMatch, looks: Mapping[int, PlayerLook], size: Size = WIDE) -> Chart:
    """The chart of a match; `looks` by badge. A player without a badge gets one that is free."""
    lines = {person.seat: _totals(past, person.seat) for person in past.people}
    end = past.match.game.end
    limit = end.target or None
    low, high, step = _scale(lines.values(), limit or 0)
    deals = max(1, len(past.deals))

    def x(deal: int) -> float:
        return round(LEFT + deal * (size.width - LEFT - size.names) / deals, 1)

    def y(total: int) -> float:
        return round(size.height - BOTTOM - (total - low) * (size.height - BOTTOM - TOP) / (high - low), 1)

    signs = dict(_spread(sorted((y(line[-1]), seat) for seat, line in lines.items()), size))
    dressed = _dressed(past, looks)
    curves = [
        Curve(
            person.name,
            lines[person.seat][-1],
            dressed[person.seat],
            tuple((x(deal), y(total)) for deal, total in enumerate(lines[person.seat])),
            (size.width - size.names + _AFTER, signs[person.seat]),
            person in past.winners,
        )
        for person in past.people
    ]
    every = -(-deals * 28 // (size.width - LEFT - size.names))
    return Chart(
        size,
        tuple(sorted(curves, key=lambda curve: curve.wins)),
        tuple((y(total), total) for total in range(low, high + 1, step)),
        tuple((x(deal), deal) for deal in range(1, deals + 1, every)),
        None if limit is None else (y(limit), limit),
    )


def flattened(outline: Outline, centre: Point, radius: float, pieces: int = 8) -> list[Point]:
    """An outline as a polygon around `centre`."""
    found: list[Point] = []
    for piece in outline:
        if len(piece) == 1:
            found.append(piece[0])
        else:
            corners = (found[-1], *piece)
            found += [_bezier(corners, part / pieces) for part in range(1, pieces + 1)]
    return [(centre[0] + x * radius, centre[1] + y * radius) for x, y in found]


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


def _dressed(past: PlayedMatch, looks: Mapping[int, PlayerLook]) -> dict[Seat, PlayerLook]:
    taken = {person.badge for person in past.people}
    spare = iter([look for badge, look in sorted(looks.items()) if badge not in taken])
    return {
        person.seat: looks[person.badge] if person.badge in looks else next(spare) for person in past.people
    }


_FONT: Final = "system-ui, -apple-system, 'Segoe UI', Roboto, 'DejaVu Sans', sans-serif"
_LETTER: Final = 0.58
"""The approximate width of a letter, relative to its size."""


def as_svg(chart: Chart, translate: Translator, title: str) -> str:
    """The whole drawing; screen readers read the `title`."""
    lines = "\n".join(_lines(chart, translate))
    size = chart.size
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {size.width} {size.height}" role="img"'
        f' direction="ltr" font-family="{_FONT}">\n<title>{escape(title)}</title>\n{lines}\n</svg>\n'
    )


def _lines(chart: Chart, translate: Translator) -> Iterator[str]:
    yield f'<rect width="{chart.size.width}" height="{chart.size.height}" fill="#fff"/>'
    for y, total in chart.ticks:
        colour = "#8a8a8a" if total == 0 else "#e4e4e4"
        yield f'<path d="M{LEFT} {y}H{chart.right}" stroke="{colour}"/>'
    if chart.limit is not None:
        dots = f'stroke="{LIMIT}" stroke-width="1.5" stroke-dasharray="2 5"'
        yield f'<path d="M{LEFT} {chart.limit[0]}H{chart.right}" {dots}/>'
    for curve in chart.curves:
        yield from _curve(curve)
    for word in chart.words(translate):
        yield _text(word)


def _curve(curve: Curve) -> Iterator[str]:
    colour = curve.look.colour
    places = " ".join(f"{x},{y}" for x, y in curve.points)
    yield (
        f'<polyline points="{places}" fill="none" stroke="{colour}" stroke-width="{curve.width}"'
        ' stroke-linejoin="round" stroke-linecap="round"/>'
    )
    if curve.leads is not None:
        (x, y), (to_x, to_y) = curve.leads
        yield f'<path d="M{x:.1f} {y:.1f}L{to_x:.1f} {to_y:.1f}" stroke="{colour}" stroke-opacity=".5"/>'
    for place in (*curve.points[1:], curve.sign):
        yield _shape(curve, place)


def _shape(curve: Curve, centre: Point) -> str:
    corners = " ".join(f"{x:.1f},{y:.1f}" for x, y in flattened(curve.look.shape, centre, MARKER))
    return f'<polygon points="{corners}" fill="{curve.look.colour}" stroke="#fff" stroke-width="1.2"/>'


def _text(word: Word) -> str:
    (x, y), text = word.at, word.text
    if word.most is not None and len(text) * word.size * _LETTER > word.most:
        text = text[: max(1, int(word.most / word.size / _LETTER) - 1)] + "…"
    weight = ' font-weight="700"' if word.bold else ""
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" font-size="{word.size}" text-anchor="{word.anchor}"'
        f' fill="{word.colour}"{weight}>{escape(text)}</text>'
    )
