"""The spoken form of each text. What is read on a display and what is heard are two sentences.

A heard sentence is short, has no capitals, no list of what was compared, and in Persian the vowels that are
not written otherwise: all of them have the context "speech" in the catalogues. A reason or a
refusal without a spoken form is said as it is written: they are sentences, also those of a game of somebody
else.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Final

from companion.core.ask import AskKind, Wait
from companion.text.sentence import NOTHING, Players, Text, Who, count, in_context
from firmware.text.translation import Translator

_HEADS: Final = count("{count} bullhead", "{count} bullheads", 1)
_COUNTED: Final = {
    "bullheads": _HEADS,
    "some_points": count("{count} point", "{count} points", 1),
    "some_cards": count("{count} card", "{count} cards", 1),
    "bull_cards": count("{count} bull card", "{count} bull cards", 1),
}
"""What a spoken form may have in the place of a fact `count`."""

_GOES_ON: Final = in_context("speech", "{card} goes on {top}: it is {gap} higher")
_CLOSEST: Final = in_context("speech", "{card} goes to row {row}: {end} is the closest")
_ROCK: Final = in_context("speech", "rock")
_PAPER: Final = in_context("speech", "paper")
_SCISSORS: Final = in_context("speech", "scissors")
_GREEN: Final = in_context("speech", "green")
_YELLOW: Final = in_context("speech", "yellow")
_RED: Final = in_context("speech", "red")
_TAKES_PILE: Final = in_context("speech", "{player} takes the pile with {top} on top")

SPOKEN: Final[Mapping[str, Text]] = {
    # 6 nimmt!
    "{card} goes to row {row}: {end} is the only end below it": in_context(
        "speech", "{card} goes to row {row}: only {end} is lower"
    ),
    "{card} goes to row {row}: {end} is the closest end below it; {others}": _CLOSEST,
    "{goes}; it is card number {sixth} there: {taking}": in_context(
        "speech", "{goes}. It is the sixth card: {taking}"
    ),
    "{card} is lower than the end of every row ({ends}): {taking}": in_context("speech", "{taking}"),
    "{card} is lower than the end of every row ({ends}): its owner takes row {row}": in_context(
        "speech", "{card} is lower than every row: row {row} is taken"
    ),
    "{who} takes {cards} ({count} bullhead)": in_context("speech", "{who} takes {bullheads}"),
    "its owner": in_context("speech", "its owner"),
    "{card} was played by {player}": in_context("speech", "{card} was played by {player}"),
    "{card} was played by {player}, who takes {cards} ({count} bullhead)": in_context(
        "speech", "{card} was played by {player}, who takes {bullheads}"
    ),
    "nobody knows who played {card}: {count} bullhead is nobody's, and the deal is not verified": in_context(
        "speech", "nobody knows who played {card}: {bullheads} for nobody"
    ),
    "{player} picks first": in_context("speech", "{player} picks first"),
    "the match continues: {each}, and only more than {limit} end it": in_context(
        "speech", "the match goes on: only more than {limit} points end it"
    ),
    "from the lowest to the highest: {cards}": NOTHING,
    "the last {cards} cards start the rows: {rows}": in_context("speech", "the last cards start the rows"),
    "row {row} is full: {cards} cards, the first one counted": NOTHING,
    "{card} fits no row: a card must be higher than the end of its row": NOTHING,
    "the lowest of them starts row 1, the highest row {row}": NOTHING,
    "the deal is over: {turns} turns are played": NOTHING,
    # 11 nimmt!
    "{card} goes on {top}: it is {gap} higher": _GOES_ON,
    "{card} is {gap} higher than {top}, the top card before the move": _GOES_ON,
    "{card} goes on {top}: it is {gap} higher, because 1 comes after 100": in_context(
        "speech", "{card} goes on {top}: after 100 comes 1"
    ),
    "{cards} lie in this order on {top}, the last on top": NOTHING,
    "{count} card is left in the deck: {due} to turn up": NOTHING,
    "{taker} and {giver} both have {count} bull card: whoever takes the pile gives none": NOTHING,
    "{card} from the deck starts a new pile": in_context("speech", "{card} starts a new pile"),
    "no pile is left: {player} opens one with {card}": in_context(
        "speech", "{player} opens a pile with {card}"
    ),
    "{player} takes the pile with {top} on top": _TAKES_PILE,
    "{takes}; fewer than three cards give no bull card": in_context("speech", "{takes}, without a bull card"),
    "{takes}, but no bull card: the supply is empty, and nobody else has as many": in_context(
        "speech", "{takes}. No bull card is left"
    ),
    "{takes}, and a bull card: the pile had three cards or more": in_context(
        "speech", "{takes}, and a bull card"
    ),
    "{takes}, and a bull card from {giver}, who has most: the supply is empty": in_context(
        "speech", "{takes}, and a bull card of {giver}"
    ),
    "{player} has no cards left: the deal is over": in_context("speech", "{player} has no cards left"),
    "the deal stops here, and every hand is counted": in_context("speech", "the deal ends here"),
    "{player} used {count} bull card and gives it back": in_context(
        "speech", "{player} gives back {bull_cards}"
    ),
    "{player} has {count} bullhead left": in_context("speech", "{player} has {bullheads} left"),
    "{player} is left with {cards}: {count} bullhead": in_context("speech", "{player} has {bullheads} left"),
    "{each}": NOTHING,
    # Ciao!
    "{player} made a mistake with {card}, which goes back to the hand: {rule}": in_context(
        "speech", "that was a mistake of {player}: take back the {card}"
    ),
    "{player} chooses a symbol for the {card}: it counts as {now}": in_context(
        "speech", "the {card} counts as {now}"
    ),
    "{player} makes the next player draw {cards}": in_context(
        "speech", "the next player draws {cards} cards"
    ),
    "{player} draws {count} card": in_context("speech", "{player} draws {some_cards}"),
    "the hand of {player} costs {count} point": in_context("speech", "the hand of {player}: {some_points}"),
    "{one} and {other} swap hands": in_context("speech", "{one} and {other} swap hands"),
    "{player} did not say thank you in time": in_context("speech", "{player} did not say thank you in time"),
    "{player} plays again": in_context("speech", "{player} plays again"),
    "{player} has no cards left": in_context("speech", "{player} has no cards left"),
    "{player} gave the last card away": in_context("speech", "{player} gave the last card away"),
    "{player} changes the direction: play goes {way}": in_context("speech", "play goes {way}"),
    "{player} changes the direction, which has no effect with two players": in_context(
        "speech", "the direction means nothing with two players"
    ),
    "in step {step} of the rules for children, jokers stay in": NOTHING,
    "all {cards} cards are dealt: the draw pile is empty at first": NOTHING,
    "shuffle {count} card under the top card into the draw pile": in_context(
        "speech", "shuffle the cards under the top card into the draw pile"
    ),
    "{player} draws nothing: no cards are left to draw": in_context("speech", "{player} has nothing to draw"),
    "{player} loses the next turn": in_context("speech", "{player} loses the next turn"),
    "{player} misses this turn": in_context("speech", "{player} misses this turn"),
    "{player} made a mistake": in_context("speech", "{player} made a mistake"),
    "the deal ends here, and every hand counts": in_context("speech", "the deal ends here"),
    "rock": _ROCK,
    "paper": _PAPER,
    "scissors": _SCISSORS,
    "green": _GREEN,
    "yellow": _YELLOW,
    "red": _RED,
    "{one} gives a card to {other}": in_context("speech", "{one} gives a card to {other}"),
    "{player} challenges all others: the first higher card wins": in_context(
        "speech", "{player} challenges all others: the first higher card wins"
    ),
    "{player} discards a trouble card with a special card": in_context(
        "speech", "{player} gets rid of a trouble card"
    ),
    "{player} keeps the drawn card": in_context("speech", "{player} keeps the card"),
    "the icon on the last card has no effect": in_context(
        "speech", "the icon on the last card has no effect"
    ),
    "clockwise": in_context("speech", "clockwise"),
    "anticlockwise": in_context("speech", "anticlockwise"),
    "{card} with {icon}": in_context("speech", "{card}"),
    "nobody answered {player}'s challenge: the next player plays": in_context(
        "speech", "nobody is faster than {player}"
    ),
    "{card} opens: any card may be played first": in_context("speech", "it begins with {card}"),
    "{card} goes on {top}: {wins} is higher than {loses}, whatever the colours": in_context(
        "speech", "{wins} beats {loses}"
    ),
    "{card} goes on {top}: both are {wins}, and {high} is higher than {low}": in_context(
        "speech", "{high} beats {low}"
    ),
    "{card} goes on {top}: a +3 answers a +3": in_context("speech", "plus 3 on plus 3"),
    "{card} goes on {top}: a joker goes on any card": in_context("speech", "a joker goes on any card"),
    "the +3 is over for {player}": in_context("speech", "the plus 3 is over for {player}"),
    "{colour} {symbol}": in_context("speech", "{colour} {symbol}"),
    "{colour} joker": in_context("speech", "{colour} joker"),
    "+3": in_context("speech", "plus 3"),
    "{colour} {symbol} {mark}": in_context("speech", "{colour} {symbol}"),
    "{colour} JOKER": in_context("speech", "{colour} joker"),
    "TROUBLE CARD": in_context("speech", "trouble card"),
    "ROCK": _ROCK,
    "PAPER": _PAPER,
    "SCISSORS": _SCISSORS,
    "GREEN": _GREEN,
    "YELLOW": _YELLOW,
    "RED": _RED,
    # Refusals
    "card {card} is already in row {row}": in_context("speech", "{card} is already in row {row}"),
    "card {card} was already played in this turn (number {nth})": in_context(
        "speech", "{card} was already played in this turn"
    ),
    "card {card} was taken by {player}": in_context("speech", "{card} was taken by {player}"),
    # How a deal and a match begin and end: `moments` tells the points.
    "deal {deal}: {each}": NOTHING,
    "the match is over: deal {deal} was the last": NOTHING,
    "the match is over: deal {deal} was the extra one": NOTHING,
    "the match is over: {each}, and more than {limit} end it": NOTHING,
    "the match is over: {each}, and {limit} or more end it": NOTHING,
    'exactly {limit} is enough here; by "more than {limit}" the match would go on': NOTHING,
    "{who} share the victory": NOTHING,
    "{who} have the most: {best}": NOTHING,
    "{who} have the fewest: {best}": NOTHING,
    "{who} wins with {best}: nobody has more": NOTHING,
    "{who} wins with {best}: nobody has fewer": NOTHING,
    "{player} starts: the youngest, or whom the players chose": in_context("speech", "{player} starts"),
    "{player} starts: nobody got more in this deal than {points}": in_context("speech", "{player} starts"),
    "{player} won the deal and starts": in_context("speech", "{player} won the deal and starts"),
    "nobody won the deal: {player} has the fewest points and starts": in_context("speech", "{player} starts"),
    "{tied} have {points} each: {player} is the next of them after {last}": NOTHING,
    # Questions with words of their own; `question` has those of every game.
    "{card}: WHICH PILE?": in_context("speech", "on which pile does {card} go?"),
    "PLAY THE DRAWN CARD?": in_context("speech", "{asked} may play the card that was drawn"),
    "WHICH SYMBOL?": in_context("speech", "rock, paper or scissors, {asked}?"),
    "AGAIN OR REVERSE?": in_context("speech", "{asked}: play again, or the other way round?"),
    "A TROUBLE CARD TOO?": in_context("speech", "does a trouble card go as well, {asked}?"),
    "WHO GETS A CARD?": in_context("speech", "who gets a card from {asked}?"),
    "SWAP HANDS WITH?": in_context("speech", "with whom does {asked} swap hands?"),
    "THANKS FROM {player}?": in_context("speech", "did {player} say thank you?"),
    "BULL CARD FROM WHOM?": in_context("speech", "from whom comes the bull card?"),
    "OPEN A PILE": in_context("speech", "{asked} opens a pile"),
    "SPEED CHALLENGE!": NOTHING,
    "NOW SCAN THE 4 ROWS": in_context("speech", "now scan the four rows"),
    "{cards} OF {due} CARDS": NOTHING,
    "SUM: {sum} OF {total} POINTS": NOTHING,
    "LAST {points} OF {total}?": NOTHING,
    "SCAN ONE PILE": in_context("speech", "scan the cards that were taken"),
    "CHECK FAILED": in_context("speech", "the check failed"),
    "IS THAT RIGHT?": in_context("speech", "is that right?"),
    "SCAN TAKEN CARDS": in_context("speech", "scan the cards that were taken"),
    "WHO TOOK THEM?": in_context("speech", "who took them?"),
    "IS THAT ALL?": in_context("speech", "is that all?"),
    "TYPE THE POINTS": in_context("speech", "type the points"),
}
"""The spoken form of a reason, a question or a fault, by the English template of the written one.

Whoever records a voice reads all of these, and nothing else.

It may leave facts out. NOTHING: it is not said, because another sentence of the same step says it.
"""

SHORT: Final[Mapping[str, Text]] = {
    "{card} goes to row {row}: {end} is the only end below it": in_context("speech", "{card}: row {row}"),
    "{card} goes to row {row}: {end} is the closest end below it; {others}": in_context(
        "speech", "{card}: row {row}"
    ),
    "{goes}; it is card number {sixth} there: {taking}": in_context("speech", "{goes}. {taking}"),
    "{card} is lower than the end of every row ({ends}): its owner takes row {row}": NOTHING,
    "{card} is lower than the end of every row ({ends}): {taking}": in_context("speech", "{card}: {taking}"),
    "{card} goes on {top}: it is {gap} higher": in_context("speech", "{card} on {top}"),
    "{card} is {gap} higher than {top}, the top card before the move": in_context(
        "speech", "{card} on {top}"
    ),
    "{takes}, and a bull card: the pile had three cards or more": in_context("speech", "{takes}"),
    "{takes}; fewer than three cards give no bull card": in_context("speech", "{takes}"),
}
"""Shorter ones, without the reason."""

_QUESTIONS: Final[Mapping[tuple[AskKind, Wait | None], Text]] = {
    (AskKind.LAY, None): in_context("speech", "lay out the rows"),
    (AskKind.TURN_UP, None): in_context("speech", "turn up a card for a new pile"),
    (AskKind.PICK, None): in_context("speech", "{asked} picks a card"),
    (AskKind.HOLD, None): in_context("speech", "scan your hands"),
    (AskKind.PLAY, Wait.ALL): in_context("speech", "everybody plays a card"),
    (AskKind.PLAY, None): in_context("speech", "{asked} is to play"),
    (AskKind.GIVE, None): in_context("speech", "{asked} gives a card away"),
    (AskKind.HAND, Wait.ONE): in_context("speech", "scan the cards that {asked} has left"),
    (AskKind.HAND, None): in_context("speech", "scan the cards that are left in the hands"),
    (AskKind.CHOOSE, Wait.ONE): in_context("speech", "which row does {asked} take?"),
    (AskKind.CHOOSE, None): in_context("speech", "who played {card}, and which row is taken?"),
    (AskKind.TAKE, None): in_context("speech", "which pile does {asked} take?"),
    (AskKind.CLAIM, None): in_context("speech", "who played {card}?"),
    (AskKind.WHOM, None): in_context("speech", "{asked} chooses a player"),
    (AskKind.DECIDE, None): in_context("speech", "{asked} decides"),
}

UNDONE: Final = in_context("speech", "taken back")
DEAL_OVER: Final = in_context("speech", "deal {deal} is over")
TOTAL: Final = in_context("speech", "{players}: {total}")
MATCH_OVER: Final = in_context("speech", "the match is over")
WINNER: Final = in_context("speech", "{players} wins")
WINNERS: Final = in_context("speech", "{players} win")
TRY: Final = _CLOSEST.with_facts(card=44, row=3, end=43)
PLAYER: Final = in_context("speech", "player {number}")


def spoken(text: Text, *, short: bool = False) -> Text:
    """The spoken form of a text, with those of the texts in it; NOTHING where it is not said."""
    facts = {name: _spoken(fact, short=short) for name, fact in text.facts.items()}
    form = SHORT.get(text.template) if short else None
    form = SPOKEN.get(text.template) if form is None else form
    if form is None:
        return Text(text.template, facts, text.plural, text.context)
    if "count" in facts:
        facts |= {name: counted.with_facts(count=facts["count"]) for name, counted in _COUNTED.items()}
    return NOTHING if form == NOTHING else form.with_facts(**facts)


def _spoken(fact: object, *, short: bool) -> object:
    if isinstance(fact, tuple):
        return tuple(_spoken(one, short=short) for one in fact)
    return spoken(fact, short=short) if isinstance(fact, Text) else fact


def question(written: Text, kind: AskKind, wait: Wait, seats: tuple[int, ...], card: str | None) -> Text:
    """The spoken form of an open question; NOTHING for one that nobody has to hear, such as how to go on."""
    form = SPOKEN.get(written.template)
    if form is None:
        form = _QUESTIONS.get((kind, wait)) or _QUESTIONS.get((kind, None), NOTHING)
    asked = Who(seats[0]) if len(seats) == 1 else Players(seats)
    facts = {"card": card or "", **{name: _spoken(fact, short=False) for name, fact in written.facts.items()}}
    return NOTHING if form == NOTHING else form.with_facts(**facts | {"asked": asked})


# --------------------------------------------------------------------------------------- pieces

_EDGE: Final = "\x1f"
"""Stands on both sides of a fact in a sentence that is taken apart. No text of people has it."""

_NOT_HEARD: Final = re.compile("[\u2066-\u2069\u200e\u200f\ue000-\uf8ff]")
"""Directions of writing, and the signs of our display."""


class SpeechTranslator(Translator):
    """The spoken texts of one language, with an edge between the pieces of a sentence.

    Numbers are in Latin digits, which every voice reads in its language.
    """

    def __init__(self, language: str) -> None:
        super().__init__(language, digits="latin")
        self.naming = lambda seat: self.say(PLAYER.with_facts(number=seat + 1))

    def template(self, text: Text, count: int) -> str:
        """The template in this language, with an edge on both sides of each field."""
        found = super().template(text, count)
        return re.sub(r"({\w+})", rf"{_EDGE}\1{_EDGE}", found)

    def pieces(self, text: Text) -> tuple[str, ...]:
        """What a sentence consists of, in order: words that always stand together, numbers, names, signs."""
        said = _NOT_HEARD.sub("", self.say(text))
        return tuple(one for one in said.split(_EDGE) if one)

    def words(self) -> Iterator[str]:
        """Every piece that can come in a spoken sentence, but numbers and names: what a speaker records."""
        forms = (*SPOKEN.values(), *SHORT.values(), *_QUESTIONS.values(), *_COUNTED.values())
        for text in (*forms, UNDONE, DEAL_OVER, TOTAL, MATCH_OVER, WINNER, WINNERS, PLAYER):
            for one in (1, 2):
                yield from filter(heard, re.split(r"{\w+}", Translator.template(self, text, one)))


_EZAFE: Final = "\u0650"
"""The vowel of Persian between two facts; nobody could record it alone."""

_SIGNS: Final = " .,;:!?()«»،؛؟…–-"


def heard(piece: str) -> str:
    """The words of a piece, without the signs at its ends and what nobody hears; empty for a sign alone."""
    words = _NOT_HEARD.sub("", piece).strip(_SIGNS)
    return words if words != _EZAFE else ""
