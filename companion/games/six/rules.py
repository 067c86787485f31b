"""The rules of 6 nimmt! as in the rulebook, and house rules where it is silent.

A source names the section, and the rule or the paragraph; examples and pictures are not counted.
Rules 1 to 4 have these numbers in every edition. Where two editions differ, the one that names
the publisher Amigo is followed: a row has at most five cards including the first (another edition
prints six by mistake), and a match ends at 66 or more (the option `booklet` chooses more than 66).
"""

from typing import Final

from companion.core.ruling import Rule, rules_in

# fmt: off
ASCENDING: Final = Rule("6N-1", "6 nimmt! rulebook, Which card? Which row?, rule 1", "RULE 1: ASCENDING",
    "A card must be higher than the last card of its row.")
SMALLEST_GAP: Final = Rule("6N-2", "6 nimmt! rulebook, Which card? Which row?, rule 2",
    "RULE 2: SMALLEST GAP",
    "Of the rows whose last card is lower, a card goes to the one whose last card is closest.")
FULL_ROW: Final = Rule("6N-3", "6 nimmt! rulebook, Taking cards, rule 3", "RULE 3: FULL ROW",
    "A sixth card takes the five cards of its row and becomes the first of the new row.")
LOWEST_CARD: Final = Rule("6N-4", "6 nimmt! rulebook, Taking cards, rule 4", "RULE 4: LOWEST CARD",
    "If your card is lower than the end of every row, take any one row; your card starts it again.")
LOWEST_FIRST: Final = Rule("6N-ORDER", "6 nimmt! rulebook, Playing a card, paragraphs 1 and 2",
    "LOWEST CARD FIRST",
    "All cards are chosen face down, revealed together and placed from the lowest to the highest.")
ONE_CARD_EACH: Final = Rule("6N-CARDS", "6 nimmt! rulebook, Playing a card, paragraph 1", "ONE CARD EACH",
    "In a turn every player plays exactly one card.")
ONE_OF_EACH: Final = Rule("6N-ONE-OF-EACH", "6 nimmt! rulebook, Components; Bullhead herd",
    "EACH CARD EXISTS ONCE",
    "Every number exists once, and a card that was played or taken does not return during the deal.")
DECK: Final = Rule("6N-DECK", "6 nimmt! rulebook, Components; Advanced game 1", "NOT IN THIS DECK",
    "The deck has the cards 1 to 104, in the advanced game only up to ten times the number of players plus "
    "four.")
FOUR_ROWS: Final = Rule("6N-ROWS", "6 nimmt! rulebook, Forming the four rows, paragraph 1",
    "FOUR CARDS START ROWS", "Four cards from the rest of the deck start the four rows.")
ROW_OF_FIVE: Final = Rule("6N-FIVE", "6 nimmt! rulebook, Forming the four rows, paragraph 2",
    "FIVE CARDS A ROW", "A row holds at most five cards, including the starting card.")
HEADS: Final = Rule("6N-HEADS", "6 nimmt! rulebook, Bullheads = minus points; Bullhead herd",
    "EACH HEAD IS A POINT",
    "Every bullhead on a card that you took is a penalty point; taken cards never go back to a hand.")
TEN_TURNS: Final = Rule("6N-DEAL", "6 nimmt! rulebook, Setup; End of the game, paragraphs 1 and 2",
    "TEN TURNS A DEAL",
    "Everybody has ten cards; when they are played, the bullheads are noted and the cards dealt again.")
DRAFT: Final = Rule("6N-DRAFT", "6 nimmt! rulebook, Advanced game 2", "TAKE TURNS TO PICK",
    "All cards lie face up; clockwise, everybody takes one until all have ten; the last four start the rows.")
DRAFT_ORDER: Final = Rule("H6-5", "house rule: the rulebook does not say who picks first",
    "DRAFT: WHO IS FIRST",
    "The first pick moves one seat clockwise each deal; the last four cards start the rows, the lowest in "
    "row 1.")
IN_HAND: Final = Rule("6N-HAND", "house rule on 6 nimmt! rulebook, Advanced game 2", "NOT IN THAT HAND",
    "Where a hand is known, from the open draft or because it was scanned, only its player plays its cards.")
REGISTERED: Final = Rule("H6-10", "house rule: the rulebook does not say", "HANDS ARE SCANNED",
    "Hands may be scanned when dealt: then each card tells the device whose it is. Nobody sees them.")
OWNER: Final = Rule("6N-OWNER", "6 nimmt! rulebook, Taking cards, rules 3 and 4", "OWNER TAKES THE ROW",
    "The cards of a row go to the player who played the card that took it.")
UNVERIFIED: Final = Rule("H6-11", "house rule: the rulebook does not say", "OWNER NOT KNOWN",
    "If nobody knows who played a card that takes a row, nobody is charged and the deal is not verified.")
PLAYERS: Final = Rule("6N-PLAYERS", "6 nimmt! rulebook, first page, Players; Advanced game",
    "2 TO 10 PLAYERS", "Two to ten can play, two to six with the known deck; players join between deals.")
END: Final = Rule("6N-END", "6 nimmt! rulebook, End of the game, paragraphs 2 and 3", "END OF THE MATCH",
    "A match ends after the deal in which somebody reaches or passes 66 bullheads or another agreed limit, "
    "or after an agreed number of deals; the fewest bullheads win.")
EDITION: Final = Rule("H6-1", "house rule: the editions of the rulebook differ", "66, OR MORE THAN 66?",
    'One edition says "66 or more", another "more than 66": the players choose; the default is 66 or more.')
SHARED: Final = Rule("H6-3", "house rule: the rulebook has no tie-break", "SHARED VICTORY",
    "All players with the fewest bullheads share the victory.")
LEFT: Final = Rule("H6-7", "house rule: the rulebook does not say", "LEAVERS CANNOT WIN",
    "A player may leave between turns; the points are kept and can end the match, but not win it.")
EARLY_END: Final = Rule("H6-8", "house rule: the rulebook does not say", "DEAL ENDED EARLY",
    "The players may agree to end a deal early; the bullheads taken so far count.")
TAKEN_OVER: Final = Rule("H6-9", "house rule: the rulebook does not say", "TABLE SET UP",
    "A deal in progress can be set up on the device if its rows are possible.")
NO_PENALTY: Final = Rule("H6-6", "house rule: the rulebook names no penalty", "CORRECTING A MISTAKE",
    "A mistake in the latest turn is corrected without a penalty; in the tenth turn, until the next deal's "
    "first card.")
# fmt: on

RULES: Final = rules_in(globals())
