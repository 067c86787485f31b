"""What robots add to the commands of the box: `nimmt demo --level`."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Final

from firmware.commands.declared import Addition, option
from firmware.extensions.robots.config import LEVELS

if TYPE_CHECKING:
    import argparse
    from random import Random

    from companion.match.dealer import Dealer


_THINK_S: Final = 0.5
"""Seconds of a processor after which a robot has answered in the demonstration, whose cards come quickly."""


def _robots(args: argparse.Namespace, rng: Random) -> Dealer | None:
    """The robots of `nimmt demo`, if they were asked for."""
    if args.level is None:
        return None
    from companion.robots.levels import Level
    from companion.robots.rollouts import NO_LIMIT, Budget
    from companion.robots.seat import robots

    # With --fast nobody waits for them, and the same seed gives the same match on a busy machine, too.
    budget = NO_LIMIT if args.fast else Budget(time.thread_time, _THINK_S)
    return robots(args.game, [Level(args.level)] * args.seats, rng, budget)


DEMO: Final = Addition(
    use=_robots,
    options=(
        option(
            "--level",
            choices=LEVELS,
            help="let robots of this level play, not chance; hard needs numpy for 6 nimmt!",
        ),
    ),
)
