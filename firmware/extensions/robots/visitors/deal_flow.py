"""Which page of a deal with robots comes next."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Final

from firmware.display.layout import Area, Layout
from firmware.display.plan import MAIN_WORDS
from firmware.extensions.robots.visitors.deal import Deal, State
from firmware.extensions.robots.visitors.deal_questions import PassOn, question
from firmware.extensions.robots.visitors.deal_results import DealResult, Placement
from firmware.screens.parts.base import Page
from firmware.session.actions import Action, KeyAction

if TYPE_CHECKING:
    from firmware.display.canvas import Canvas
    from firmware.extensions.robots.visitors.deal_table import DealTable
    from firmware.screens.parts.base import Controller
    from firmware.session.session import Session


_THINK_S: Final = 0.3


def next_page(deal: Deal, table: DealTable) -> Page:
    """The page that comes next; robots answer before it, as far as they have made up their minds."""
    match deal.advance():
        case State.TELL:
            return Placement(deal, table, deal.told[0])
        case State.OVER:
            if not deal.told_result:
                deal.told_result = True
                table.finished()
            return DealResult(deal, table)
        case State.THINK:
            return Thinking(deal, table)
        case State.ASK:
            seat = deal.asked
            assert seat is not None  # noqa: S101 - a visitor is asked
            if deal.shown_to != seat and deal.visitors > 1:
                return PassOn(deal, table, seat)
            return question(deal, table, seat)


class Thinking(Page):
    """A robot thinks; the next page follows by itself."""

    NAME: ClassVar[str] = "thinking"
    GOES_ON_BY_ITSELF: ClassVar[bool] = True
    deal: Deal
    table: DealTable

    @property
    def stays_s(self) -> float:
        """Until it is asked again."""
        return _THINK_S

    def draw(self, canvas: Canvas, session: Session) -> None:
        """That it thinks."""
        layout = Layout(canvas, session.plan)
        layout.words(Area(0, 8, 128, 48), session.translate("ROBOTS THINK"), MAIN_WORDS)

    def following(self, session: Session) -> Page:
        """The next page; this one again while the robot thinks."""
        return self.table.next_page(self.deal)

    def handle(self, action: Action, controller: Controller) -> bool:
        """Nothing can be done meanwhile."""
        return isinstance(action, KeyAction)
