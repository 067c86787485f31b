"""The totals of a match as lines, in SVG.

Every person has a colour, a shape and a label at the end of the line, so that the chart can be read without
colours. Places are in points, y downwards.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final
from xml.sax.saxutils import escape

from companion.core.cards import Seat
from companion.values import Value
from firmware.history.played_match import PlayedMatch
from firmware.text.translation import Translator

Point = tuple[float, float]
Outline = tuple[tuple[Point, ...], ...]
"""In a circle of radius 1: the starting point, then lines to one point and Bezier curves with three."""

LEFT: Final = 46
TOP: Final = 24
BOTTOM: Final = 44
LABEL: Final = 22
"""The least distance of two names."""
MARKER: Final = 7.5
LIMIT: Final = "#8c1c13"
_STEPS: Final = (1, 2, 5, 10, 20, 25, 50, 100, 200, 250, 500, 1000, 2000, 5000, 10000)
_MOST_STEPS: Final = 6
_AFTER: Final = 22
"""From the ends of the lines to the shapes before the names."""
_FONT: Final = "system-ui, -apple-system, 'Segoe UI', Roboto, 'DejaVu Sans', sans-serif"
_SMALL: Final = 'font-size="15" fill="#555555"'
_NAME_SIZE: Final = 17
_NORMAL: Final = f'font-size="{_NAME_SIZE}" fill="#111111"'
_BOLD: Final = f'{_NORMAL} font-weight="700"'
_LETTER: Final = 0.58
"""The approximate width of a letter, relative to its size."""
_EDGE: Final = 'stroke="#fff" stroke-width="1.2"'


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


def looks_of(past: PlayedMatch, looks: Mapping[int, PlayerLook]) -> dict[Seat, PlayerLook]:
    """How each player is drawn, of looks by badge. A player without a badge gets one that is free."""
    taken = {person.badge for person in past.people}
    spare = iter([look for badge, look in sorted(looks.items()) if badge not in taken])
    return {one.seat: looks[one.badge] if one.badge in looks else next(spare) for one in past.people}


def as_svg(
    past: PlayedMatch, looks: Mapping[Seat, PlayerLook], translate: Translator, size: Size = WIDE
) -> str:
    """The chart of a match as SVG, with a title for screen readers.

    It is drawn from the back to the front: the winners' lines lie on the others.
    """
    totals = {person.seat: _totals(past, person.seat) for person in past.people}
    limit, deals = past.match.game.end.target, max(1, len(past.deals))
    low, high, step = _scale(totals.values(), limit)
    right, floor = size.width - size.names, size.height - BOTTOM
    svg: list[str] = []
    title = translate("The totals after each deal")

    def x(deal: int) -> float:
        return round(LEFT + deal * (right - LEFT) / deals, 1)

    def y(total: int) -> float:
        return round(floor - (total - low) * (floor - TOP) / (high - low), 1)

    for total in range(low, high + 1, step):
        svg.append(_line([(LEFT, y(total)), (right, y(total))], "#8a8a8a" if total == 0 else "#e4e4e4", 1))
        svg.append(_text(translate.number(total), (LEFT - 10, y(total) + 5), anchor="end"))
    for deal in range(1, deals + 1, -(-deals * 28 // (right - LEFT))):
        told = translate("deal {deal}", deal=deal) if deal == 1 else translate.number(deal)
        svg.append(_text(told, (x(deal), floor + 26), anchor="middle"))
    if limit:
        svg.append(_line([(LEFT, y(limit)), (right, y(limit))], LIMIT, 1.5, dotted=True))
        svg.append(_text(translate.number(limit), (LEFT + 6, y(limit) - 7), f'font-size="15" fill="{LIMIT}"'))
    sign_x = right + _AFTER
    signs = dict(_spread(sorted((y(line[-1]), seat) for seat, line in totals.items()), size))
    for person in sorted(past.people, key=past.winners.__contains__):
        look, wins, sign_y = looks[person.seat], person in past.winners, signs[person.seat]
        places = [(x(deal), y(total)) for deal, total in enumerate(totals[person.seat])]
        svg.append(_line(places, look.colour, 4.0 if wins else 2.5))
        end_x, end_y = places[-1]
        if abs(end_y - sign_y) > MARKER:  # the name had to move away from the end of its line
            svg.append(_line([(end_x + MARKER + 2, end_y), (sign_x - MARKER - 2, sign_y)], look.colour, 0.7))
        svg += [shape(look, place, MARKER, _EDGE) for place in (*places[1:], (sign_x, sign_y))]
        number = translate.number(totals[person.seat][-1])
        svg.append(_text(number, (sign_x + 13, sign_y + 5.5), _BOLD))
        name = _cut(person.name, size.width - sign_x - 54)
        svg.append(_text(name, (sign_x + 52, sign_y + 5.5), _BOLD if wins else _NORMAL))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {size.width} {size.height}" role="img"'
        f' direction="ltr" font-family="{_FONT}">\n<title>{escape(title)}</title>\n'
        f'<rect width="{size.width}" height="{size.height}" fill="#fff"/>\n'
    ) + "\n".join([*svg, "</svg>\n"])


def shape(look: PlayerLook, centre: Point, radius: float, edge: str = "") -> str:
    """The shape of a player as an element of SVG; `edge` are its further attributes."""
    words = []
    for place, piece in enumerate(look.shape):
        points = " ".join(f"{centre[0] + x * radius:.2f},{centre[1] + y * radius:.2f}" for x, y in piece)
        words.append(("M" if place == 0 else "L" if len(piece) == 1 else "C") + points)
    return f'<path d="{"".join(words)}Z" fill="{look.colour}" {edge}/>'


def _line(places: Sequence[Point], colour: str, width: float, *, dotted: bool = False) -> str:
    points = " ".join(f"{x:.1f},{y:.1f}" for x, y in places)
    dots = ' stroke-dasharray="2 5"' if dotted else ' stroke-linecap="round"'
    pen = f'fill="none" stroke="{colour}" stroke-width="{width}" stroke-linejoin="round"{dots}'
    return f'<polyline points="{points}" {pen}/>'


def _text(text: str, at: Point, look: str = _SMALL, anchor: str = "start") -> str:
    """A text with its baseline at `at`; `look` are its attributes."""
    place = f'x="{at[0]:.1f}" y="{at[1]:.1f}" text-anchor="{anchor}"'
    return f"<text {place} {look}>{escape(text)}</text>"


def _cut(name: str, room: float) -> str:
    letters = int(room / _NAME_SIZE / _LETTER)
    return name if len(name) <= letters else name[: max(1, letters - 1)] + "…"


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
