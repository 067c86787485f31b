"""A finished deal put right (S32): which deal, whose points, and what they should be."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, ClassVar

from companion.scores import CorrectScore
from firmware.acts import Act, BadgeAct, CardAct, KeyAct
from firmware.screens.listing import Menu
from firmware.screens.score_lines import HIGHEST, STEPS, dialled, draw_scores
from firmware.screens.taking import moved
from hardware.ports import Key, Press

if TYPE_CHECKING:
    from companion.cards import Seat
    from firmware.canvas import Canvas
    from firmware.desk import Desk
    from firmware.world import World


def edit(desk: Desk) -> None:
    """Ask which finished deal has to be put right, the newest first; with one deal it is that."""
    t, deals = desk.world.words, desk.world.playing.position.ledger.deals
    if not deals:
        desk.say(t("NO DEAL IS FINISHED"))
        return
    if len(deals) == 1:
        edit_deal(desk, 1)
        return
    items = tuple((t("DEAL {deal}", deal=deal), partial(_edit, deal)) for deal in range(len(deals), 0, -1))
    desk.open(Menu(t("WHICH DEAL?"), items))


def edit_deal(desk: Desk, deal: int) -> None:
    """Open a finished deal, counted from 1."""
    match = desk.world.playing
    points = match.position.ledger.deals[deal - 1]
    desk.open(EditDeal(deal, points + (0,) * (len(match.totals) - len(points))))


def _edit(deal: int, desk: Desk) -> None:
    edit_deal(desk, deal)


@dataclass(frozen=True, slots=True)
class EditDeal:
    """The points of the deal; the lit ones are dialled or typed. Nothing is changed before OK."""

    NAME: ClassVar[str] = "edit_deal"
    deal: int
    points: tuple[int, ...]
    seat: Seat | None = None

    def draw(self, canvas: Canvas, world: World) -> None:
        """Everybody's points, the changed ones with what they were."""
        t, match = world.words, world.playing
        canvas.bar_title(t("PUT DEAL {deal} RIGHT", deal=self.deal))
        old = match.position.ledger.deals[self.deal - 1]
        few = len(match.players) <= 5  # noqa: PLR2004 - one column has room for both
        scores = []
        for seat in match.players:
            was = old[seat] if seat < len(old) else 0
            new = self.points[seat]
            scores.append((seat, f"{was} → {new}" if new != was and few else str(new)))
        draw_scores(canvas, world, scores, self.seat)
        canvas.footer(t("OK=SAVE"), t("DOWN=WHO") if self.seat is None else t("UNDO=KEEP"))

    def on(self, act: Act, desk: Desk) -> bool:
        """A badge or up and down light somebody, keys and numbers change the points, OK saves."""
        if isinstance(act, BadgeAct):
            desk.swap(replace(self, seat=desk.world.seat(act.badge)))
            return True
        if isinstance(act, CardAct) and not act.game:
            self._set(min(HIGHEST, int(act.card)), desk)
            return True
        if not isinstance(act, KeyAct) or act.press is not Press.SHORT:
            return False
        players = desk.world.playing.players
        if act.key in (Key.UP, Key.DOWN):
            at = None if self.seat is None else players.index(self.seat)
            desk.swap(replace(self, seat=players[moved(at, act, len(players)) or 0]))
            return True
        if act.key in STEPS:
            if self.seat is not None:
                self._set(dialled(self.points[self.seat], act.key, negative=False), desk)
            return True
        if act.key is Key.OK:
            desk.close()
            desk.propose(CorrectScore(self.deal, self.points))
            return True
        return False

    def _set(self, number: int, desk: Desk) -> None:
        if self.seat is None:
            desk.say(desk.world.words("CHOOSE A PLAYER"))
            return
        points = tuple(number if seat == self.seat else one for seat, one in enumerate(self.points))
        desk.swap(replace(self, points=points))
