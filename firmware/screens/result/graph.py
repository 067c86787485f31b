"""The totals deal by deal as lines, to look at between deals and after the match."""

from __future__ import annotations

from itertools import accumulate, pairwise
from typing import TYPE_CHECKING, ClassVar, Final

from companion.text.sentence import count
from firmware.display.layout import Layout
from firmware.screens.parts.base import Page

if TYPE_CHECKING:
    from companion.core.cards import Seat
    from companion.core.score_sheet import ScoreSheet
    from firmware.display.canvas import Canvas
    from firmware.session.session import Session

MARGIN_PX: Final = 2
RIGHT_PX: Final = 108
BOTTOM_PX: Final = 61
_LETTER_PX: Final = 8
_BADGE_PX: Final = 13
_ONE_COLUMN: Final = 6
"""As many badges have room below each other."""


class Graph(Page):
    """Deals from left to right, points upwards; the limit dotted; the badges of the players at the end."""

    NAME: ClassVar[str] = "graph"

    def draw(self, canvas: Canvas, session: Session) -> None:
        """The lines, the scale at the left, the badges at the right."""
        t, match, layout = session.translate, session.playing, Layout(canvas, session.plan)
        lines = {seat: _totals_of(match.position.score_sheet, seat) for seat in match.players}
        deals, end = len(match.position.score_sheet.deals), match.game.end
        layout.title(t("TOTALS"), t.say(count("{count} DEAL", "{count} DEALS", deals)))
        top_px = layout.free.y_px + 3
        limit = end.target
        low = min(0, *(min(line) for line in lines.values()))
        high = max(limit, low + 1, *(max(line) for line in lines.values()))

        def y_px(total: int) -> int:
            return BOTTOM_PX - round((total - low) * (BOTTOM_PX - top_px) / (high - low))

        left_px = MARGIN_PX + max(canvas.width_px(t.number(low)), canvas.width_px(t.number(high)))
        columns = 1 if len(lines) <= _ONE_COLUMN else 2
        right_px = RIGHT_PX - _BADGE_PX * (columns - 1)

        def x_px(deal: int) -> int:
            return round(left_px + deal * (right_px - left_px) / max(1, deals))

        canvas.vline(left_px, top_px, BOTTOM_PX - top_px + 1)
        canvas.text_right(left_px - 1, top_px, t.number(high))
        canvas.text_right(left_px - 1, BOTTOM_PX - 6, t.number(low))
        if limit:
            canvas.hline(left_px, y_px(limit), right_px - left_px, dotted=True)
        for line in lines.values():
            for deal, (before, after) in enumerate(pairwise(line)):
                canvas.line(x_px(deal), y_px(before), x_px(deal + 1), y_px(after))
        for column in range(columns):
            seats = sorted(lines, key=lambda one: lines[one][-1])[column::columns]
            wanted = [y_px(lines[seat][-1]) - 3 for seat in seats]
            for seat, at_px in zip(seats, _spread(wanted, top_px), strict=True):
                canvas.text(right_px + 3 + _BADGE_PX * column, at_px, str(session.badge(seat)))


def _spread(wanted: list[int], top_px: int) -> list[int]:
    """Heights of labels that should be at `wanted`, from the lowest up: within the display, and apart."""
    found: list[int] = []
    lowest_px = BOTTOM_PX - 6
    for at_px in wanted:
        found.append(min(at_px, lowest_px))
        lowest_px = found[-1] - _LETTER_PX
    highest_px = top_px
    for place in range(len(found) - 1, -1, -1):
        found[place] = max(found[place], highest_px)
        highest_px = found[place] + _LETTER_PX
    return found


def _totals_of(score_sheet: ScoreSheet, seat: Seat) -> list[int]:
    """The totals of a seat, from its starting score to the newest deal."""
    first = score_sheet.scoring.start[seat] if seat < len(score_sheet.scoring.start) else 0
    deals = (deal[seat] if seat < len(deal) else 0 for deal in score_sheet.deals)
    return list(accumulate(deals, initial=first))
