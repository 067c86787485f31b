"""Names of players on the display: up to ten of them, or one in the space there is."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from firmware.display.glyphs import MEDIUM, SMALL

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    from companion.cards import Seat
    from firmware.display.canvas import Canvas
    from firmware.session.session import Session

PLAYERS_PER_PAGE: Final = 10
_COLUMN_PX: Final = 6
_HALF_PX: Final = 64
LONGEST_IN_LIST: Final = 8
"""Columns of a name in a list of two columns."""


def draw_players(canvas: Canvas, players: Iterable[tuple[int, str]], lit: Collection[int] = ()) -> None:
    """Number and name of up to eight columns, two side by side, ten in all.

    The places in `lit` (counted from 0) are inverted.
    """
    for place, (number, name) in enumerate(players):
        x_px, y_px = _HALF_PX * (place % 2), 11 + 9 * (place // 2)
        canvas.text_right(x_px + 12, y_px, str(number))
        canvas.text(x_px + 15, y_px, name)
        if place in lit:
            canvas.invert(x_px, y_px - 1, _HALF_PX - 1, 9)


def draw_name(
    canvas: Canvas, at_px: tuple[int, int], session: Session, seats: Sequence[Seat], width_px: int
) -> None:
    """A player, or a team: in MEDIUM if there is room, else in SMALL on the same line."""
    x_px, y_px = at_px
    whole = "+".join(map(session.name, seats))
    if MEDIUM.width_px(whole) <= width_px and not MEDIUM.lacks(whole):
        higher_px = MEDIUM.bitmap(whole).height_px - MEDIUM.height_px  # letters that go below the line
        canvas.text(x_px, y_px - max(0, higher_px - 1), whole, MEDIUM)
    else:
        canvas.text(x_px, y_px + 3, join_names(session, seats, (width_px + 1) // _COLUMN_PX))


def join_names(session: Session, seats: Sequence[Seat], columns: int) -> str:
    """The name of a player, or the names of a team, in this many columns: an equal part of each."""
    if len(seats) == 1:
        return session.short_name(seats[0], columns)
    whole = "+".join(map(session.name, seats))
    width_px = columns * _COLUMN_PX - SMALL.gap_px
    if SMALL.width_px(whole) <= width_px:
        return whole
    each = max(1, (columns - len(seats) + 1) // len(seats))
    begins = [session.name(seat)[:each] for seat in session.playing.players]
    parts = [session.name(seat)[:each] for seat in seats]
    if any(begins.count(part) > 1 for part in parts):
        parts = [f"P{session.badge(seat)}" for seat in seats]
    return SMALL.fit("+".join(parts), width_px)
