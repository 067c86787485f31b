"""`nimmt demo`: scripted players play a whole match through the door that people use: scans and keys."""

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
from firmware.build import Rig
from firmware.config import choose, load
from firmware.players import Players

if TYPE_CHECKING:
    import argparse

    from firmware.desk import Desk

PAUSE_S = 0.7


def run(words: argparse.Namespace) -> int:
    """Play a match. With a terminal it is shown on the device's picture, else in one line a deal."""
    watched = sys.stdout.isatty() and sys.stdin.isatty()
    config = replace(
        load(None),
        display=choose("display", "terminal" if watched else "simulated"),
        buzzer=choose("buzzer", "none"),
    )
    module = games.module(words.game)
    if words.seats not in module.SEATS:
        low, high = module.SEATS[0], module.SEATS[-1]
        raise CompanionError(
            f"{words.seats} players cannot play {module.TITLE}", f"use --seats {low} to --seats {high}"
        )
    players = Players(words.game, words.seats, random.Random(words.seed))  # noqa: S311 - a game, no secret
    with tempfile.TemporaryDirectory(prefix="nimmt-demo-") as folder:
        rig = Rig(config, Path(folder) / "demo.sqlite")
        desk = rig.app.desk
        try:
            if watched:
                rig.start()
            deals = 0
            while (act := players.next(desk)) is not None:
                desk.hear(act, time.monotonic() if not words.fast else desk.now_s + PAUSE_S * 2)
                if not words.fast:
                    rig.app.look()
                    time.sleep(PAUSE_S)  # noqa: TID251 - people watch
                elif watched:
                    rig.app.look()
                deals = _told(desk, deals, watched=watched)
            _told(desk, deals, watched=watched)
        finally:
            rig.close()
        _result(desk)
    return 0


def _told(desk: Desk, deals: int, *, watched: bool) -> int:
    ledger = desk.world.match.position.ledger if desk.world.match else None
    if ledger is None or len(ledger.deals) == deals:
        return deals
    if not watched:
        print(f"deal {len(ledger.deals)}: {_score(ledger.deals[-1])}  total: {_score(ledger.totals)}")
    return len(ledger.deals)


def _score(points: tuple[int, ...]) -> str:
    return "  ".join(f"P{seat + 1} {heads:3}" for seat, heads in enumerate(points))


def _result(desk: Desk) -> None:
    match = desk.world.playing
    won = ", ".join(desk.world.name(seat) for seat in match.winners or ())
    print(f"won with the fewest points: {won}")
