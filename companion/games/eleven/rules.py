"""The rules of 11 nimmt! as in the rulebook, and house rules where it is silent.

A source names the section, and the rule or the paragraph; examples and pictures are not counted.
"""

from typing import Final

from companion.core.ruling import Rule, rules_in

# fmt: off
HIGHER: Final = Rule("11-1", "11 nimmt! rulebook, Playing cards, rule 1", "RULE 1: ASCENDING",
    "A card must be higher than the top card of its pile.")
AT_MOST_TEN: Final = Rule("11-2", "11 nimmt! rulebook, Playing cards, rule 2", "RULE 2: AT MOST 10 UP",
    "A card may be at most 10 above the top card of its pile.")
ROUND_AGAIN: Final = Rule("11-3", "11 nimmt! rulebook, Playing cards, rule 3", "RULE 3: 1 AFTER 100",
    "After 100 the numbers continue with 1, 2, 3: on 96 you can play 97 to 100 and 1 to 6.")
ONE_ACTION: Final = Rule("11-TURN", "11 nimmt! rulebook, Course of play", "ONE MOVE AT A TIME",
    "Play goes clockwise; on your turn, play on a pile or take all cards of one pile. You may not pass.")
TAKING: Final = Rule("11-TAKE", "11 nimmt! rulebook, Playing cards, rule 2; Taking a pile", "TAKE A PILE",
    "If you cannot or do not want to play, take all cards of a pile into your hand; your turn is over.")
NEW_PILES: Final = Rule("11-NEW", "11 nimmt! rulebook, Setup; Taking a pile, paragraph 2",
    "TURN UP NEW PILES",
    "The top card of the deck starts the first pile; when a pile is taken, two cards start two new piles.")
BULL: Final = Rule("11-BULL", "11 nimmt! rulebook, Taking a pile, paragraph 5", "3 CARDS: A BULL CARD",
    "If you take a pile of three or more cards, you also get a bull card; you can have several.")
SUPPLY: Final = Rule("11-SUPPLY", "11 nimmt! rulebook, Taking a pile, paragraph 6", "BULL FROM THE LEADER",
    "When the supply is empty, take the bull card from the player who has the most; on a tie, choose one.")
WINDOW: Final = Rule("11-MORE", "11 nimmt! rulebook, Bull cards", "BULLS: MORE CARDS",
    "For each bull card you may play any number of cards on one pile, all at most 10 above its old top card.")
ONE_OF_EACH: Final = Rule("11-ONE-OF-EACH", "11 nimmt! rulebook, Components", "EACH CARD EXISTS ONCE",
    "The numbers 1 to 100 exist once each, so a card on a pile or in one hand cannot be in another hand.")
HANDS: Final = Rule("11-HANDS", "11 nimmt! rulebook, Setup, paragraph 1", "TEN CARDS EACH",
    "Everybody is dealt ten cards; the rest is the draw pile.")
OUT: Final = Rule("11-OUT", "11 nimmt! rulebook, End of the game and scoring, paragraph 1",
    "HAND EMPTY: DEAL OVER",
    "A deal ends as soon as a hand is empty; every bullhead left in the other hands is a minus point.")
STARTER: Final = Rule("11-START", "11 nimmt! rulebook, Setup; End of the game and scoring, paragraph 2",
    "WORST STARTS NEXT",
    "The youngest player starts; the player with the most minus points in a deal starts the next one.")
DEALS: Final = Rule("11-DEALS", "11 nimmt! rulebook, End of the game and scoring, paragraph 2",
    "ONE DEAL PER PLAYER",
    "There are as many deals as players, unless agreed otherwise; the fewest minus points win.")
PLAYERS: Final = Rule("11-PLAYERS", "11 nimmt! rulebook, first page, Players", "2 TO 7 PLAYERS",
    "Two to seven can play; players join or leave between deals.")
HEADS: Final = Rule("H11-1", "house rule: the rulebook does not list bullheads by card",
    "HEADS AS IN 6 NIMMT!",
    "The cards have the same bullheads as in 6 nimmt!, or those of a list that the players agreed on.")
BULLS_STAY: Final = Rule("H11-2", "house rule on 11 nimmt! rulebook, Bull cards", "BULL CARDS ARE KEPT",
    "A bull card is kept and can be used every turn of the deal, unless it was agreed to return used ones.")
STACKING: Final = Rule("H11-3", "house rule on 11 nimmt! rulebook, Bull cards, paragraph 3",
    "STACKED BY RULE 3",
    "Several cards are stacked in the order of rule 3: on 96, the order is 97, 100, 3, with 3 on top.")
LEADER: Final = Rule("H11-4", "house rule on 11 nimmt! rulebook, Taking a pile, paragraph 6",
    "LEADER GETS NO BULL",
    "When the supply is empty, a sole leader in bull cards gets none; a tied leader takes one from another.")
SHORT_DECK: Final = Rule("H11-5", "house rule on 11 nimmt! rulebook, Taking a pile, paragraph 2",
    "TURN UP THE REST",
    "When fewer than two cards are left in the deck, only those are turned up; nothing is reshuffled.")
NO_PILE: Final = Rule("H11-6", "house rule: the rulebook does not say", "OPEN A PILE",
    "When no pile and no deck are left, the player whose turn it is opens a pile with any one card.")
STARTER_TIE: Final = Rule("H11-7", "house rule: the rulebook does not say who starts on a tie",
    "TIE: NEXT CLOCKWISE",
    "Of players tied for the most minus points, the first clockwise after the one who went out, or whose "
    "turn it was, starts.")
SHARED: Final = Rule("H11-8", "house rule: the rulebook has no tie-break", "SHARED VICTORY",
    "All players with the fewest minus points share the victory.")
HOW_MANY: Final = Rule("H11-9", "house rule on 11 nimmt! rulebook, Bull cards, paragraph 3",
    "BULLS: AS MANY PILES",
    "Play one or more cards on at most as many piles as you have bull cards; without bull cards, just one.")
LEFT: Final = Rule("H11-10", "house rule: the rulebook does not say", "LEAVERS CANNOT WIN",
    "A player may leave between deals; the points are kept, but a player who has left cannot win.")
EARLY_END: Final = Rule("H11-11", "house rule: the rulebook does not say", "DEAL ENDED EARLY",
    "The players may agree to end a deal early; then every hand is counted.")
AS_IT_LIES: Final = Rule("H11-12", "house rule: the rulebook does not say", "TABLE SET UP",
    "A deal in progress can be set up on the device if such a table is possible.")
NO_PENALTY: Final = Rule("H11-13", "house rule: the rulebook names no penalty", "CORRECTING A MISTAKE",
    "The latest move can be corrected without penalty, a deal's last move until the next deal's first card.")
# fmt: on

RULES: Final = rules_in(globals())
