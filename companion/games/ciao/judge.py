"""The rulings of Ciao!: which commands are legal and what follows from them. Nothing is changed here.

First plays and challenges; then mistakes, which cost three cards and a turn; then the count of hands at the
end of a deal. A scan can be an accident: a wrong card is first refused, and is a mistake when a player says
so.
"""

from collections import Counter
from collections.abc import Callable, Mapping
from typing import Final

from companion.core.cards import Seat, who
from companion.core.ruling import Allowed, Because, EndDeal, ForgetHands, Join, Leave, Refused
from companion.games.ciao import effects, legal, records, rules
from companion.games.ciao.cards import MOST_WORTH, Card, kind, split
from companion.games.ciao.corrections import adopt, correct, end_deal, join, leave
from companion.games.ciao.effects import NO_CHOICES, CardChoices, lay, read_choices
from companion.games.ciao.explain import words
from companion.games.ciao.options import PENALTY, points
from companion.games.ciao.table import CiaoTable, Stage
from companion.games.ciao.table import Hand as Held
from companion.text.sentence import Text, count, say
from companion.values import Value


class StageRule(Value):
    """What the table takes while it waits for something, and what is `open` then.

    Mistakes, corrections and what is known of hands are taken at other times as well. `effect` goes on
    with what the latest card does, once its question is answered.
    """

    takes: tuple[type[records.Command], ...]
    open: Text
    effect: Callable[[legal.Made, CardChoices], Refused | None] | None = None


STAGES: Final[Mapping[Stage, StageRule]] = {
    Stage.TURN: StageRule((records.Play, records.Draw), say("play a card, or draw")),
    Stage.DRAWN: StageRule((records.Play, records.Keep), say("a card was drawn: play it, or keep it")),
    Stage.NAME: StageRule((records.Name,), say("name the joker's symbol"), effects.name_symbol),
    Stage.MODE: StageRule(
        (records.Mode,), say("say whether to play again or to reverse"), effects.choose_turn
    ),
    Stage.TROUBLE: StageRule(
        (records.DiscardTrouble,),
        say("say whether to discard a trouble card with it"),
        effects.discard_trouble,
    ),
    Stage.TO: StageRule((records.ChoosePlayer,), say("say who gets the bad card"), effects.choose_receiver),
    Stage.GIVE: StageRule((records.Give,), say("say which card is given"), effects.give),
    Stage.THANKS: StageRule(
        (records.Thanks,), say("say whether the receiver said thank you"), effects.hear_thanks
    ),
    Stage.WITH: StageRule((records.ChoosePlayer,), say("say who to swap hands with"), effects.swap_hands),
    Stage.RACE: StageRule(
        (records.Race, records.RaceOff),
        say("a challenge is on: the first higher card wins, or say that nobody can"),
    ),
    Stage.CLAIM: StageRule((records.Claim,), say("say who played the card")),
    Stage.COUNT: StageRule((records.HandCard, records.Hand, records.Done), say("count the hands")),
}


def judge(table: CiaoTable, command: records.Command) -> records.Ruling:  # noqa: C901, PLR0911, PLR0912 - one line per kind of command
    if table.over:
        return Refused(rules.FIRST_OUT, say("the deal is over"), say("deal again, or undo"))
    if fault := legal.hands_first(table, command):
        return fault
    match command:
        case records.Register():
            return legal.register(table, command)
        case ForgetHands():
            return legal.forget(table)
        case records.Play():
            return _play(table, command)
        case records.Race():
            return _race(table, command)
        case records.RaceOff():
            return _race_off(table, command)
        case records.Claim():
            return _claim(table, command)
        case records.Draw():
            return _draw(table, command)
        case records.Keep():
            return _keep(table, command)
        case records.Name(name, seat):
            return _decide(table, command, seat, CardChoices(name=name))
        case records.Mode(mode, seat):
            return _decide(table, command, seat, CardChoices(mode=mode))
        case records.DiscardTrouble(goes, seat):
            return _decide(table, command, seat, CardChoices(trouble=goes))
        case records.ChoosePlayer(to, seat):
            return _decide(table, command, seat, CardChoices(to=to, with_=to))
        case records.Give(card, seat):
            return _decide(
                table, command, seat, CardChoices(give=records.NOT_SHOWN if card is None else card)
            )
        case records.Thanks(said, seat):
            return _decide(table, command, seat, CardChoices(thanks=said))
        case records.Foul():
            return penalize(table, command)
        case records.HandCard() | records.Hand() | records.Done():
            return _count(table, command)
        case records.Adopt():
            return adopt(table, command)
        case records.Correct():
            return correct(table, command)
        case Leave(seat):
            return leave(table, seat)
        case Join(seat):
            return join(table, seat)
        case EndDeal():
            return end_deal(table)
    raise TypeError(command)  # pragma: no cover - the match is exhaustive, which mypy checks


def _takes(table: CiaoTable, command: records.Command) -> bool:
    return isinstance(command, STAGES[table.stage].takes)


def _not_open(table: CiaoTable, fault: Text) -> Refused:
    return Refused(rules.IN_TURN, fault, STAGES[table.stage].open, waits=True)


def _wrong_seat(table: CiaoTable, seat: Seat | None) -> Refused | None:
    if seat is None or seat == table.actor:
        return None
    return legal.not_playing(table, seat) or Refused(
        rules.IN_TURN,
        say("it is not {player}'s turn to answer", player=who(seat)),
        say("{player} has to answer", player=who(table.actor)),
    )


def _play(table: CiaoTable, command: records.Play) -> records.Ruling:
    seat = table.turn if command.seat is None else command.seat
    if fault := legal.not_playing(table, seat):
        return fault
    if not _takes(table, command):
        return _not_open(table, say("{card} cannot be played now", card=words(command.card)))
    if fault := legal.not_held(table, seat, command.card):
        return fault
    if seat != table.turn:
        return Refused(
            rules.IN_TURN,
            say("it is not {player}'s turn", player=who(seat)),
            say("{player} plays next", player=who(table.turn)),
            records.Foul(seat, command.card),
        )
    return lay(table, seat, command)


def _race(table: CiaoTable, command: records.Race) -> records.Ruling:
    if table.challenger is None or not _takes(table, command):
        return _not_open(table, say("there is no challenge now"))
    if command.seat is not None:
        if fault := legal.not_playing(table, command.seat):
            return fault
        if command.seat == table.challenger:
            return Refused(
                rules.CHALLENGE,
                say("{player} is the challenger and does not take part", player=who(command.seat)),
                say("the others answer the challenge"),
                records.Foul(command.seat, command.card),
            )
        return legal.not_held(table, command.seat, command.card) or lay(table, command.seat, command)
    owners = legal.may_own(table, command.card)
    if isinstance(owners, Refused):
        return owners
    if len(owners) == 1:
        return lay(table, owners[0], command)
    if fault := legal.playable_by_nobody(table, owners, command.card):
        return Refused(fault.rule, fault.fault, fault.fix, records.Foul(None, command.card))
    if read_choices(command) != NO_CHOICES:
        return Refused(
            rules.CHALLENGE,
            say("the player who played {card} is not named", card=words(command.card)),
            say("add 'seat'"),
        )
    made = legal.made_on(table)
    made.add(records.CardShown(command.card, ""))
    return made.allow()


def _race_off(table: CiaoTable, command: records.RaceOff) -> records.Ruling:
    if table.challenger is None or not _takes(table, command):
        return _not_open(table, say("there is no challenge now"))
    made = legal.made_on(table)
    made.add(records.RaceEnded(table.challenger))
    # After the challenger, also where this challenge won another one and play goes on after that (HC-4).
    legal.pass_on(made, table.challenger)
    return made.allow()


def _claim(table: CiaoTable, claim: records.Claim) -> records.Ruling:
    if table.shown != claim.card or not _takes(table, claim):
        return _not_open(table, say("it does not matter now who played {card}", card=words(claim.card)))
    if fault := legal.not_playing(table, claim.seat):
        return fault
    if claim.seat == table.challenger:
        return Refused(
            rules.CHALLENGE,
            say("{player} is the challenger and does not take part", player=who(claim.seat)),
            say("say which of the others played it"),
        )
    if fault := legal.not_held(table, claim.seat, claim.card):
        return fault
    if table.mistaken:
        return penalize_in_race(table, claim.seat, claim.card, table.mistaken)
    ruling = lay(table, claim.seat, records.Race(claim.card, claim.seat))
    if isinstance(ruling, Allowed):
        return ruling
    # No penalty is offered: the question is only who played it, and a foul is reported after an undo.
    return Refused(ruling.rule, ruling.fault, say("undo the card"))


def _draw(table: CiaoTable, command: records.Draw) -> records.Ruling:
    if not _takes(table, command):
        return _not_open(table, say("nobody can draw now"))
    if fault := _wrong_seat(table, command.seat):
        return fault
    made, turn = legal.made_on(table), table.turn
    if table.pending:
        legal.draw_pending(made, turn)
        legal.pass_on(made, turn)
        return made.allow()
    legal.draw(made, turn, 1, rules.DRAW)
    # With no card left to draw there is nothing to play or keep either.
    if made.table.hands[turn].size > table.hands[turn].size:
        legal.ask(made, Stage.DRAWN, turn)
    else:
        legal.pass_on(made, turn)
    return made.allow()


def _keep(table: CiaoTable, command: records.Keep) -> records.Ruling:
    if not _takes(table, command):
        return _not_open(table, say("there is no drawn card to keep"))
    if fault := _wrong_seat(table, command.seat):
        return fault
    made = legal.made_on(table)
    made.add_reason(Because(rules.FREE, say("{player} keeps the drawn card", player=who(table.turn))))
    legal.pass_on(made, table.turn)
    return made.allow()


def _decide(
    table: CiaoTable, command: records.Command, seat: Seat | None, choices: CardChoices
) -> records.Ruling:
    stage = STAGES[table.stage]
    if stage.effect is None or not _takes(table, command):
        return _not_open(table, say("that question is not open now"))
    if fault := _wrong_seat(table, seat):
        return fault
    made = legal.made_on(table)
    return stage.effect(made, choices) or made.allow()


# -------------------------------------------------------------------------------------------------- mistakes


def penalize(table: CiaoTable, foul: records.Foul) -> records.Ruling:
    if table.stage not in (Stage.TURN, Stage.DRAWN, Stage.RACE):
        return Refused(
            rules.WHICH_TURN,
            say("there is still a question to answer"),
            say("answer it first, then report the mistake"),
        )
    racing = table.stage is Stage.RACE
    seat = foul.seat if foul.seat is not None or racing else table.turn
    if seat is None:
        return _of_nobody(table, foul.card)
    if fault := legal.not_playing(table, seat):
        return fault
    rule = rules.MISTAKE.key
    if foul.card is not None:
        if fault := legal.not_held(table, seat, foul.card):
            return fault
        allowed_here = seat != table.challenger if racing else seat == table.turn
        broken = legal.not_playable(table, seat, foul.card) if allowed_here else None
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
    made = legal.made_on(table)
    made.add(records.MistakeMade(seat, foul.card, rule))
    legal.draw(made, seat, PENALTY, rules.MISTAKE)
    if seat != table.turn:
        made.add(records.TurnLost(seat))
        return made.allow()
    # The lost turn is this one, so a +3 that waits for it cannot be passed on: it is drawn as well.
    legal.draw_pending(made, seat)
    legal.pass_on(made, seat)
    return made.allow()


def penalize_in_race(table: CiaoTable, seat: Seat, card: Card | None, rule: str) -> Allowed[records.Event]:
    """A wrong card in a challenge; the challenge continues."""
    made = legal.made_on(table)
    made.add(records.MistakeMade(seat, card, rule))
    legal.draw(made, seat, PENALTY, rules.MISTAKE)
    made.add(records.TurnLost(seat))
    return made.allow()


def _of_nobody(table: CiaoTable, card: Card | None) -> records.Ruling:
    """A wrong card in a challenge whose owner is not known yet."""
    if card is None:
        return Refused(
            rules.MISTAKE,
            say("the player who made the mistake is not named"),
            say("name the player with 'seat'"),
        )
    owners = legal.may_own(table, card)
    if isinstance(owners, Refused):
        return owners
    broken = legal.playable_by_nobody(table, owners, card)
    if broken is None:
        return Refused(
            rules.MISTAKE,
            say("{card} may be played: that is not a mistake", card=words(card)),
            say("play it"),
        )
    made = legal.made_on(table)
    made.add(records.CardShown(card, broken.rule.key))
    return made.allow()


# -------------------------------------------------------------------------------------------- counting hands


def _not_to_count(table: CiaoTable, seat: Seat) -> Refused | None:
    if fault := legal.not_playing(table, seat):
        return fault
    if table.stage is not Stage.COUNT:
        return Refused(
            rules.SCORING,
            say("hands are counted when the deal is over"),
            say("play on, or end the deal first"),
        )
    if seat not in table.uncounted:
        return Refused(
            rules.SCORING,
            say("{player}'s hand has already been counted", player=who(seat)),
            say("count {player}'s hand", player=who(table.uncounted[0])),
        )
    return None


def _cannot_be_held(table: CiaoTable, seat: Seat, cards: tuple[Card, ...]) -> Refused | None:
    """Why these cards cannot all be in a hand; they are added to those that were scanned before.

    The hand is emptied card by card, because what is known of it says which cards must still come.
    """
    left = Held(table.hands[seat].size, table.hands[seat].known)
    before = table.counting[seat]
    for card in (*before, *cards):
        if fault := legal.not_held(table, seat, card):
            return fault
        if left.size <= 0:
            return Refused(
                rules.SCORING,
                count(
                    "the hand of {player} has {count} card",
                    "the hand of {player} has {count} cards",
                    table.hands[seat].size,
                    player=who(seat),
                ),
                say("scan only these, or type the points"),
            )
        left = left.without(card)
        if len(left.known) > left.size:
            return Refused(
                rules.SCORING,
                say("{cards} must be in that hand", cards=tuple(map(words, left.known))),
                say("scan {player}'s cards", player=who(seat)),
            )
    for place, card in enumerate((*before, *cards)):
        if "#" in card and card in (*before, *cards)[:place]:
            return Refused(
                rules.DECK,
                say("this {card} has already been scanned", card=words(card)),
                say("scan the next card"),
            )
    others = (hand.known for other, hand in enumerate(table.hands) if other != seat)
    elsewhere = (*table.discards, *table.pile, *(card for known in others for card in known))
    return _too_many(table, (*before, *cards), (*elsewhere, *left.known))


def _too_many(table: CiaoTable, cards: tuple[Card, ...], elsewhere: tuple[Card, ...]) -> Refused | None:
    """More of a kind than the deck has, with those that are known to be elsewhere."""
    if not table.counts:
        return None
    kinds = Counter(found[0].name for one in (*cards, *elsewhere) if (found := split(one)))
    for name in (kind(card).name for card in cards):
        many = table.agreed.many(name)
        if kinds[name] > many:
            return Refused(
                rules.DECK,
                say(
                    "{card}: the deck has {number} of them, and this is one too many",
                    card=words(name),
                    number=many,
                ),
                say("scan the next card, or undo an earlier wrong scan"),
            )
    return None


def _count(table: CiaoTable, command: records.HandCard | records.Hand | records.Done) -> records.Ruling:
    if command.seat is None and table.stage is not Stage.COUNT:
        return Refused(
            rules.SCORING, say("no hand is being counted now"), say("play on, or end the deal first")
        )
    seat = table.uncounted[0] if command.seat is None else command.seat
    if fault := _not_to_count(table, seat):
        return fault
    match command:
        case records.HandCard(card):
            return _count_card(table, seat, card)
        case records.Hand(_, cards, cost):
            return _count_hand(table, seat, cards, cost)
        case records.Done():
            return _count_rest(table, seat)


def _counted(table: CiaoTable, seat: Seat, cards: tuple[Card, ...]) -> Allowed[records.Event]:
    made = legal.made_on(table)
    made.add(records.HandCounted(seat, points(cards), cards))
    return made.allow()


def _count_card(table: CiaoTable, seat: Seat, card: Card) -> records.Ruling:
    if fault := _cannot_be_held(table, seat, (card,)):
        return fault
    made = legal.made_on(table)
    made.add(records.CardCounted(seat, card))
    cards = made.table.counting[seat]
    if len(cards) >= table.hands[seat].size:
        made.add(records.HandCounted(seat, points(cards), cards))
    return made.allow()


def _count_hand(
    table: CiaoTable, seat: Seat, cards: tuple[Card, ...] | None, cost: int | None
) -> records.Ruling:
    size = table.hands[seat].size
    if (cards is None) == (cost is None):
        return Refused(
            rules.SCORING,
            say("a hand needs either its cards or its points"),
            say("give 'cards' or 'points'"),
        )
    if cards is None:
        return _typed(table, seat, cost or 0)
    if table.counting[seat]:
        return Refused(
            rules.SCORING, say("the cards of that hand are being scanned"), say("scan the others one by one")
        )
    if fault := _cannot_be_held(table, seat, cards):
        return fault
    if len(cards) != size:
        return Refused(
            rules.SCORING,
            count(
                "{given} of {count} card was given",
                "{given} of {count} cards were given",
                size,
                given=len(cards),
            ),
            say("give all cards of the hand, or its points"),
        )
    return _counted(table, seat, cards)


def _typed(table: CiaoTable, seat: Seat, cost: int) -> records.Ruling:
    size = table.hands[seat].size
    if not size <= cost <= MOST_WORTH * size:
        return Refused(
            rules.SCORING,
            count(
                "{count} card cannot have {points} points",
                "{count} cards cannot have {points} points",
                size,
                points=cost,
            ),
            say("a card costs 1 to {most}: count again", most=MOST_WORTH),
        )
    made = legal.made_on(table)
    made.add(records.HandCounted(seat, cost, None))
    return made.allow()


def rest(table: CiaoTable, seat: Seat) -> tuple[Card, ...] | None:
    """The cards of a hand that were not scanned; None if they are not known, or if none is left."""
    left = Held(table.hands[seat].size, table.hands[seat].known)
    for card in table.counting[seat]:
        left = left.without(card)
    return left.known if left.size and left.open else None


def _count_rest(table: CiaoTable, seat: Seat) -> records.Ruling:
    known = rest(table, seat)
    if known is None:
        return Refused(
            rules.SCORING,
            say("{player}'s other cards are not known", player=who(seat)),
            say("scan them, or type the points"),
        )
    return _counted(table, seat, (*table.counting[seat], *known))
