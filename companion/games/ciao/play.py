"""How Ciao! is played: a card or a draw, the answer to a challenge, a mistake. Nothing is changed here.

A scan can be an accident: a wrong card is first refused, and is a mistake, which costs three cards and a
turn, when a player says so. What a card does is in `effects`.
"""

from collections.abc import Callable, Mapping
from typing import Any, Final

from companion.core.cards import Seat, who
from companion.core.codec import Record
from companion.core.ruling import Illegal, Refused, Rule, attempt, require
from companion.games.ciao import effects, records, rules
from companion.games.ciao.cards import Card, Icon, higher, kind, may_be_same
from companion.games.ciao.effects import NO_CHOICES, CardChoices, Events, draw, draw_pending, gather, pass_on
from companion.games.ciao.explain import what_fits, words
from companion.games.ciao.hands import Ruling, check_held, check_playing
from companion.games.ciao.options import PENALTY, LastSpecial, TroubleLeaves
from companion.games.ciao.table import CiaoTable, Stage
from companion.text.sentence import Text, say
from companion.values import replace

PlayedCard = records.Play | records.Race

# fmt: off
OPEN: Final[Mapping[Stage, tuple[tuple[type[Record], ...], Text]]] = {
    Stage.TURN: ((records.Play, records.Draw), say("play a card, or draw")),
    Stage.DRAWN: ((records.Play, records.Keep), say("a card was drawn: play it, or keep it")),
    Stage.NAME: ((records.Name,), say("name the joker's symbol")),
    Stage.MODE: ((records.Mode,), say("say whether to play again or to reverse")),
    Stage.TROUBLE: ((records.DiscardTrouble,), say("say whether to discard a trouble card with it")),
    Stage.TO: ((records.ChoosePlayer,), say("say who gets the bad card")),
    Stage.GIVE: ((records.Give,), say("say which card is given")),
    Stage.THANKS: ((records.Thanks,), say("say whether the receiver said thank you")),
    Stage.WITH: ((records.ChoosePlayer,), say("say who to swap hands with")),
    Stage.RACE: ((records.Race, records.RaceOff),
        say("a challenge is on: the first higher card wins, or say that nobody can")),
    Stage.CLAIM: ((records.Claim,), say("say who played the card")),
    Stage.COUNT: ((records.HandCard, records.Hand, records.Done), say("count the hands")),
}
# fmt: on
"""What the table takes while it waits for something, and what is open then.

Mistakes, corrections and what is known of hands are taken at other times as well.
"""

EFFECTS: Final[Mapping[Stage, Callable[[Events, CardChoices], None]]] = {
    Stage.NAME: effects.name_symbol,
    Stage.MODE: effects.choose_turn,
    Stage.TROUBLE: effects.discard_trouble,
    Stage.TO: effects.choose_receiver,
    Stage.GIVE: effects.give,
    Stage.THANKS: effects.thank,
    Stage.WITH: effects.swap_hands,
}
"""What goes on with what the latest card does, once its question is answered."""

CHOICES: Final[Mapping[type[Record], Callable[[Any], CardChoices]]] = {
    records.Name: lambda command: CardChoices(name=command.name),
    records.Mode: lambda command: CardChoices(mode=command.mode),
    records.DiscardTrouble: lambda command: CardChoices(trouble=command.goes),
    records.ChoosePlayer: lambda command: CardChoices(to=command.to, with_=command.to),
    records.Give: lambda command: CardChoices(
        give=records.NOT_SHOWN if command.card is None else command.card
    ),
    records.Thanks: lambda command: CardChoices(thanks=command.said),
}
"""What the answer to such a question says."""


def _is_open(table: CiaoTable, command: Record) -> bool:
    return isinstance(command, OPEN[table.stage][0])


def _not_open(table: CiaoTable, fault: Text) -> Illegal:
    return rules.IN_TURN.forbids(fault, OPEN[table.stage][1], waits=True)


def _check_open(table: CiaoTable, command: Record, seat: Seat | None, fault: Text) -> None:
    """The table waits for such a command, from this seat."""
    if not _is_open(table, command):
        raise _not_open(table, fault)
    if seat not in (None, table.actor):
        check_playing(table, seat)
        fault = say("it is not {player}'s turn to answer", player=who(seat))
        raise rules.IN_TURN.forbids(fault, "{player} has to answer", player=who(table.actor))


# ---------------------------------------------------------------------------------------------------- a turn


def play(table: CiaoTable, command: records.Play) -> Ruling:
    """A card of the player whose turn it is. Where others play on, thanks have been said."""
    if table.stage is Stage.THANKS and table.hands[table.actor].size:
        thanks = gather(table)
        effects.thank(thanks, CardChoices(thanks=True))
        said, played = thanks.allow(), play(thanks.table, command)
        if isinstance(played, Refused):
            return played
        because = (*said.because, *played.because)
        return replace(played, events=(*said.events, *played.events), because=because)
    card, seat = command.card, table.turn if command.seat is None else command.seat
    check_playing(table, seat)
    if not _is_open(table, command):
        raise _not_open(table, say("{card} cannot be played now", card=words(card)))
    check_held(table, seat, card)
    if seat != table.turn:
        fix = say("{player} plays next", player=who(table.turn))
        refusal = rules.IN_TURN.forbids("it is not {player}'s turn", fix, player=who(seat))
        raise _mistake(refusal.refused, seat, card)
    return lay(table, seat, command)


def draw_card(table: CiaoTable, command: records.Draw) -> Ruling:
    """A card from the draw pile, or what a +3 makes the player draw."""
    _check_open(table, command, command.seat, say("nobody can draw now"))
    made, turn = gather(table), table.turn
    if table.pending:
        draw_pending(made, turn)
        pass_on(made, turn)
        return made.allow()
    draw(made, turn, 1, rules.DRAW)
    # With no card left to draw there is nothing to play or keep either.
    if made.table.hands[turn].size > table.hands[turn].size:
        effects.ask(made, Stage.DRAWN, turn)
    else:
        pass_on(made, turn)
    return made.allow()


def keep(table: CiaoTable, command: records.Keep) -> Ruling:
    """The drawn card is not played."""
    _check_open(table, command, command.seat, say("there is no drawn card to keep"))
    made = gather(table)
    made.add_reason(rules.FREE.because("{player} keeps the drawn card", player=who(table.turn)))
    pass_on(made, table.turn)
    return made.allow()


def decide(table: CiaoTable, command: Any) -> Ruling:  # noqa: ANN401 - one of `CHOICES`
    """The answer to a question about the latest card."""
    _check_open(table, command, command.seat, say("that question is not open now"))
    made = gather(table)
    EFFECTS[table.stage](made, CHOICES[type(command)](command))
    return made.allow()


# -------------------------------------------------------------------------------------------- playing a card


def lay(table: CiaoTable, seat: Seat, command: PlayedCard) -> Ruling:
    """A card from a hand goes on top with all that follows, if it may."""
    rule = attempt(check_playable, table, seat, command.card)
    if isinstance(rule, Refused):
        raise _mistake(rule, seat, command.card)
    choices = _given_with(command)
    _check_needed(table, command.card, choices)
    made = gather(table)
    effects.put_on_top(made, seat, command.card, rule, choices)
    return made.allow()


def _given_with(command: PlayedCard) -> CardChoices:
    return CardChoices(*[getattr(command, name) for name in CardChoices.__struct_fields__])


_NEEDS: Final = {
    Icon.AGAIN_OR_REVERSE: ("mode",),
    Icon.CHALLENGE: (),
    Icon.PLUS_THREE: (),
    Icon.BAD_CARD: ("to", "give", "thanks"),
    Icon.SWAP: ("with_",),
}


def _check_needed(table: CiaoTable, card: Card, choices: CardChoices) -> None:
    """Nothing was given that this card has no use for."""
    if choices == NO_CHOICES:
        return
    printed = kind(card)
    needs = _NEEDS[printed.icon] if printed.icon else ("name",) if printed.joker else ()
    if printed.icon and table.agreed.trouble is TroubleLeaves.SPECIAL:
        needs = (*needs, "trouble")
    for field in CardChoices.__struct_fields__:
        if getattr(choices, field) is not None and field not in needs:
            rule = rules.JOKER if printed.joker else rules.SPECIAL
            facts = {"card": words(card), "field": field.removesuffix("_")}
            fix = say("leave '{field}' out", **facts)
            raise rule.forbids(say("{card} has no use for '{field}'", **facts), fix)
    if choices.to is None and (choices.give is not None or choices.thanks is not None):
        fault = say("the player who gets the card is not named")
        raise rules.BAD_CARD.forbids(fault, "name the player with 'to'")
    if choices.give is None and choices.thanks is not None:
        fix = say("name it with 'give'; an empty string means that it is not shown")
        raise rules.BAD_CARD.forbids("the card to give is not named", fix)


def _why_higher(table: CiaoTable, card: Card) -> Rule | None:
    """The rule by which a card may be played on the top card now; None if it may not."""
    rule, printed = higher(card, table.top, colours=table.agreed.colours), kind(card)
    if table.pending and printed.icon is Icon.PLUS_THREE:
        if not table.agreed.plus3_higher:
            return rules.PLUS_THREE
        return rules.ORDER_OF_PLUS_THREE if rule else None
    if table.pending:
        return rule if rule is rules.JOKER else None
    return rules.OPENING_CARD if rule is rules.OPENING and (printed.joker or printed.icon) else rule


def _mistake(refused: Refused, seat: Seat | None, card: Card) -> Illegal:
    """The refusal of a card which is a mistake if it was really played."""
    return Illegal(replace(refused, penalty=records.Foul(seat, card)))


def check_playable(table: CiaoTable, seat: Seat, card: Card) -> Rule:
    """The rule by which a card of the hand may be played now."""
    printed = kind(card)
    if printed.trouble:
        fix = say("play another card, or draw; only a special card gets rid of a trouble card")
        raise rules.TROUBLE.forbids("a trouble card is never played", fix)
    if table.stage is Stage.DRAWN and not _is_drawn(table, seat, card):
        fault = say("this {card} is not the card that was drawn", card=words(card))
        fix = say("play the drawn card, or keep it; each copy of a card has its own code")
        raise rules.DRAWN.forbids(fault, fix)
    rule = _why_higher(table, card)
    if rule is None:
        raise _not_higher(table, card)
    if table.agreed.last_special is LastSpecial.FORBIDDEN and printed.icon and table.hands[seat].size == 1:
        fault = say("it was agreed that a special card may not be played last")
        raise rules.LAST_SPECIAL.forbids(fault, "draw a card")
    return rule


def is_playable(table: CiaoTable, seat: Seat, card: Card) -> bool:
    return not isinstance(attempt(check_playable, table, seat, card), Refused)


def _is_drawn(table: CiaoTable, seat: Seat, card: Card) -> bool:
    """Whether a card can be the drawn one.

    A name without a copy number means any copy. So it can be the drawn card although another copy is
    known to have been in the hand before, unless every copy is known to be somewhere else.
    """
    if table.drawn is not None:
        return may_be_same(table.drawn, card)
    held = table.hands[seat].known
    if "#" in card and card in held:
        return False
    if not any(may_be_same(known, card) for known in held) or not table.counts:
        return True
    name = kind(card).name
    everywhere = (*held, *table.outside_hand(seat))
    return sum(kind(known).name == name for known in everywhere) < table.agreed.many(name)


def _not_higher(table: CiaoTable, card: Card) -> Illegal:
    facts = {"card": words(card), "top": words(table.top)}
    fault = say("{card} is not higher than {top}", **facts)
    if table.pending and kind(card).icon is Icon.PLUS_THREE:
        fix = say("play a joker or a higher +3, or draw {cards}", cards=table.pending)
        return rules.ORDER_OF_PLUS_THREE.forbids(fault, fix)
    if table.pending:
        fault = say("{card} does not answer a +3", **facts)
        fix = say("play a joker or a +3, or draw {cards}", cards=table.pending)
        return rules.PLUS_THREE.forbids(fault, fix)
    fix = say("the challenge continues")
    if table.stage not in (Stage.RACE, Stage.CLAIM):
        fix = say("play one of these, or draw: {cards}", cards=what_fits(table))
    rule = rules.HIGHER if table.agreed.colours else rules.YOUNG
    return rule.forbids(fault, fix)


# ----------------------------------------------------------------------------------------------- a challenge


def race(table: CiaoTable, command: records.Race) -> Ruling:
    """The first card on a challenge; its player is asked for, where several can have played it."""
    card, seat, challenger = command.card, command.seat, _challenger(table, command)
    if seat is not None:
        check_playing(table, seat)
        if seat == challenger:
            fix = say("the others answer the challenge")
            raise _mistake(_challenger_stays_out(seat, fix).refused, seat, card)
        check_held(table, seat, card)
        return lay(table, seat, command)
    owners = _possible_owners(table, card)
    if len(owners) == 1:
        return lay(table, owners[0], command)
    if broken := _playable_by_nobody(table, owners, card):
        raise _mistake(broken, None, card)
    if _given_with(command) != NO_CHOICES:
        fault = say("the player who played {card} is not named", card=words(card))
        raise rules.CHALLENGE.forbids(fault, "add 'seat'")
    made = gather(table)
    made.add(records.CardShown(card, ""))
    return made.allow()


def race_off(table: CiaoTable, command: records.RaceOff) -> Ruling:
    """Nobody can answer the challenge."""
    challenger = _challenger(table, command)
    made = gather(table)
    made.add(records.RaceEnded(challenger))
    # After the challenger, also where this challenge won another one and play goes on after that (HC-4).
    pass_on(made, challenger)
    return made.allow()


def claim(table: CiaoTable, command: records.Claim) -> Ruling:
    """Who played the card that was shown in a challenge."""
    card, seat = command.card, command.seat
    if table.shown != card or not _is_open(table, command):
        raise _not_open(table, say("it does not matter now who played {card}", card=words(card)))
    check_playing(table, seat)
    if seat == table.challenger:
        raise _challenger_stays_out(seat, say("say which of the others played it"))
    check_held(table, seat, card)
    if table.mistaken:
        return _mistaken(table, seat, card, table.mistaken)
    ruling = attempt(lay, table, seat, records.Race(card, seat))
    if isinstance(ruling, Refused):
        # No penalty is offered: the question is only who played it, and a foul is reported after an undo.
        raise ruling.rule.forbids(ruling.fault, "undo the card")
    return ruling


def _challenger(table: CiaoTable, command: Record) -> Seat:
    """Who began the challenge that is on."""
    if table.challenger is None or not _is_open(table, command):
        raise _not_open(table, say("there is no challenge now"))
    return table.challenger


def _challenger_stays_out(seat: Seat, fix: Text) -> Illegal:
    fault = say("{player} is the challenger and does not take part", player=who(seat))
    return rules.CHALLENGE.forbids(fault, fix)


def _possible_owners(table: CiaoTable, card: Card) -> tuple[Seat, ...]:
    """The players in the race who may hold a card; if nobody can, the first of them says why."""
    faults = {seat: attempt(check_held, table, seat, card) for seat in table.racers}
    owners = tuple(seat for seat, fault in faults.items() if fault is None)
    if not owners:
        require(next(iter(faults.values())))
    return owners


def _playable_by_nobody(table: CiaoTable, owners: tuple[Seat, ...], card: Card) -> Refused | None:
    """Why none of these players may play a card; None if one of them may."""
    rulings = [attempt(check_playable, table, seat, card) for seat in owners]
    faults = [ruling for ruling in rulings if isinstance(ruling, Refused)]
    return faults[0] if len(faults) == len(owners) else None


# -------------------------------------------------------------------------------------------------- mistakes


def foul(table: CiaoTable, command: records.Foul) -> Ruling:
    """Somebody made a mistake when playing."""
    card, racing = command.card, table.stage is Stage.RACE
    if not racing and table.stage not in (Stage.TURN, Stage.DRAWN):
        fix = say("answer it first, then report the mistake")
        raise rules.WHICH_TURN.forbids("there is still a question to answer", fix)
    seat = command.seat if command.seat is not None or racing else table.turn
    if seat is None:
        return _foul_of_nobody(table, card)
    check_playing(table, seat)
    rule = rules.MISTAKE.key
    if card is not None:
        check_held(table, seat, card)
        rule = _broken_rule(table, seat, card).key
    return _mistaken(table, seat, card, rule)


def _broken_rule(table: CiaoTable, seat: Seat, card: Card) -> Rule:
    """The rule that a card of a seat breaks now."""
    if table.stage is Stage.RACE and seat == table.challenger:
        return rules.CHALLENGE
    if table.stage is not Stage.RACE and seat != table.turn:
        return rules.IN_TURN
    ruling = attempt(check_playable, table, seat, card)
    if isinstance(ruling, Refused):
        return ruling.rule
    fault = say("{card} may be played: that is not a mistake", card=words(card))
    raise rules.MISTAKE.forbids(fault, "play it, or say which card was wrong")


def _mistaken(table: CiaoTable, seat: Seat, card: Card | None, rule: str) -> Ruling:
    """A mistake costs three cards and a turn: this one, or the next of the player; a challenge continues."""
    made = gather(table)
    made.add(records.MistakeMade(seat, card, rule))
    draw(made, seat, PENALTY, rules.MISTAKE)
    if seat != table.turn or table.stage in (Stage.RACE, Stage.CLAIM):
        made.add(records.TurnLost(seat))
        return made.allow()
    # The lost turn is this one, so a +3 that waits for it cannot be passed on: it is drawn as well.
    draw_pending(made, seat)
    pass_on(made, seat)
    return made.allow()


def _foul_of_nobody(table: CiaoTable, card: Card | None) -> Ruling:
    """A wrong card in a challenge whose owner is not known yet."""
    if card is None:
        fault = say("the player who made the mistake is not named")
        raise rules.MISTAKE.forbids(fault, "name the player with 'seat'")
    broken = _playable_by_nobody(table, _possible_owners(table, card), card)
    if broken is None:
        fault = say("{card} may be played: that is not a mistake", card=words(card))
        raise rules.MISTAKE.forbids(fault, "play it")
    made = gather(table)
    made.add(records.CardShown(card, broken.rule.key))
    return made.allow()
