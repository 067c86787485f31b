"""Who shows the next card: a badge says so beforehand, and in a race the first of the players' own keys."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.game import Gives, Verb, Wait
from hardware.ports import Signal

if TYPE_CHECKING:
    from firmware.acts import BadgeAct
    from firmware.desk import Desk

ARMED_S = 8.0


def arm(act: BadgeAct, desk: Desk) -> None:
    """The next card is this player's. In a race the first of the players' own keys keeps the word."""
    match, words = desk.world.match, desk.world.words
    seat = desk.world.seat(act.badge) if match else None
    asked = next((ask for ask in match.asks if seat in ask.seats), None) if match else None
    if seat is None or asked is None or asked.wait is Wait.ONE or asked.verb.gives is not Gives.CARD:
        desk.signal(Signal.REFUSED)
        played = seat is not None and desk.ask(Verb.PLAY) is not None and asked is None
        name = desk.world.badge_name(act.badge)[:8]
        desk.say(words("{name} HAS PLAYED", name=name) if played else words("NOBODY ASKED WHO"))
        return
    if asked.verb is Verb.RACE and act.at_s is not None:
        if act.at_s < desk.stepped_s:
            desk.signal(Signal.REFUSED)
            desk.say(words("{name}: TOO EARLY", name=desk.world.name(seat)[:8]))
            return
        if desk.armed is not None and desk.armed_at_s <= act.at_s:
            desk.say(words("{name} WAS FIRST", name=desk.world.name(desk.armed)[:8]))
            return
        desk.armed_at_s = act.at_s
    desk.armed, desk.armed_until_s = seat, desk.now_s + ARMED_S
    desk.signal(Signal.ACCEPTED)
    desk.say(words("{name}: SHOW YOUR CARD", name=desk.world.name(seat)[:6]))
