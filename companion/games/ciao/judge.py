"""The rulings of Ciao!: which commands are legal and what follows from them. Nothing is changed here."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from companion.core.cards import who
from companion.core.lifecycle import EndDeal, Join, Leave
from companion.core.ruling import Allowed, Because, Refused
from companion.games.ciao import effects, rules
from companion.games.ciao.commands import (
    NOT_SHOWN,
    Adopt,
    ChoosePlayer,
    Claim,
    Command,
    Correct,
    DiscardTrouble,
    Done,
    Draw,
    ForgetHands,
    Foul,
    Give,
    Hand,
    HandCard,
    Keep,
    Mode,
    Name,
    Play,
    Race,
    RaceOff,
    Register,
    Thanks,
)
from companion.games.ciao.corrections import adopt, correct, end_deal, join, leave
from companion.games.ciao.counting import count_card, count_hand, count_rest
from companion.games.ciao.effects import NO_CHOICES, CardChoices, lay, read_choices
from companion.games.ciao.events import CardShown, Event, RaceEnded
from companion.games.ciao.explain import words
from companion.games.ciao.follow_up import EventBuilder
from companion.games.ciao.fouls import penalize, penalize_in_race
from companion.games.ciao.legal import (
    may_own,
    not_held,
    not_playing,
    playable_by_nobody,
)
from companion.games.ciao.registering import forget, hands_first, register
from companion.games.ciao.table import Stage
from companion.text.sentence import Text, say

if TYPE_CHECKING:
    from collections.abc import Callable

    from companion.core.cards import Seat
    from companion.games.ciao.table import Table

Ruling = Allowed[Event] | Refused

_OPEN: Final = {
    Stage.TURN: say("play a card, or draw"),
    Stage.DRAWN: say("a card was drawn: play it, or keep it"),
    Stage.NAME: say("name the joker's symbol"),
    Stage.MODE: say("say whether to play again or to reverse"),
    Stage.TROUBLE: say("say whether to discard a trouble card with it"),
    Stage.TO: say("say who gets the bad card"),
    Stage.GIVE: say("say which card is given"),
    Stage.THANKS: say("say whether the receiver said thank you"),
    Stage.WITH: say("say who to swap hands with"),
    Stage.RACE: say("a challenge is on: the first higher card wins, or say that nobody can"),
    Stage.CLAIM: say("say who played the card"),
    Stage.COUNT: say("count the hands"),
}


def judge(table: Table, command: Command) -> Ruling:  # noqa: C901, PLR0911, PLR0912 - one line per kind of order
    """The ruling on a command."""
    if table.over:
        return Refused(rules.FIRST_OUT, say("the deal is over"), say("deal again, or undo"))
    if fault := hands_first(table, command):
        return fault
    match command:
        case Register():
            return register(table, command)
        case ForgetHands():
            return forget(table)
        case Play():
            return _play(table, command)
        case Race():
            return _race(table, command)
        case RaceOff():
            return _race_off(table)
        case Claim():
            return _claim(table, command)
        case Draw(seat):
            return _draw(table, seat)
        case Keep(seat):
            return _keep(table, seat)
        case Name(name, seat):
            return _decide(table, seat, Stage.NAME, effects.name_symbol, CardChoices(name=name))
        case Mode(mode, seat):
            return _decide(table, seat, Stage.MODE, effects.choose_turn, CardChoices(mode=mode))
        case DiscardTrouble(goes, seat):
            return _decide(table, seat, Stage.TROUBLE, effects.discard_trouble, CardChoices(trouble=goes))
        case ChoosePlayer(to, seat):
            if table.stage is Stage.WITH:
                return _decide(table, seat, Stage.WITH, effects.swap_hands, CardChoices(with_=to))
            return _decide(table, seat, Stage.TO, effects.choose_receiver, CardChoices(to=to))
        case Give(card, seat):
            choices = CardChoices(give=NOT_SHOWN if card is None else card)
            return _decide(table, seat, Stage.GIVE, effects.give, choices)
        case Thanks(said, seat):
            return _decide(table, seat, Stage.THANKS, effects.hear_thanks, CardChoices(thanks=said))
        case Foul():
            return penalize(table, command)
        case HandCard():
            return count_card(table, command)
        case Hand():
            return count_hand(table, command)
        case Done(seat):
            return count_rest(table, seat)
        case Adopt():
            return adopt(table, command)
        case Correct():
            return correct(table, command)
        case Leave(seat):
            return leave(table, seat)
        case Join(seat):
            return join(table, seat)
        case EndDeal():
            return end_deal(table)
    raise TypeError(command)  # pragma: no cover - the match is exhaustive, which mypy checks


def _not_open(table: Table, fault: Text) -> Refused:
    return Refused(rules.IN_TURN, fault, _OPEN[table.stage], waits=True)


def _wrong_seat(table: Table, seat: Seat | None) -> Refused | None:
    """A refusal if a seat answers that is not asked."""
    if seat is None or seat == table.actor:
        return None
    return not_playing(table, seat) or Refused(
        rules.IN_TURN,
        say("it is not {player}'s turn to answer", player=who(seat)),
        say("{player} has to answer", player=who(table.actor)),
    )


def _play(table: Table, order: Play) -> Ruling:
    seat = table.turn if order.seat is None else order.seat
    if fault := not_playing(table, seat):
        return fault
    if table.stage not in (Stage.TURN, Stage.DRAWN):
        return _not_open(table, say("{card} cannot be played now", card=words(order.card)))
    if fault := not_held(table, seat, order.card):
        return fault
    if seat != table.turn:
        return Refused(
            rules.IN_TURN,
            say("it is not {player}'s turn", player=who(seat)),
            say("{player} plays next", player=who(table.turn)),
            Foul(seat, order.card),
        )
    return lay(table, seat, order)


def _race(table: Table, order: Race) -> Ruling:
    if table.stage is not Stage.RACE or table.challenger is None:
        return _not_open(table, say("there is no challenge now"))
    if order.seat is not None:
        if fault := not_playing(table, order.seat):
            return fault
        if order.seat == table.challenger:
            return Refused(
                rules.CHALLENGE,
                say("{player} is the challenger and does not take part", player=who(order.seat)),
                say("the others answer the challenge"),
                Foul(order.seat, order.card),
            )
        return not_held(table, order.seat, order.card) or lay(table, order.seat, order)
    owners = may_own(table, order.card)
    if isinstance(owners, Refused):
        return owners
    if len(owners) == 1:
        return lay(table, owners[0], order)
    if fault := playable_by_nobody(table, owners, order.card):
        return Refused(fault.rule, fault.fault, fault.fix, Foul(None, order.card))
    if read_choices(order) != NO_CHOICES:
        return Refused(
            rules.CHALLENGE,
            say("the player who played {card} is not named", card=words(order.card)),
            say("add 'seat'"),
        )
    events = EventBuilder(table)
    events.add(CardShown(order.card, ""))
    return events.allow()


def _race_off(table: Table) -> Ruling:
    if table.stage is not Stage.RACE or table.challenger is None:
        return _not_open(table, say("there is no challenge now"))
    events = EventBuilder(table)
    events.add(RaceEnded(table.challenger))
    # After the challenger, also where this challenge won another one and play goes on after that (HC-4).
    events.pass_on(table.challenger)
    return events.allow()


def _claim(table: Table, claim: Claim) -> Ruling:
    if table.stage is not Stage.CLAIM or table.shown != claim.card:
        return _not_open(table, say("it does not matter now who played {card}", card=words(claim.card)))
    if fault := not_playing(table, claim.seat):
        return fault
    if claim.seat == table.challenger:
        return Refused(
            rules.CHALLENGE,
            say("{player} is the challenger and does not take part", player=who(claim.seat)),
            say("say which of the others played it"),
        )
    if fault := not_held(table, claim.seat, claim.card):
        return fault
    if table.mistaken:
        return penalize_in_race(table, claim.seat, claim.card, table.mistaken)
    ruling = lay(table, claim.seat, Race(claim.card, claim.seat))
    if isinstance(ruling, Allowed):
        return ruling
    # No penalty is offered: the question is only who played it, and a foul is reported after an undo.
    return Refused(ruling.rule, ruling.fault, say("undo the card"))


def _draw(table: Table, seat: Seat | None) -> Ruling:
    if table.stage is not Stage.TURN:
        return _not_open(table, say("nobody can draw now"))
    if fault := _wrong_seat(table, seat):
        return fault
    events, turn = EventBuilder(table), table.turn
    if table.pending:
        events.draw_pending(turn)
        events.pass_on(turn)
        return events.allow()
    events.draw(turn, 1, rules.DRAW)
    # With no card left to draw there is nothing to play or keep either.
    if events.table.hands[turn].size > table.hands[turn].size:
        events.ask(Stage.DRAWN, turn)
    else:
        events.pass_on(turn)
    return events.allow()


def _keep(table: Table, seat: Seat | None) -> Ruling:
    if table.stage is not Stage.DRAWN:
        return _not_open(table, say("there is no drawn card to keep"))
    if fault := _wrong_seat(table, seat):
        return fault
    events = EventBuilder(table)
    events.add_reason(Because(rules.FREE, say("{player} keeps the drawn card", player=who(table.turn))))
    events.pass_on(table.turn)
    return events.allow()


def _decide(
    table: Table,
    seat: Seat | None,
    stage: Stage,
    follow: Callable[[EventBuilder, CardChoices], Refused | None],
    choices: CardChoices,
) -> Ruling:
    """An answer to a question about the latest card."""
    if table.stage is not stage:
        return _not_open(table, say("that question is not open now"))
    if fault := _wrong_seat(table, seat):
        return fault
    events = EventBuilder(table)
    return follow(events, choices) or events.allow()
