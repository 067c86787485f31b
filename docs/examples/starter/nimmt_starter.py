"""Draws who begins: `nimmt starter`, a row in the menu of the device, and `[starter] players`."""

from __future__ import annotations

from random import SystemRandom
from typing import TYPE_CHECKING, Annotated

from companion.text.sentence import say
from companion.values import Value
from firmware.commands.declared import Command, number
from firmware.display.layout import Big, Layout
from firmware.play.table import Extension, Item, Table
from firmware.plugins import Part
from firmware.screens.parts.base import Keys, KeyUse, Page, back
from hardware.options import option
from hardware.ports import Key

if TYPE_CHECKING:
    from argparse import Namespace

    from firmware.display.canvas import Canvas
    from firmware.session.session import Session


class Options(Value):
    """The section `[starter]`."""

    players: Annotated[int, option("among how many players it is drawn who begins", low=2, high=10)] = 4


def drawn(players: int) -> int:
    """Who begins, from 1."""
    return SystemRandom().randint(1, players)


class WhoBegins(Page):
    """The player who begins, large."""

    player: int
    players: int

    def draw(self, canvas: Canvas, session: Session) -> None:
        """The number of the player, and what OK and UNDO do."""
        t, layout = session.translate, Layout(canvas, session.plan)
        layout.title(t("WHO BEGINS?"))
        layout.hints(*self.hints(session))
        layout.stack(layout.free, (Big(t.number(self.player)),))

    def keys(self, session: Session) -> Keys:
        """OK draws again; UNDO closes the page."""
        return {
            Key.OK: KeyUse(self._draw_again, say("OK=DRAW AGAIN")),
            Key.UNDO: KeyUse(back, say("UNDO=BACK")),
        }

    def _draw_again(self, table: Table) -> None:
        table.show(WhoBegins(drawn(self.players), self.players))


class Starter(Extension):
    """A row of the menu."""

    def menu(self, table: Table) -> tuple[Item, ...]:
        """The row WHO BEGINS?, while no match is in progress."""
        session, players = table.session, table.config.section(Options).players
        if session.match is not None:
            return ()
        return ((say("WHO BEGINS?"), lambda at: at.open(WhoBegins(drawn(players), players))),)


def run(args: Namespace) -> int:
    """Print who begins; gives the exit status."""
    print(f"Player {drawn(args.players)} begins.")
    return 0


COMMAND = Command(
    help="draw who begins",
    options=(number("--players", default=4, help="how many play (default 4)"),),
    run=run,
    games=False,
)

PART = Part(
    commands={"starter": "nimmt_starter:COMMAND"},
    config={"starter": "nimmt_starter:Options"},
    table="nimmt_starter:Starter",
)
