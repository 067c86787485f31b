"""Opening a deal with robots from the menu of visitors, or from the start page of an ordinary box."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

from firmware.extensions.robots.config import RobotOptions
from firmware.extensions.robots.visitors.deal import Deal
from firmware.extensions.robots.visitors.deal_flow import next_page
from firmware.extensions.robots.visitors.deal_table import DealTable, names_of
from firmware.screens.parts.base import Counted
from hardware.ports import Signal

if TYPE_CHECKING:
    from companion.core.game import RandomSource
    from firmware.extensions.robots.seats import RobotSeats
    from firmware.screens.parts.base import Controller


def open_deal(robots: RobotSeats, game: str, visitors: int) -> None:
    """Deal a game to visitors and robots, and show the first page of it."""
    table, options = robots.table, robots.table.config.section(RobotOptions)

    def again(controller: Controller) -> None:
        controller.deal(game, visitors)

    def finished() -> None:
        if visitors:
            table.count(Counted.DEAL_FINISHED)

    chance: RandomSource = Random() if table.chance is None else table.chance  # noqa: S311 - a game
    deal = Deal(game, visitors, options.level, robots.thinkers, chance)
    table.session.visitors = names_of(deal, table.session.translate)
    if visitors:
        table.count(Counted.DEAL_BEGUN)
    table.signal(Signal.ACCEPTED)
    table.open(next_page(deal, DealTable(options.placement_s, again, finished, next_page)))
