"""The rules of Ciao! as the rulebook prints them, and the house rules where it is silent.

The key of a house rule begins with H. Five of them can be agreed otherwise: see `options`. A key never
changes its meaning: HC-14 was never used.
"""

from typing import Final

from companion.core.ruling import Rule, rules_in

# fmt: off
PLAYERS: Final = Rule("CI-1", "Ciao! rulebook, first page, below the title", "2 TO 6 PLAYERS",
    "Two to six can play.")
FIRST_OUT: Final = Rule("CI-2", "Ciao! rulebook, Object of the game; End of the game", "FIRST WITHOUT CARDS",
    "The first player without cards wins the deal.")
IN_TURN: Final = Rule("CI-3", "Ciao! rulebook, Setup", "PLAY IN TURN",
    "Players take turns, clockwise unless a card changes the direction.")
OPENING: Final = Rule("CI-4", "Ciao! rulebook, How to play, paragraph 1", "OPEN WITH ANY CARD",
    "The first player opens with any card; then each player plays a higher card on top.")
DRAW: Final = Rule("CI-5", "Ciao! rulebook, How to play, paragraph 1", "CANNOT PLAY: DRAW ONE",
    "If you cannot play a higher card, draw one; if it can be played, you may play it at once.")
FREE: Final = Rule("CI-6", "Ciao! rulebook, How to play, paragraph 2", "NOT PLAYING: DRAW ONE",
    "You need not play even if a card fits, but then you draw one card.")
MISTAKE: Final = Rule("CI-7", "Ciao! rulebook, How to play, paragraph 2", "MISTAKE: DRAW PENALTY",
    "If you make a mistake when playing, draw three cards at once and lose a turn.")
HIGHER: Final = Rule("CI-8", "Ciao! rulebook, Order of the cards", "MUST BE HIGHER",
    "Higher is the same symbol in a higher colour, a higher symbol, or a joker.")
COLOURS: Final = Rule("CI-9", "Ciao! rulebook, Order of the colours, figure 2", "GREEN < YELLOW < RED",
    "Of the same symbol, yellow is higher than green and red is higher than both.")
SYMBOLS: Final = Rule("CI-10", "Ciao! rulebook, Order of the symbols, figure 3", "THE HIGHER SYMBOL",
    "Paper is higher than rock, rock than scissors, scissors than paper; the colour does not matter.")
JOKER: Final = Rule("CI-11", "Ciao! rulebook, Jokers", "JOKER ON ANY CARD",
    "A joker goes on any card; its player names the symbol; the colour is the joker's own.")
TROUBLE: Final = Rule("CI-12", "Ciao! rulebook, Trouble cards", "TROUBLE: NEVER PLAYED",
    "A trouble card is never played; you can get rid of it only with a special card.")
SPECIAL: Final = Rule("CI-13", "Ciao! rulebook, Special cards", "ICONS TAKE EFFECT",
    "The icon on a card takes effect when the card is played.")
AGAIN_OR_REVERSE: Final = Rule("CI-14", "Ciao! rulebook, Special cards, Again or reverse!",
    "AGAIN OR REVERSE", "Either play again at once, drawing a card if you cannot, or change the direction.")
CHALLENGE: Final = Rule("CI-15", "Ciao! rulebook, Special cards, Speed challenge!", "SPEED CHALLENGE",
    "The first player to put a valid card on it wins; the challenger does not take part.")
PLUS_THREE: Final = Rule("CI-16", "Ciao! rulebook, Special cards, +3 cards!", "+3: DRAW OR ANSWER",
    "The next player draws three cards and loses the turn, unless a joker or another +3 is played.")
BAD_CARD: Final = Rule("CI-17", "Ciao! rulebook, Special cards, A bad card!", "GIVE A BAD CARD",
    "Give one of your cards to a player, who must say thank you or draw three more.")
SWAP: Final = Rule("CI-18", "Ciao! rulebook, Special cards, Swap hands!", "SWAP HANDS",
    "Swap hands with a player of your choice.")
SCORING: Final = Rule("CI-19", "Ciao! rulebook, End of the game", "CARDS LEFT ARE POINTS",
    "Green 1, yellow 2, red 3, joker or trouble 5; a deal's winner starts the next; the fewest points win.")
YOUNG: Final = Rule("CI-20", "Ciao! rulebook, For younger players", "RULES FOR CHILDREN",
    "Step 1: only symbols count, no special or trouble cards. Step 2: special cards. Step 3: colours.")
SETUP: Final = Rule("CI-21", "Ciao! rulebook, Setup", "YOUNGEST STARTS",
    "Seven cards each; the rest is the draw pile; the youngest player starts the first deal.")
WHICH_TURN: Final = Rule("HC-1", "house rule: the rulebook does not say", "MISTAKE: DRAW 3, SKIP",
    "After a mistake the card goes back to the hand; you lose this turn if it is yours, else your next turn.")
DRAWN: Final = Rule("HC-2", "house rule on Ciao! rulebook, How to play, paragraph 1", "ONLY THE DRAWN CARD",
    "After drawing, whether forced or by choice, only the drawn card may be played.")
OPENING_CARD: Final = Rule("HC-3", "house rule on Ciao! rulebook, How to play, paragraph 1", "JOKER MAY OPEN",
    "A joker or a special card may open, and it takes effect; a trouble card may not open.")
AFTER_CHALLENGE: Final = Rule("HC-4", "house rule on Ciao! rulebook, Speed challenge!", "PLAY ON FROM WINNER",
    "After a challenge the player after the winner is next; a joker may win, and the winning card's icon "
    "takes effect.")
ORDER_OF_PLUS_THREE: Final = Rule("HC-5", "house rule on Ciao! rulebook, +3 cards!", "+3 MUST BE HIGHER TOO",
    "A +3 that answers a +3 must also be higher.")
REVERSE_OF_TWO: Final = Rule("HC-6", "house rule: the rulebook does not say", "REVERSE WITH TWO",
    "With two players a change of direction has no effect: the other player is next, or, if that was agreed, "
    "the same player again.")
LAST_SPECIAL: Final = Rule("HC-7", "house rule on Ciao! rulebook, End of the game", "LAST CARD ENDS IT",
    "You win as soon as you play your last card; its icon has no effect. If agreed, a special card may not "
    "be played last.")
LAST_GIFT: Final = Rule("HC-8", "house rule: the rulebook does not say", "LAST CARD GIVEN: WON",
    "The bad card must be given; if it was your last card, you win.")
RESHUFFLE: Final = Rule("HC-9", "house rule: the rulebook does not say", "RESHUFFLE",
    "When the draw pile is empty, the cards under the top card are shuffled into a new one.")
DECK: Final = Rule("HC-10", "house rule on Ciao! rulebook, Components, figure 1", "CARDS OF THE DECK",
    "The box has 90 cards unless other numbers were agreed; a card can be in only one place.")
TROUBLE_LEAVES: Final = Rule("HC-11", "house rule on Ciao! rulebook, Trouble cards", "TROUBLE: GIVE OR SWAP",
    "A trouble card leaves a hand only as a bad card or in a swap, or with any special card if that was "
    "agreed.")
THANKS: Final = Rule("HC-12", "house rule on Ciao! rulebook, A bad card!", "SAY THANKS IN TIME",
    "The receiver must say thank you before the next card is played.")
ROUNDS: Final = Rule("HC-13", "house rule on Ciao! rulebook, End of the game", "FIVE DEALS",
    "Five deals unless agreed otherwise; every deal starts clockwise; tied players share the win.")
YOUNG_CARDS: Final = Rule("HC-15", "house rule on Ciao! rulebook, For younger players", "CARDS FOR CHILDREN",
    "In the rules for children, jokers stay in, and trouble cards stay out until the full game.")
BETWEEN_DEALS: Final = Rule("HC-16", "house rule: the rulebook does not say", "JOIN BETWEEN DEALS",
    "Players join or leave before the first card of a deal; a player who has left cannot win.")
EARLY_END: Final = Rule("HC-17", "house rule: the rulebook does not say", "DEAL ENDED EARLY",
    "The players may agree to end a deal early; every hand counts, and the player with the fewest points "
    "starts the next deal; on a tie, the first of them clockwise from the player who started this one.")
SET_UP: Final = Rule("HC-18", "house rule: the rulebook does not say", "TABLE SET UP",
    "A deal in progress can be set up on the device; its cards must match those in the box.")
CORRECTED: Final = Rule("HC-19", "house rule: the rulebook does not say", "CORRECTING A SCAN",
    "A wrong scan is corrected without a penalty; a wrong card that was really played is a mistake.")
MAY_ANSWER: Final = Rule("HC-20", "house rule on Ciao! rulebook, Speed challenge!", "WHO MAY ANSWER",
    "Everybody but the challenger may answer a challenge, even after a mistake in it, and even a player who "
    "still has to miss a turn: an answer is not a turn.")
# fmt: on

RULES: Final = rules_in(globals())
