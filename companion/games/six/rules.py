"""The rules of 6 nimmt! as the booklets print them, and the rulings of this house where they are silent.

Booklets 000 and 002 are the Persian editions; "002:66" is line 66 of booklet 002. Where the
two differ, the source names the one followed and why.
"""

from __future__ import annotations

from typing import Final

from companion.ruling import Rule

ASCENDING: Final = Rule(
    "6N-1",
    "booklet 002:62, 000:41",
    "RULE 1: ASCENDING",
    "A card must be higher than the last card of its row.",
)
SMALLEST_GAP: Final = Rule(
    "6N-2",
    "booklet 002:66, 000:45",
    "RULE 2: SMALLEST GAP",
    "Of the rows that end lower, a card goes to the one whose last card is closest.",
)
FULL_ROW: Final = Rule(
    "6N-3",
    "booklet 002:82, 000:63",
    "RULE 3: FULL ROW",
    "A sixth card takes the five cards of its row and becomes the first of the new row.",
)
LOWEST_CARD: Final = Rule(
    "6N-4",
    "booklet 002:94, 000:75",
    "RULE 4: LOWEST CARD",
    "Whose card is lower than the end of every row takes any one row; the card begins it anew.",
)
LOWEST_FIRST: Final = Rule(
    "6N-ORDER",
    "booklet 002:52, 000:33",
    "LOWEST CARD FIRST",
    "All cards are chosen face down, shown together and placed from the lowest to the highest.",
)
ONE_CARD_EACH: Final = Rule(
    "6N-CARDS",
    "booklet 002:50, 000:31",
    "ONE CARD EACH",
    "In a turn every player plays exactly one card.",
)
ONE_OF_EACH: Final = Rule(
    "6N-ONE-OF-EACH",
    "booklet 002:22, 000:7",
    "EACH CARD EXISTS ONCE",
    "Every number exists once, and a card that was played or taken does not come back in the deal.",
)
DECK: Final = Rule(
    "6N-DECK",
    "booklet 002:22, 002:174",
    "NOT IN THIS DECK",
    "The deck holds 1 to 104; in the advanced game 1 to ten times the players plus four.",
)
FOUR_ROWS: Final = Rule(
    "6N-ROWS",
    "booklet 002:40, 000:21",
    "FOUR CARDS START ROWS",
    "Four cards from the rest of the deck start the four rows.",
)
ROW_OF_FIVE: Final = Rule(
    "6N-FIVE",
    "booklet 002:42 (000:21 prints six by mistake)",
    "FIVE CARDS A ROW",
    "A row holds at most five cards, the starting card counted.",
)
HEADS: Final = Rule(
    "6N-HEADS",
    "booklet 002:108, 000:91",
    "EACH HEAD IS A POINT",
    "Every bullhead on a card that you took is a penalty point; taken cards never go back to a hand.",
)
TEN_TURNS: Final = Rule(
    "6N-DEAL",
    "booklet 002:32, 002:126",
    "TEN TURNS A DEAL",
    "Everybody has ten cards; when they are played the heads are noted and the cards dealt anew.",
)
DRAFT: Final = Rule(
    "6N-DRAFT",
    "booklet 002:188, 000:143; who begins is house ruling H6-5",
    "TAKE TURNS TO PICK",
    "The cards lie open; clockwise everybody takes one until all have ten; the last four start the rows.",
)
IN_HAND: Final = Rule(
    "6N-HAND",
    "booklet 002:188",
    "NOT IN THAT HAND",
    "After the open draft every hand is known: a card can only be played by the one who picked it.",
)
OWNER: Final = Rule(
    "6N-OWNER",
    "booklet 002:82, 002:94",
    "WHO PLAYED IT TAKES",
    "The cards of a row go to the player who played the card that took it.",
)
PLAYERS: Final = Rule(
    "6N-PLAYERS",
    "booklet 002:19, 002:174",
    "2 TO 10 PLAYERS",
    "Two to ten can play, two to six with the known deck; who comes or goes does so between deals.",
)
LEFT: Final = Rule(
    "H6-7",
    "house ruling: the booklets do not say",
    "WHO LEFT CANNOT WIN",
    "A player may leave between turns; the points stay noted, but who is not there at the end does not win.",
)
EARLY_END: Final = Rule(
    "H6-8",
    "house ruling: the booklets do not say",
    "DEAL ENDED EARLY",
    "The table may agree to end a deal early; the heads taken so far count.",
)
TAKEN_OVER: Final = Rule(
    "H6-9",
    "house ruling: the booklets do not say",
    "TABLE TAKEN OVER",
    "A deal can be taken over as it lies, if its rows can lie on a table at all.",
)
NO_PENALTY: Final = Rule(
    "H6-6",
    "house ruling: the booklets name no penalty",
    "MISTAKES ARE MENDED",
    "A mistake in the newest turn is put right without a penalty.",
)

RULES: Final = {
    rule.key: rule
    for rule in (
        ASCENDING,
        SMALLEST_GAP,
        FULL_ROW,
        LOWEST_CARD,
        LOWEST_FIRST,
        ONE_CARD_EACH,
        ONE_OF_EACH,
        DECK,
        FOUR_ROWS,
        ROW_OF_FIVE,
        HEADS,
        TEN_TURNS,
        DRAFT,
        IN_HAND,
        OWNER,
        PLAYERS,
        LEFT,
        EARLY_END,
        TAKEN_OVER,
        NO_PENALTY,
    )
}
