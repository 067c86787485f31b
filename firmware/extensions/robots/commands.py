"""What robots add to the commands of the box: `nimmt demo --level`."""

import argparse
from random import Random
from typing import Final

from companion.match.dealer import Dealer
from companion.robots.levels import Level, robots
from firmware.commands.declared import Addition, option
from firmware.extensions.robots.config import LEVELS


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
            help="let robots of this level play instead of random players; hard needs numpy for 6 nimmt!",
        ),
    ),
)
