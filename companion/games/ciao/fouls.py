"""Mistakes when playing: three cards and a lost turn. Nothing is changed here.

A scan can be an accident, so a wrong card is first refused; it is a mistake when a player confirms it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.games.ciao import rules
from companion.games.ciao.course import THREE, Course
from companion.games.ciao.events import CardShown, MistakeMade, TurnLost
from companion.games.ciao.explain import words
from companion.games.ciao.legal import may_own, not_held, not_playable, not_playing, playable_by_nobody
from companion.games.ciao.table import Stage
from companion.ruling import Refused
from companion.text import say

if TYPE_CHECKING:
    from companion.cards import Seat
    from companion.games.ciao.cards import Card
    from companion.games.ciao.commands import Foul
    from companion.games.ciao.events import Event
    from companion.games.ciao.table import Table
    from companion.ruling import Allowed


def fouled(table: Table, foul: Foul) -> Allowed[Event] | Refused:
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
        return fouled_in_race(table, seat, foul.card, rule)
    course = Course(table)
    course.tell(MistakeMade(seat, foul.card, rule))
    course.draw(seat, THREE, rules.MISTAKE)
    if seat != table.turn:
        course.tell(TurnLost(seat))
        return course.allowed()
    course.draw_pending(seat)
    if table.agreement.mistake == "next turn":
        course.tell(TurnLost(seat))
    course.pass_on(seat)
    return course.allowed()


def fouled_in_race(table: Table, seat: Seat, card: Card | None, rule: str) -> Allowed[Event]:
    """A wrong card in a challenge; the challenge continues."""
    course = Course(table)
    course.tell(MistakeMade(seat, card, rule))
    course.draw(seat, THREE, rules.MISTAKE)
    course.tell(TurnLost(seat))
    return course.allowed()


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
    course = Course(table)
    course.tell(CardShown(card, broken.rule.key))
    return course.allowed()
