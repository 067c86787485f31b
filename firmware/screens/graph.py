"""The totals deal by deal as lines (S33), for a look between deals and after the match."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import accumulate, pairwise
from typing import TYPE_CHECKING, ClassVar, Final

from companion.ledger import When

if TYPE_CHECKING:
    from companion.cards import Seat
    from companion.ledger import Ledger
    from firmware.acts import Act
    from firmware.canvas import Canvas
    from firmware.desk import Desk
    from firmware.world import World

LEFT_PX: Final = 19
RIGHT_PX: Final = 108
TOP_PX: Final = 12
BOTTOM_PX: Final = 61
_LETTER_PX: Final = 8


@dataclass(frozen=True, slots=True)
class Graph:
    """Deals from left to right, points upwards; the limit dotted; everybody's badge at the end."""

    NAME: ClassVar[str] = "graph"

    def draw(self, canvas: Canvas, world: World) -> None:
        """The lines, the scale at the left, the badges at the right."""
        t, match = world.words, world.playing
        lines = {seat: _line(match.position.ledger, seat) for seat in match.players}
        deals, end = len(match.position.ledger.deals), match.game.end
        canvas.bar_title(t("TOTALS"), t("{deals} DEALS", deals=deals))
        limit = end.number if end.when is not When.DEALS else 0
        low = min(0, *(min(line) for line in lines.values()))
        high = max(limit, low + 1, *(max(line) for line in lines.values()))

        def y_px(total: int) -> int:
            return BOTTOM_PX - round((total - low) * (BOTTOM_PX - TOP_PX) / (high - low))

        def x_px(deal: int) -> int:
            return round(LEFT_PX + deal * (RIGHT_PX - LEFT_PX) / max(1, deals))

        canvas.vline(LEFT_PX, TOP_PX, BOTTOM_PX - TOP_PX + 1)
        canvas.text_right(LEFT_PX - 1, TOP_PX, str(high))
        canvas.text_right(LEFT_PX - 1, BOTTOM_PX - 6, str(low))
        if limit:
            canvas.hline(LEFT_PX, y_px(limit), RIGHT_PX - LEFT_PX, dotted=True)
        for line in lines.values():
            for deal, (before, after) in enumerate(pairwise(line)):
                canvas.line(x_px(deal), y_px(before), x_px(deal + 1), y_px(after))
        free_px = BOTTOM_PX - 6
        for seat in sorted(lines, key=lambda one: lines[one][-1]):
            at_px = min(y_px(lines[seat][-1]) - 3, free_px)
            canvas.text(RIGHT_PX + 3, max(TOP_PX, at_px), str(world.badge(seat)))
            free_px = at_px - _LETTER_PX

    def on(self, act: Act, desk: Desk) -> bool:
        """Nothing of its own."""
        return False


def _line(ledger: Ledger, seat: Seat) -> list[int]:
    """The totals of a seat, from what it began with to the newest deal."""
    first = ledger.scoring.start[seat] if seat < len(ledger.scoring.start) else 0
    deals = (deal[seat] if seat < len(deal) else 0 for deal in ledger.deals)
    return list(accumulate(deals, initial=first))
