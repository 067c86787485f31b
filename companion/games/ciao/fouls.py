"""Mistakes when playing: three cards and a lost turn. Nothing is changed here.

A scan can be an accident, so a wrong card is first refused; it is a mistake when a player confirms it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.core.ruling import Refused
from companion.games.ciao import rules
from companion.games.ciao.box import PENALTY
from companion.games.ciao.events import CardShown, MistakeMade, TurnLost
from companion.games.ciao.explain import words
from companion.games.ciao.follow_up import EventBuilder
from companion.games.ciao.legal import may_own, not_held, not_playable, not_playing, playable_by_nobody
from companion.games.ciao.table import Stage
from companion.text.sentence import say

if TYPE_CHECKING:
    from companion.core.cards import Seat
    from companion.core.ruling import Allowed
    from companion.games.ciao.cards import Card
    from companion.games.ciao.commands import Foul
    from companion.games.ciao.events import Event
    from companion.games.ciao.table import Table


def penalize(table: Table, foul: Foul) -> Allowed[Event] | Refused:
    """A player made a mistake."""
    if table.stage not in (Stage.TURN, Stage.DRAWN, Stage.RACE):
        return Refused(
            rules.WHICH_TURN, say("a question is still open"), say("answer it first, then report the mistake")
        )
    racing = table.stage is Stage.RACE
    seat = foul.seat if foul.seat is not None or racing else table.turn
    if seat is None:
        return _of_nobody(table, foul.card)
    if fault := not_playing(table, seat):
        return fault
    rule = rules.MISTAKE.key
    if foul.card is not None:
        if fault := not_held(table, seat, foul.card):
            return fault
        allowed_here = seat != table.challenger if racing else seat == table.turn
        broken = not_playable(table, seat, foul.card) if allowed_here else None
        if allowed_here and broken is None:
            return Refused(
                rules.MISTAKE,
                say("{card} may be played: that is not a mistake", card=words(foul.card)),
                say("play it, or say which card was wrong"),
            )
        out_of_turn = rules.CHALLENGE if racing else rules.IN_TURN
        rule = broken.rule.key if broken else out_of_turn.key
    if racing:
        return penalize_in_race(table, seat, foul.card, rule)
    events = EventBuilder(table)
    events.add(MistakeMade(seat, foul.card, rule))
    events.draw(seat, PENALTY, rules.MISTAKE)
    if seat != table.turn:
        events.add(TurnLost(seat))
        return events.allow()
    # The lost turn is this one, so a +3 that waits for it cannot be passed on: it is drawn as well.
    events.draw_pending(seat)
    events.pass_on(seat)
    return events.allow()


def penalize_in_race(table: Table, seat: Seat, card: Card | None, rule: str) -> Allowed[Event]:
    """A wrong card in a challenge; the challenge continues."""
    events = EventBuilder(table)
    events.add(MistakeMade(seat, card, rule))
    events.draw(seat, PENALTY, rules.MISTAKE)
    events.add(TurnLost(seat))
    return events.allow()


def _of_nobody(table: Table, card: Card | None) -> Allowed[Event] | Refused:
    """A wrong card in a challenge whose owner is not known yet."""
    if card is None:
        return Refused(
            rules.MISTAKE,
            say("the player who made the mistake is not named"),
            say("name the player with 'seat'"),
        )
    owners = may_own(table, card)
    if isinstance(owners, Refused):
        return owners
    broken = playable_by_nobody(table, owners, card)
    if broken is None:
        return Refused(
            rules.MISTAKE,
            say("{card} may be played: that is not a mistake", card=words(card)),
            say("play it"),
        )
    events = EventBuilder(table)
    events.add(CardShown(card, broken.rule.key))
    return events.allow()
