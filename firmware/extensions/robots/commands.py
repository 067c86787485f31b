"""What robots add to the commands of the box: `nimmt demo --level`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from companion.robots.levels import Level, robots
from firmware.commands.declared import Addition, option
from firmware.extensions.robots.config import LEVELS

if TYPE_CHECKING:
    import argparse
    from random import Random

    from companion.match.dealer import Dealer


def _robots(args: argparse.Namespace, rng: Random) -> Dealer | None:
    if args.level is None:
        return None
    return robots(args.game, [Level(args.level)] * args.seats, rng)


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
