"""Tells which cards of the rows lie where not all of a card is seen well: rows are known card by card.

A card that may be one of several is the one that is due at its place of a row, given where other cards of
that row lie. What is surely another card is left as it was read. Imports no numpy.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from statistics import median
from typing import Final, TypeAlias

from companion.values import Value, replace
from firmware.extensions.camera.seen import Seen, centre

Point: TypeAlias = tuple[float, float]

_OFF: Final = 0.5
"""How far a card lies from where it is due, as a share of the step to the next one."""

_NEAR: Final = 1.3
"""Cards that follow each other in a row lie no farther apart, in heights of a card."""


class Rows(Value):
    """The rows of a table, by codes."""

    cards: tuple[tuple[str, ...], ...] = ()
    """The cards of each row in order; of a pile the last one."""
    copies: frozenset[str] = frozenset()
    """Codes that several cards have: they may lie in several places."""


def verified(seen: Sequence[Seen], rows: Rows) -> list[Seen]:
    """The same cards, those of the rows with their codes where they lie in their rows."""
    cards, again = list(seen), True
    while again:
        again = False
        at = {card.code: card for card in cards if card.code}
        step = _step(rows, at, cards)
        found = sorted(
            (off, place, code)
            for row in rows.cards
            for code in row
            if code not in at
            for place, card in enumerate(cards)
            if not card.code and code in card.candidates
            for off in _distances(card, code, row, at, step)
        )
        for _, place, code in found[:1]:
            cards[place] = replace(cards[place], code=code, candidates=())
            again = True
    return cards


def _step(rows: Rows, at: Mapping[str, Seen], cards: Sequence[Seen]) -> Point | None:
    """How far a card lies from the one before it, in x and y: in most rows; None where nothing shows it."""
    steps = [
        ((bx - ax) / (other - place), (by - ay) / (other - place))
        for row in rows.cards
        for (place, (ax, ay)), (other, (bx, by)) in pairwise(_seen_places(row, at))
    ]
    if not steps:  # what may be the neighbour of a card shows it, where several agree
        tried = [
            (sign * (x - ax), sign * (y - ay))
            for row in rows.cards
            for place, (ax, ay) in _seen_places(row, at)
            for sign in (1, -1)
            for card in cards
            if not card.code and set(row[max(0, place + sign) : place + sign + 1]) & {*card.candidates}
            for x, y in [centre(card.corners)]
            if 0 < math.hypot(x - ax, y - ay) < _NEAR * card.height_px
        ]
        agree = [[near for near in tried if math.dist(near, own) < _OFF * math.hypot(*own)] for own in tried]
        steps = max(agree, key=len, default=[])
        steps = steps if len(steps) > 1 else []
    return (median(x for x, _ in steps), median(y for _, y in steps)) if steps else None


def _seen_places(row: Sequence[str], at: Mapping[str, Seen]) -> list[tuple[int, Point]]:
    """The places of a row whose cards are seen, and where these are."""
    return [(place, centre(at[code].corners)) for place, code in enumerate(row) if code in at]


def _distances(
    card: Seen, code: str, row: Sequence[str], at: Mapping[str, Seen], step: Point | None
) -> Iterator[float]:
    """How far a card lies from where this one is due, in steps; nothing if it lies elsewhere."""
    due, high = row.index(code), card.height_px
    nearest = sorted(_seen_places(row, at), key=lambda there: abs(there[0] - due))[:2]
    if not nearest or step is None:
        return
    (near, (x, y)), (other, (ox, oy)) = nearest[0], nearest[-1]
    if other != near:
        step = (ox - x) / (other - near), (oy - y) / (other - near)
    px = math.hypot(*step)
    off = math.dist(centre(card.corners), (x + step[0] * (due - near), y + step[1] * (due - near)))
    if off < _OFF * px and px < _NEAR * high:
        yield off / px
