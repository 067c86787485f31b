"""What a played card leads to: its joker's name, its icon, and whose turn is next. Nothing is changed here.

An effect takes what was given with the card from `Wishes`, and asks for the first missing choice.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from companion.cards import Seat, seat_number
from companion.games.ciao import rules
from companion.games.ciao.cards import TROUBLE, Card, Icon, Symbol, kind
from companion.games.ciao.commands import NOT_SHOWN
from companion.games.ciao.course import THREE, Course
from companion.games.ciao.events import (
    CardGiven,
    CardPlayed,
    DirectionChanged,
    HandsSwapped,
    PlusThree,
    RaceBegun,
    SymbolNamed,
    TroubleShed,
    TurnBegun,
)
from companion.games.ciao.explain import player, words
from companion.games.ciao.legal import not_held, not_playing
from companion.games.ciao.table import Stage
from companion.ruling import Because, Refused
from companion.text import say

if TYPE_CHECKING:
    from companion.games.ciao.commands import Play, Race
    from companion.games.ciao.table import Table
    from companion.ruling import Rule

AGAIN: Final = "again"
REVERSE: Final = "reverse"
MODES: Final = (AGAIN, REVERSE)
NAMES: Final = tuple(symbol.value for symbol in Symbol)


@dataclass(frozen=True, slots=True)
class Wishes:
    """What was given with a card for its effect; None: not said."""

    name: str | None = None
    mode: str | None = None
    with_: Seat | None = None
    to: Seat | None = None
    give: Card | None = None
    thanks: bool | None = None
    trouble: bool | None = None


NO_WISHES: Final = Wishes()


def wishes_of(order: Play | Race) -> Wishes:
    """What was given with a card."""
    return Wishes(order.name, order.mode, order.with_, order.to, order.give, order.thanks, order.trouble)


_NEEDS: Final = {
    Icon.AGAIN_OR_REVERSE: ("mode",),
    Icon.CHALLENGE: (),
    Icon.PLUS_THREE: (),
    Icon.BAD_CARD: ("to", "give", "thanks"),
    Icon.SWAP: ("with_",),
}


def not_needed(table: Table, card: Card, wishes: Wishes) -> Refused | None:
    """A refusal if something was given that this card has no use for."""
    one = kind(card)
    needs = _NEEDS[one.icon] if one.icon else ("name",) if one.joker else ()
    if one.icon and table.agreement.trouble == "special":
        needs = (*needs, "trouble")
    for name in Wishes.__dataclass_fields__:
        if getattr(wishes, name) is not None and name not in needs:
            rule = rules.SPECIAL if not one.joker else rules.JOKER
            facts = {"card": words(card), "field": name.removesuffix("_")}
            return Refused(
                rule, say("{card} has no use for '{field}'", **facts), say("leave '{field}' out", **facts)
            )
    if wishes.to is None and not (wishes.give is None and wishes.thanks is None):
        return Refused(
            rules.BAD_CARD, say("the player who gets the card is not named"), say("name the player with 'to'")
        )
    if wishes.give is None and wishes.thanks is not None:
        return Refused(
            rules.BAD_CARD,
            say("the card to give is not named"),
            say("name it with 'give'; an empty string means that it is not shown"),
        )
    return None


def play(course: Course, seat: Seat, card: Card, rule: Rule, wishes: Wishes) -> Refused | None:
    """A card of a seat goes on top, with all that follows; a refusal if a choice is invalid."""
    table = course.table
    racing = table.stage in (Stage.RACE, Stage.CLAIM)
    after = seat
    if racing and table.agreement.after_challenge == "challenger" and table.challenger is not None:
        after = table.challenger
    course.tell(CardPlayed(seat, card, table.top, rule.key, after))
    if table.pending:
        more = kind(card).icon is Icon.PLUS_THREE
        pending = table.pending + THREE if more else 0
        course.tell(PlusThree(seat, pending))
    if not course.table.hands[seat].size:
        course.won(seat)
        if kind(card).icon:
            course.because(Because(rules.LAST_SPECIAL, say("the icon on the last card has no effect")))
        return None
    if kind(card).joker:
        return name(course, wishes)
    if racing and not table.agreement.challenge_icon:
        course.pass_on()
        return None
    if kind(card).icon and table.agreement.trouble == "special":
        return trouble(course, wishes)
    return effect(course, wishes)


def name(course: Course, wishes: Wishes) -> Refused | None:
    """The joker on top gets its symbol."""
    seat, card = course.table.actor, course.table.discards[-1]
    if wishes.name is None:
        course.ask(Stage.NAME, seat)
        return None
    if wishes.name not in NAMES:
        return Refused(
            rules.JOKER,
            say("{name} is not a symbol", name=repr(wishes.name[:20])),
            say("name R (rock), P (paper) or S (scissors)"),
        )
    course.tell(SymbolNamed(seat, card, wishes.name))
    course.pass_on()
    return None


def trouble(course: Course, wishes: Wishes) -> Refused | None:
    """A trouble card may be discarded with a special card (only if that was agreed, house rule HC-11)."""
    seat = course.table.actor
    if wishes.trouble is None:
        course.ask(Stage.TROUBLE, seat)
        return None
    if wishes.trouble:
        if fault := not_held(course.table, seat, TROUBLE):
            return fault
        course.tell(TroubleShed(seat, TROUBLE))
        if not course.table.hands[seat].size:
            course.won(seat)
            return None
    return effect(course, wishes)


def effect(course: Course, wishes: Wishes) -> Refused | None:
    """The icon on the top card takes effect."""
    table = course.table
    seat = table.actor
    match kind(table.discards[-1]).icon:
        case Icon.AGAIN_OR_REVERSE:
            return mode(course, wishes)
        case Icon.CHALLENGE:
            course.tell(RaceBegun(seat))
            return None
        case Icon.PLUS_THREE:
            if not table.pending:
                course.tell(PlusThree(seat, THREE))
        case Icon.BAD_CARD:
            if table.hands[seat].size > 1 or table.agreement.last_gift == "wins":
                return whom(course, wishes)
            said = say("the last card of {player} is not given away: that was agreed", player=player(seat))
            course.because(Because(rules.LAST_GIFT, said))
        case Icon.SWAP:
            return exchange(course, wishes)
        case None:
            pass
    course.pass_on()
    return None


def mode(course: Course, wishes: Wishes) -> Refused | None:
    """Play again, or reverse."""
    seat = course.table.actor
    if wishes.mode is None:
        course.ask(Stage.MODE, seat)
        return None
    if wishes.mode not in MODES:
        return Refused(
            rules.AGAIN_OR_REVERSE,
            say("{mode} is neither again nor reverse", mode=repr(wishes.mode[:20])),
            say("say 'again' or 'reverse'"),
        )
    if wishes.mode == AGAIN:
        said = say("{player} plays again", player=player(seat))
        course.because(Because(rules.AGAIN_OR_REVERSE, said))
        course.tell(TurnBegun(seat))
        return None
    course.tell(DirectionChanged(seat, -course.table.dir))
    two = len(course.table.players) == 2  # noqa: PLR2004 - house ruling HC-6 is about two
    if two and course.table.agreement.reverse_with_two == "again":
        course.tell(TurnBegun(seat))
    else:
        course.pass_on()
    return None


def _not_another(table: Table, other: Seat, rule: Rule) -> Refused | None:
    if fault := not_playing(table, other):
        return fault
    if other == table.actor:
        return Refused(rule, say("that is the player's own hand"), say("choose another player"))
    return None


def whom(course: Course, wishes: Wishes) -> Refused | None:
    """A player gets a bad card."""
    seat = course.table.actor
    if wishes.to is None:
        course.ask(Stage.TO, seat)
        return None
    if fault := _not_another(course.table, wishes.to, rules.BAD_CARD):
        return fault
    return give(course, wishes.to, wishes)


def give(course: Course, to: Seat, wishes: Wishes) -> Refused | None:
    """The bad card changes hands."""
    seat, card = course.table.actor, wishes.give
    if card is None:
        course.ask(Stage.GIVE, seat, to)
        return None
    if card != NOT_SHOWN and (fault := not_held(course.table, seat, card)):
        return fault
    course.tell(CardGiven(seat, to, None if card == NOT_SHOWN else card))
    return thanks(course, to, wishes)


def thanks(course: Course, to: Seat, wishes: Wishes) -> Refused | None:
    """The receiver of a bad card says thank you, or draws."""
    seat = course.table.actor
    if course.table.agreement.thanks:
        if wishes.thanks is None:
            course.ask(Stage.THANKS, seat, to)
            return None
        if not wishes.thanks:
            said = say("player {player} did not say thank you in time", player=seat_number(to))
            course.because(Because(rules.THANKS, said))
            course.draw(to, THREE, rules.BAD_CARD)
    if not course.table.hands[seat].size:
        said = say("{player} gave the last card away", player=player(seat))
        course.because(Because(rules.LAST_GIFT, said))
        course.won(seat)
    else:
        course.pass_on()
    return None


def exchange(course: Course, wishes: Wishes) -> Refused | None:
    """Two hands are swapped."""
    seat = course.table.actor
    if wishes.with_ is None:
        course.ask(Stage.WITH, seat)
        return None
    if fault := _not_another(course.table, wishes.with_, rules.SWAP):
        return fault
    course.tell(HandsSwapped((seat, wishes.with_)))
    course.pass_on()
    return None
