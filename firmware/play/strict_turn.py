"""Two aids for a strict table, off by default: who has chosen a card, and a clock for the choice of a row.

Neither decides anything. Before a turn is revealed, each player scans the badge: when all have, the
display says so. The clock counts the last seconds down and says when they are over; the question stays.
"""

from __future__ import annotations

from math import ceil
from typing import Final

from companion.core.ask import Ask, AskKind, Wait
from companion.values import Value, replace
from firmware.session.actions import BadgeAction
from firmware.session.session import Session
from hardware.ports import Signal

COUNTED_S: Final = 10
"""The last seconds, which the clock tells one by one."""


class Reply(Value):
    """A line to say, and a signal to give."""

    says: str
    signal: Signal | None = None


def hear_ready(action: BadgeAction, session: Session) -> Reply | None:
    """Note that a player has chosen a card; None where the badge means something else."""
    ask = _awaited(session)
    seat = session.seat(action.badge) if ask is not None else None
    if ask is None or seat is None:
        return None
    t = session.translate
    ready, need = session.note_ready(seat), ask.need - session.shown_by_box()
    if ready >= need:
        return Reply(t("ALL READY: REVEAL"), Signal.ACCEPTED)
    name = session.short_name(seat, 8)
    return Reply(t("{name} IS READY {ready}/{need}", name=name, ready=ready, need=need), Signal.ACCEPTED)


def _awaited(session: Session) -> Ask | None:
    """The question about the cards of a turn, before the first one is shown."""
    ask = session.match.asks[0] if session.match is not None and session.match.asks else None
    if ask is None or ask.kind is not AskKind.PLAY or ask.wait is not Wait.ALL or ask.have:
        return None
    return ask if session.waits_for_ready else None


class ChoiceClock(Value):
    """Since when a row is to be chosen, at which step of the match, and what was told last."""

    step: int = -1
    since_s: float = 0.0
    told: int = COUNTED_S + 1

    def tick(self, session: Session, limit_s: float, now_s: float) -> tuple[ChoiceClock, Reply | None]:
        """The clock at this time, and what it has to tell now."""
        match = session.match
        if not limit_s or match is None or not match.asks or match.asks[0].kind is not AskKind.CHOOSE:
            return ChoiceClock(), None
        clock = self if self.step == match.steps else ChoiceClock(match.steps, now_s)
        left = max(0, ceil(limit_s - (now_s - clock.since_s)))
        if left >= clock.told:
            return clock, None
        t = session.translate
        says = t("{left} S TO CHOOSE", left=left) if left else t("TIME IS UP: CHOOSE")
        return replace(clock, told=left), Reply(says, None if left else Signal.REFUSED)
