"""The screens of robots, and of deals of visitors with robots."""

from typing import Final

from firmware.scripted.scripts import MENU, PartScreens

_ROBOT: Final = "R1 b1 R3 b4 OK R1 R1 "
_ROBOT_DEALT: Final = _ROBOT + "7 10 13 20 25 30 35 40 45 50 12 37 43 58 "
_ELEVEN_ROBOT: Final = "R2 R1 R3 R1 OK OK R2 3 14 25 36 47 58 69 80 80 +3 91 100 "
_CIAO_ROBOT: Final = "R3 R1 R3 R1 OK OK R3 R1 8 31 32 33 34 61 62 "
_PLAY: Final = MENU + "R2 R1 R1 "
_PLAYED: Final = _PLAY + "OK R1 " * 30
"""To the end of a deal: OK plays a card and goes on, R1 takes a row where one has to be taken."""


SCREENS: Final = PartScreens(
    scripts={
        "players-robot": "R1 b1 b2 R3",
        "robot-hand": _ROBOT + "7 10 13",
        "robot-turn": _ROBOT_DEALT,
        "robot-card": _ROBOT_DEALT + "OK",
        "robots-cards": "R1 R3 R4 R1 OK R1 R1 7 10 13 20 25 30 35 40 45 50 6 11 14 21 26 31 36 41 46 51 "
        "12 37 43 58 OK",
        "card-of-robot": _ROBOT_DEALT + "20",
        "robot-row": _ROBOT + "1 2 3 4 5 6 8 9 10 11 12 37 43 58 OK 14 99 +1",
        "robot-thinks": _ROBOT + "1 2 3 4 5 6 8 9 10 11 12 37 43 58 OK 14 99 +1 UNDO",
        "robot-moved": _ELEVEN_ROBOT + "50 52 +1 +4",
        "robot-on-turn": _ELEVEN_ROBOT + "50 52 +1 UNDO +4",
        "robot-gives": _CIAO_ROBOT + "55 +1 +1 +1 OK",
        "given-card": _CIAO_ROBOT + "55 +1 +1 +1 OK OK",
    },
    kiosk={
        "kiosk-hand": _PLAY,
        "kiosk-hand-cards": _PLAY + "R4 R4",
        "kiosk-placement": _PLAY + "R4 R4 R4 R4 OK",
        "kiosk-why": _PLAY + "R4 R4 R4 R4 OK WHY",
        "kiosk-which-row": _PLAY + "OK",
        "kiosk-leave": _PLAY + "UNDO",
        "kiosk-result": _PLAYED,
        "kiosk-after": _PLAYED + "OK",
        "kiosk-after-why": _PLAYED + "OK WHY",
        "kiosk-pass-on": MENU + "R2 R1 R2",
        "kiosk-eleven": MENU + "R2 R2 R1",
        "kiosk-eleven-placement": MENU + "R2 R2 R1 OK",
        "kiosk-eleven-refused": MENU + "R2 R2 R1 R4 R4 OK",
        "kiosk-ciao": MENU + "R2 R3 R1 OK OK OK OK OK OK",
        "kiosk-ciao-placement": MENU + "R2 R3 R1 OK OK",
        "kiosk-watch": MENU + "R3 R1",
        "kiosk-how-many": MENU + "R2 R1",
    },
)
