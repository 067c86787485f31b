"""The rules of 11 nimmt! as the booklet prints them, and the rulings of this house where it is silent.

Booklet 001 is the Persian edition; "001:53" is line 53 of it.
"""

from __future__ import annotations

from typing import Final

from companion.ruling import Rule

HIGHER: Final = Rule(
    "11-1",
    "booklet 001:53",
    "RULE 1: ASCENDING",
    "A card must be higher than the top card of its pile.",
)
AT_MOST_TEN: Final = Rule(
    "11-2",
    "booklet 001:57",
    "RULE 2: AT MOST 10 UP",
    "A card may be at most 10 above the top card of its pile.",
)
ROUND_AGAIN: Final = Rule(
    "11-3",
    "booklet 001:59-63",
    "RULE 3: 1 AFTER 100",
    "After 100 the numbers go on with 1, 2, 3: on 96 go 97 to 100 and 1 to 6.",
)
ONE_ACTION: Final = Rule(
    "11-TURN",
    "booklet 001:42-45",
    "PLAY OR TAKE A PILE",
    "Clockwise, who is on turn either plays on a pile or takes all cards of one pile; nobody may pass.",
)
TAKING: Final = Rule(
    "11-TAKE",
    "booklet 001:57, 001:67, 001:73",
    "TAKE A PILE",
    "Who cannot or does not want to play takes all cards of a pile into the hand; then the turn passes.",
)
NEW_PILES: Final = Rule(
    "11-NEW",
    "booklet 001:24, 001:69",
    "TURN UP NEW PILES",
    "The top card of the deck is the first pile; whenever a pile was taken, two cards begin two new piles.",
)
BULL: Final = Rule(
    "11-BULL",
    "booklet 001:75",
    "3 CARDS: A BULL CARD",
    "Who takes a pile of three or more cards also gets one bull card; one can have several.",
)
SUPPLY: Final = Rule(
    "11-SUPPLY",
    "booklet 001:79",
    "BULL OF WHO HAS MOST",
    "When the supply is empty the bull card comes from who has most; of several the taker chooses.",
)
WINDOW: Final = Rule(
    "11-MORE",
    "booklet 001:83-87, 001:89",
    "BULLS: MORE CARDS",
    "With bull cards one may play several cards on that many piles, all within 10 of the top card before.",
)
ONE_OF_EACH: Final = Rule(
    "11-ONE-OF-EACH",
    "booklet 001:5-15",
    "EACH CARD EXISTS ONCE",
    "The numbers 1 to 100 exist once each, so a card on a pile or in one hand is in no other hand.",
)
HANDS: Final = Rule(
    "11-HANDS",
    "booklet 001:23",
    "TEN CARDS EACH",
    "Everybody is dealt ten cards; what is left is the draw deck.",
)
OUT: Final = Rule(
    "11-OUT",
    "booklet 001:183",
    "HAND EMPTY: DEAL OVER",
    "A deal ends at the moment a hand is empty; every bullhead left in the other hands is a minus point.",
)
STARTER: Final = Rule(
    "11-START",
    "booklet 001:189",
    "WORST STARTS NEXT",
    "Whoever had most minus points in a deal starts the next one.",
)
DEALS: Final = Rule(
    "11-DEALS",
    "booklet 001:189",
    "ONE DEAL PER PLAYER",
    "There are as many deals as players; the fewest minus points win.",
)
PLAYERS: Final = Rule(
    "11-PLAYERS",
    "booklet 001:5",
    "2 TO 7 PLAYERS",
    "Two to seven can play; who comes or goes does so between deals.",
)
HEADS: Final = Rule(
    "H11-1",
    "house ruling: no booklet prints the heads of each card",
    "HEADS AS IN 6 NIMMT!",
    "The cards have the bullheads that they have in 6 nimmt!, or those of a table that was agreed.",
)
BULLS_STAY: Final = Rule(
    "H11-2",
    "house ruling: the booklet does not say whether a bull card is used up",
    "BULL CARDS ARE KEPT",
    "A bull card is kept and serves in every turn of the deal, unless it was agreed that using it costs it.",
)
STACKING: Final = Rule(
    "H11-3",
    "house ruling: 001:89 does not say what is highest after 100",
    "STACKED GOING ROUND",
    "Several cards are stacked in the order of rule 3: on 96 lie 97, 100, 3, with 3 on top.",
)
LEADER: Final = Rule(
    "H11-4",
    "house ruling: the booklet does not say what a taker with most bull cards gets",
    "LEADER GETS NO BULL",
    "Without a supply, who alone has most bull cards gets none; who shares the lead takes from a fellow.",
)
SHORT_DECK: Final = Rule(
    "H11-5",
    "house ruling: the booklet does not say what an empty deck does",
    "WHAT IS LEFT TURNS UP",
    "When fewer than two cards are left in the deck, those are turned up; nothing is shuffled again.",
)
NO_PILE: Final = Rule(
    "H11-6",
    "house ruling: the booklet does not say what is played without a pile",
    "OPEN A PILE",
    "When no pile and no deck are left, who is on turn opens a pile with any one card.",
)
STARTER_TIE: Final = Rule(
    "H11-7",
    "house ruling: the booklet does not say who starts after a tie",
    "TIE: NEXT CLOCKWISE",
    "If several had most minus points, the first of them clockwise from who went out starts.",
)
SHARED: Final = Rule(
    "H11-8",
    "house ruling: the booklet has no tie-break",
    "SHARED VICTORY",
    "Several players with the fewest minus points share the victory.",
)
HOW_MANY: Final = Rule(
    "H11-9",
    "house ruling: 001:89 does not say whether a bull card must be used",
    "BULLS: AS MANY PILES",
    "At least one card is played; with bull cards on at most that many different piles, without one on one.",
)
LEFT: Final = Rule(
    "H11-10",
    "house ruling: the booklet does not say",
    "WHO LEFT CANNOT WIN",
    "A player may leave between deals; the points stay noted, but who is not there at the end does not win.",
)
EARLY_END: Final = Rule(
    "H11-11",
    "house ruling: the booklet does not say",
    "DEAL ENDED EARLY",
    "The table may agree to end a deal early; then every hand is counted.",
)
AS_IT_LIES: Final = Rule(
    "H11-12",
    "house ruling: the booklet does not say",
    "TABLE TAKEN OVER",
    "A deal can be taken over as it lies, if it can lie on a table at all.",
)
NO_PENALTY: Final = Rule(
    "H11-13",
    "house ruling: the booklet names no penalty",
    "MISTAKES ARE MENDED",
    "A mistake in the newest move is put right without a penalty.",
)

RULES: Final = {
    rule.key: rule
    for rule in (
        HIGHER,
        AT_MOST_TEN,
        ROUND_AGAIN,
        ONE_ACTION,
        TAKING,
        NEW_PILES,
        BULL,
        SUPPLY,
        WINDOW,
        ONE_OF_EACH,
        HANDS,
        OUT,
        STARTER,
        DEALS,
        PLAYERS,
        HEADS,
        BULLS_STAY,
        STACKING,
        LEADER,
        SHORT_DECK,
        NO_PILE,
        STARTER_TIE,
        SHARED,
        HOW_MANY,
        LEFT,
        EARLY_END,
        AS_IT_LIES,
        NO_PENALTY,
    )
}
