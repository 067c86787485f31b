"""What score-keeping goes by: the checks K1 to K6, and how a deal is counted. Nothing is decided here."""

from __future__ import annotations

from typing import Final

from companion.ruling import Rule

_SOURCE: Final = "this device"

COUNT: Final = Rule(
    "K1",
    "booklet 002:32, 002:40",
    "ARE ALL CARDS THERE?",
    "Ten cards for each player and four for the rows: all of them were taken or lie in the rows.",
)
UNIQUE: Final = Rule(
    "K2",
    "booklet 002:22, 001:5, 004:98",
    "EVERY CARD ONCE",
    "Every card exists once; a card that is counted twice, or is not in this deck, is refused.",
)
SUM: Final = Rule(
    "K3",
    "booklet 002:108, 002:176",
    "DOES THE SUM FIT?",
    "Where the whole deck is in play, everything taken and the rows together have all its bullheads.",
)
MISSING: Final = Rule(
    "K4",
    "booklet 002:22, 002:176",
    "WHICH CARD IS MISSING",
    "Where the whole deck is in play and every card was scanned, those not seen are missing.",
)
BOUNDS: Final = Rule(
    "K5",
    "booklet 002:42, 001:183, 004:79",
    "CAN IT LIE LIKE THIS?",
    "Four rows end with 4 to 20 cards; where hands are counted, exactly one player has no card left.",
)
POSSIBLE: Final = Rule(
    "K6",
    "booklet 002:108, 001:5, 004:81",
    "CAN THE SUMS BE?",
    "So many cards cannot have fewer points than the cheapest of the deck, nor more than the dearest.",
)
VALUES: Final = Rule(
    "S-VALUES",
    _SOURCE,
    "EVERYBODY HAS A SCORE",
    "A deal is closed when everybody has a score for it; until then each can be put right.",
)
ENTRY: Final = Rule(
    "S-ENTRY",
    _SOURCE,
    "TYPED OR SCANNED",
    "Scores are typed as sums, or their cards are scanned and a badge or OK says whose they are.",
)
CLOSED: Final = Rule(
    "S-CLOSE",
    _SOURCE,
    "DEAL CLOSED",
    "A deal is closed by people, also with a fault that a check has found; the fault stays in the log.",
)
UPSIDE: Final = Rule(
    "S-UPSIDE",
    _SOURCE,
    "READ UPSIDE DOWN?",
    "A typed card that is another card when turned round, such as 66 and 99, is asked about once more.",
)
OWNERS: Final = Rule(
    "S-SWAP",
    _SOURCE,
    "SCORES EXCHANGED",
    "Two players whose scores of the deal in progress were mixed up exchange them.",
)
CORRECTION: Final = Rule(
    "S-RIGHT",
    _SOURCE,
    "COUNTED ANEW",
    "What is counted in the deal in progress can be replaced by other cards or sums.",
)
PLAYERS: Final = Rule(
    "S-PLAYERS",
    _SOURCE,
    "2 TO 10 PLAYERS",
    "Two to ten can play, as many as the game allows; who comes or goes does so between deals.",
)

RULES: Final = {
    rule.key: rule
    for rule in (
        COUNT,
        UNIQUE,
        SUM,
        MISSING,
        BOUNDS,
        POSSIBLE,
        VALUES,
        ENTRY,
        CLOSED,
        UPSIDE,
        OWNERS,
        CORRECTION,
        PLAYERS,
    )
}
