"""What each screen of the gallery shows, in a sentence or two, by chapter of docs/screens.md."""

from collections.abc import Mapping
from typing import Final

from firmware.scripted.gallery import PARTS

_CHAPTERS: Final[Mapping[str, Mapping[str, str]]] = {
    "Start a match": {
        "start": "The start page. Choose a game with its key, or scan any card of the game.",
        "start-suspended": "The start page while a match is suspended. OK plays again with the last group.",
        "language": "The languages, each in its own letters: from the menu, by the code LANG, or by holding "
        "the keys of row 1 and row 3 for two seconds on any page. "
        'With `language = "ask"` it is the first page of a new device.',
        "resume-which": "Several matches are suspended. Choose the one to resume.",
        "players": "Who plays? Scan the badges. Without badges, the first key adds a player.",
        "players-seven": "The same page in a game for up to seven players.",
        "beginner": "Games with turns ask who begins. "
        "Scan the badge of that player, or choose with the keys.",
        "end-rule": "When does the match end? The usual rule is marked. The last choice sets another number.",
        "deck": "Which cards are in use? With the known deck, other cards are rejected when they are "
        "scanned.",
        "devices": "The devices: what is connected and what works. Shown after power-on and from the menu.",
    },
    "6 nimmt!": {
        "deal-begins": "A deal begins. Scan the four cards that start the rows.",
        "deal": "Three of the four row cards are scanned.",
        "draft": "The open draft: the player who is named takes a card and scans it.",
        "dealt-hand": "The hands are scanned as they are dealt, each card once. No card is shown. "
        "From then on a card alone says whose it is.",
        "between-turns": "Between two turns: the last card of each row, the places taken and the bullheads. "
        "The title says which cards would have to take a row.",
        "collecting": "Cards of a turn come in, in any order, and are shown sorted. "
        "The newest is highlighted.",
        "collecting-ten": "The same with ten players.",
        "ruling": "The ruling, one card at a time in the order of play: its row, and below it the cards "
        "of the row as it is then.",
        "ruling-list": "R1 lists all cards of the turn, each with its row. "
        "On the left are the rows after them.",
        "why": "WHY explains a placement: the end of each row, the gap to it, and the row that decided it.",
        "choose-row": "The lowest card fits no row. Its owner chooses a row to take, with a key "
        "or the back of the badge. The cheapest row is marked, and nothing is chosen for you.",
        "who-played": "A card takes a row, so its owner must be known. "
        "Scan the badge of that player, or press the key with the player's number.",
        "who-played-ten": "The same with ten players: the question is as large as there is room.",
        "owner-not-known": "OK asks whether to play on if nobody knows who played the card. "
        "The deal is marked as not verified, and the owner can be named later in the menu.",
        "row-taken": "Somebody takes a row: the bullheads, and the totals after it. "
        "The page closes by itself.",
        "ruling-taken": "The ruling of a turn in which a card takes a row. That card has a bull.",
        "all-cards": "All cards in all rows.",
        "standings": "The standings: points in this deal and in total.",
    },
    "Names": {
        "names-players": "Names in Latin, Cyrillic and Persian letters. "
        "Longer names are shortened so that no two look alike. "
        "A name that cannot be drawn is the number of its badge.",
        "names-who-played": "Who played the card? The names stand beside the rows.",
        "names-taken": "A player takes a row.",
        "names-standings": "The standings: names are large where there is room.",
        "names-match-end": "The end of a match.",
        "names-whose-pile": "Whose pile is it? Names of up to four players have a line each.",
    },
    "11 nimmt!": {
        "eleven-turn-up": "Turn up cards from the deck. Each begins a pile.",
        "eleven-turn": "A player's turn: for each pile the cards that fit on it. "
        "Scan a card, or press a key to take a pile.",
        "eleven-twelve-piles": "With more than four piles the list turns pages.",
        "eleven-which-pile": "The card fits several piles. Choose one.",
        "eleven-bull-move": "A player with a bull card may play more cards. OK ends the move.",
        "eleven-taken": "A player takes a pile into the hand.",
        "eleven-counted": "The count of all cards: deck, piles and hands must add up to the whole deck. "
        "How many cards a pile has is not told.",
        "eleven-hands": "The deal is over. Scan the cards that are left in each hand, or type their points.",
    },
    "Ciao!": {
        "ciao-open": "The first player opens with any card.",
        "ciao-turn": "A player's turn: the card on top, and the cards that are higher. OK draws a card.",
        "ciao-plus-three": "A +3 is on top: answer it with a joker or a higher +3, or draw its cards.",
        "ciao-joker": "A joker was played. Its player names the symbol.",
        "ciao-joker-on-top": "The joker on top counts as the symbol that was named.",
        "ciao-again": "The player of this card chooses: play again, or change the direction.",
        "ciao-bad-card": "A bad card: choose the player who gets a card.",
        "ciao-bad-card-given": "Scan the card that is given, or keep it hidden.",
        "ciao-thanks": "Did the other player say thank you in time?",
        "ciao-swap": "Choose the player to swap hands with.",
        "ciao-penalty": "The card is not higher. If it was really played, the fourth key gives the penalty.",
        "ciao-dial": "Without a scanner, the keys choose a card by its name.",
        "ciao-why": "WHY explains a ruling: the two symbols and colours, and the one that decided it.",
        "ciao-race": "A speed challenge: the first higher card wins. Everybody but the challenger may play.",
        "ciao-hands-missing": "Not all cards of the hand are scanned yet. It says how many are missing.",
        "ciao-hands": "The deal is over. Scan the cards that are left in each hand.",
    },
    "Keep score": {
        "score-sums": "Type the points of each player. The keys change the number that is highlighted.",
        "score-closing": "All points are typed. Close the deal, or correct a number first.",
        "score-pile": "Or scan the cards that a player has taken. OK ends the pile.",
        "score-next-pile": "The points of a pile that is complete.",
        "score-taken": "Or scan cards as they are taken, during the game.",
        "score-upside-down": "A typed number that is another card upside down is asked about once.",
        "score-rows": "The cards left in the rows complete the count. Scan them, or type their points.",
        "score-rows-scanned": "The cards in the rows, while they are scanned.",
        "score-check-failed": "The points do not add up. Look for the mistake, or close the deal anyway.",
        "standings-teams": "The standings of a match in teams.",
    },
    "When something is wrong": {
        "scanned-again": "A card that is in this turn already was scanned again. Nothing has changed.",
        "refusal": "A card is refused: the rule, the reason, and what to do. Nothing has changed.",
        "unknown-code": "The code is not from this game: a bottle, a ticket, a card of another box.",
        "missing-card": "A card has not come for a while. The page shows the cards that are there.",
        "early-card": "A card came right after a ruling: it begins the next turn. Was it too many? Key 4.",
        "kept-card": "A card came while a question was open: it is kept for the next turn. Too many? Key 4.",
        "too-many-cards": "One card more than there are players. Two cards may have stuck together.",
        "wrong-card": "A wrong card was scanned: scan the wrong one, then the right one.",
        "swap-owners": "Swap the owners of two cards: choose the two players.",
        "swap-effect": "What the swap would change, before it is made.",
        "check-table": "Check the table: scan the last card of each row. "
        "Where a row differs, you can undo back to the moment at which all agreed.",
        "set-up-table": "Set up the table: scan all rows as they are, to continue a game that the device has "
        "not seen.",
        "table-is-set-up": "What stayed as it was, what changed, and what does not fit.",
        "eleven-set-up": "11 nimmt!: the top of each pile is enough. The cards below it stay.",
        "leave-or-join": "A player leaves, joins or comes back.",
        "dial": "Without a scanner, the keys set the number of a card.",
        "device-away": "A device is not there: what is wrong and what to do. The game goes on.",
    },
    "A kiosk": {
        "kiosk-attract": "The attract loop has four pictures of four seconds. "
        "The first one says what the game is. The languages follow each other.",
        "kiosk-attract-sixth": "The second picture: the sixth card.",
        "kiosk-attract-heads": "The third picture: the bullheads.",
        "kiosk-attract-press": "The fourth picture: what to do.",
        "kiosk-scene-closest": "Every fifth time a turn is played: an example of the rulebook.",
        "kiosk-scene-closer": "The card goes to another row than its player wanted, and takes it.",
        "kiosk-scene-later": "The last card of this turn.",
        "kiosk-scene-lost": "The other example: a card is to go beside 61.",
        "kiosk-scene-lower": "A lower card takes that row first.",
        "kiosk-scene-full": "So the card has to go to a full row.",
        "kiosk-card": "A card is shown to the scanner: its number and its heads.",
        "kiosk-language": "The first touch: the languages.",
        "kiosk-menu": "What a visitor can do.",
        "kiosk-which-game": "Which game.",
        "kiosk-pin": "The operator holds OK and UNDO, and presses the digits of the PIN.",
        "kiosk-operator": "What visitors did, and what the operator can do.",
        "kiosk-operator-more": "The next figures.",
        "kiosk-still-there": "Nobody has done anything for a while.",
    },
    "The lesson": {
        "lesson-row": "Which row? Press its key.",
        "lesson-wrong": "An answer that is not right: the reason is what the referee says.",
        "lesson-right": "The right answer, and why.",
        "lesson-sixth": "The row is full: where does the card go?",
        "lesson-sixth-right": "The sixth card takes the five others.",
        "lesson-heads": "How many heads does it cost?",
        "lesson-lowest": "A card that fits nowhere takes a row.",
        "lesson-dearer": "Any row may be taken, but this one is dearer.",
        "lesson-winner": "Who wins?",
        "lesson-end": "The lesson is over.",
        "lesson-eleven": "The lesson of 11 nimmt!: what goes on the pile?",
        "lesson-eleven-round": "After 100 comes 1.",
        "lesson-eleven-take": "If nothing fits, a pile is taken.",
        "lesson-ciao": "The lesson of Ciao!: which symbol is higher?",
        "lesson-ciao-colours": "Of one symbol the colour decides.",
        "lesson-ciao-joker": "A joker always fits.",
    },
    "The end of a deal and of a match": {
        "deal-end": "The deal is over: points, totals, and the check that no card is missing.",
        "tie": "Several have the best total. The players agree: a shared win, the better last deal, or one "
        "more deal.",
        "winner": "The match is over, and who has won. The page goes on by itself.",
        "awards": "Who has the most bullheads, the costliest card that was taken, the best deal.",
        "match-end": "The result. The crown marks who has won.",
        "match-end-more": "What else you can do after a match.",
        "match-end-why": "WHY explains the result: why the match is over, who has won, the points.",
        "graph": "The totals after each deal, one line for each player.",
        "correct-score": "Correct the points of a finished deal. The old score stays in the log.",
        "next-match": "The same players go on. Before the first card, UNDO leads back to the result.",
        "share": "The result as a QR code. A phone reads it without a network.",
        "share-link": "With two or three players the code is a link to the app BG Stats. R1 changes to the "
        "text.",
        "all-deals": "The points of all deals, four players at a time, and how long the match has taken.",
        "records": "What the match means: the best total ever, wins and matches of each player.",
    },
    "The menu": {
        "help": "The code HELP: the question that is open, how to answer it, and what the keys do.",
        "menu": "Hold OK for the menu. It lists what you can do now.",
        "confirm-end": "Ending a deal or a match is asked about once.",
        "confirm-suspend": "Suspending a match is asked about once. You can resume it later.",
        "name-whom": "Give a badge a name: scan it, or choose it.",
        "enter-name": "The letters of a name, with the knob or the keys. It can also be typed on a keyboard.",
        "erase-whom": "Erase a player: scan the badge.",
        "erase": "The badge will be forgotten in all matches that are stored. Scan it again to confirm.",
    },
}
"""Every screen of the box once, in the order in which people meet them."""


def chapters() -> dict[str, dict[str, str]]:
    """The captions by chapter: those of the box, then those of its optional parts."""
    found = {title: dict(captions) for title, captions in _CHAPTERS.items()}
    for part in PARTS:
        for title, captions in part.captions.items():
            found.setdefault(title, {}).update(captions)
    return found


def captions() -> dict[str, str]:
    """The caption of every screen, by its name in the gallery."""
    return {name: caption for chapter in chapters().values() for name, caption in chapter.items()}
