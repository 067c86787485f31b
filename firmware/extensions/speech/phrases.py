"""The spoken form of each text. What is read on a display and what is heard are two sentences.

A heard sentence is short, has no capitals, no list of what was compared, and in Persian the vowels that are
not written otherwise: all of them have the context "speech" in the catalogues. A reason or a
refusal without a spoken form is said as it is written: they are sentences, also those of a game of somebody
else.
"""

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
_TO_ROW: Final = in_context("speech", "{card}: row {row}")
_ON: Final = in_context("speech", "{card} on {top}")
_TAKES: Final = in_context("speech", "{takes}")
_ROCK: Final = in_context("speech", "rock")
_PAPER: Final = in_context("speech", "paper")
_SCISSORS: Final = in_context("speech", "scissors")
_GREEN: Final = in_context("speech", "green")
_YELLOW: Final = in_context("speech", "yellow")
_RED: Final = in_context("speech", "red")
_TAKES_PILE: Final = in_context("speech", "{player} takes the pile with {top} on top")

_SCAN_AGAIN: Final = in_context("speech", "scan the card again, or undo the wrong one")
_FITS_NO_PILE: Final = in_context("speech", "{card} fits no pile")
_COVERED: Final = in_context("speech", "{card} is covered, or in a hand")
_PLAY_OR_DRAW: Final = in_context("speech", "play another card, or draw one")
_NOT_OF_GAME: Final = in_context("speech", "this is not a card of this game")
_BETWEEN_TURNS: Final = in_context("speech", "a deal can only be ended between two turns")
_FINISH_TURN: Final = in_context("speech", "finish or undo the turn first")
_NOT_IN_HAND: Final = in_context("speech", "{card} is not in the hand of {player}")
_INTO_BOX: Final = in_context("speech", "put it back in the box")
_SCANNED: Final = in_context("speech", "this card is already scanned")
_NOT_IN_DECK: Final = in_context("speech", "{card} is not in this deck")

SPOKEN: Final[Mapping[str, Text | tuple[Text, Text]]] = {
    # 6 nimmt!
    "{card} goes to row {row}: {end} is the only end below it": (
        in_context("speech", "{card} goes to row {row}: only {end} is lower"),
        _TO_ROW,
    ),
    "{card} goes to row {row}: {end} is the closest end below it; {others}": (_CLOSEST, _TO_ROW),
    "{goes}; it is card number {sixth} there: {taking}": (
        in_context("speech", "{goes}. It is the sixth card: {taking}"),
        in_context("speech", "{goes}. {taking}"),
    ),
    "{card} is lower than the end of every row ({ends}): {taking}": (
        in_context("speech", "{taking}"),
        in_context("speech", "{card}: {taking}"),
    ),
    "{card} is lower than the end of every row ({ends}): its owner takes row {row}": (
        in_context("speech", "{card} is lower than every row: row {row} is taken"),
        NOTHING,
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
    "{card} goes on {top}: it is {gap} higher": (_GOES_ON, _ON),
    "{card} is {gap} higher than {top}, the top card before the move": (_GOES_ON, _ON),
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
    "{takes}; fewer than three cards give no bull card": (
        in_context("speech", "{takes}, without a bull card"),
        _TAKES,
    ),
    "{takes}, but no bull card: the supply is empty, and nobody else has as many": in_context(
        "speech", "{takes}. No bull card is left"
    ),
    "{takes}, and a bull card: the pile had three cards or more": (
        in_context("speech", "{takes}, and a bull card"),
        _TAKES,
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
    # Refusals that one scan or one key can cause, and what to do. Names of players are left out.
    "card {card} is already in row {row}": in_context("speech", "{card} is already in row {row}"),
    "card {card} was already played in this turn (number {nth})": in_context(
        "speech", "{card} was already played in this turn"
    ),
    "card {card} was taken by {player}": in_context("speech", "{card} was taken by {player}"),
    "scan the card again, or undo the wrong one": _SCAN_AGAIN,
    "scan the card again, or undo an earlier wrong scan": _SCAN_AGAIN,
    "{player} has already played {card} in this turn": in_context(
        "speech", "{player} has already played {card}"
    ),
    "name a player who has not played, or undo {card}": in_context(
        "speech", "name another player, or undo {card}"
    ),
    "card {card} is not in the deck 1 to {deck}": _NOT_IN_DECK,
    "put it back in the box and play a card up to {deck}": in_context("speech", "play a card up to {deck}"),
    "NO ROW TO CHOOSE NOW": in_context("speech", "no row has to be chosen now"),
    "card {card} is not in {player}'s hand": _NOT_IN_HAND,
    "{card} is not in {player}'s hand": _NOT_IN_HAND,
    "{player} picked it": NOTHING,
    "scan the card again, or play another one": in_context(
        "speech", "scan the card again, or play another one"
    ),
    "{player} is not playing": in_context("speech", "{player} is not playing"),
    "choose one of the {players}": NOTHING,
    "the cards of this turn are being placed": in_context(
        "speech", "the cards of this turn are being placed"
    ),
    "answer the open question first": in_context("speech", "answer the open question first"),
    "a deal can only be ended between two turns": _BETWEEN_TURNS,
    "a deal can only be ended between two moves": _BETWEEN_TURNS,
    "a deal can only be ended between two cards": _BETWEEN_TURNS,
    "finish or undo the turn first": _FINISH_TURN,
    "finish or undo the move first": _FINISH_TURN,
    "{card} is not within {reach} above any pile ({tops})": _FITS_NO_PILE,
    "{card} is lower than the top of every pile ({tops})": _FITS_NO_PILE,
    "play another card, or take a pile": in_context("speech", "play another card, or take a pile"),
    "end the move, or play another card": in_context("speech", "end the move, or play another card"),
    "card {card} is covered on a pile or in another hand": _COVERED,
    "card {card} is covered on a pile or in a hand": _COVERED,
    "card {card} lies on top of a pile": in_context("speech", "{card} lies on a pile"),
    "{card} still needs a pile": in_context("speech", "{card} still needs a pile"),
    "choose the pile, or undo the card": in_context("speech", "choose the pile, or undo the card"),
    "{player} has {count} bull card: too few for these cards": in_context(
        "speech", "{player} has too few bull cards for that"
    ),
    "play any number of cards on {count} pile": in_context("speech", "play on fewer piles"),
    "it is not known yet who played {card}": in_context("speech", "nobody has said who played {card}"),
    "say whose card it is, or undo it": in_context("speech", "say whose card it is, or undo it"),
    "it is not {player}'s turn": in_context("speech", "it is not the turn of {player}"),
    "say whether it is the card of {one} or of {other}": in_context(
        "speech", "say whose card it is: of {one}, or of {other}"
    ),
    "{player} plays next": in_context("speech", "{player} plays next"),
    "{player} has {count} card, and it must be {cards}": in_context("speech", "{player} has other cards"),
    "scan these cards, or undo the wrong one": in_context("speech", "scan them, or undo the wrong one"),
    "there is no card {card}": in_context("speech", "there is no card {card}"),
    "{card} is not higher than {top}": in_context("speech", "{card} is not higher than {top}"),
    "play one of these, or draw: {cards}": _PLAY_OR_DRAW,
    "play another card, or draw; you can only give it away or swap hands": _PLAY_OR_DRAW,
    "the challenge continues": in_context("speech", "the challenge goes on"),
    "{card} does not answer a +3": in_context("speech", "{card} does not answer a plus 3"),
    "play a joker or a +3, or draw {cards}": in_context(
        "speech", "play a joker or a plus 3, or draw {cards} cards"
    ),
    "play a joker or a higher +3, or draw {cards}": in_context(
        "speech", "play a joker or a higher plus 3, or draw {cards} cards"
    ),
    "{card} cannot be played now": in_context("speech", "{card} cannot be played now"),
    "name the joker's symbol": in_context("speech", "name the symbol of the joker"),
    "say whether the receiver said thank you": in_context("speech", "say whether there was a thank you"),
    "say who gets the bad card": in_context("speech", "say who gets the card"),
    "say who to swap hands with": in_context("speech", "say with whom hands are swapped"),
    "say whether to play again or to reverse": in_context(
        "speech", "say whether to play again, or the other way round"
    ),
    "say who played the card": in_context("speech", "say who played the card"),
    "this {card} is {where}": in_context("speech", "this {card} is somewhere else"),
    "every {card} is elsewhere: {places}": in_context("speech", "every {card} is somewhere else"),
    "a trouble card is never played": in_context("speech", "a trouble card is never played"),
    "this {card} is not the card that was drawn": in_context("speech", "another card was drawn"),
    "play the drawn card, or keep it; each copy of a card has its own code": in_context(
        "speech", "play the drawn card, or keep it"
    ),
    "a special card may not be the last one: that was agreed": in_context(
        "speech", "a special card may not be the last one"
    ),
    "draw a card": in_context("speech", "draw a card"),
    "{card} is not in the deck in step {step}": _NOT_IN_DECK,
    "put it back in the box": _INTO_BOX,
    "{card}: the deck has {number} of them, and this is one too many": in_context(
        "speech", "one {card} too many"
    ),
    "put it back in the box, or agree on another deck before a match": _INTO_BOX,
    "{count} card is missing": in_context("speech", "there are cards missing"),
    "keep scanning, the last card ends the hand. Or go back and type points": in_context(
        "speech", "keep scanning"
    ),
    "{player} is the challenger and does not take part": in_context("speech", "{player} is the challenger"),
    "say which of the others played it": in_context("speech", "say which of the others played it"),
    "{name}: TOO EARLY": in_context("speech", "too early"),
    "{name} WAS FIRST": in_context("speech", "somebody was faster"),
    "{name} chooses another player": in_context("speech", "choose another player"),
    "scan the badge of another player": NOTHING,
    "CHOOSE A PLAYER": in_context("speech", "choose a player"),
    "CHOOSE ONE FIRST": in_context("speech", "choose one first"),
    "{name} HAS PLAYED": in_context("speech", "this player has already played"),
    "NO BADGE NEEDED NOW": in_context("speech", "no badge is needed now"),
    "BADGE {badge} NOT PLAYING": in_context("speech", "badge {badge} is not playing"),
    "NOT {name}'S TURN": in_context("speech", "somebody else is to play"),
    "NO MATCH IN PROGRESS": in_context("speech", "no match is being played"),
    "NOT POSSIBLE NOW": in_context("speech", "that is not possible now"),
    "unknown code": in_context("speech", "this code is not known"),
    "{card} ALREADY SCANNED": _SCANNED,
    "this card has been scanned already": _SCANNED,
    "scan the next card of the hand": in_context("speech", "scan the next card of the hand"),
    "this card belongs to {game}": _NOT_OF_GAME,
    "scan a card of {game}": NOTHING,
    "{text} is not a card of {game}": _NOT_OF_GAME,
    "{text} is not a Ciao! card": _NOT_OF_GAME,
    "UNKNOWN CARD {card}": _NOT_OF_GAME,
    "the cards are 1 to {highest}": in_context("speech", "the cards are 1 to {highest}"),
    "scan the card again, or give its number, 1 to {codes}": in_context("speech", "scan the card again"),
    "there is nothing to undo": in_context("speech", "there is nothing to undo"),
    "there is nothing to redo": in_context("speech", "there is nothing to redo"),
    "continue the match": in_context("speech", "play on"),
    "the match is over": in_context("speech", "the match is over"),
    "undo the last step, or start a new match": in_context(
        "speech", "undo the last step, or start a new match"
    ),
    "NO CARDS ON THE TABLE": in_context("speech", "no cards are on the table"),
    "{low} TO {high} CAN PLAY": in_context("speech", "{low} to {high} players can play"),
    "the deal has begun": in_context("speech", "the deal has begun"),
    "join before the first turn of the next deal": in_context("speech", "join in the next deal"),
    "join or leave before the first card of a deal is turned up": in_context(
        "speech", "wait for the next deal"
    ),
    "leave before the first card of the next deal, or end this deal": in_context(
        "speech", "wait for the next deal, or end this one"
    ),
    "at least {fewest} players must stay": in_context("speech", "at least {fewest} players must stay"),
    "end the deal instead, or start a new match": in_context("speech", "end the deal, or start a new match"),
    # The pages of a lesson: `at_table` has what they say.
    "WHICH ROW GETS {card}?": in_context("speech", "to which row does {card} go?"),
    "CLOSEST LOWER CARD": in_context("speech", "to the closest lower card"),
    "FIVE CARDS ARE FULL": in_context("speech", "a row with five cards is full"),
    "THE SIXTH CARD TAKES THE ROW": in_context("speech", "the sixth card takes the row"),
    "{card} TAKES HOW MANY?": in_context("speech", "how many bullheads does {card} take?"),
    "COUNT THE BULLHEADS": in_context("speech", "count the bullheads"),
    "{count} HEAD": in_context("speech", "{bullheads}"),
    "TAKE WHICH ROW?": in_context("speech", "which row do you take?"),
    "THE CHEAPEST ROW": in_context("speech", "the cheapest row"),
    "WHO WINS?": in_context("speech", "who wins?"),
    "NOBODY WANTS BULLHEADS": in_context("speech", "nobody wants bullheads"),
    "{end} IS HIGHER": in_context("speech", "{end} is higher"),
    "{end} IS CLOSER": in_context("speech", "{end} is closer"),
    "WHAT GOES ON {card}?": in_context("speech", "what goes on {card}?"),
    "HIGHER, BY AT MOST 10": in_context("speech", "a higher card, by at most 10"),
    "AFTER 100 COMES 1": in_context("speech", "after 100 comes 1"),
    "NOTHING FITS ON {card}?": in_context("speech", "and if nothing fits on {card}?"),
    "THEN YOU MUST TAKE CARDS": in_context("speech", "then you must take cards"),
    "WHO WINS THE MATCH?": in_context("speech", "who wins the match?"),
    "FEWEST BULLHEADS WIN": in_context("speech", "the fewest bullheads win"),
    "WHAT BEATS ROCK?": in_context("speech", "what beats rock?"),
    "AS IN ROCK-PAPER-SCISSORS": in_context("speech", "as in rock, paper, scissors"),
    "ON A YELLOW ROCK?": in_context("speech", "what goes on a yellow rock?"),
    "RED IS HIGHEST": in_context("speech", "red is the highest"),
    "WHAT ALWAYS FITS?": in_context("speech", "what always fits?"),
    "A JOKER": in_context("speech", "a joker"),
    "CARDS IN THE HAND COST POINTS": in_context("speech", "cards in the hand cost points"),
    "NOT THIS ONE": in_context("speech", "not this one"),
    "RIGHT!": in_context("speech", "right!"),
    "THAT IS ALL!": in_context("speech", "that is all!"),
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

It may leave facts out. NOTHING: it is not said, because another sentence of the same step says it. The second
one of two is shorter: it does without the reason.
"""

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
TWO_WINNERS: Final = in_context("speech", "{one} and {other} win")
WINNERS: Final = in_context("speech", "{players} win")
TRY: Final = _CLOSEST.with_facts(card=44, row=3, end=43)
PLAYER: Final = in_context("speech", "player {number}")


def spoken(text: Text, *, short: bool = False) -> Text:
    """The spoken form of a text, with those of the texts in it; NOTHING where it is not said."""
    facts = {name: _spoken(fact, short=short) for name, fact in text.facts.items()}
    form = _form(text.template, short=short)
    if form is None:
        return Text(text.template, facts, text.plural, text.context)
    if "count" in facts:
        facts |= {name: counted.with_facts(count=facts["count"]) for name, counted in _COUNTED.items()}
    return NOTHING if form == NOTHING else form.with_facts(**facts)


def _form(template: str, *, short: bool) -> Text | None:
    found = SPOKEN.get(template)
    return found[short] if isinstance(found, tuple) else found


def _spoken(fact: object, *, short: bool) -> object:
    if isinstance(fact, tuple):
        return tuple(_spoken(one, short=short) for one in fact)
    return spoken(fact, short=short) if isinstance(fact, Text) else fact


def question(written: Text, kind: AskKind, wait: Wait, seats: tuple[int, ...], card: str | None) -> Text:
    """The spoken form of an open question; NOTHING for one that nobody has to hear, such as how to go on."""
    form = _form(written.template, short=False)
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
        if said.isupper():  # a line of the display without a spoken form: a voice may spell its words
            said = said.lower()
        return tuple(one for one in said.split(_EDGE) if one)

    def words(self) -> Iterator[str]:
        """Every piece that can come in a spoken sentence, but numbers and names: what a speaker records."""
        told = (one for form in SPOKEN.values() for one in (form if isinstance(form, tuple) else (form,)))
        forms = (*told, *_QUESTIONS.values(), *_COUNTED.values())
        for text in (*forms, UNDONE, DEAL_OVER, TOTAL, MATCH_OVER, WINNER, TWO_WINNERS, WINNERS, PLAYER):
            for one in (1, 2):
                yield from filter(heard, re.split(r"{\w+}", Translator.template(self, text, one)))


_EZAFE: Final = "\u0650"
"""The vowel of Persian between two facts; nobody could record it alone."""

_SIGNS: Final = " .,;:!?()«»،؛؟…–-"


def heard(piece: str) -> str:
    """The words of a piece, without the signs at its ends and what nobody hears; empty for a sign alone."""
    words = _NOT_HEARD.sub("", piece).strip(_SIGNS)
    return words if words != _EZAFE else ""
