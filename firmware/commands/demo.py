"""`nimmt demo`: scripted players play a whole match through scans and keys, as people do."""

from __future__ import annotations

import random
import sys
import tempfile
import time
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from companion import games
from companion.errors import CompanionError
from companion.text import say
from firmware.config.configuration import choose, load
from firmware.play.runtime import Runtime
from firmware.scripted.players import Players

if TYPE_CHECKING:
    import argparse

    from firmware.play.controller import TableController

PAUSE_S = 0.7


def run(args: argparse.Namespace) -> int:
    """Play a match. In a terminal it is shown on the display, otherwise as one line per deal."""
    watched = sys.stdout.isatty() and sys.stdin.isatty()
    config = replace(
        load(None),
        screen=load(args.config).screen,
        display=choose("display", "terminal" if watched else "simulated"),
        buzzer=choose("buzzer", "none"),
    )
    module = games.module(args.game)
    if args.seats not in module.SEATS:
        low, high = module.SEATS[0], module.SEATS[-1]
        raise CompanionError(
            say("{seats} players cannot play {title}", seats=args.seats, title=module.TITLE),
            say("use --seats {low} to --seats {high}", low=low, high=high),
        )
    rng = random.Random(args.seed)  # noqa: S311 - a game, no secret
    bots = None
    if args.level is not None:
        from robots.group import group
        from robots.levels import Level

        # With --fast nobody waits for them, and the same seed gives the same match on a busy machine, too.
        bots = group(args.game, [Level(args.level)] * args.seats, rng, None if args.fast else time.monotonic)
    players = Players(args.game, args.seats, rng, bots)
    with tempfile.TemporaryDirectory(prefix="nimmt-demo-") as folder:
        runtime = Runtime(config, Path(folder) / "demo.sqlite")
        controller = runtime.app.controller
        try:
            if watched:
                runtime.start()
            deals = 0
            while (action := players.next(controller)) is not None:
                controller.hear(action, time.monotonic() if not args.fast else controller.now_s + PAUSE_S * 2)
                if not args.fast:
                    runtime.app.look()
                    time.sleep(PAUSE_S)  # noqa: TID251 - people watch
                elif watched:
                    runtime.app.look()
                deals = _told(controller, deals, watched=watched)
            _told(controller, deals, watched=watched)
        finally:
            runtime.close()
        _result(controller)
    return 0


def _told(controller: TableController, deals: int, *, watched: bool) -> int:
    score_sheet = controller.session.match.position.score_sheet if controller.session.match else None
    if score_sheet is None or len(score_sheet.deals) == deals:
        return deals
    if not watched:
        points, totals = _score(score_sheet.deals[-1]), _score(score_sheet.totals)
        t, deal = controller.session.translate, len(score_sheet.deals)
        print(t("deal {deal}: {points}  total: {totals}", deal=deal, points=points, totals=totals))
    return len(score_sheet.deals)


def _score(points: tuple[int, ...]) -> str:
    return "  ".join(f"P{seat + 1} {heads:3}" for seat, heads in enumerate(points))


def _result(controller: TableController) -> None:
    session = controller.session
    won = tuple(session.translate.isolated(session.name(seat)) for seat in session.playing.winners or ())
    print(session.translate("won with the fewest points: {names}", names=won))
