"""The rules of score-keeping: the checks K1 to K6, and how a deal is counted. Nothing is decided here."""

from typing import Final

from companion.core.ruling import Rule, rules_in

# fmt: off
COUNT: Final = Rule("K1", "6 nimmt! rulebook, Setup; Forming the four rows", "ARE ALL CARDS THERE?",
    "Ten cards for each player and four for the rows: all of them were taken or are in the rows.")
UNIQUE: Final = Rule("K2", "6 nimmt! rulebook, Components; 11 nimmt! rulebook, Components", "EVERY CARD ONCE",
    "Every card exists once; a card that is counted twice or is not in this deck is rejected.")
SUM: Final = Rule("K3", "6 nimmt! rulebook, Bullheads = minus points; Advanced game 1", "DOES THE SUM MATCH?",
    "When the whole deck is in play, the taken cards and the rows together have all its bullheads.")
MISSING: Final = Rule("K4", "6 nimmt! rulebook, Components; Advanced game 1", "WHICH CARD IS MISSING",
    "When the whole deck is in play and everything was scanned, the cards not seen are missing.")
BOUNDS: Final = Rule("K5", "6 nimmt! rulebook, Forming the four rows; 11 nimmt! rulebook, End of the game "
    "and scoring; Ciao! rulebook, End of the game",
    "IS THIS POSSIBLE?",
    "At the end the four rows together have 4 to 20 cards; when hands are counted, exactly one player has "
    "none.")
POSSIBLE: Final = Rule("K6", "6 nimmt! rulebook, Bullheads = minus points; Ciao! rulebook, End of the game",
    "ARE SUMS POSSIBLE?",
    "N counted cards cannot have fewer points than the N cheapest in the deck, or more than the N most "
    "expensive.")
VALUES: Final = Rule("S-VALUES", "this device", "EVERYBODY HAS A SCORE",
    "A deal can be closed when everybody has a score for it; until then each score can be corrected.")
ENTRY: Final = Rule("S-ENTRY", "this device", "TYPED OR SCANNED",
    "Scores are typed as sums, or their cards are scanned and a badge or OK says whose they are.")
CLOSED: Final = Rule("S-CLOSE", "this device", "DEAL CLOSED",
    "A deal can be closed even if a check has failed; the failed check stays in the log.")
UPSIDE: Final = Rule("S-UPSIDE", "this device", "READ UPSIDE DOWN?",
    "A typed card that is another card upside down, such as 66 and 99, must be confirmed.")
OWNERS: Final = Rule("S-SWAP", "this device", "SCORES SWAPPED",
    "Mixed-up scores of two players in the deal in progress can be swapped.")
CORRECTION: Final = Rule("S-RIGHT", "this device", "COUNT CORRECTED",
    "Cards and sums that were counted in the deal in progress can be replaced.")
PLAYERS: Final = Rule("S-PLAYERS", "this device", "2 TO 10 PLAYERS",
    "Two to ten can play, as many as the game allows; players join or leave between deals.")
# fmt: on

RULES: Final = rules_in(globals())
