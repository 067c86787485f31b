"""A deal with robots: how it is opened, and which page of it comes next."""

from __future__ import annotations

from functools import partial
from random import Random
from typing import TYPE_CHECKING, Final

from companion.core.game import RandomSource
from companion.text.sentence import say
from firmware.display.canvas import Canvas
from firmware.display.layout import Area, Layout
from firmware.display.plan import MAIN_WORDS
from firmware.extensions.robots.config import RobotOptions
from firmware.extensions.robots.thinking import Robots
from firmware.extensions.robots.visitors.deal import State, VisitorDeal
from firmware.extensions.robots.visitors.deal_questions import PassOn, question
from firmware.extensions.robots.visitors.deal_results import DealResult, Placement
from firmware.extensions.robots.visitors.deal_table import DealTable, names_of
from firmware.screens.parts.base import ANY_KEY, Controller, Keys, KeyUse, Page, VisitorAction
from firmware.session.session import Session
from hardware.ports import Signal

if TYPE_CHECKING:
    from firmware.play.extension import ExtendedTable


_THINK_S: Final = 0.3


def open_deal(thinkers: Robots, game: str, visitors: int, table: ExtendedTable) -> VisitorDeal:
    """Deal a game to visitors and robots, and show the first page of it."""
    options = table.config.section(RobotOptions)

    def again(controller: Controller) -> None:
        controller.deal(game, visitors)

    chance: RandomSource = Random() if table.chance is None else table.chance  # noqa: S311 - a game
    deal = VisitorDeal(game, visitors, options.level, thinkers, chance)
    table.session.change(visitors=partial(names_of, deal))
    if visitors:
        table.count(VisitorAction.DEAL_BEGUN)
    table.signal(Signal.ACCEPTED)
    table.open(next_page(deal, DealTable(options.placement_s, again, next_page)))
    return deal


def next_page(deal: VisitorDeal, table: DealTable) -> Page:
    """The page that comes next; robots answer before it, as far as they have made up their minds."""
    match deal.advance():
        case State.TELL:
            return Placement(deal, table, deal.told[0])
        case State.OVER:
            deal.told_result = True
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

    GOES_ON_BY_ITSELF = True
    deal: VisitorDeal
    table: DealTable

    @property
    def stays_s(self) -> float:
        return _THINK_S

    def draw(self, canvas: Canvas, session: Session) -> None:
        layout = Layout(canvas, session.plan)
        layout.words(Area(0, 8, 128, 48), session.translate("ROBOTS THINK"), MAIN_WORDS)

    def following(self, session: Session) -> Page:
        """The next page; this one again while the robot thinks."""
        return self.table.next_page(self.deal)

    def keys(self, session: Session) -> Keys:
        """Nothing can be done meanwhile."""
        return dict.fromkeys(ANY_KEY, KeyUse(lambda _: None, help=say("ROBOTS THINK")))
