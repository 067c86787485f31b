"""A player takes cards; shown for a moment, then the page closes by itself."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from companion.text import BULL
from firmware.display.canvas import COLUMNS
from firmware.display.glyphs import LARGE
from firmware.screens.base import Page
from firmware.session.actions import ROW_KEYS, Action, KeyAction
from hardware.ports import Key, Press

if TYPE_CHECKING:
    from companion.board import Line
    from companion.cards import Seat
    from firmware.display.canvas import Canvas
    from firmware.screens.base import Controller
    from firmware.session.session import Session


@dataclass(frozen=True, slots=True)
class Taken(Page):
    """Who takes what. It costs points, or, in games that follow the hands, the cards go to the hand."""

    NAME: ClassVar[str] = "taken"
    GOES_ON_WITH_OK: ClassVar[bool] = True
    line: Line
    seat: Seat

    def draw(self, canvas: Canvas, session: Session) -> None:
        """Who, how many heads or cards, and the scores after it."""
        t, match = session.translate, session.playing
        name = canvas.fit(session.name(self.seat), COLUMNS - 1 - len(t.say(self.line.outcome)))
        canvas.bar_title(t("{name} {outcome}", name=name, outcome=self.line.outcome))
        board = match.game.board(match.position.table)
        x_px = canvas.text(4, 14, f"+{len(self.line.takes) if board.hands else self.line.heads}", LARGE)
        if board.hands:
            canvas.text(x_px + 2, 20, t("CARDS"))
            canvas.text(x_px + 2, 29, t("IN HAND"))
        else:
            canvas.text(x_px + 2, 14, BULL, LARGE)
        canvas.card(99, 18, session.label(self.line.card))
        points, totals = match.points, match.totals
        here = points[self.seat]
        left = (
            t("NOW {cards}", cards=board.hands[self.seat])
            if board.hands
            else t("DEAL +{points}", points=here)
        )
        canvas.text(2, 44, left)
        canvas.text_right(126, 44, t("TOTAL {total}", total=totals[self.seat] + here))
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
