"""Opening a deal with robots from the menu of visitors, or from the start page of an ordinary box."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

from firmware.extensions.robots.visitors.deal import Deal
from firmware.extensions.robots.visitors.deal_flow import next_page
from firmware.extensions.robots.visitors.deal_table import DealTable, names_of
from firmware.screens.parts.base import Counted
from hardware.ports import Signal

if TYPE_CHECKING:
    from companion.core.game import RandomSource
    from firmware.play.controller import TableController
    from firmware.screens.parts.base import Controller


def offer_deals(table: TableController, rng: RandomSource | None = None) -> None:
    """Let `table` deal to robots. `rng` deals, None: by chance."""
    chance: RandomSource = Random() if rng is None else rng  # noqa: S311 - a game, no secret

    def begin(game: str, visitors: int) -> None:
        def again(controller: Controller) -> None:
            controller.play_with_robots(game, visitors)

        def finished() -> None:
            if visitors:
                table.count(Counted.DEAL_FINISHED)

        options = table.config.kiosk
        deal = Deal(game, visitors, options.level, table.robots, chance)
        table.session.visitors = names_of(deal, table.session.translate)
        if visitors:
            table.count(Counted.DEAL_BEGUN)
        table.signal(Signal.ACCEPTED)
        table.open(next_page(deal, DealTable(options.placement_s, again, finished, next_page)))

    table.deal_with_robots = begin
