"""The rules of Ciao! as the booklet prints them, and the rulings of this house where it is silent.

"004:63" is line 63 of the Persian booklet 004. A house ruling is an option with a default;
a verdict that rests on one gives its key, which begins with H.
"""

from __future__ import annotations

from typing import Final

from companion.ruling import Rule

_SILENT: Final = "house ruling: the booklet does not say"

PLAYERS: Final = Rule(
    "CI-1",
    "booklet 004:7",
    "2 TO 6 PLAYERS",
    "Two to six can play.",
)
FIRST_OUT: Final = Rule(
    "CI-2",
    "booklet 004:11, 004:79",
    "FIRST WITHOUT CARDS",
    "Who is first to have no cards wins the deal.",
)
IN_TURN: Final = Rule(
    "CI-3",
    "booklet 004:13",
    "ONE AFTER THE OTHER",
    "Seven cards each, the rest is the draw pile; clockwise one plays after the other.",
)
OPENING: Final = Rule(
    "CI-4",
    "booklet 004:15",
    "OPEN WITH ANY CARD",
    "The first player opens with any card of the hand; then each plays a higher card on top.",
)
DRAW: Final = Rule(
    "CI-5",
    "booklet 004:15",
    "CANNOT PLAY: DRAW ONE",
    "Who cannot play higher draws one card; if it can be played, it may be played at once.",
)
FREE: Final = Rule(
    "CI-6",
    "booklet 004:17",
    "MUST NOT PLAY: DRAW",
    "Nobody has to play although a card fits, but who does not play draws one card.",
)
MISTAKE: Final = Rule(
    "CI-7",
    "booklet 004:17",
    "MISTAKE: DRAW THREE",
    "Who makes a mistake when playing draws three cards at once and loses a turn.",
)
HIGHER: Final = Rule(
    "CI-8",
    "booklet 004:19",
    "MUST BE HIGHER",
    "Higher is the same symbol in a higher colour, a higher symbol, or a joker.",
)
COLOURS: Final = Rule(
    "CI-9",
    "booklet 004:24",
    "GREEN < YELLOW < RED",
    "Of the same symbol, yellow is higher than green and red is higher than both.",
)
SYMBOLS: Final = Rule(
    "CI-10",
    "booklet 004:30",
    "THE HIGHER SYMBOL",
    "Paper is higher than rock, rock than scissors, scissors than paper; the colour does not matter.",
)
JOKER: Final = Rule(
    "CI-11",
    "booklet 004:42",
    "JOKER ON ANY CARD",
    "A joker goes on any card; its player names the symbol, the colour is the joker's own.",
)
TROUBLE: Final = Rule(
    "CI-12",
    "booklet 004:48",
    "TROUBLE: NEVER PLAYED",
    "A trouble card is never played; only a special card can rid you of it.",
)
SPECIAL: Final = Rule(
    "CI-13",
    "booklet 004:52",
    "ICONS TAKE EFFECT",
    "The icon on a card takes effect when the card is played.",
)
AGAIN_OR_REVERSE: Final = Rule(
    "CI-14",
    "booklet 004:54",
    "AGAIN OR REVERSE",
    "Play again at once, and draw a card if you cannot, or change the direction.",
)
CHALLENGE: Final = Rule(
    "CI-15",
    "booklet 004:58",
    "SPEED CHALLENGE",
    "Who is first to put an acceptable card on it wins; the challenger takes no part.",
)
PLUS_THREE: Final = Rule(
    "CI-16",
    "booklet 004:64",
    "+3: DRAW OR ANSWER",
    "The next player draws three cards and loses the turn, unless a joker or another +3 is played.",
)
BAD_CARD: Final = Rule(
    "CI-17",
    "booklet 004:71",
    "A CARD FOR YOU",
    "Give a card of your hand to a player, who says thank you or draws three more.",
)
SWAP: Final = Rule(
    "CI-18",
    "booklet 004:75",
    "HANDS CHANGE",
    "Exchange your hand with the hand of a player of your choice.",
)
SCORING: Final = Rule(
    "CI-19",
    "booklet 004:79",
    "CARDS LEFT ARE POINTS",
    "Green costs 1, yellow 2, red 3, a joker or a trouble card 5; the winner of the deal starts the next.",
)
YOUNG: Final = Rule(
    "CI-20",
    "booklet 004:88",
    "STEPS FOR THE YOUNG",
    "First only symbols count and special and trouble cards stay out; then special cards; then colours.",
)
WHICH_TURN: Final = Rule(
    "HC-1",
    _SILENT,
    "MISTAKE: 3 AND A TURN",
    "After a mistake the card goes back to the hand; who is on turn loses this turn, anyone else the next.",
)
DRAWN: Final = Rule(
    "HC-2",
    "house ruling on booklet 004:15",
    "ONLY THE DRAWN CARD",
    "After drawing, by force or by choice, only the drawn card may be played.",
)
OPENING_CARD: Final = Rule(
    "HC-3",
    "house ruling on booklet 004:15",
    "JOKER MAY OPEN",
    "A joker or a special card may open and takes effect; a trouble card may not.",
)
AFTER_CHALLENGE: Final = Rule(
    "HC-4",
    "house ruling on booklet 004:58",
    "ON AFTER THE WINNER",
    "After a challenge the player after the winner is next; a joker may win, and the winner's icon counts.",
)
ORDER_OF_PLUS_THREE: Final = Rule(
    "HC-5",
    "house ruling on booklet 004:64",
    "+3 MUST BE HIGHER TOO",
    "A +3 that answers a +3 must also be higher.",
)
REVERSE_OF_TWO: Final = Rule(
    "HC-6",
    _SILENT,
    "REVERSE WITH TWO",
    "With two players a change of direction changes nothing: the other one is next.",
)
LAST_SPECIAL: Final = Rule(
    "HC-7",
    "house ruling on booklet 004:79",
    "LAST CARD ENDS IT",
    "Who plays the last card has won at once; its icon takes no effect.",
)
LAST_GIFT: Final = Rule(
    "HC-8",
    _SILENT,
    "LAST CARD GIVEN: WON",
    "The gift must be given; who gives the last card away has won.",
)
RESHUFFLE: Final = Rule(
    "HC-9",
    _SILENT,
    "RESHUFFLE",
    "When the draw pile is used up, the cards under the top card are shuffled into a new one.",
)
DECK: Final = Rule(
    "HC-10",
    "house ruling on booklet 004:98",
    "WHAT IS IN THE BOX",
    "The box holds 90 cards, of each kind as many as agreed; a card lies in one place only.",
)
TROUBLE_LEAVES: Final = Rule(
    "HC-11",
    "house ruling on booklet 004:48",
    "TROUBLE: GIVE OR SWAP",
    "A trouble card leaves a hand only as a bad card or when hands change.",
)
THANKS: Final = Rule(
    "HC-12",
    "house ruling on booklet 004:71",
    "THANKS BEFORE A CARD",
    "Thank you must be said before the next card is played.",
)
ROUNDS: Final = Rule(
    "HC-13",
    "house ruling on booklet 004:79",
    "FIVE DEALS",
    "Five deals if nothing else was agreed; every deal begins clockwise; a tie shares the win.",
)
YOUNG_CARDS: Final = Rule(
    "HC-15",
    "house ruling on booklet 004:88",
    "JOKERS STAY",
    "In the steps for the young jokers stay in, and trouble cards stay out until the full game.",
)
BETWEEN_DEALS: Final = Rule(
    "HC-16",
    _SILENT,
    "COME AND GO BETWEEN",
    "Players come and go before the first card of a deal; who is not there at the end does not win.",
)
EARLY_END: Final = Rule(
    "HC-17",
    _SILENT,
    "DEAL ENDED EARLY",
    "The table may agree to end a deal early; then every hand counts, and the lowest starts the next.",
)
AS_IT_LIES: Final = Rule(
    "HC-18",
    _SILENT,
    "TABLE TAKEN OVER",
    "A deal can be taken over as it lies; its cards need not be those of the box.",
)
MENDED: Final = Rule(
    "HC-19",
    _SILENT,
    "SLIPS ARE MENDED",
    "A card that was scanned wrong is put right without a penalty; one that was played wrong is a mistake.",
)

RULES: Final = {
    rule.key: rule
    for rule in (
        PLAYERS,
        FIRST_OUT,
        IN_TURN,
        OPENING,
        DRAW,
        FREE,
        MISTAKE,
        HIGHER,
        COLOURS,
        SYMBOLS,
        JOKER,
        TROUBLE,
        SPECIAL,
        AGAIN_OR_REVERSE,
        CHALLENGE,
        PLUS_THREE,
        BAD_CARD,
        SWAP,
        SCORING,
        YOUNG,
        WHICH_TURN,
        DRAWN,
        OPENING_CARD,
        AFTER_CHALLENGE,
        ORDER_OF_PLUS_THREE,
        REVERSE_OF_TWO,
        LAST_SPECIAL,
        LAST_GIFT,
        RESHUFFLE,
        DECK,
        TROUBLE_LEAVES,
        THANKS,
        ROUNDS,
        YOUNG_CARDS,
        BETWEEN_DEALS,
        EARLY_END,
        AS_IT_LIES,
        MENDED,
    )
}
