"""Why a ruling of Ciao! was made, and why a play was refused, in words and for the display.

Players are counted from 1 here, because players read it. Nothing is decided here.
"""

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any, Final

from companion.core.board import PlacedCard, Sign
from companion.core.cards import Seat, called, who
from companion.core.codec import Record
from companion.core.ruling import Because, Rule
from companion.core.score_sheet import EndRules
from companion.games.ciao import records, rules
from companion.games.ciao.cards import LOSES_TO, Colour, Face, Icon, Symbol, face, kind, split
from companion.games.ciao.options import ReverseWithTwo
from companion.games.ciao.table import CiaoTable
from companion.text.errors import quoted
from companion.text.sentence import NOTHING, SIGNS, Text, count, say

END_RULES: Final = EndRules(
    points=rules.SCORING, end=rules.ROUNDS, win=rules.SCORING, shared=rules.ROUNDS, left=rules.BETWEEN_DEALS
)

# -------------------------------------------------------------------------------------------- cards in words

# fmt: off
_SIGN_OF: Final = {Symbol(sign.letter): sign for sign in SIGNS if sign.letter}
WORDS: Final[Mapping[Symbol | Colour | Icon, Text]] = {
    **{symbol: sign.word for symbol, sign in _SIGN_OF.items()},
    Colour.GREEN: say("green"), Colour.YELLOW: say("yellow"), Colour.RED: say("red"),
    Icon.AGAIN_OR_REVERSE: say("again or reverse"), Icon.CHALLENGE: say("a challenge"),
    Icon.PLUS_THREE: say("+3"), Icon.BAD_CARD: say("a bad card"), Icon.SWAP: say("a swap"),
}
CAPITALS: Final[Mapping[Symbol | Colour | Icon, Text]] = {
    **{symbol: sign.capitals for symbol, sign in _SIGN_OF.items()},
    Colour.GREEN: say("GREEN"), Colour.YELLOW: say("YELLOW"), Colour.RED: say("RED"),
    Icon.AGAIN_OR_REVERSE: say("AGAIN, REVERSE"), Icon.CHALLENGE: say("CHALLENGE"),
    Icon.PLUS_THREE: say("+3"), Icon.BAD_CARD: say("BAD CARD"), Icon.SWAP: say("SWAP"),
}
# fmt: on
SHORT_COLOURS: Final = {Colour.GREEN: say("GRN"), Colour.YELLOW: say("YEL"), Colour.RED: say("RED")}
PICTURES: Final = {symbol: sign.character for symbol, sign in _SIGN_OF.items()}


@lru_cache(maxsize=256)  # more than there are names of cards in a box
def words(card: str) -> Text:
    """A card in words, in lower case; a joker on the table as what it stands for."""
    found, shown = split(card), face(card)
    if shown is not None:
        named = say("{colour} {symbol}", colour=WORDS[shown.colour], symbol=WORDS[shown.symbol])
        icon = found[0].icon if found else None
        return named if icon is None else say("{card} with {icon}", card=named, icon=WORDS[icon])
    if found is None:
        return say("{card}", card=quoted(card))
    colour = found[0].colour
    return say("trouble card") if colour is None else say("{colour} joker", colour=WORDS[colour])


def asks_who(card: str) -> Text:
    """The question who played a card, in up to 21 columns; what else is on it does not matter."""
    return say("WHO? {card}", card=in_capitals(card.partition(":")[0]))


def in_capitals(card: str) -> Text:
    """A card in words for the display, in up to 18 columns, with the mark of its icon."""
    found, shown = split(card), face(card)
    if shown is not None:
        facts = {"colour": CAPITALS[shown.colour], "symbol": CAPITALS[shown.symbol]}
        icon = found[0].icon if found else None
        if icon is None:
            return say("{colour} {symbol}", **facts)
        return say("{colour} {symbol} {mark}", **facts, mark=icon.value)
    if found is None:
        return say("{card}", card=card[:18])
    colour = found[0].colour
    return say("TROUBLE CARD") if colour is None else say("{colour} JOKER", colour=CAPITALS[colour])


def label(card: str) -> Text:
    """A card in up to 4 columns: the symbol's picture, the colour's letter, a mark for the icon."""
    found, shown = split(card), face(card)
    if found is None and shown is None:
        return say("{card}", card=card[:4])
    if shown is None or found is None:
        colour = card[0].upper() if card[1:2] == "J" else ""
        named = PICTURES[shown.symbol] if shown else ""
        return say("J{colour}{symbol}", colour=colour, symbol=named) if colour else say("T")
    mark = found[0].icon.value if found[0].icon else ""
    return say("{symbol}{mark}", symbol=PICTURES[shown.symbol] + shown.colour.value.upper(), mark=mark)


def sign(card: str) -> Sign:
    """A card as a picture: its symbol, its colour in words, and what it does."""
    found, shown = split(card), face(card)
    if shown is not None:
        icon = found[0].icon if found else None
        return Sign(PICTURES[shown.symbol], CAPITALS[shown.colour], CAPITALS[icon] if icon else NOTHING)
    if found is None:
        return Sign("", say("{card}", card=card[:8]))
    colour = found[0].colour
    return Sign("", say("TROUBLE")) if colour is None else Sign("", say("JOKER"), CAPITALS[colour])


# -------------------------------------------------------------------------------------------- what is higher


def _higher_colours(table: CiaoTable, below: Face) -> list[Colour]:
    """The colours in which the symbol of the top card is higher."""
    return list(Colour)[below.colour.worth :] if table.agreed.colours else []


def what_fits(table: CiaoTable) -> tuple[Text, ...]:
    """What is higher than the top card, in a sentence."""
    below = face(table.top)
    if below is None:
        return (say("any card"),)
    symbol = WORDS[below.symbol]
    high = (say("{colour} {symbol}", colour=WORDS[of], symbol=symbol) for of in _higher_colours(table, below))
    return (say("any {symbol}", symbol=WORDS[LOSES_TO[below.symbol]]), *high, say("a joker"))


def beating(table: CiaoTable) -> tuple[Sign, ...]:
    """What may be played on the top card, as pictures."""
    below, pending, joker = face(table.top), bool(table.pending), Sign("", say("JOKER"))
    if below is None or (pending and not table.agreed.plus3_higher):
        return (Sign("", say("+3")), joker) if pending else ()
    higher = Sign(PICTURES[LOSES_TO[below.symbol]], say("+3") if pending else say("ANY"))
    same = (
        say("+3 {colour}", colour=SHORT_COLOURS[colour]) if pending else CAPITALS[colour]
        for colour in _higher_colours(table, below)
    )
    return (higher, *(Sign(PICTURES[below.symbol], word) for word in same), joker)


def top_lines(table: CiaoTable) -> tuple[Text, ...]:
    """The top card and what may be played on it, as lines of up to 21 columns."""
    below, pending = face(table.top), bool(table.pending)
    if not table.top:
        out = table.agreed.left_out
        first = say("TAKE OUT: {cards}", cards=out) if out else say("NO CARD PLAYED YET")
        return (first, say("OPEN WITH ANY CARD"))
    if below is None:
        return (say("TOP JOKER"),)
    facts = {"symbol": CAPITALS[below.symbol], "colour": CAPITALS[below.colour]}
    named = say("TOP {symbol} {colour} J", **facts) if table.named else say("TOP {symbol} {colour}", **facts)
    if pending and not table.agreed.plus3_higher:
        return (named, say("ANY +3 OR JOKER"))
    facts = {"symbol": CAPITALS[LOSES_TO[below.symbol]]}
    first = say("{symbol} +3 OR JOKER", **facts) if pending else say("ANY {symbol} OR JOKER", **facts)
    same = tuple(CAPITALS[colour] for colour in _higher_colours(table, below))
    if not same:
        return (named, first)
    return (named, first, say(" {symbol} {colours}", symbol=CAPITALS[below.symbol], colours=same))


# ------------------------------------------------------------------------------------------- why it happened


def _by(rule: Rule, says: Text) -> Callable[[Any, CiaoTable], Because]:
    """The reason for an event whose sentence has only the field `{player}`."""
    return lambda event, _table: rule.because(says.with_facts(player=who(event.seat)))


def _why_played(event: records.CardPlayed, _table: CiaoTable) -> Because:
    rule = rules.RULES[event.rule]
    facts = {"card": words(event.card), "top": words(event.on)}
    printed, top = kind(event.card), face(event.on)
    if top is None:
        return rule.because("{card} opens: any card may be played first", **facts)
    if rule is rules.PLUS_THREE:
        return rule.because("{card} goes on {top}: a +3 answers a +3", **facts)
    if printed.symbol is None:
        return rule.because("{card} goes on {top}: a joker goes on any card", **facts)
    facts |= {"wins": WORDS[printed.symbol], "loses": WORDS[top.symbol]}
    if LOSES_TO[top.symbol] is printed.symbol:
        says = say("{card} goes on {top}: {wins} is higher than {loses}, whatever the colours", **facts)
        return rule.because(says)
    facts |= {"high": WORDS[printed.colour], "low": WORDS[top.colour]} if printed.colour else {}
    says = say("{card} goes on {top}: both are {wins}, and {high} is higher than {low}", **facts)
    return rule.because(says)


def _why_named(event: records.SymbolNamed, _table: CiaoTable) -> Because:
    now = words(f"{event.card.partition('#')[0]}={event.name}")
    says = say("{player} chooses a symbol for the {card}: it counts as {now}")
    return rules.JOKER.because(says.with_facts(player=who(event.seat), card=words(event.card), now=now))


def _why_plus_three(event: records.PlusThree, _table: CiaoTable) -> Because:
    player, cards = who(event.seat), event.pending
    if not cards:
        return rules.PLUS_THREE.because("the +3 is over for {player}", player=player)
    says = say("{player} makes the next player draw {cards}", player=player, cards=cards)
    return rules.PLUS_THREE.because(says)


def _why_changed(event: records.DirectionChanged, table: CiaoTable) -> Because:
    player = who(event.seat)
    if len(table.players) == 2:  # noqa: PLR2004 - house rule HC-6 is about two
        says = say("{player} changes the direction, which has no effect with two players", player=player)
        if table.agreed.reverse_with_two is ReverseWithTwo.AGAIN:
            says = say("{player} changes the direction: with two players that is another turn", player=player)
        return rules.REVERSE_OF_TWO.because(says)
    way = say("clockwise") if event.dir == 1 else say("anticlockwise")
    says = say("{player} changes the direction: play goes {way}", player=player, way=way)
    return rules.AGAIN_OR_REVERSE.because(says)


def _why_given(event: records.CardGiven, _table: CiaoTable) -> Because:
    # Which card it is, only these two may know.
    return rules.BAD_CARD.because("{one} gives a card to {other}", one=who(event.seat), other=who(event.to))


def _why_swapped(event: records.HandsSwapped, _table: CiaoTable) -> Because:
    first, second = map(who, event.seats)
    return rules.SWAP.because("{one} and {other} swap hands", one=first, other=second)


def _why_drawn(event: records.CardsDrawn, _table: CiaoTable) -> Because:
    player, number = who(event.seat), event.number
    says = say("{player} draws nothing: no cards are left to draw", player=player)
    if number:
        says = count("{player} draws {count} card", "{player} draws {count} cards", number, player=player)
    return rules.RULES[event.rule].because(says)


def _why_reshuffled(event: records.Reshuffled, _table: CiaoTable) -> Because:
    says = count(
        "shuffle the {count} card under the top card into the draw pile",
        "shuffle the {count} cards under the top card into the draw pile",
        event.number,
    )
    return rules.RESHUFFLE.because(says)


def _why_mistaken(event: records.MistakeMade, _table: CiaoTable) -> Because:
    broken = rules.RULES[event.rule].full if event.rule in rules.RULES else ""
    facts = {"player": who(event.seat), "card": words(event.card or ""), "rule": broken}
    says = say("{player} made a mistake with {card}, which goes back to the hand: {rule}", **facts)
    if event.card is None:
        says = say("{player} made a mistake", **facts)
    return rules.WHICH_TURN.because(says)


def _why_counted(event: records.HandCounted, _table: CiaoTable) -> Because:
    says = count(
        "the hand of {player} costs {count} point",
        "the hand of {player} costs {count} points",
        event.points,
        player=who(event.seat),
    )
    return rules.SCORING.because(says)


# fmt: off
REASONS: Final[Mapping[type[Record], Callable[[Any, CiaoTable], Because]]] = {
    records.CardPlayed: _why_played,
    records.SymbolNamed: _why_named,
    records.PlusThree: _why_plus_three,
    records.DirectionChanged: _why_changed,
    records.RaceBegun: _by(rules.CHALLENGE,
        say("{player} challenges all others: the first higher card wins")),
    records.RaceEnded: _by(rules.AFTER_CHALLENGE,
        say("nobody answered {player}'s challenge: the next player plays")),
    records.CardGiven: _why_given,
    records.TroubleShed: _by(rules.TROUBLE_LEAVES,
        say("{player} discards a trouble card with a special card")),
    records.HandsSwapped: _why_swapped,
    records.CardsDrawn: _why_drawn,
    records.Reshuffled: _why_reshuffled,
    records.MistakeMade: _why_mistaken,
    records.TurnLost: _by(rules.WHICH_TURN, say("{player} loses the next turn")),
    records.TurnMissed: _by(rules.WHICH_TURN, say("{player} misses this turn")),
    records.DealWon: _by(rules.FIRST_OUT, say("{player} has no cards left")),
    records.DealStopped: lambda *_: rules.EARLY_END.because("the deal ends here, and every hand counts"),
    records.HandCounted: _why_counted,
}
# fmt: on
"""The reason for each event that was a decision, given the table; others are only reported."""


def why(before: CiaoTable, event: Record) -> tuple[Because, ...]:
    """The reason for an event on the table before it, if there is one."""
    reason = REASONS.get(type(event))
    return () if reason is None else (reason(event, before),)


def why_starts(starter: Seat, finished: CiaoTable | None) -> tuple[Because, ...]:
    """Why this player starts: the winner of the deal before."""
    player = who(starter)
    if finished is None:
        says = say("{player} starts: the youngest, or the one the players chose", player=player)
        return (rules.SETUP.because(says),)
    if finished.out == starter:
        return (rules.SCORING.because("{player} won the deal and starts", player=player),)
    says = say("nobody won the deal: {player} has the fewest points and starts", player=player)
    return (rules.EARLY_END.because(says),)


# ------------------------------------------------------------------------------------------- for the display

_PLAYED_BY: Final = {
    rules.JOKER.key: say("JOKER"),
    rules.OPENING.key: say("OPENS"),
    rules.OPENING_CARD.key: say("OPENS"),
    rules.SYMBOLS.key: say("HIGHER SYMBOL"),
    rules.COLOURS.key: say("HIGHER COLOUR"),
    rules.PLUS_THREE.key: say("+3 ON +3"),
    rules.ORDER_OF_PLUS_THREE.key: say("+3 ON +3"),
}

# fmt: off
OUTCOMES: Final[Mapping[type[Record], Callable[[Any], Text]]] = {
    records.CardPlayed: lambda event: _PLAYED_BY.get(event.rule, NOTHING),
    records.SymbolNamed: lambda event: say("NOW {symbol}", symbol=CAPITALS[Symbol(event.name)]),
    records.PlusThree: lambda event:
        say("NEXT DRAWS {cards}", cards=event.pending) if event.pending else say("+3 IS OVER"),
    records.DirectionChanged: lambda event: say("CLOCKWISE") if event.dir == 1 else say("REVERSED"),
    records.RaceBegun: lambda _: say("CHALLENGE!"),
    records.RaceEnded: lambda _: say("NOBODY CAN"),
    records.CardGiven: lambda event: say("TO {player}", player=called(event.to)),
    records.HandsSwapped: lambda event:
        say("{one}, {other} SWAP", one=called(event.seats[0]), other=called(event.seats[1])),
    records.CardsDrawn: lambda event:
        say("{player} DRAWS {cards}", player=called(event.seat), cards=event.number),
    records.Reshuffled: lambda _: say("RESHUFFLE"),
    records.MistakeMade: lambda event: say("{player} MISTAKE", player=called(event.seat)),
    records.TurnMissed: lambda event: say("{player} SKIPPED", player=called(event.seat)),
    records.DealWon: lambda event: say("{player} IS OUT", player=called(event.seat)),
}
# fmt: on
"""The line of the display for each event; other events have none."""

_NAMED: Final = (records.CardPlayed, records.SymbolNamed, records.MistakeMade)
"""The events whose card is shown."""


def lines(table: CiaoTable) -> tuple[PlacedCard, ...]:
    """What happened since the latest question, for a list on the display."""
    made = (_line(event, table) for event in table.news)
    return tuple([line for line in made if line is not None])


def _line(event: Record, table: CiaoTable) -> PlacedCard | None:
    """An event for a list on the display; None if it says nothing new."""
    outcome = OUTCOMES.get(type(event))
    if outcome is None or (says := outcome(event)) is NOTHING:
        return None
    because = REASONS[type(event)](event, table)
    if isinstance(event, records.CardPlayed):
        because = _with_chart(because, event)
    card = event.card or "" if isinstance(event, _NAMED) else ""
    return PlacedCard(card, says, because)


def _with_chart(because: Because, event: records.CardPlayed) -> Because:
    """The reason with both cards side by side, and which column decided it: symbol, colour, or neither."""
    printed, below = kind(event.card), face(event.on)
    if below is None:
        return because
    symbol = say("JOKER") if printed.symbol is None else CAPITALS[printed.symbol]
    colour = NOTHING if printed.colour is None else CAPITALS[printed.colour]
    chart = ((say("CARD"), symbol, colour), (say("ON"), CAPITALS[below.symbol], CAPITALS[below.colour]))
    if printed.symbol is None or because.rule is rules.PLUS_THREE:
        return because.charted(chart, 0)
    return because.charted(chart, 1 if LOSES_TO[below.symbol] is printed.symbol else 2)
