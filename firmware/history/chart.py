"""The totals of a match as lines, in SVG.

Every person has a colour, a shape and a label at the end of the line, so that the chart can be read without
colours. Places are in points, y downwards.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

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
_STEPS: Final = (1, 2, 5, 10, 20, 25, 50, 100, 200, 250, 500, 1000, 2000, 5000, 10000)
_MAX_STEPS: Final = 6
_AFTER: Final = 22
"""From the ends of the lines to the shapes before the names."""
_NAME_SIZE: Final = 17
_LETTER: Final = 0.58
"""The approximate width of a letter, relative to its size."""


class ChartSize(Value):
    """The size of a chart; `names` is the room for the names at the ends of the lines."""

    width: int
    height: int
    names: int


WIDE: Final = ChartSize(960, 480, 190)
NARROW: Final = ChartSize(440, 400, 162)
"""For phones."""


class PlayerLook(Value):
    """How a player is drawn: a colour such as `#1b4f9c`, and a shape."""

    colour: str
    shape: Outline


def looks_of(past: PlayedMatch, looks: Mapping[int, PlayerLook]) -> dict[Seat, PlayerLook]:
    """How each player is drawn, of looks by badge. A player without a badge gets one that is free."""
    taken = {person.badge for person in past.people}
    spare = iter([look for badge, look in sorted(looks.items()) if badge not in taken])
    return {
        person.seat: looks[person.badge] if person.badge in looks else next(spare) for person in past.people
    }


def as_svg(
    past: PlayedMatch, looks: Mapping[Seat, PlayerLook], translate: Translator, size: ChartSize = WIDE
) -> str:
    """The chart of a match as SVG, with a title for screen readers. `templates/chart.svg` draws it."""
    from firmware.history.rendering import templates  # a table that prints badges does without

    totals = {person.seat: _totals(past, person.seat) for person in past.people}
    limit, deals = past.match.game.end.target, max(1, len(past.deals))
    low, high, step = _scale(totals.values(), limit)
    right, floor = size.width - size.names, size.height - BOTTOM

    def x(deal: int) -> float:
        return round(LEFT + deal * (right - LEFT) / deals, 1)

    def y(total: int) -> float:
        return round(floor - (total - low) * (floor - TOP) / (high - low), 1)

    sign_x = right + _AFTER
    sign_ys = dict(_spread(sorted((y(line[-1]), seat) for seat, line in totals.items()), size))
    people = [
        {
            "name": _cut(person.name, size.width - sign_x - 54),
            "look": looks[person.seat],
            "wins": person in past.winners,
            "places": [(x(deal), y(total)) for deal, total in enumerate(totals[person.seat])],
            "sign": (sign_x, sign_ys[person.seat]),
            "total": totals[person.seat][-1],
        }
        for person in sorted(past.people, key=past.winners.__contains__)
    ]
    marks, numbers = range(low, high + 1, step), range(1, deals + 1, -(-deals * 44 // (right - LEFT)))
    facts = {"t": translate, "size": size, "limit": limit, "marks": marks, "deals": numbers, "people": people}
    places = {"x": x, "y": y, "left": LEFT, "right": right, "floor": floor}
    return templates().get_template("chart.svg").render(**facts, **places, outline=outline)


def outline(look: PlayerLook, centre: Point, radius: float) -> str:
    """The shape of a player as the path of an element of SVG."""
    words = []
    for place, piece in enumerate(look.shape):
        points = " ".join(f"{centre[0] + x * radius:.2f},{centre[1] + y * radius:.2f}" for x, y in piece)
        words.append(("M" if place == 0 else "L" if len(piece) == 1 else "C") + points)
    return "".join(words) + "Z"


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
    step = next((step for step in _STEPS if (high - low) / step <= _MAX_STEPS), _STEPS[-1])
    return low // step * step, -(-high // step) * step, step


def _spread(ends: Sequence[tuple[float, Seat]], size: ChartSize) -> Iterator[tuple[Seat, float]]:
    """Heights for the names, as near to the ends of the lines as they can be without touching."""
    most = size.height - BOTTOM - LABEL * (len(ends) - 1)
    free = float(TOP)
    for place, (y, seat) in enumerate(ends):
        at = max(free, min(y, most + LABEL * place))
        yield seat, at
        free = at + LABEL
