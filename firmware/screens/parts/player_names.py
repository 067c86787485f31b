"""Names of players, each beside the shape of its badge: up to ten, or one in the space there is."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING, Final

from firmware.display.glyphs import BADGE_SHAPES, Font
from firmware.display.layout import Area, Layout
from firmware.display.plan import LOW, MAIN, MAIN_WORDS

if TYPE_CHECKING:
    from companion.core.cards import Seat
    from firmware.display.canvas import Canvas
    from firmware.session.session import Session

PLAYERS_PER_PAGE: Final = 10
LONGEST_IN_LIST: Final = 8
"""Letters of a name that have room in a list of two columns."""
_SMALL_PX: Final = 7
_LARGE_PX: Final = 14
_COLUMNS: Final = 2


def draw_badge(canvas: Canvas, area: Area, badge: int, *, large: bool = False) -> int:
    """The shape of a badge at the left of an area, in the middle of its height; the columns that it takes."""
    if not 1 <= badge <= BADGE_SHAPES:
        return 0
    size_px = _LARGE_PX if large else _SMALL_PX
    y_px = area.y_px + (area.height_px - size_px) // 2
    canvas.icon(area.x_px, y_px, f"badge-{badge}", large=large)
    return size_px + (4 if large else 3)


def name_badge(layout: Layout, area: Area, session: Session, badge: int, fonts: Sequence[Font]) -> None:
    """The shape of a badge and the name of its player, from where a line begins.

    The name is set in the first font in which it has room, or shortened in the last one.
    """
    name = session.names.of(badge)
    large = fonts[0].capital_px > 2 * _SMALL_PX - 4 and area.height_px >= _LARGE_PX
    shape_px = (_LARGE_PX + 4 if large else _SMALL_PX + 3) if badge <= BADGE_SHAPES else 0
    room_px = area.width_px - shape_px
    fitting = [font for font in fonts if layout.height_px(name, font) <= area.height_px + 2] or [fonts[-1]]
    font = next((one for one in fitting if one.width_px(name) <= room_px), fitting[-1])
    shown = session.names.fitting(badge, room_px, font)
    if layout.plan.right_to_left:
        draw_badge(
            layout.canvas,
            Area(area.right_px - shape_px + 3, area.y_px, 0, area.height_px),
            badge,
            large=large,
        )
        layout.put(Area(area.x_px, area.y_px, room_px, area.height_px), shown, font)
    else:
        draw_badge(layout.canvas, area, badge, large=large)
        layout.put(Area(area.x_px + shape_px, area.y_px, room_px, area.height_px), shown, font)
    _note(layout, shown, font, fonts)


def _note(layout: Layout, shown: str, font: Font, fonts: Sequence[Font]) -> None:
    """Names in the letters of the main thing are a part of it."""
    if fonts in (MAIN, MAIN_WORDS):
        layout.canvas.note_main(layout.height_px(shown, font))


def name_seats(
    layout: Layout,
    area: Area,
    session: Session,
    seats: Sequence[Seat],
    fonts: Sequence[Font],
) -> None:
    """A player with the shape of the badge, or the names of a team without."""
    if len(seats) == 1:
        name_badge(layout, area, session, session.badge(seats[0]), fonts)
        return
    whole = "+".join(map(session.name, seats))
    font = next((one for one in fonts if one.width_px(whole) <= area.width_px), fonts[-1])
    shown = join_names(session, seats, area.width_px, font)
    layout.put(area, shown, font)
    _note(layout, shown, font, fonts)


def join_names(session: Session, seats: Sequence[Seat], width_px: int, font: Font) -> str:
    """The names of a team in so many pixels: an equal part of each; badge numbers where parts are alike."""
    whole = "+".join(map(session.name, seats))
    if font.width_px(whole) <= width_px:
        return whole
    each_px = (width_px - font.width_px("+") * (len(seats) - 1)) // len(seats)
    parts = [session.names.fitting(session.badge(seat), each_px, font) for seat in seats]
    if font.width_px("+".join(parts)) > width_px:
        parts = [f"P{session.badge(seat)}" for seat in seats]
    return font.fit("+".join(parts), width_px)


def draw_players(
    layout: Layout, session: Session, badges: Sequence[int | None], lit: Collection[int] = ()
) -> None:
    """Number, shape and name of each player, two side by side, ten in all; None is an open place.

    The places in `lit` (counted from 0) are inverted. With many players the lines are lower than others of
    the plan.
    """
    plan, canvas, free = layout.plan, layout.canvas, layout.free
    lines = -(-len(badges) // _COLUMNS)
    pitch_px = min(plan.pitch_px, free.height_px // max(1, lines))
    fonts = plan.text if pitch_px >= plan.pitch_px else LOW
    half_px = free.width_px // _COLUMNS
    top_px = free.y_px + (1 if plan.row_bar else 0)
    for place, badge in enumerate(badges):
        column, row = place % _COLUMNS, place // _COLUMNS
        if plan.right_to_left:
            column = _COLUMNS - 1 - column
        area = Area(half_px * column, top_px + pitch_px * row, half_px - 1, pitch_px)
        number = str(place + 1) if badge is None else str(badge)
        font = fonts[0]
        number_px = font.width_px("10")
        inner = Area(area.x_px + 1, area.y_px, area.width_px - 2, area.height_px)
        if plan.right_to_left:
            layout.put(Area(inner.right_px - number_px, inner.y_px, number_px, inner.height_px), number, font)
            rest = Area(inner.x_px, inner.y_px, inner.width_px - number_px - 3, inner.height_px)
        else:
            canvas_area = Area(inner.x_px, inner.y_px, number_px, inner.height_px)
            layout.put(canvas_area, number, font, end=True)
            rest = Area(
                inner.x_px + number_px + 3, inner.y_px, inner.width_px - number_px - 3, inner.height_px
            )
        if badge is None:
            layout.put(rest, "–", font)
        else:
            name_badge(layout, rest, session, badge, fonts)
        if place in lit:
            canvas.invert(area.x_px, area.y_px, area.width_px, area.height_px)
