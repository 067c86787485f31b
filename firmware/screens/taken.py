"""A player takes cards; shown for a moment, then the page closes by itself."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from companion.score_sheet import DealScored
from companion.text import BULL
from firmware.display.canvas import COLUMNS
from firmware.display.glyphs import LARGE, MEDIUM
from firmware.screens.base import Page
from firmware.screens.table import beside_rows
from firmware.session.actions import ROW_KEYS, Action, KeyAction
from hardware.ports import Key, Press

if TYPE_CHECKING:
    from companion.board import Line, Stack
    from companion.cards import Seat
    from companion.match import Match
    from firmware.display.canvas import Canvas
    from firmware.screens.base import Controller
    from firmware.session.session import Session


def _ends_deal(match: Match) -> bool:
    """Whether the newest step has ended a deal."""
    return match.newest is not None and isinstance(match.newest.events[-1], DealScored)


def _scores(match: Match, seat: Seat) -> tuple[int, int]:
    """The points of a player in the deal of the newest step, and the total with them."""
    if _ends_deal(match):
        return match.position.score_sheet.deals[-1][seat], match.totals[seat]
    return match.points[seat], match.totals[seat] + match.points[seat]


@dataclass(frozen=True, slots=True)
class Taken(Page):
    """Who takes what. It costs points, or, in games that follow the hands, the cards go to the hand."""

    NAME: ClassVar[str] = "taken"
    GOES_ON_WITH_OK: ClassVar[bool] = True
    line: Line
    seat: Seat

    def draw(self, canvas: Canvas, session: Session) -> None:
        """Who, how many heads or how many cards in hand, and the scores after it."""
        t, match = session.translate, session.playing
        name = session.short_name(self.seat, COLUMNS - 1 - len(t.say(self.line.outcome)))
        canvas.bar_title(t("{name} {outcome}", name=name, outcome=self.line.outcome))
        # With the last card of a deal the next deal has begun: the taking is on the table of the old one.
        board = match.game.board(match.position.finished) if _ends_deal(match) else match.board
        if board.hands:
            self._draw_hand(canvas, session, board.hands)
        else:
            self._draw_heads(canvas, session, board.stacks)

    def _draw_heads(self, canvas: Canvas, session: Session, stacks: tuple[Stack, ...]) -> None:
        """The heads large beside the rows, and the scores after it."""
        t, match = session.translate, session.playing
        x_px = beside_rows(canvas, session, stacks)
        bull_px = canvas.text(x_px, 16, str(self.line.heads), LARGE)
        canvas.text(bull_px, 28, BULL, MEDIUM)
        here, total = _scores(match, self.seat)
        canvas.text(x_px, 48, t("DEAL {points}", points=here))
        canvas.text(x_px, 56, t("TOTAL"))
        canvas.text_right(x_px + 49, 56, str(total))

    def _draw_hand(self, canvas: Canvas, session: Session, hands: tuple[int, ...]) -> None:
        """The cards that come to the hand, and the card that takes them.

        The cards in hand can be counted by all. How many were taken is told only where that is not hidden.
        """
        t, match, in_hand = session.translate, session.playing, hands[self.seat]
        x_px = canvas.text(4, 14, f"{in_hand}" if self.line.covered else f"+{len(self.line.takes)}", LARGE)
        canvas.text(x_px + 2, 20, t("CARDS"))
        canvas.text(x_px + 2, 29, t("IN HAND"))
        canvas.card(99, 18, session.label(self.line.card))
        if not self.line.covered:
            canvas.text(2, 44, t("NOW {cards}", cards=in_hand))
        _, total = _scores(match, self.seat)
        canvas.text_right(126, 44, t("TOTAL {total}", total=total))
        canvas.footer(t("OK=NEXT"), t("UNDO=TAKE BACK"))

    def handle(self, action: Action, controller: Controller) -> bool:
        """UNDO undoes the taking itself; a row key is meant for the question that comes next."""
        if isinstance(action, KeyAction) and action.key is Key.UNDO and action.press is Press.SHORT:
            controller.undo()
            return True
        if isinstance(action, KeyAction) and action.key in ROW_KEYS:
            controller.home()
            controller.act(action)
            return True
        return False
