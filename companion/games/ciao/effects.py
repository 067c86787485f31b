"""What a played card leads to: its joker's symbol, its icon, and whose turn is next. Nothing is changed here.

Each effect takes what was given with the card from `CardChoices`, and asks for the first choice that is
missing. The answer comes as a command of its own, and `judge` enters here again at the same function.
"""

from enum import Enum
from typing import Final

from companion.core.cards import Seat, who
from companion.core.ruling import Because, Refused, Rule
from companion.games.ciao import legal, records, rules
from companion.games.ciao.cards import TROUBLE, Card, Icon, Symbol, kind
from companion.games.ciao.explain import words
from companion.games.ciao.legal import not_held, not_playable, not_playing, why_higher
from companion.games.ciao.options import PENALTY, AfterChallenge, ReverseWithTwo, TroubleLeaves
from companion.games.ciao.table import CiaoTable, Stage
from companion.text.sentence import say
from companion.values import Value


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


def read_choices(command: records.Play | records.Race) -> CardChoices:
    """What was given with a card."""
    return CardChoices(*(getattr(command, name) for name in CardChoices.__struct_fields__))


_NEEDS: Final = {
    Icon.AGAIN_OR_REVERSE: ("mode",),
    Icon.CHALLENGE: (),
    Icon.PLUS_THREE: (),
    Icon.BAD_CARD: ("to", "give", "thanks"),
    Icon.SWAP: ("with_",),
}


def _not_needed(table: CiaoTable, card: Card, choices: CardChoices) -> Refused | None:
    """A refusal if something was given that this card has no use for."""
    one = kind(card)
    needs = _NEEDS[one.icon] if one.icon else ("name",) if one.joker else ()
    if one.icon and table.agreed.trouble is TroubleLeaves.SPECIAL:
        needs = (*needs, "trouble")
    for field in CardChoices.__struct_fields__:
        if getattr(choices, field) is not None and field not in needs:
            rule = rules.SPECIAL if not one.joker else rules.JOKER
            facts = {"card": words(card), "field": field.removesuffix("_")}
            return Refused(
                rule, say("{card} has no use for '{field}'", **facts), say("leave '{field}' out", **facts)
            )
    if choices.to is None and not (choices.give is None and choices.thanks is None):
        return Refused(
            rules.BAD_CARD, say("the player who gets the card is not named"), say("name the player with 'to'")
        )
    if choices.give is None and choices.thanks is not None:
        return Refused(
            rules.BAD_CARD,
            say("the card to give is not named"),
            say("name it with 'give'; an empty string means that it is not shown"),
        )
    return None


def lay(table: CiaoTable, seat: Seat, command: records.Play | records.Race) -> records.Ruling:
    """A card from a hand goes on top with all that follows, if it may."""
    choices = read_choices(command)
    if fault := not_playable(table, seat, command.card) or _not_needed(table, command.card, choices):
        return fault
    rule = why_higher(table, command.card)
    assert rule is not None  # noqa: S101 - else it would not be playable
    made = legal.made_on(table)
    return _play(made, seat, command.card, rule, choices) or made.allow()


def _play(made: legal.Made, seat: Seat, card: Card, rule: Rule, choices: CardChoices) -> Refused | None:
    """A card of a seat goes on top, with all that follows; a refusal if a choice is invalid."""
    table = made.table
    racing = table.stage in (Stage.RACE, Stage.CLAIM)
    after = seat
    if racing and table.agreed.after_challenge is AfterChallenge.CHALLENGER and table.challenger is not None:
        after = table.challenger
    if table.fresh and not table.draw:
        said = say("all {cards} cards are dealt: the draw pile is empty at first", cards=table.total)
        made.add_reason(Because(rules.RESHUFFLE, said))
    made.add(records.CardPlayed(seat, card, table.top, rule.key, after))
    if kind(card).joker and table.agreed.young:
        said = say("in step {step} of the rules for children, jokers stay in", step=table.agreed.step)
        made.add_reason(Because(rules.YOUNG_CARDS, said))
    if racing and table.skips[seat]:
        said = say(
            "{player} may answer: a challenge is not a turn, so the turn is lost later", player=who(seat)
        )
        made.add_reason(Because(rules.MAY_ANSWER, said))
    if table.pending:
        more = kind(card).icon is Icon.PLUS_THREE
        pending = table.pending + PENALTY if more else 0
        made.add(records.PlusThree(seat, pending))
    # Before any effect: the last card wins at once (HC-7), so nobody is asked about its icon or symbol.
    if not made.table.hands[seat].size:
        legal.win(made, seat)
        if kind(card).icon:
            made.add_reason(Because(rules.LAST_SPECIAL, say("the icon on the last card has no effect")))
        return None
    if kind(card).joker:
        return name_symbol(made, choices)
    if kind(card).icon and table.agreed.trouble is TroubleLeaves.SPECIAL:
        return discard_trouble(made, choices)
    return _take_effect(made, choices)


def name_symbol(made: legal.Made, choices: CardChoices) -> Refused | None:
    """The joker on top gets its symbol."""
    seat, card = made.table.actor, made.table.discards[-1]
    if choices.name is None:
        legal.ask(made, Stage.NAME, seat)
        return None
    if choices.name not in [symbol.value for symbol in Symbol]:
        return Refused(
            rules.JOKER,
            say("{name} is not a symbol", name=repr(choices.name[:20])),
            say("name R (rock), P (paper) or S (scissors)"),
        )
    made.add(records.SymbolNamed(seat, card, choices.name))
    legal.pass_on(made)
    return None


def discard_trouble(made: legal.Made, choices: CardChoices) -> Refused | None:
    """A trouble card may be discarded with a special card (only if that was agreed, house rule HC-11).

    It comes before the effect of the icon: the card is gone before hands are swapped.
    """
    seat = made.table.actor
    if choices.trouble is None:
        legal.ask(made, Stage.TROUBLE, seat)
        return None
    if choices.trouble:
        if fault := not_held(made.table, seat, TROUBLE):
            return fault
        made.add(records.TroubleShed(seat, TROUBLE))
        if not made.table.hands[seat].size:
            legal.win(made, seat)
            return None
    return _take_effect(made, choices)


def _take_effect(made: legal.Made, choices: CardChoices) -> Refused | None:
    table = made.table
    seat = table.actor
    match kind(table.discards[-1]).icon:
        case Icon.AGAIN_OR_REVERSE:
            return choose_turn(made, choices)
        case Icon.CHALLENGE:
            made.add(records.RaceBegun(seat))
            return None
        case Icon.PLUS_THREE:
            # Where one was waiting already, `_play` has added to it.
            if not table.pending:
                made.add(records.PlusThree(seat, PENALTY))
        case Icon.BAD_CARD:
            return choose_receiver(made, choices)
        case Icon.SWAP:
            return swap_hands(made, choices)
        case None:
            pass
    legal.pass_on(made)
    return None


def choose_turn(made: legal.Made, choices: CardChoices) -> Refused | None:
    seat = made.table.actor
    if choices.mode is None:
        legal.ask(made, Stage.MODE, seat)
        return None
    if choices.mode not in [turn.value for turn in TurnEffect]:
        return Refused(
            rules.AGAIN_OR_REVERSE,
            say("{mode} is neither again nor reverse", mode=repr(choices.mode[:20])),
            say("say 'again' or 'reverse'"),
        )
    if TurnEffect(choices.mode) is TurnEffect.AGAIN:
        said = say("{player} plays again", player=who(seat))
        made.add_reason(Because(rules.AGAIN_OR_REVERSE, said))
        made.add(records.TurnBegun(seat))
        return None
    made.add(records.DirectionChanged(seat, -made.table.dir))
    two = len(made.table.players) == 2  # noqa: PLR2004 - house rule HC-6 is about two
    if two and made.table.agreed.reverse_with_two is ReverseWithTwo.AGAIN:
        made.add(records.TurnBegun(seat))
    else:
        legal.pass_on(made)
    return None


def _not_another(table: CiaoTable, other: Seat, rule: Rule) -> Refused | None:
    if fault := not_playing(table, other):
        return fault
    if other == table.actor:
        return Refused(rule, say("that is the player's own hand"), say("choose another player"))
    return None


def choose_receiver(made: legal.Made, choices: CardChoices) -> Refused | None:
    """A player gets a bad card."""
    seat = made.table.actor
    if choices.to is None:
        legal.ask(made, Stage.TO, seat)
        return None
    if fault := _not_another(made.table, choices.to, rules.BAD_CARD):
        return fault
    return _give_to(made, choices.to, choices)


def give(made: legal.Made, choices: CardChoices) -> Refused | None:
    """The bad card changes hands, once it is known who gets it."""
    to = made.table.other
    return None if to is None else _give_to(made, to, choices)


def _give_to(made: legal.Made, to: Seat, choices: CardChoices) -> Refused | None:
    seat, card = made.table.actor, choices.give
    if card is None:
        legal.ask(made, Stage.GIVE, seat, to)
        return None
    if card != records.NOT_SHOWN and (fault := not_held(made.table, seat, card)):
        return fault
    made.add(records.CardGiven(seat, to, None if card == records.NOT_SHOWN else card))
    return _hear_thanks_of(made, to, choices)


def hear_thanks(made: legal.Made, choices: CardChoices) -> Refused | None:
    """The receiver of a bad card says thank you, or draws."""
    to = made.table.other
    return None if to is None else _hear_thanks_of(made, to, choices)


def _hear_thanks_of(made: legal.Made, to: Seat, choices: CardChoices) -> Refused | None:
    seat = made.table.actor
    if choices.thanks is None:
        legal.ask(made, Stage.THANKS, seat, to)
        return None
    if not choices.thanks:
        said = say("{player} did not say thank you in time", player=who(to))
        made.add_reason(Because(rules.THANKS, said))
        legal.draw(made, to, PENALTY, rules.BAD_CARD)
    # Only now, although the hand has been empty since the card was given: who receives the last card
    # has to say thank you, too, and three more cards are three more points.
    if not made.table.hands[seat].size:
        said = say("{player} gave the last card away", player=who(seat))
        made.add_reason(Because(rules.LAST_GIFT, said))
        legal.win(made, seat)
    else:
        legal.pass_on(made)
    return None


def swap_hands(made: legal.Made, choices: CardChoices) -> Refused | None:
    seat = made.table.actor
    if choices.with_ is None:
        legal.ask(made, Stage.WITH, seat)
        return None
    if fault := _not_another(made.table, choices.with_, rules.SWAP):
        return fault
    made.add(records.HandsSwapped((seat, choices.with_)))
    legal.pass_on(made)
    return None
