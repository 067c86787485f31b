"""What each screen of the gallery shows, in a sentence or two, by chapter of docs/screens.md."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Mapping

CHAPTERS: Final[Mapping[str, Mapping[str, str]]] = {
    "Start a match": {
        "s04-start": "The start page. Choose a game with its key, or scan any card of the game.",
        "s04-start-away": "The start page while a match is suspended. OK plays again with the last group.",
        "s04-go-on": "Several matches are suspended. Choose the one to resume.",
        "s06-players": "Who plays? Scan the badges. Without badges, the first key adds a player.",
        "s06-players-of-seven": "The same page in a game for up to seven players.",
        "beginner": "Games with turns ask who begins. "
        "Scan the badge of that player, or choose with the keys.",
        "s07-end-rule": "When does the match end? The usual rule is marked. "
        "The last choice sets another number.",
        "s08-deck": "Which cards are in use? With the known deck, other cards are rejected when they are "
        "scanned.",
        "s01-hello": "The devices: what is connected and what works. Shown after power-on and from the menu.",
    },
    "6 nimmt!": {
        "s09-nothing-yet": "A deal begins. Scan the four cards that start the rows.",
        "s09-deal": "Three of the four row cards are scanned.",
        "s09-draft": "The open draft: the player who is named takes a card and scans it.",
        "s10-home": "Between two turns: the rows with their last cards, the places taken and the bullheads. "
        "The title says which cards would have to take a row.",
        "s11-collecting": "Cards of a turn come in, in any order, and are shown sorted. "
        "The newest is highlighted.",
        "s11-collecting-ten": "The same with ten players.",
        "s12-ruling": "The ruling: place the cards in this order, each in the row beside it.",
        "s13-why": "WHY explains a placement: the end of each row, the gap to it, and the row that decided "
        "it.",
        "s14-choose-row": "The lowest card fits no row. Its owner chooses a row to take. "
        "The cheapest row is marked, and nothing is chosen for you.",
        "s15-who-played": "A card takes a row, so its owner must be known. Scan the badge of that player.",
        "s16-taken": "Somebody takes a row: the bullheads, and the totals after it. "
        "The page closes by itself.",
        "s17-ruling-taken": "The ruling of a turn in which a card takes a row. "
        "The player who takes it is named.",
        "s18-rows": "All cards in all rows.",
        "s19-standings": "The standings: points in this deal and in total.",
    },
    "11 nimmt!": {
        "s50-turn-up": "Turn up cards from the deck. Each begins a pile.",
        "s50-on-turn": "A player's turn: for each pile the cards that fit on it. "
        "Scan a card, or press a key to take a pile.",
        "s50-twelve-piles": "With more than four piles the list turns pages.",
        "s50-which-pile": "The card fits several piles. Choose one.",
        "s50-bull-move": "A player with a bull card may play more cards. OK ends the move.",
        "s50-taken": "A player takes a pile into the hand.",
        "s50-counted": "The count of all cards: deck, piles and hands must add up to the whole deck.",
        "s51-hands": "The deal is over. Scan the cards that are left in each hand, or type their points.",
    },
    "Ciao!": {
        "s60-open": "The first player opens with any card.",
        "s60-on-turn": "A player's turn: the card on top, and the cards that are higher. OK draws a card.",
        "s60-plus-three": "A +3 is on top: answer it with a joker or a higher +3, or draw its cards.",
        "s60-joker": "A joker was played. Its player names the symbol.",
        "s60-joker-on-top": "The joker on top counts as the symbol that was named.",
        "s60-again": "The player of this card chooses: play again, or change the direction.",
        "s60-gift": "A bad card: choose the player who gets a card.",
        "s60-gift-card": "Scan the card that is given, or keep it hidden.",
        "s60-thanks": "Did the other player say thank you in time?",
        "s60-swap": "Choose the player to swap hands with.",
        "s60-penalty": "The card is not higher. If it was really played, the fourth key gives the penalty.",
        "s60-dial": "Without a scanner, the keys choose a card by its name.",
        "s60-why": "WHY explains a ruling: the two symbols and colours, and the one that decided it.",
        "s61-race": "A speed challenge: the first higher card wins. Everybody but the challenger may play.",
        "s62-to-go": "Not all cards of the hand are scanned yet. The page says how many are missing.",
        "s62-hands": "The deal is over. Scan the cards that are left in each hand.",
    },
    "Keep score": {
        "s31-sums": "Type the points of each player. The keys change the number that is highlighted.",
        "s31-closing": "All points are typed. Close the deal, or correct a number first.",
        "s28-pile": "Or scan the cards that a player has taken. OK ends the pile.",
        "s28-next-pile": "The points of a pile that is complete.",
        "s28-taken": "Or scan cards as they are taken, during the game.",
        "s28-upside-down": "A typed number that is another card upside down is asked about once.",
        "s28-rows": "The cards left in the rows complete the count. Scan them, or type their points.",
        "s29-rows": "The cards in the rows, while they are scanned.",
        "s30-check-failed": "The points do not add up. Look for the mistake, or close the deal anyway.",
        "s34-teams": "The standings of a match in teams.",
    },
    "When something is wrong": {
        "s20-again": "A card that is in this turn already was scanned again. Nothing has changed.",
        "s21-refusal": "A card is refused: the rule, the reason, and what to do. Nothing has changed.",
        "s22-foreign": "The code is not from this game: a bottle, a ticket, a card of another box.",
        "s23-missing": "A card has not come for a while. The page shows the cards that are there.",
        "s24-too-many": "One card more than there are players. Two cards may have stuck together.",
        "wrong-card": "A wrong card was scanned: scan the wrong one, then the right one.",
        "s25-swap": "Swap the owners of two cards: choose the two players.",
        "s25-effect": "What the swap would change, before it is made.",
        "s26-audit": "Check the table: scan the last card of each row. "
        "Where a row differs, you can undo back to the moment at which all agreed.",
        "s26-adopt": "Set up the table: scan all rows as they are, to continue a game that the device has "
        "not seen.",
        "who-goes": "A player leaves, joins or comes back.",
        "dial": "Without a scanner, the keys set the number of a card.",
        "device-away": "A device is not there: what is wrong and what to do. The game goes on.",
    },
    "The end of a deal and of a match": {
        "s27-deal-end": "The deal is over: points, totals, and the check that no card is missing.",
        "s34-match-end": "The match is over. The crowns mark who has won.",
        "s34-more": "What else you can do after a match.",
        "s33-graph": "The totals after each deal, one line for each player.",
        "s32-edit": "Correct the points of a finished deal. The old score stays in the log.",
        "s36-share": "The result as a QR code. A phone reads it without a network.",
    },
    "The menu": {
        "menu": "Hold OK for the menu. It lists what you can do now.",
        "sure-end": "Ending a deal or a match is asked about once.",
        "sure-away": "Suspending a match is asked about once. You can resume it later.",
        "erase-whom": "Erase a player: scan the badge.",
        "erase": "The badge will be forgotten in all matches that are stored. Scan it again to confirm.",
    },
}
"""Every screen once, in the order in which people meet them."""


def captions() -> dict[str, str]:
    """The caption of every screen, by its name in the gallery."""
    return {name: caption for chapter in CHAPTERS.values() for name, caption in chapter.items()}
