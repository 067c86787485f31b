"""What robots add to the commands of the box: `nimmt demo --level`."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Final

from firmware.commands.declared import Addition
from firmware.extensions.robots.config import LEVELS

if TYPE_CHECKING:
    import argparse
    from random import Random
    from typing import Any

    from companion.core.game import Bots


def _options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--level",
        choices=LEVELS,
        help="let robots of this level play, not chance; hard needs numpy for 6 nimmt!",
    )


def _robots(args: argparse.Namespace, rng: Random) -> Bots[Any] | None:
    """The robots of `nimmt demo`, if they were asked for."""
    if args.level is None:
        return None
    from companion.robots.group import group
    from companion.robots.levels import Level

    # With --fast nobody waits for them, and the same seed gives the same match on a busy machine, too.
    return group(args.game, [Level(args.level)] * args.seats, rng, None if args.fast else time.monotonic)


DEMO: Final = Addition(use=_robots, options=_options)
