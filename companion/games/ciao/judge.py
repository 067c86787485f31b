"""The rulings of Ciao!: which commands are legal and what follows from them. Nothing is changed here."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from companion.games.ciao import effects, rules
from companion.games.ciao.commands import (
    NOT_SHOWN,
    Adopt,
    Claim,
    Command,
    Correct,
    Done,
    Draw,
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
    Thanks,
    Trouble,
    Whom,
)
from companion.games.ciao.corrections import adopt, end_deal, join, leave
from companion.games.ciao.counting import counted, done, hand_card
from companion.games.ciao.course import Course
from companion.games.ciao.effects import NO_WISHES, Wishes, wishes_of
from companion.games.ciao.events import CardShown, Event, PlayReopened, RaceEnded
from companion.games.ciao.explain import player, words
from companion.games.ciao.fouls import fouled, fouled_in_race
from companion.games.ciao.legal import (
    may_own,
    not_held,
    not_playable,
    not_playing,
    playable_by_nobody,
    why_higher,
)
from companion.games.ciao.table import Stage
from companion.lifecycle import EndDeal, Join, Leave
from companion.ruling import Allowed, Because, Refused
from companion.text import Text, say

if TYPE_CHECKING:
    from collections.abc import Callable

    from companion.cards import Seat
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
    match command:
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
            return _decide(table, seat, Stage.NAME, effects.name, Wishes(name=name))
        case Mode(mode, seat):
            return _decide(table, seat, Stage.MODE, effects.mode, Wishes(mode=mode))
        case Trouble(goes, seat):
            return _decide(table, seat, Stage.TROUBLE, effects.trouble, Wishes(trouble=goes))
        case Whom(to, seat):
            if table.stage is Stage.WITH:
                return _decide(table, seat, Stage.WITH, effects.exchange, Wishes(with_=to))
            return _decide(table, seat, Stage.TO, effects.whom, Wishes(to=to))
        case Give(card, seat):
            wishes = Wishes(give=NOT_SHOWN if card is None else card)
            return _decide(table, seat, Stage.GIVE, _give, wishes)
        case Thanks(said, seat):
            return _decide(table, seat, Stage.THANKS, _thanks, Wishes(thanks=said))
        case Foul():
            return fouled(table, command)
        case HandCard():
            return hand_card(table, command)
        case Hand():
            return counted(table, command)
        case Done(seat):
            return done(table, seat)
        case Adopt():
            return adopt(table, command)
        case Correct():
            return _correct(table, command)
        case Leave(seat):
            return leave(table, seat)
        case Join(seat):
            return join(table, seat)
        case EndDeal():
            return end_deal(table)
    raise TypeError(command)  # pragma: no cover - the match is exhaustive, which mypy checks


def _not_open(table: Table, fault: Text) -> Refused:
    return Refused(rules.IN_TURN, fault, _OPEN[table.stage])


def _wrong_seat(table: Table, seat: Seat | None) -> Refused | None:
    """A refusal if a seat answers that is not asked."""
    if seat is None or seat == table.actor:
        return None
    return not_playing(table, seat) or Refused(
        rules.IN_TURN,
        say("it is not {player}'s turn to answer", player=player(seat)),
        say("{player} has to answer", player=player(table.actor)),
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
            say("it is not {player}'s turn", player=player(seat)),
            say("{player} plays next", player=player(table.turn)),
            Foul(seat, order.card),
        )
    return _laid(table, seat, order)


def _laid(table: Table, seat: Seat, order: Play | Race) -> Ruling:
    """A card from a hand goes on top, if it may."""
    wishes = wishes_of(order)
    if fault := not_playable(table, seat, order.card) or effects.not_needed(table, order.card, wishes):
        return fault
    rule = why_higher(table, order.card)
    assert rule is not None  # noqa: S101 - else it would not be playable
    course = Course(table)
    return effects.play(course, seat, order.card, rule, wishes) or course.allowed()


def _race(table: Table, order: Race) -> Ruling:
    if table.stage is not Stage.RACE or table.challenger is None:
        return _not_open(table, say("there is no challenge now"))
    if order.seat is not None:
        if fault := not_playing(table, order.seat):
            return fault
        if order.seat == table.challenger:
            return Refused(
                rules.CHALLENGE,
                say("{player} is the challenger and does not take part", player=player(order.seat)),
                say("the others answer the challenge"),
                Foul(order.seat, order.card),
            )
        return not_held(table, order.seat, order.card) or _laid(table, order.seat, order)
    owners = may_own(table, order.card)
    if isinstance(owners, Refused):
        return owners
    if len(owners) == 1:
        return _laid(table, owners[0], order)
    if fault := playable_by_nobody(table, owners, order.card):
        return Refused(fault.rule, fault.fault, fault.fix, Foul(None, order.card))
    if wishes_of(order) != NO_WISHES:
        return Refused(
            rules.CHALLENGE,
            say("the player who played {card} is not named", card=words(order.card)),
            say("add 'seat'"),
        )
    course = Course(table)
    course.tell(CardShown(order.card, ""))
    return course.allowed()


def _race_off(table: Table) -> Ruling:
    if table.stage is not Stage.RACE or table.challenger is None:
        return _not_open(table, say("there is no challenge now"))
    course = Course(table)
    course.tell(RaceEnded(table.challenger))
    course.pass_on()
    return course.allowed()


def _claim(table: Table, claim: Claim) -> Ruling:
    if table.stage is not Stage.CLAIM or table.shown != claim.card:
        return _not_open(table, say("it does not matter now who played {card}", card=words(claim.card)))
    if fault := not_playing(table, claim.seat):
        return fault
    if claim.seat == table.challenger:
        return Refused(
            rules.CHALLENGE,
            say("{player} is the challenger and does not take part", player=player(claim.seat)),
            say("say which of the others played it"),
        )
    if fault := not_held(table, claim.seat, claim.card):
        return fault
    if table.mistaken:
        return fouled_in_race(table, claim.seat, claim.card, table.mistaken)
    laid = _laid(table, claim.seat, Race(claim.card, claim.seat))
    return laid if isinstance(laid, Allowed) else Refused(laid.rule, laid.fault, say("undo the card"))


def _draw(table: Table, seat: Seat | None) -> Ruling:
    if table.stage is not Stage.TURN:
        return _not_open(table, say("nobody can draw now"))
    if fault := _wrong_seat(table, seat):
        return fault
    course, turn = Course(table), table.turn
    if table.pending:
        course.draw_pending(turn)
        course.pass_on(turn)
        return course.allowed()
    course.draw(turn, 1, rules.DRAW)
    got_one = course.table.hands[turn].size > table.hands[turn].size
    if got_one and table.agreement.drawn == "play":
        course.ask(Stage.DRAWN, turn)
    else:
        course.pass_on(turn)
    return course.allowed()


def _keep(table: Table, seat: Seat | None) -> Ruling:
    if table.stage is not Stage.DRAWN:
        return _not_open(table, say("there is no drawn card to keep"))
    if fault := _wrong_seat(table, seat):
        return fault
    course = Course(table)
    course.because(Because(rules.FREE, say("{player} keeps the drawn card", player=player(table.turn))))
    course.pass_on(table.turn)
    return course.allowed()


def _decide(
    table: Table,
    seat: Seat | None,
    stage: Stage,
    follow: Callable[[Course, Wishes], Refused | None],
    wishes: Wishes,
) -> Ruling:
    """An answer to a question about the latest card."""
    if table.stage is not stage:
        return _not_open(table, say("that question is not open now"))
    if fault := _wrong_seat(table, seat):
        return fault
    course = Course(table)
    return follow(course, wishes) or course.allowed()


def _give(course: Course, wishes: Wishes) -> Refused | None:
    other = course.table.other
    return None if other is None else effects.give(course, other, wishes)


def _thanks(course: Course, wishes: Wishes) -> Refused | None:
    other = course.table.other
    return None if other is None else effects.thanks(course, other, wishes)


def _correct(table: Table, correct: Correct) -> Ruling:
    if table.before is None or not table.discards:
        return Refused(
            rules.MENDED,
            say("no card can be corrected now: none was played since the last draw"),
            say("undo back to the card that was wrong"),
        )
    wrong = table.discards[-1]
    if len(correct.remove) != 1 or len(correct.add) != 1 or correct.remove[0] not in (wrong, table.top):
        return Refused(
            rules.MENDED,
            say("only the latest card, {card}, can be corrected", card=words(wrong)),
            say("name {card} and the card that was really played", card=words(wrong)),
        )
    card, before, seat = correct.add[0], table.before, table.by
    if fault := not_held(before, seat, card):
        return fault
    course = Course(table)
    said = say("{card} was played, not {wrong}", wrong=words(wrong), card=words(card))
    course.tell(PlayReopened())
    course.because(Because(rules.MENDED, said))
    again = _laid(before, seat, Play(card, seat))
    if isinstance(again, Refused):
        return Refused(again.rule, again.fault, say("undo, and scan what was really played"))
    course.tell(*again.events)
    return course.allowed()
