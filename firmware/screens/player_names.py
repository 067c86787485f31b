"""Names of players on the display: up to ten of them, or one in the space there is."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from firmware.display.glyphs import MEDIUM, SMALL

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    from firmware.display.canvas import Canvas

PLAYERS_PER_PAGE: Final = 10
_COLUMN_PX: Final = 6
_HALF_PX: Final = 64


def draw_players(canvas: Canvas, players: Iterable[tuple[int, str]], lit: Collection[int] = ()) -> None:
    """Number and name, two side by side, ten in all; names of eight letters are not cut.

    The places in `lit` (counted from 0) are inverted.
    """
    for place, (number, name) in enumerate(players):
        x_px, y_px = _HALF_PX * (place % 2), 11 + 9 * (place // 2)
        canvas.text_right(x_px + 12, y_px, str(number))
        canvas.text(x_px + 15, y_px, canvas.fit(name, 8))
        if place in lit:
            canvas.invert(x_px, y_px - 1, _HALF_PX - 1, 9)


def draw_name(canvas: Canvas, x_px: int, y_px: int, names: Sequence[str], width_px: int) -> None:
    """A player, or a team: in MEDIUM if there is room, else in SMALL on the same line."""
    whole = "+".join(names)
    if MEDIUM.width_px(whole) <= width_px:
        canvas.text(x_px, y_px, whole, MEDIUM)
    else:
        canvas.text(x_px, y_px + 3, join_names(names, (width_px + 1) // _COLUMN_PX))


def join_names(names: Sequence[str], columns: int) -> str:
    """The names of a team in this many columns: an equal part of each."""
    whole = "+".join(names)
    if len(names) == 1 or len(whole) <= columns:
        return SMALL.fit(whole, columns * _COLUMN_PX - SMALL.gap_px)
    each = max(1, (columns - len(names) + 1) // len(names))
    return SMALL.fit("+".join(name[:each] for name in names), columns * _COLUMN_PX - SMALL.gap_px)
