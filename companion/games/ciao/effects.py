"""What follows from a card: its joker's symbol, its icon, and whose turn is next. Nothing is changed here.

First the steps that effects consist of, then the effects of the cards. Each effect takes what was given
with the card from `CardChoices`, and asks for the first choice that is missing. The answer comes as a command
of its own, and `play.decide` enters here again at the same function.
"""

from enum import Enum
from typing import Final

from companion.core.cards import Seat, who
from companion.core.codec import Record
from companion.core.ruling import EventBuilder, Rule
from companion.games.ciao import records, rules
from companion.games.ciao.cards import TROUBLE, Card, Icon, Symbol, kind
from companion.games.ciao.explain import why
from companion.games.ciao.hands import check_held, check_playing
from companion.games.ciao.options import PENALTY, AfterChallenge, ReverseWithTwo, TroubleLeaves, points
from companion.games.ciao.table import CiaoTable, Stage, apply
from companion.text.sentence import say
from companion.values import Value

Events = EventBuilder[CiaoTable, Record]
"""The events of one command so far, and the table after them."""


def gather(table: CiaoTable) -> Events:
    """No events yet, on this table."""
    return EventBuilder(table, apply=apply, why=why)


def ask(made: Events, stage: Stage, seat: Seat, other: Seat | None = None) -> None:
    """A player has to decide something."""
    made.add(records.Asked(stage.value, seat, other))


def pass_on(made: Events, after: Seat | None = None) -> None:
    """The next player after a seat, or after the latest card; players who lost a turn are skipped."""
    seat = made.table.next_after(made.table.after if after is None else after)
    while made.table.skips[seat]:
        made.add(records.TurnMissed(seat))
        seat = made.table.next_after(seat)
    made.add(records.TurnBegun(seat))


def draw(made: Events, seat: Seat, number: int, rule: Rule) -> None:
    """A seat draws; the discards are shuffled when the draw pile is too small (house rule HC-9)."""
    under = len(made.table.discards) - 1
    if made.table.draw < number and under > 0:
        made.add(records.Reshuffled(under))
    number = min(number, made.table.draw)
    made.add(records.CardsDrawn(seat, number, made.table.pile[:number], rule.key))


def draw_pending(made: Events, seat: Seat) -> None:
    """A seat draws what a +3 makes it draw, if one waits."""
    if made.table.pending:
        draw(made, seat, made.table.pending, rules.PLUS_THREE)
        made.add(records.PlusThree(seat, 0))


def win(made: Events, seat: Seat) -> None:
    """A seat has no cards left and wins the deal."""
    made.add(records.DealWon(seat))
    count_open_hands(made)


def count_open_hands(made: Events) -> None:
    """Hands that are known need not be shown."""
    for seat in made.table.uncounted:
        hand = made.table.hands[seat]
        if hand.open:
            made.add(records.HandCounted(seat, points(hand.known), hand.known))


# ------------------------------------------------------------------------------------------ what a card does


class TurnEffect(Enum):
    """What a card with "again or reverse" does; the value is the word of the command."""

    AGAIN = "again"
    REVERSE = "reverse"


class CardChoices(Value):
    """What was given with a card for its effect, under the names of `Play`; None: not said."""

    name: str | None = None
    mode: str | None = None
    with_: Seat | None = None
    to: Seat | None = None
    give: Card | None = None
    thanks: bool | None = None
    trouble: bool | None = None


NO_CHOICES: Final = CardChoices()


def put_on_top(made: Events, seat: Seat, card: Card, rule: Rule, choices: CardChoices) -> None:
    """A card of a seat goes on top by a rule, with all that follows."""
    table, printed = made.table, kind(card)
    racing = table.stage in (Stage.RACE, Stage.CLAIM)
    after = seat
    if racing and table.agreed.after_challenge is AfterChallenge.CHALLENGER and table.challenger is not None:
        after = table.challenger
    if table.fresh and not table.draw:
        says = say("all {cards} cards are dealt: the draw pile is empty at first", cards=table.total)
        made.add_reason(rules.RESHUFFLE.because(says))
    made.add(records.CardPlayed(seat, card, table.top, rule.key, after))
    if printed.joker and table.agreed.young:
        says = say("in step {step} of the rules for children, jokers stay in", step=table.agreed.step)
        made.add_reason(rules.YOUNG_CARDS.because(says))
    if racing and table.skips[seat]:
        says = say(
            "{player} may answer: a challenge is not a turn, so the turn is lost later", player=who(seat)
        )
        made.add_reason(rules.MAY_ANSWER.because(says))
    if table.pending:
        more = printed.icon is Icon.PLUS_THREE
        made.add(records.PlusThree(seat, table.pending + PENALTY if more else 0))
    # Before any effect: the last card wins at once (HC-7), so nobody is asked about its icon or symbol.
    if not made.table.hands[seat].size:
        win(made, seat)
        if printed.icon:
            made.add_reason(rules.LAST_SPECIAL.because("the icon on the last card has no effect"))
    elif printed.joker:
        name_symbol(made, choices)
    elif printed.icon and table.agreed.trouble is TroubleLeaves.SPECIAL:
        discard_trouble(made, choices)
    else:
        _take_effect(made, choices)


def name_symbol(made: Events, choices: CardChoices) -> None:
    """The joker on top gets its symbol."""
    seat, card, name = made.table.actor, made.table.discards[-1], choices.name
    if name is None:
        ask(made, Stage.NAME, seat)
        return
    if name not in [symbol.value for symbol in Symbol]:
        fix = say("name R (rock), P (paper) or S (scissors)")
        raise rules.JOKER.forbids("{name} is not a symbol", fix, name=repr(name[:20]))
    made.add(records.SymbolNamed(seat, card, name))
    pass_on(made)


def discard_trouble(made: Events, choices: CardChoices) -> None:
    """A trouble card may be discarded with a special card (only if that was agreed, house rule HC-11).

    It comes before the effect of the icon: the card is gone before hands are swapped.
    """
    seat = made.table.actor
    if choices.trouble is None:
        ask(made, Stage.TROUBLE, seat)
        return
    if choices.trouble:
        check_held(made.table, seat, TROUBLE)
        made.add(records.TroubleShed(seat, TROUBLE))
        if not made.table.hands[seat].size:
            win(made, seat)
            return
    _take_effect(made, choices)


def _take_effect(made: Events, choices: CardChoices) -> None:
    """The icon of the card on top, if it has one, does what it does."""
    table = made.table
    match kind(table.discards[-1]).icon:
        case Icon.AGAIN_OR_REVERSE:
            choose_turn(made, choices)
        case Icon.CHALLENGE:
            made.add(records.RaceBegun(table.actor))
        case Icon.PLUS_THREE:
            # Where one was waiting already, `put_on_top` has added to it.
            if not table.pending:
                made.add(records.PlusThree(table.actor, PENALTY))
            pass_on(made)
        case Icon.BAD_CARD:
            choose_receiver(made, choices)
        case Icon.SWAP:
            swap_hands(made, choices)
        case None:
            pass_on(made)


def choose_turn(made: Events, choices: CardChoices) -> None:
    """The player plays again, or the direction changes."""
    table, mode = made.table, choices.mode
    seat = table.actor
    if mode is None:
        ask(made, Stage.MODE, seat)
        return
    if mode not in [turn.value for turn in TurnEffect]:
        fault = say("{mode} is neither again nor reverse", mode=repr(mode[:20]))
        raise rules.AGAIN_OR_REVERSE.forbids(fault, "say 'again' or 'reverse'")
    again = mode == TurnEffect.AGAIN.value
    if again:
        made.add_reason(rules.AGAIN_OR_REVERSE.because("{player} plays again", player=who(seat)))
    else:
        made.add(records.DirectionChanged(seat, -table.dir))
        two = len(table.players) == 2  # noqa: PLR2004 - house rule HC-6 is about two
        again = two and table.agreed.reverse_with_two is ReverseWithTwo.AGAIN
    if again:
        made.add(records.TurnBegun(seat))
    else:
        pass_on(made)


def choose_receiver(made: Events, choices: CardChoices) -> None:
    """A player gets a bad card."""
    if choices.to is None:
        ask(made, Stage.TO, made.table.actor)
        return
    _check_another(made.table, choices.to, rules.BAD_CARD)
    give(made, choices)


def give(made: Events, choices: CardChoices) -> None:
    """The bad card changes hands, once it is known who gets it."""
    seat, card, to = made.table.actor, choices.give, _receiver(made, choices)
    if card is None:
        ask(made, Stage.GIVE, seat, to)
        return
    if card != records.NOT_SHOWN:
        check_held(made.table, seat, card)
    made.add(records.CardGiven(seat, to, None if card == records.NOT_SHOWN else card))
    thank(made, choices)


def thank(made: Events, choices: CardChoices) -> None:
    """The receiver of a bad card has said thank you, or draws."""
    seat, to = made.table.actor, _receiver(made, choices)
    if choices.thanks is None:
        ask(made, Stage.THANKS, seat, to)
        return
    if not choices.thanks:
        made.add_reason(rules.THANKS.because("{player} did not say thank you in time", player=who(to)))
        draw(made, to, PENALTY, rules.BAD_CARD)
    # Only now, although the hand has been empty since the card was given: who receives the last card
    # has to say thank you, too, and three more cards are three more points.
    if not made.table.hands[seat].size:
        made.add_reason(rules.LAST_GIFT.because("{player} gave the last card away", player=who(seat)))
        win(made, seat)
    else:
        pass_on(made)


def _receiver(made: Events, choices: CardChoices) -> Seat:
    """Who gets the bad card: said now, or before."""
    to = made.table.other if choices.to is None else choices.to
    if to is None:
        fault = say("the player who gets the card is not named")
        raise rules.BAD_CARD.forbids(fault, "name the player with 'to'")
    return to


def swap_hands(made: Events, choices: CardChoices) -> None:
    """The player's hand is swapped for another one."""
    seat = made.table.actor
    if choices.with_ is None:
        ask(made, Stage.WITH, seat)
        return
    _check_another(made.table, choices.with_, rules.SWAP)
    made.add(records.HandsSwapped((seat, choices.with_)))
    pass_on(made)


def _check_another(table: CiaoTable, other: Seat, rule: Rule) -> None:
    check_playing(table, other)
    rule.demands(other != table.actor, "that is the player's own hand", "choose another player")
