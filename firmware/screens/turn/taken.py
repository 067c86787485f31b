"""A player takes cards; shown for a moment, then the page closes by itself."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from companion.core.cards import Seat
from companion.core.score_sheet import DealScored
from companion.text.sentence import BULL
from firmware.display.glyphs import LARGE
from firmware.display.layout import Area, Layout
from firmware.display.plan import MAIN_WORDS
from firmware.screens.parts.base import Keys, KeyUse, Page, back, passed_on, undo
from firmware.screens.parts.player_names import name_badge
from firmware.session.actions import ROW_KEYS
from hardware.ports import Key

if TYPE_CHECKING:
    from companion.core.board import PlacedCard
    from companion.match.match import Match
    from firmware.display.canvas import Canvas
    from firmware.session.session import Session


def _ends_deal(match: Match) -> bool:
    """Whether the newest step has ended a deal."""
    return match.newest is not None and isinstance(match.newest.events[-1], DealScored)


def _scores(match: Match, seat: Seat) -> tuple[int, int]:
    """The points of a player in the deal of the newest step, and the total with them."""
    if _ends_deal(match):
        return match.position.score_sheet.deals[-1][seat], match.totals[seat]
    return match.points[seat], match.totals[seat] + match.points[seat]


class WhoTakes(Page):
    """Who takes what. It costs points, or, in games that follow the hands, the cards go to the hand."""

    NAME: ClassVar[str] = "taken"
    GOES_ON_WITH_OK: ClassVar[bool] = True
    line: PlacedCard
    seat: Seat

    def draw(self, canvas: Canvas, session: Session) -> None:
        """Who, how many heads or how many cards in hand, and the scores after it."""
        t, match, layout = session.translate, session.playing, Layout(canvas, session.plan)
        # With the last card of a deal the next deal has begun: the taking is on the table of the old one.
        board = match.game.board(match.position.finished) if _ends_deal(match) else match.board
        if layout.plan.row_bar:
            layout.title(t.say(self.line.outcome), session.label(self.line.card))
            layout.hints(*self.hints(session))
        free = layout.free
        name = Area(2, free.y_px, free.width_px - 4, 15)
        name_badge(layout, name, session, session.badge(self.seat), MAIN_WORDS)
        below = Area(2, name.bottom_px, free.width_px - 4, free.bottom_px - name.bottom_px)
        if board.hands:
            self._draw_hand(layout, below, session, board.hands)
        else:
            self._draw_heads(layout, below, session)

    def _draw_heads(self, layout: Layout, area: Area, session: Session) -> None:
        """The heads large, and the scores after it."""
        t, match = session.translate, session.playing
        y_px = area.y_px
        x_px = layout.canvas.text(area.x_px, y_px, session.translate.digits(f"+{self.line.heads}"), LARGE)
        layout.canvas.text(x_px + 1, y_px, BULL, LARGE)
        x_px += LARGE.width_px(BULL) + 5
        here, total = _scores(match, self.seat)
        told = (t("DEAL {points}", points=here), t("TOTAL {total}", total=total))
        scores = [one.replace(" ", "\N{NO-BREAK SPACE}") for one in told]
        layout.stack(Area(x_px, area.y_px, area.right_px - x_px, area.height_px), scores, align="end")

    def _draw_hand(self, layout: Layout, area: Area, session: Session, hands: tuple[int, ...]) -> None:
        """The cards in hand, and how many of them are new.

        The cards in hand can be counted by all. How many were taken is told only where that is not hidden.
        """
        t, match, in_hand = session.translate, session.playing, hands[self.seat]
        text = t.number(in_hand) if self.line.covered else t.digits(f"+{len(self.line.takes)}")
        y_px = area.y_px
        x_px = layout.canvas.text(area.x_px, y_px, text, LARGE) + 3
        total = t("TOTAL {total}", total=_scores(match, self.seat)[1])
        cards = t("CARDS IN HAND") if self.line.covered else t("CARDS, NOW {cards}", cards=in_hand)
        layout.stack(Area(x_px, area.y_px, area.right_px - x_px, area.height_px), (cards, total), align="end")

    def keys(self, session: Session) -> Keys:
        """UNDO undoes the taking itself; a row key is meant for the question that comes next."""
        t = session.translate
        return {
            Key.OK: KeyUse(back, t("OK=NEXT")),
            Key.UNDO: KeyUse(undo, t("UNDO=TAKE BACK")),
            **passed_on(ROW_KEYS, lambda at: at.home()),
        }
