"""Who shows the next card: a badge says so beforehand, and in a race the first of the players' own keys."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.ask import AskKind, Gives, Wait
from hardware.ports import Signal

if TYPE_CHECKING:
    from firmware.play.controller import Controller
    from firmware.session.actions import BadgeAction

ARMED_S = 8.0


def arm(action: BadgeAction, controller: Controller) -> None:
    """The next card is this player's. In a race the first of the players' own keys keeps the word."""
    match, translate = controller.session.match, controller.session.translate
    seat = controller.session.seat(action.badge) if match else None
    asked = next((ask for ask in match.asks if seat in ask.seats), None) if match else None
    if seat is None or asked is None or asked.wait is Wait.ONE or asked.kind.gives is not Gives.CARD:
        controller.signal(Signal.REFUSED)
        played = seat is not None and controller.ask(AskKind.PLAY) is not None and asked is None
        name = controller.session.badge_name(action.badge)[:8]
        controller.say(
            translate("{name} HAS PLAYED", name=name) if played else translate("NO BADGE NEEDED NOW")
        )
        return
    if asked.kind is AskKind.RACE and action.at_s is not None:
        if action.at_s < controller.stepped_s:
            controller.signal(Signal.REFUSED)
            controller.say(translate("{name}: TOO EARLY", name=controller.session.name(seat)[:8]))
            return
        if controller.armed is not None and controller.armed_at_s <= action.at_s:
            controller.say(translate("{name} WAS FIRST", name=controller.session.name(controller.armed)[:8]))
            return
        controller.armed_at_s = action.at_s
    controller.armed, controller.armed_until_s = seat, controller.now_s + ARMED_S
    controller.signal(Signal.ACCEPTED)
    controller.say(translate("{name}: SCAN A CARD", name=controller.session.name(seat)[:6]))
