"""How every screen is reached: the script of each, as `tests.gallery.script` reads it.

Those of optional parts are in `parts`.
"""

from typing import Final

_BEGIN: Final = "R1 b1 b2 b3 b4 OK R1 R1 "
_TEN: Final = "R1 b1 b2 b3 b4 b5 b6 b7 b8 b9 b10 OK R1 R1 12 37 43 58 "
_FIRST: Final = _BEGIN + "12 37 43 58 14 44 61 15 "
_ALL_PLACED: Final = "OK OK OK OK "
"""OK goes through a ruling of four cards."""
_PLACED: Final = _FIRST + _ALL_PLACED
_SECOND: Final = _PLACED + "21 36 26 30 "
_THIRD: Final = _SECOND + "b3 OK " + _ALL_PLACED + "3 9 68 93 "
UNTIL_10_KEYS: Final = "OK #4 R2 R2 R2 R2 R2 R1 R1 R1 R1 R1 R1 OK R1 "
_UNTIL_10: Final = UNTIL_10_KEYS + "12 37 43 58 "
_ONE_DEAL: Final = "R1 b1 b2 b3 b4 " + _UNTIL_10 + "21 26 27 28 OK 29 30 31 32 b3 OK OK "
_TIED: Final = _ONE_DEAL + ":6NC-NEXTK OK "
WON: Final = _ONE_DEAL + "33 34 38 44 b4 OK OK OK 2 59 60 61 R4 b2 OK OK OK :6NC-NEXTK OK "
_OVER: Final = WON + "OK OK +1 "
_AWAY: Final = _PLACED + "menu:SUSPEND_THE_MATCH OK "
_ELEVEN: Final = "R2 b1 b2 b3 OK OK R2 31 "
_BULL: Final = _ELEVEN + "36 46 R1 23 87 "
_TWELVE_PILES: Final = _BULL + " ".join(
    f"R1 {'R1 ' if low > 6 else ''}{low} {low + 50}" for low in (2, 4, 6, 8, 10, 12, 14, 16, 18, 20)
)
_ELEVEN_OUT: Final = "R2 b1 b2 OK OK R1 1 5 9 R1 100 40 41 51 50 49 48 47 46 45 44 43 42 52 9 5 1"
"""With a bull card ten cards go on one pile; the three of the pile that was taken are the last ones."""
_CIAO: Final = "R3 b1 b2 b3 OK OK R1 R1 "
"""Cards of Ciao! are given by the number in their code: 55 is a green scissors card."""
_SCORE: Final = "#4 b1 b2 b3 b4 OK "
_POINTS: Final = _SCORE + "#4 R1 R1 R1 R1 "
_DEALS: Final = " ".join(f"{10 + low} {10 + high} 20 {high} OK OK" for low, high in ((3, 1), (2, 5), (5, 2)))


SCREENS: Final[dict[str, str]] = {
    "start": "",
    "suspended": _AWAY,
    "start-suspended": _AWAY + "R4",
    "language": ":6NC-LANGJ",
    "resume-which": _AWAY + "R4 R1 OK R1 R1 12 37 43 58 menu:SUSPEND_THE_MATCH OK",
    "players": "R1 b1 b2 b3 b4",
    "players-seven": "R2 b1 b2",
    "end-rule": "R1 b1 b2 b3 b4 OK",
    "name-of-game": _SCORE + "#4",
    "why-limit": "R1 b1 b2 b3 b4 OK WHY",
    "deck": "R1 b1 b2 b3 b4 OK R1",
    "deal": _BEGIN + "12 37 43",
    "deal-begins": _BEGIN,
    "draft": "R1 b1 b2 b3 b4 OK R1 R3 7 9",
    "dealt-hand": "R1 b1 b2 b3 b4 OK R1 #4 7 12 104",
    "between-turns": _PLACED + "+3",
    "leader": "R1 b1 b2 OK R1 R1 12 37 43 58 1 60 R3 b1 OK OK OK",
    "collecting": _BEGIN + "12 37 43 58 14 44 61",
    "collecting-ten": _TEN + "14 44 61 104 2 99 100",
    "ruling": _FIRST,
    "ruling-list": _FIRST + "R1",
    "why": _FIRST + "WHY OK OK",
    "choose-row": _THIRD,
    "who-played": _SECOND,
    "who-played-ten": _TEN + "14 44 61 104 2 99 100 60 70 80 R4",
    "owner-not-known": _SECOND + "OK OK OK OK OK :6NC-NEXTK",
    "nobody-knows": _SECOND + "OK OK OK OK OK :6NC-NEXTK WHY",
    "row-taken": _SECOND + "b3",
    "ruling-taken": _SECOND + "b3 OK",
    "ruling-takes": _SECOND + "b3 OK OK OK",
    "all-cards": _PLACED + "RIGHT",
    "standings": _SECOND + "b3 OK " + _ALL_PLACED + "LEFT",
    "scanned-again": _BEGIN + "12 37 43 58 14 44 14",
    "refusal": _PLACED + "44",
    "refusal-why": _PLACED + "44 WHY",
    "unknown-code": _PLACED + ":4007396032",
    "missing-card": _BEGIN + "12 37 43 58 14 44 61 +21",
    "swap-owners": _PLACED + ":6NC-SWAPV b1",
    "check-table": _PLACED + ":6NC-AUDITE 15 37 44 58",
    "deal-end": _THIRD + "R2 b1 OK OK :6NC-NEXTK",
    "winner": WON,
    "awards": WON + "OK",
    "tie": _TIED,
    "match-end": _OVER,
    "match-end-more": _OVER + "R2",
    "match-end-why": _OVER + "WHY",
    "next-match": _OVER + "OK",
    "share": _OVER + "R1",
    "all-deals": _POINTS + _DEALS + " LEFT R2",
    "records": _OVER + "R2 #6",
    "name-whom": "menu:NAMES",
    "enter-name": "menu:NAMES b2 DOWN OK DOWN DOWN DOWN OK",
    "early-card": _FIRST + "90 WHY",
    "kept-card": _SECOND + "3 WHY",
    "too-many-cards": _FIRST + "90 WHY R4",
    "swap-effect": _SECOND + "b3 OK " + _ALL_PLACED + ":6NC-SWAPV b3 b1",
    "set-up-table": _BEGIN + "menu:SET_UP_THE_TABLE 12 14 OK 37",
    "table-is-set-up": _THIRD
    + "R1 b2 OK "
    + _ALL_PLACED
    + "menu:SET_UP_THE_TABLE 3 9 OK 36 OK 68 OK 93 OK OK",
    "eleven-set-up": _BULL + "88 menu:SET_UP_THE_TABLE 23",
    "devices": _PLACED + "menu:DEVICES",
    "dial": _PLACED + "R3 R3",
    "card-set": _PLACED + "R3 R3 OK",
    "erase": _OVER + ":6NC-ERASEZ b3",
    "erase-whom": ":6NC-ERASEZ DOWN DOWN DOWN",
    "leave-or-join": _PLACED + ":6NC-ABSENTS",
    "begins-with": _POINTS + "13 11 20 1 OK OK b9",
    "history": _PLACED + "UNDO UNDO 90 hold-UNDO",
    "history-far": _PLACED + "hold-UNDO 58 OK",
    "help": _BEGIN + "12 37 43 58 :6NC-HELPB",
    "menu": _PLACED + "hold-OK",
    "confirm-end": _PLACED + "menu:END_THIS_DEAL",
    "confirm-suspend": _PLACED + "menu:SUSPEND_THE_MATCH",
    "beginner": "R2 b1 b2 b3 OK",
    "eleven-turn-up": _ELEVEN + "R1 23",
    "eleven-turn": _BULL,
    "eleven-twelve-piles": _TWELVE_PILES,
    "eleven-which-pile": _ELEVEN + "R1 23 27 30",
    "eleven-bull-move": _BULL + "88 92 24",
    "eleven-whose-card": _BULL + "88 92 24 30",
    "eleven-more-piles": _ELEVEN + "R1 40 50 R1 60 70 R1 80 90 R1 20 30 +3",
    "eleven-taken": _ELEVEN + "36 46 R1",
    "eleven-out": _ELEVEN_OUT,
    "eleven-counted": _BULL + "menu:COUNT_THE_CARDS",
    "eleven-hands": _ELEVEN + "36 46 :6NC-NEXTK 50 51",
    "ciao-open": _CIAO,
    "ciao-turn": _CIAO + "55 1",
    "ciao-plus-three": _CIAO + "61 7",
    "ciao-joker": _CIAO + "55 84",
    "ciao-joker-on-top": _CIAO + "55 84 R2",
    "ciao-again": _CIAO + "55 5",
    "ciao-bad-card": _CIAO + "55 8",
    "ciao-bad-card-given": _CIAO + "55 8 b3",
    "ciao-thanks": _CIAO + "55 8 b3 88",
    "ciao-penalty": _CIAO + "55 56",
    "ciao-swap": _CIAO + "55 9",
    "ciao-dial": _CIAO + "55 R1 R4",
    "ciao-why": _CIAO + "55 1 WHY",
    "ciao-race": _CIAO + "55 6 +3",
    "ciao-hands-missing": _CIAO + "55 1 :6NC-NEXTK 28 34 86 OK",
    "ciao-hands": _CIAO + "55 1 :6NC-NEXTK 28 34 86",
    "score-pile": _SCORE + "R1 R2 R1 R1 12 55 30",
    "score-next-pile": _SCORE + "R1 R2 R1 R1 12 55 30 b1",
    "score-upside-down": _SCORE + "R1 R2 R1 R1 R1 R4 UP UP UP UP OK OK",
    "score-rows": _SCORE + "R1 R1 R1 R1 1 1 1 1",
    "score-taken": _SCORE + "R1 R3 R1 R1 12 55",
    "score-rows-scanned": _SCORE + "R1 R2 R1 R1 12 55 30 b1 13 b2 14 b3 15 b4 20 21",
    "score-check-failed": _SCORE + "R1 R1 R2 R1 10 10 10 10 R2 20 OK",
    "score-sums": _POINTS + "12",
    "score-number": _POINTS + "12 R1 R4",
    "score-closing": _POINTS + "10 10 10 10",
    "correct-score": _POINTS + _DEALS + " :6NC-EDITR R2 DOWN DOWN R3 R3 R4",
    "graph": _POINTS + _DEALS + " :6NC-GRAPHN",
    "standings-teams": _SCORE + "#4 R1 R1 R1 R2 " + _DEALS + " LEFT",
    "wrong-card": _PLACED + ":6NC-WRONGE 61",
}


NAMES: Final = (
    "Jürgen", "Ирина", "سارا", "محمدرضا", "علی", "Оксана", "Maximilian", "Maximiliane", "پریسا", "王"
)  # fmt: skip
NAMED_SCREENS: Final[dict[str, str]] = {
    "names-players": "R1 b1 b2 b3 b4 b5 b6 b7 b8 b9 b10",
    "names-who-played": SCREENS["who-played"],
    "names-taken": SCREENS["row-taken"],
    "names-standings": SCREENS["standings"],
    "names-match-end": SCREENS["match-end"],
    "names-whose-pile": SCREENS["score-pile"] + " R4",
}
"""Screens on which players have names of several scripts."""


MENU: Final = "OK UNDO "
"""A visitor has come and keeps the language."""
_LESSON: Final = MENU + "R1 R1 "
_RIGHT: Final = _LESSON + "R3 OK R3 OK R2 OK "
PIN: Final = "1234"
_OPERATOR: Final = MENU + "hold-OK hold-UNDO +6 "
KIOSK_SCREENS: Final[dict[str, str]] = {
    "kiosk-attract": "+1",
    "kiosk-attract-hidden": "+6",
    "kiosk-attract-open": "+7",
    "kiosk-scene": "+12",
    "kiosk-scene-moves": "+13",
    "kiosk-attract-sixth": "+18",
    "kiosk-attract-heads": "+24",
    "kiosk-attract-press": "+30",
    "kiosk-card": "55",
    "kiosk-language": "OK",
    "kiosk-menu": MENU,
    "kiosk-still-there": MENU + "+1 +23",
    "lesson-row": _LESSON,
    "lesson-wrong": _LESSON + "R2",
    "lesson-wrong-why": _LESSON + "R2 WHY",
    "lesson-right": _LESSON + "R3",
    "lesson-sixth": _LESSON + "R3 OK",
    "lesson-sixth-right": _LESSON + "R3 OK R3",
    "lesson-heads": _LESSON + "R3 OK R3 OK",
    "lesson-heads-wrong": _LESSON + "R3 OK R3 OK R1",
    "lesson-heads-right": _LESSON + "R3 OK R3 OK R2",
    "lesson-lowest": _RIGHT,
    "lesson-dearer": _RIGHT + "R1",
    "lesson-lowest-right": _RIGHT + "R4",
    "lesson-winner-wrong": _RIGHT + "R4 OK R1",
    "lesson-winner": _RIGHT + "R4 OK",
    "lesson-end": _RIGHT + "R4 OK R2 OK",
    "lesson-eleven": MENU + "R1 R2",
    "lesson-eleven-wrong": MENU + "R1 R2 R1",
    "lesson-eleven-round": MENU + "R1 R2 R2 OK",
    "lesson-eleven-take": MENU + "R1 R2 R2 OK R1 OK",
    "lesson-ciao": MENU + "R1 R3",
    "lesson-ciao-colours": MENU + "R1 R3 R2 OK",
    "lesson-ciao-joker": MENU + "R1 R3 R2 OK R3 OK",
    "kiosk-which-game": MENU + "R1",
    "kiosk-pin": _OPERATOR,
    "kiosk-operator": _OPERATOR + "R1 R2 R3 R4",
    "kiosk-operator-more": _OPERATOR + "R1 R2 R3 R4 R4",
}
"""Screens of a kiosk."""
