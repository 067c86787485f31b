"""Why a ruling of Ciao! was made, and why a play was refused, in words and for the display.

Players are counted from 1 here, because players read it. Nothing is decided here.
"""

from functools import lru_cache
from typing import Final

from companion.core.board import PlacedCard, Sign
from companion.core.cards import Seat, called, who
from companion.core.ruling import Because, Chart, Rule
from companion.core.score_sheet import EndRules
from companion.games.ciao import records, rules
from companion.games.ciao.cards import LOSES_TO, Colour, Face, Icon, Symbol, face, kind, split
from companion.games.ciao.table import CiaoTable
from companion.text.errors import quoted
from companion.text.sentence import NOTHING, PAPER, ROCK, SCISSORS, Text, count, say

SYMBOLS: Final = {Symbol.ROCK: say("rock"), Symbol.PAPER: say("paper"), Symbol.SCISSORS: say("scissors")}
COLOURS: Final = {Colour.GREEN: say("green"), Colour.YELLOW: say("yellow"), Colour.RED: say("red")}
ICONS: Final = {
    Icon.AGAIN_OR_REVERSE: say("again or reverse"),
    Icon.CHALLENGE: say("a challenge"),
    Icon.PLUS_THREE: say("+3"),
    Icon.BAD_CARD: say("a bad card"),
    Icon.SWAP: say("a swap"),
}
IN_CAPITALS: Final = {
    Symbol.ROCK: say("ROCK"),
    Symbol.PAPER: say("PAPER"),
    Symbol.SCISSORS: say("SCISSORS"),
    Colour.GREEN: say("GREEN"),
    Colour.YELLOW: say("YELLOW"),
    Colour.RED: say("RED"),
}
SHORT_COLOURS: Final = {Colour.GREEN: say("GRN"), Colour.YELLOW: say("YEL"), Colour.RED: say("RED")}
_ICONS: Final = {Symbol.ROCK: ROCK, Symbol.PAPER: PAPER, Symbol.SCISSORS: SCISSORS}
_CLOCKWISE: Final = 1


@lru_cache(maxsize=256)  # more than there are names of cards in a box
def words(card: str) -> Text:
    """A card in words, in lower case; a joker on the table as what it stands for."""
    found = split(card)
    shown = face(card)
    if shown is not None:
        named = say("{colour} {symbol}", colour=COLOURS[shown.colour], symbol=SYMBOLS[shown.symbol])
        icon = found[0].icon if found else None
        return named if icon is None else say("{card} with {icon}", card=named, icon=ICONS[icon])
    if found is None:
        return say("{card}", card=quoted(card))
    if found[0].colour is None:
        return say("trouble card")
    return say("{colour} joker", colour=COLOURS[found[0].colour])


def asks_who(card: str) -> Text:
    """The question who played a card, in up to 21 columns; what else is on it does not matter."""
    return say("WHO? {card}", card=in_capitals(card.partition(":")[0]))


def in_capitals(card: str) -> Text:
    """A card in words for the display, in up to 18 columns, with the mark of its icon."""
    found, shown = split(card), face(card)
    if shown is not None:
        facts = {"colour": IN_CAPITALS[shown.colour], "symbol": IN_CAPITALS[shown.symbol]}
        icon = found[0].icon if found else None
        if icon is None:
            return say("{colour} {symbol}", **facts)
        return say("{colour} {symbol} {mark}", **facts, mark=icon.value)
    if found is None:
        return say("{card}", card=card[:18])
    if found[0].colour is None:
        return say("TROUBLE CARD")
    return say("{colour} JOKER", colour=IN_CAPITALS[found[0].colour])


def label(card: str) -> Text:
    """A card in up to 4 columns: the symbol's picture, the colour's letter, a mark for the icon."""
    found, shown = split(card), face(card)
    if found is None and shown is None:
        return say("{card}", card=card[:4])
    if shown is None or found is None:
        colour = card[0].upper() if card[1:2] == "J" else ""
        named = _ICONS[shown.symbol] if shown else ""
        return say("J{colour}{symbol}", colour=colour, symbol=named) if colour else say("T")
    mark = found[0].icon.value if found[0].icon else ""
    return say("{symbol}{mark}", symbol=_ICONS[shown.symbol] + shown.colour.value.upper(), mark=mark)


def why(before: CiaoTable, event: records.Event) -> tuple[Because, ...]:
    """The reason for an event that was a decision; none for events that were only reported."""
    reason = _why(event, len(before.players))
    return () if reason is None else (reason,)


def _why(event: records.Event, players: int) -> Because | None:  # noqa: C901, PLR0911, PLR0912 - one line per kind of event
    match event:
        case records.TurnBegun() | records.Asked():  # the most frequent ones
            return None
        case records.CardPlayed():
            return _why_played(event)
        case records.CardsDrawn():
            return Because(rules.RULES[event.rule], _drawing(event))
        case records.MistakeMade(seat, card, rule):
            broken = rules.RULES[rule].full if rule in rules.RULES else ""
            facts = {"player": who(seat), "card": words(card or ""), "rule": broken}
            if card is None:
                return Because(rules.WHICH_TURN, say("{player} made a mistake", **facts))
            return Because(
                rules.WHICH_TURN,
                say("{player} made a mistake with {card}, which goes back to the hand: {rule}", **facts),
            )
        case records.DirectionChanged(seat, _) if players == 2:  # noqa: PLR2004 - house rule HC-6 is about two
            said = say(
                "{player} changes the direction, which has no effect with two players", player=who(seat)
            )
            return Because(rules.REVERSE_OF_TWO, said)
        case records.SymbolNamed(seat, card, name):
            facts = {
                "player": who(seat),
                "card": words(card),
                "now": words(f"{card.partition('#')[0]}={name}"),
            }
            return Because(
                rules.JOKER, say("{player} chooses a symbol for the {card}: it counts as {now}", **facts)
            )
        case records.PlusThree(seat, pending) if pending:
            said = say("{player} makes the next player draw {cards}", player=who(seat), cards=pending)
            return Because(rules.PLUS_THREE, said)
        case records.PlusThree(seat, _):
            return Because(rules.PLUS_THREE, say("the +3 is over for {player}", player=who(seat)))
        case records.DirectionChanged(seat, direction):
            way = say("clockwise") if direction == _CLOCKWISE else say("anticlockwise")
            said = say("{player} changes the direction: play goes {way}", player=who(seat), way=way)
            return Because(rules.AGAIN_OR_REVERSE, said)
        case records.RaceBegun(seat):
            said = say("{player} challenges all others: the first higher card wins", player=who(seat))
            return Because(rules.CHALLENGE, said)
        case records.RaceEnded(seat):
            said = say("nobody answered {player}'s challenge: the next player plays", player=who(seat))
            return Because(rules.AFTER_CHALLENGE, said)
        case records.CardGiven(seat, to, _):
            # Which card it is, only these two may know.
            said = say("{one} gives a card to {other}", one=who(seat), other=who(to))
            return Because(rules.BAD_CARD, said)
        case records.TroubleShed(seat, _):
            said = say("{player} discards a trouble card with a special card", player=who(seat))
            return Because(rules.TROUBLE_LEAVES, said)
        case records.HandsSwapped((one, other)):
            said = say("{one} and {other} swap hands", one=who(one), other=who(other))
            return Because(rules.SWAP, said)
        case records.Reshuffled(number):
            said = count(
                "shuffle {count} card under the top card into the draw pile",
                "shuffle the {count} cards under the top card into the draw pile",
                number,
            )
            return Because(rules.RESHUFFLE, said)
        case records.TurnLost(seat):
            return Because(rules.WHICH_TURN, say("{player} loses the next turn", player=who(seat)))
        case records.TurnMissed(seat):
            return Because(rules.WHICH_TURN, say("{player} misses this turn", player=who(seat)))
        case records.DealWon(seat):
            return Because(rules.FIRST_OUT, say("{player} has no cards left", player=who(seat)))
        case records.DealStopped():
            return Because(rules.EARLY_END, say("the deal ends here, and every hand counts"))
        case records.HandCounted(seat, cost, _):
            said = count(
                "the hand of {player} costs {count} point",
                "the hand of {player} costs {count} points",
                cost,
                player=who(seat),
            )
            return Because(rules.SCORING, said)
        case _:
            return None


END_RULES: Final = EndRules(
    points=rules.SCORING,
    end=rules.ROUNDS,
    win=rules.SCORING,
    shared=rules.ROUNDS,
    left=rules.BETWEEN_DEALS,
)


def why_starts(starter: Seat, finished: CiaoTable | None) -> tuple[Because, ...]:
    """Why this player starts: the winner of the deal before."""
    if finished is None:
        said = say("{player} starts: the youngest, or whom the players chose", player=who(starter))
        return (Because(rules.SETUP, said),)
    if finished.out == starter:
        return (Because(rules.SCORING, say("{player} won the deal and starts", player=who(starter))),)
    said = say("nobody won the deal: {player} has the fewest points and starts", player=who(starter))
    return (Because(rules.EARLY_END, said),)


def _why_played(event: records.CardPlayed) -> Because:
    rule = rules.RULES[event.rule]
    facts = {"card": words(event.card), "top": words(event.on)}
    one, top = kind(event.card), face(event.on)
    if top is None:
        return Because(rule, say("{card} opens: any card may be played first", **facts))
    if rule is rules.PLUS_THREE:
        return Because(rule, say("{card} goes on {top}: a +3 answers a +3", **facts))
    if one.symbol is None:
        return Because(rule, say("{card} goes on {top}: a joker goes on any card", **facts))
    facts |= {"wins": SYMBOLS[one.symbol], "loses": SYMBOLS[top.symbol]}
    if LOSES_TO[top.symbol] is one.symbol:
        said = say("{card} goes on {top}: {wins} is higher than {loses}, whatever the colours", **facts)
        return Because(rule, said)
    facts |= {"high": COLOURS[one.colour], "low": COLOURS[top.colour]} if one.colour else {}
    said = say("{card} goes on {top}: both are {wins}, and {high} is higher than {low}", **facts)
    return Because(rule, said)


def _chart(card: str, top: str) -> Chart:
    one, below = kind(card), face(top)
    symbol = say("JOKER") if one.symbol is None else IN_CAPITALS[one.symbol]
    colour = NOTHING if one.colour is None else IN_CAPITALS[one.colour]
    if below is None:
        return ()
    return (
        (say("CARD"), symbol, colour),
        (say("ON"), IN_CAPITALS[below.symbol], IN_CAPITALS[below.colour]),
    )


def _decided(card: str, top: str, rule: Rule) -> int:
    """The column of the chart that made a card the higher one: the symbol, the colour, or neither."""
    one, below = kind(card), face(top)
    if below is None or one.symbol is None or rule is rules.PLUS_THREE:
        return 0
    return 1 if LOSES_TO[below.symbol] is one.symbol else 2


def _drawing(event: records.CardsDrawn) -> Text:
    facts = {"player": who(event.seat)}
    if event.number == 0:
        return say("{player} draws nothing: no cards are left to draw", **facts)
    return count("{player} draws {count} card", "{player} draws {count} cards", event.number, **facts)


_OUTCOMES: Final = {
    rules.JOKER.key: say("JOKER"),
    rules.OPENING.key: say("OPENS"),
    rules.OPENING_CARD.key: say("OPENS"),
    rules.SYMBOLS.key: say("HIGHER SYMBOL"),
    rules.COLOURS.key: say("HIGHER COLOUR"),
    rules.PLUS_THREE.key: say("+3 ON +3"),
    rules.ORDER_OF_PLUS_THREE.key: say("+3 ON +3"),
}


def line(event: records.Event, players: int) -> PlacedCard | None:
    """An event for a list on the display; None if it says nothing new."""
    because = _why(event, players)
    if because is None:
        return None
    card, outcome = _short(event)
    if outcome is NOTHING:
        return None
    if isinstance(event, records.CardPlayed):
        because = because.charted(_chart(event.card, event.on), _decided(event.card, event.on, because.rule))
    return PlacedCard(card, outcome, because)


def _short(event: records.Event) -> tuple[str, Text]:  # noqa: PLR0911 - one line per kind of event
    match event:
        case records.CardPlayed(_, card, _, rule, _):
            return card, _OUTCOMES.get(rule, NOTHING)
        case records.SymbolNamed(_, card, name):
            named = say("NOW {symbol}", symbol=IN_CAPITALS[Symbol(name)])
            return card, named
        case records.PlusThree(_, pending):
            return "", say("NEXT DRAWS {cards}", cards=pending) if pending else say("+3 IS OVER")
        case records.DirectionChanged(_, direction):
            return "", say("CLOCKWISE") if direction == _CLOCKWISE else say("REVERSED")
        case records.RaceBegun():
            return "", say("CHALLENGE!")
        case records.RaceEnded():
            return "", say("NOBODY CAN")
        case records.CardGiven(_, to, _):
            return "", say("TO {player}", player=called(to))
        case records.HandsSwapped((one, other)):
            return "", say("{one}, {other} SWAP", one=called(one), other=called(other))
        case records.CardsDrawn(seat, number, _, _):
            return "", say("{player} DRAWS {cards}", player=called(seat), cards=number)
        case records.Reshuffled():
            return "", say("RESHUFFLE")
        case records.MistakeMade(seat, card, _):
            return card or "", say("{player} MISTAKE", player=called(seat))
        case records.TurnMissed(seat):
            return "", say("{player} SKIPPED", player=called(seat))
        case records.DealWon(seat):
            return "", say("{player} IS OUT", player=called(seat))
        case _:
            return "", NOTHING


def fits(top: str, *, colours: bool, pending: bool, ordered: bool) -> tuple[Text, ...]:
    """What may be played on the top card, as lines of up to 21 columns; `pending`: it has to answer a +3."""
    below = face(top)
    if below is None or (pending and not ordered):
        return (say("ANY +3 OR JOKER"),) if pending else ()
    facts = {"symbol": IN_CAPITALS[LOSES_TO[below.symbol]]}
    first = say("{symbol} +3 OR JOKER", **facts) if pending else say("ANY {symbol} OR JOKER", **facts)
    same = tuple(IN_CAPITALS[one] for one in _higher_colours(below, colours=colours))
    if not same:
        return (first,)
    return (first, say(" {symbol} {colours}", symbol=IN_CAPITALS[below.symbol], colours=same))


def _higher_colours(below: Face, *, colours: bool) -> list[Colour]:
    """The colours in which the same symbol is higher."""
    return list(Colour)[below.colour.worth :] if colours else []


_MARKS: Final = {
    Icon.AGAIN_OR_REVERSE: say("AGAIN, REVERSE"),
    Icon.CHALLENGE: say("CHALLENGE"),
    Icon.PLUS_THREE: say("+3"),
    Icon.BAD_CARD: say("BAD CARD"),
    Icon.SWAP: say("SWAP"),
}


def sign(card: str) -> Sign:
    """A card as a picture: its symbol, its colour in words, and what it does."""
    found, shown = split(card), face(card)
    if shown is not None:
        icon = found[0].icon if found else None
        mark = NOTHING if icon is None else _MARKS[icon]
        return Sign(_ICONS[shown.symbol], IN_CAPITALS[shown.colour], mark)
    if found is None:
        return Sign("", say("{card}", card=card[:8]))
    if found[0].colour is None:
        return Sign("", say("TROUBLE"))
    return Sign("", say("JOKER"), IN_CAPITALS[found[0].colour])


def beating(top: str, *, colours: bool, pending: bool, ordered: bool) -> tuple[Sign, ...]:
    """What may be played on the top card, as pictures; `pending`: it has to answer a +3."""
    below, joker = face(top), Sign("", say("JOKER"))
    if below is None or (pending and not ordered):
        return (Sign("", say("+3")), joker) if pending else ()
    higher = Sign(_ICONS[LOSES_TO[below.symbol]], say("+3") if pending else say("ANY"))
    same = (
        say("+3 {colour}", colour=SHORT_COLOURS[one]) if pending else IN_CAPITALS[one]
        for one in _higher_colours(below, colours=colours)
    )
    return (higher, *(Sign(_ICONS[below.symbol], words) for words in same), joker)


def what_fits(top: str, *, colours: bool) -> tuple[Text, ...]:
    """What is higher than the top card, in a sentence."""
    below = face(top)
    if below is None:
        return (say("any card"),)
    any_colour = say("any {symbol}", symbol=SYMBOLS[LOSES_TO[below.symbol]])
    high = _higher_colours(below, colours=colours)
    same = (say("{colour} {symbol}", colour=COLOURS[one], symbol=SYMBOLS[below.symbol]) for one in high)
    return (any_colour, *same, say("a joker"))
