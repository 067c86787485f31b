"""The totals of a match as lines, in SVG.

Every person has a colour, a shape and a label at the end of the line, so that the chart can be read without
colours.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Final, TypeAlias
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
_FONT: Final = "system-ui, -apple-system, 'Segoe UI', Roboto, 'DejaVu Sans', sans-serif"
_NAME_PX: Final = 17
_LETTER: Final = 0.58
"""The approximate width of a letter, relative to its size."""


class Size(Value):
    """The size of a chart; `names` is the room for the names at the ends of the lines."""

    width: int
    height: int
    names: int

    @property
    def right(self) -> int:
        """Where the lines end."""
        return self.width - self.names


WIDE: Final = Size(960, 480, 190)
NARROW: Final = Size(440, 400, 162)
"""For phones."""


class PlayerLook(Value):
    """How a player is drawn: a colour such as `#1b4f9c`, and a shape."""

    colour: str
    shape: Outline

    def at(self, centre: Point, radius: float, more: str = "") -> str:
        """The shape as SVG; `more` are further attributes."""
        path = ""
        for piece in self.shape:
            to = " ".join(f"{centre[0] + x * radius:.2f},{centre[1] + y * radius:.2f}" for x, y in piece)
            path += f"{'M' if not path else 'L' if len(piece) == 1 else 'C'}{to}"
        return f'<path d="{path}Z" fill="{self.colour}"{more}/>'


def looks_of(past: PlayedMatch, looks: Mapping[int, PlayerLook]) -> dict[Seat, PlayerLook]:
    """How each player is drawn, of looks by badge. A player without a badge gets one that is free."""
    taken = {person.badge for person in past.people}
    spare = iter([look for badge, look in sorted(looks.items()) if badge not in taken])
    return {
        person.seat: looks[person.badge] if person.badge in looks else next(spare) for person in past.people
    }


def as_svg(
    past: PlayedMatch, looks: Mapping[Seat, PlayerLook], translate: Translator, title: str, size: Size = WIDE
) -> str:
    """The chart of a match; screen readers read the `title`."""
    lines = "\n".join(_lines(past, looks, translate, size))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {size.width} {size.height}" role="img"'
        f' direction="ltr" font-family="{_FONT}">\n<title>{escape(title)}</title>\n{lines}\n</svg>\n'
    )


def _lines(
    past: PlayedMatch, looks: Mapping[Seat, PlayerLook], translate: Translator, size: Size
) -> Iterator[str]:
    """The elements from the back to the front: the winners' lines lie on top of the others."""
    totals = {person.seat: _totals(past, person.seat) for person in past.people}
    limit, deals, floor = past.match.game.end.target, max(1, len(past.deals)), size.height - BOTTOM
    low, high, step = _scale(totals.values(), limit)

    def x(deal: int) -> float:
        return round(LEFT + deal * (size.right - LEFT) / deals, 1)

    def y(total: int) -> float:
        return round(floor - (total - low) * (floor - TOP) / (high - low), 1)

    yield f'<rect width="{size.width}" height="{size.height}" fill="#fff"/>'
    for total in range(low, high + 1, step):
        colour = "#8a8a8a" if total == 0 else "#e4e4e4"
        yield f'<path d="M{LEFT} {y(total)}H{size.right}" stroke="{colour}"/>'
        yield _text(translate.number(total), LEFT - 10, y(total) + 5, anchor="end")
    for deal in range(1, deals + 1, -(-deals * 28 // (size.right - LEFT))):
        told = translate("deal {deal}", deal=deal) if deal == 1 else translate.number(deal)
        yield _text(told, x(deal), floor + 26, anchor="middle")
    if limit:
        dots = f'stroke="{LIMIT}" stroke-width="1.5" stroke-dasharray="2 5"'
        yield f'<path d="M{LEFT} {y(limit)}H{size.right}" {dots}/>'
        yield _text(translate.number(limit), LEFT + 6, y(limit) - 7, colour=LIMIT)
    names = dict(_spread(sorted((y(line[-1]), seat) for seat, line in totals.items()), size))
    for person in sorted(past.people, key=past.winners.__contains__):
        points = [(x(deal), y(total)) for deal, total in enumerate(totals[person.seat])]
        sign = (float(size.right + _AFTER), names[person.seat])
        wins = person in past.winners
        yield from _curve(looks[person.seat], points, sign, wins=wins)
        number = translate.number(totals[person.seat][-1])
        yield _text(number, sign[0] + 13, sign[1] + 5.5, _NAME_PX, colour=INK, bold=True)
        name = _cut(person.name, size.width - sign[0] - 54)
        yield _text(name, sign[0] + 52, sign[1] + 5.5, _NAME_PX, colour=INK, bold=wins)


def _curve(look: PlayerLook, points: Sequence[Point], sign: Point, *, wins: bool) -> Iterator[str]:
    """The line of a player, with a thin one from its end to the name where that had to move away."""
    (x, y), places = points[-1], " ".join(f"{x},{y}" for x, y in points)
    pen = f'fill="none" stroke="{look.colour}" stroke-width="{4.0 if wins else 2.5}"'
    yield f'<polyline points="{places}" {pen} stroke-linejoin="round" stroke-linecap="round"/>'
    if abs(y - sign[1]) > MARKER:
        line = f"M{x + MARKER + 2:.1f} {y:.1f}L{sign[0] - MARKER - 2:.1f} {sign[1]:.1f}"
        yield f'<path d="{line}" stroke="{look.colour}" stroke-opacity=".5"/>'
    for place in (*points[1:], sign):
        yield look.at(place, MARKER, ' stroke="#fff" stroke-width="1.2"')


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


def _cut(name: str, most_px: float) -> str:
    """As much of a name as there is room for."""
    letters = int(most_px / _NAME_PX / _LETTER)
    return name if len(name) <= letters else name[: max(1, letters - 1)] + "…"


def _text(  # noqa: PLR0913 - a text has as many properties
    text: str,
    x: float,
    y: float,
    size: int = 15,
    *,
    anchor: str = "start",
    colour: str = FAINT,
    bold: bool = False,
) -> str:
    weight = ' font-weight="700"' if bold else ""
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size}" text-anchor="{anchor}"'
        f' fill="{colour}"{weight}>{escape(text)}</text>'
    )
