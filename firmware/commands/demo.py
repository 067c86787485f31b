"""`nimmt demo`: scripted players play a whole match through scans and keys, as people do."""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec.structs import replace

from companion.core import games
from companion.core.ask import Gives
from companion.core.cards import Seat
from companion.text.errors import CompanionError
from firmware.commands.declared import Command, add_options, additions, flag, number
from firmware.config.configuration import choose, load
from firmware.text.columns import right
from hardware.ports import Key, KeyPressed

if TYPE_CHECKING:
    from firmware.loop.runtime import Runtime
    from firmware.play.table import Table
    from firmware.session.session import Session

PAUSE_S = 0.7
"""Between two cards of a turn, and while a match is set up."""
RULING_S = 4.0
"""For all cards of a ruling; each has half a second at least."""
READ_S = 3.0
"""For what happened, for a question, and for a reason."""
_LOOK_S = 0.1
_SHORTEST_S = 0.5


def run(args: argparse.Namespace) -> int:
    """Play a match on a display: in a terminal or on that of the box; else as one line per deal."""
    from firmware.commands.players import SimulatedGroup
    from firmware.loop.react import handle_message  # the help of all commands does not wait for the game
    from firmware.loop.runtime import Runtime

    loaded, in_terminal = load(args.config), sys.stdout.isatty() and sys.stdin.isatty()
    on_box = args.display and loaded.display.driver != "terminal"
    watched = on_box or in_terminal
    config = replace(
        load(None),
        screen=loaded.screen,
        display=loaded.display if on_box else choose("display", "terminal" if in_terminal else "simulated"),
        buzzer=choose("buzzer", "none"),
    )
    module = games.module(args.game)
    if args.seats not in module.SEATS:
        low, high = module.SEATS[0], module.SEATS[-1]
        raise CompanionError(
            f"{module.TITLE} is not for {args.seats} player{'s' * (args.seats != 1)}",
            f"use --seats {low} to --seats {high}",
        )
    config = replace(config, table=replace(config.table, ruling_s=max(_SHORTEST_S, RULING_S / args.seats)))
    rng = random.Random(args.seed)  # noqa: S311 - a game, no secret
    chosen = (addition.use(args, rng) for addition in additions("demo"))
    group = next((choice for choice in chosen if choice is not None), None)
    players = SimulatedGroup(args.game, args.seats, rng, group)
    with tempfile.TemporaryDirectory(prefix="nimmt-demo-") as folder:
        runtime = Runtime(config, Path(folder) / "demo.sqlite")
        table = runtime.app.table
        try:
            if watched:
                runtime.start()
            deals = 0
            while (action := players.next(table)) is not None:
                before = _shown(table)
                handle_message(table, action, table.now_s + PAUSE_S * 2 if args.fast else time.monotonic())
                if not args.fast:
                    if watched and _shown(table) != before:
                        _let_read(runtime)
                    else:
                        _watch(runtime, PAUSE_S)
                elif watched:
                    runtime.app.refresh()
                deals = _print_deals(table, deals, watched=watched)
            _print_deals(table, deals, watched=watched)
        finally:
            runtime.close()
        _result(table)
    return 0


def pause_s(table: Table) -> float:
    """How long people need for what the display shows now."""
    from firmware.screens.turn.ruling import Ruling

    page, match = table.front, table.session.match
    if isinstance(page, Ruling):
        return table.config.table.ruling_s * len(page.lines(table.session))
    asked = match.asks[:1] if match else ()
    question = any(len(ask.seats) == 1 or ask.kind.gives is not Gives.CARD for ask in asked)
    return READ_S if page.DISMISS_ON_OK or question else PAUSE_S


def _shown(table: Table) -> tuple[str, int]:
    """Which page is in front, and of how many steps of a match it tells: a cursor changes neither."""
    match = table.session.match
    return table.front.NAME, match.steps if match else 0


def _let_read(runtime: Runtime) -> None:
    """Let people read this page and what follows by itself; then why the last card of a ruling lies there."""
    from firmware.loop.react import handle_message
    from firmware.screens.turn.ruling import Ruling

    table, read = runtime.app.table, None
    while read is not type(table.front):
        read = type(table.front)
        _watch(runtime, pause_s(table))
    if isinstance(table.front, Ruling):
        handle_message(table, KeyPressed(Key.WHY), time.monotonic())
        _watch(runtime, READ_S)
        handle_message(table, KeyPressed(Key.UNDO), time.monotonic())


def _watch(runtime: Runtime, for_s: float) -> None:
    """Let time pass at the display."""
    until_s = time.monotonic() + for_s
    while (left_s := until_s - time.monotonic()) > 0:
        runtime.app.refresh()
        time.sleep(min(_LOOK_S, left_s))  # noqa: TID251 - people watch


def _print_deals(table: Table, deals: int, *, watched: bool) -> int:
    score_sheet = table.session.match.position.score_sheet if table.session.match else None
    if score_sheet is None or len(score_sheet.deals) == deals:
        return deals
    if not watched:
        session, deal = table.session, len(score_sheet.deals)
        points, totals = (_score(sums, session) for sums in (score_sheet.deals[-1], score_sheet.totals))
        print(f"deal {deal}: {points}  total: {totals}")
    return len(score_sheet.deals)


def _score(points: tuple[int, ...], session: Session) -> str:
    told = ((session.name(Seat(seat)), str(heads)) for seat, heads in enumerate(points))
    return "  ".join(f"{name} {right(heads, 3)}" for name, heads in told)


def _result(table: Table) -> None:
    session = table.session
    names = ", ".join(session.name(seat) for seat in session.playing.winners or ())
    print(f"won with the fewest points: {names}")


def _game(parser: argparse.ArgumentParser) -> None:
    """The games are known when the words are read: installed ones are added before."""
    parser.add_argument("--game", choices=games.GAMES, default=games.first(), help="which game")


def _added(parser: argparse.ArgumentParser) -> None:
    for addition in additions("demo"):
        add_options(parser, addition.options)


COMMAND = Command(
    help="watch scripted players play a whole match",
    run=run,
    options=(
        _game,
        flag("--fast", help="no pauses: a whole match in seconds"),
        flag("--display", help="use the configured display, not the terminal; stop the game first"),
        number("--seats", default=4, help="number of players (default 4)"),
        number("--seed", default=6, help="random seed: another seed gives another match"),
        _added,
    ),
    config=True,
    examples=("nimmt demo --fast --seats 3",),
)
