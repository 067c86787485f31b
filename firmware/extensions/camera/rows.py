"""Where the cards of the rows are due: rows are known card by card. Imports no numpy."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import chain, compress
from statistics import median
from typing import Final, NamedTuple, TypeAlias

from companion.values import Value
from firmware.extensions.camera.seen import Corners, Seen, centre

Point: TypeAlias = tuple[float, float]

_OFF: Final = 0.5
"""By how much steps from card to card may differ that count as one, as a share of them."""
_FEW: Final = 5
"""The number of candidates of a card that count, the likeliest first."""
_NEAR: Final = 1.3
"""Cards that follow each other in a row lie no farther apart, in heights of a card."""
_BESIDE: Final = 0.9
"""A card on another one, or right beside it, lies no farther from it, in heights of a card."""
_CLEAR: Final = 1.4
"""A card lies at its nearest row if all others are at least this many times as far."""


class Rows(Value):
    """The rows of a table, by codes."""

    cards: tuple[tuple[str, ...], ...] = ()
    """The cards of each row in order; of a pile the last one."""
    copies: frozenset[str] = frozenset()
    """Codes that several cards have: they may lie in several places."""
    moved: frozenset[str] = frozenset()
    """The cards of the newest turn: they are moved into rows."""


class Known(NamedTuple):
    """What is known of a table before it is looked at: its rows, and what lay there before."""

    rows: Rows = Rows()
    lies: tuple[Seen, ...] = ()

    @property
    def codes(self) -> set[str]:
        """The codes of cards that can lie in rows: of the rows, of the newest turn, and all known ones."""
        return {*chain(*self.rows.cards), *self.rows.moved, *(card.code for card in self.lies)}


NOTHING: Final = Known()


class Due(NamedTuple):
    """A card that is not seen where it is due, and where that is: it lies as the others of its row."""

    over: bool
    """Whether the nearest card that is known lies below it, and not on it."""
    off: int
    """How many places it is from the nearest card of its row that is known."""
    near: str
    """The code of that one."""
    code: str
    corners: Corners
    next: Corners | None = None
    """Where the card after it lies, which covers it in a fan; None for the last one."""


def due(seen: Sequence[Seen], rows: Rows) -> list[Due]:
    """The cards of the rows that are not seen where they are due; first those on which a known one lies."""
    at, found = {card.code: card for card in seen if card.code}, list[Due]()
    usual = _step(rows, at, seen)
    for row in rows.cards:
        known, after = _seen_places(row, at, usual), None
        for place, code in reversed([*enumerate(row)] if known else []):
            nearest = sorted(known, key=lambda there: (abs(there[0] - place), -there[0]))
            (near, (x, y)), (other, (ox, oy)) = nearest[0], nearest[min(1, len(nearest) - 1)]
            step = usual if other == near else ((ox - x) / (other - near), (oy - y) / (other - near))
            step = step if place != near else (0, 0)
            if step is not None:
                across, down = (place - near) * step[0], (place - near) * step[1]
                a, b, c, d = ((px + across, py + down) for px, py in at[row[near]].corners)
                if place not in dict(known):
                    off = abs(place - near)
                    found.append(Due(near < place, off, row[near], code, (a, b, c, d), after))
                after = a, b, c, d
    return sorted(found, key=lambda card: card[:4])


def row_at(card: Seen, seen: Sequence[Seen], rows: Rows) -> int | None:
    """The row on whose cards, or right beside them, a card lies, from 0; None: none, or a row is not seen."""
    places = [[centre(other.corners) for other in seen if other.code in row] for row in rows.cards]
    if not all(places):
        return None
    off = [min(math.dist(at, centre(card.corners)) for at in row) for row in places]
    near, *others = sorted(off)
    clear = near < _BESIDE * card.height_px and all(other > _CLEAR * near for other in others)
    return off.index(near) if clear else None


def _step(rows: Rows, at: Mapping[str, Seen], cards: Sequence[Seen]) -> Point | None:
    """How far a card lies from the one before it, in x and y, by what most neighbours show; None: by none.

    What may be the neighbour of a card counts, too.
    """
    tried = [
        (sign * (x - ax), sign * (y - ay))
        for row in rows.cards
        for place, (ax, ay) in _seen_places(row, at, None)
        for sign in (1, -1)
        for card in cards
        if set(row[max(0, place + sign) : place + sign + 1]) & {card.code or "-", *card.candidates[:_FEW]}
        for x, y in [centre(card.corners)]
        if 0 < math.hypot(x - ax, y - ay) < _NEAR * card.height_px
    ]
    agree = [[near for near in tried if math.dist(near, own) < _OFF * math.hypot(*own)] for own in tried]
    steps = max(agree, key=len, default=[])
    return (median(x for x, _ in steps), median(y for _, y in steps)) if len(steps) > 1 else None


def _seen_places(row: Sequence[str], at: Mapping[str, Seen], step: Point | None) -> list[tuple[int, Point]]:
    """The places of a row whose cards are seen, and where these are.

    With the `step` from one to the next: the most that lie so, in a tie the later ones; others were moved.
    """
    known = [(place, centre(at[code].corners)) for place, code in enumerate(row) if code in at]
    across, down = step or (0, 0)
    starts = [(x - place * across, y - place * down) for place, (x, y) in known]
    near = _OFF * math.hypot(across, down) if step else math.inf
    in_line = [[math.dist(start, own) < near for start in starts] for own in starts]
    return [*compress(known, max(in_line[::-1], key=sum, default=()))]
