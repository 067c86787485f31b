"""A picture of every screen: each is reached by playing, never constructed directly."""

from __future__ import annotations

import tempfile
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

from firmware.config.configuration import choose, load
from firmware.play.runtime import Runtime
from firmware.scripted.script import perform
from hardware.ports import DeviceFault

if TYPE_CHECKING:
    from collections.abc import Iterator

    from PIL.Image import Image

_BEGIN: Final = "R1 b1 b2 b3 b4 OK R1 R1 "
_FIRST: Final = _BEGIN + "12 37 43 58 14 44 61 15 "
_SECOND: Final = _FIRST + "OK 21 36 26 30 "
_THIRD: Final = _SECOND + "b3 OK OK 3 9 68 93 "
_OVER: Final = (
    "R1 b1 b2 b3 b4 OK R4 R2 R2 R2 R2 R2 R1 R1 R1 R1 R1 R1 OK R1 "
    "12 37 43 58 21 26 27 28 OK 29 30 31 32 b3 OK OK :6NC-NEXT OK "
)
_AWAY: Final = _FIRST + "OK hold-OK RIGHT RIGHT RIGHT RIGHT R1 OK "
_ELEVEN: Final = "R2 b1 b2 b3 OK OK R2 31 "
_BULL: Final = _ELEVEN + "36 46 R1 23 87 "
_TWELVE_PILES: Final = _ELEVEN + " ".join(
    f"R1 {low} {low + 50}" for low in (2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22)
)
_CIAO: Final = "R3 b1 b2 b3 OK OK R1 R1 "
"""Cards of Ciao! are given by the number in their code: 55 is a green scissors card."""
_SCORE: Final = "R4 b1 b2 b3 b4 OK "
_POINTS: Final = _SCORE + "R4 R1 R1 R1 "
_DEALS: Final = " ".join(
    f"R4 {'R3 ' * low}OK R4 {'R3 ' * high}OK R4 R4 OK {'R3 ' * high}OK OK OK"
    for low, high in ((3, 1), (2, 5), (5, 2))
)

SCREENS: Final[dict[str, str]] = {
    "s04-start": "",
    "s04-start-away": _AWAY,
    "s04-go-on": _AWAY + "OK 12 37 43 58 hold-OK RIGHT RIGHT RIGHT RIGHT R1 OK UNDO",
    "s06-players": "R1 b1 b2 b3 b4",
    "s06-players-of-seven": "R2 b1 b2",
    "s07-end-rule": "R1 b1 b2 b3 b4 OK",
    "s08-deck": "R1 b1 b2 b3 b4 OK R1",
    "s09-deal": _BEGIN + "12 37 43",
    "s09-nothing-yet": _BEGIN,
    "s09-draft": "R1 b1 b2 b3 b4 OK R1 R3 7 9",
    "s10-home": _FIRST + "OK +3",
    "s11-collecting": _BEGIN + "12 37 43 58 14 44 61",
    "s11-collecting-ten": "R1 b1 b2 b3 b4 b5 b6 b7 b8 b9 b10 OK R1 12 37 43 58 14 44 61 104 2 99 100",
    "s12-ruling": _FIRST,
    "s13-why": _FIRST + "WHY OK OK",
    "s14-choose-row": _THIRD,
    "s15-who-played": _SECOND,
    "s16-taken": _SECOND + "b3",
    "s17-ruling-taken": _SECOND + "b3 OK",
    "s18-rows": _FIRST + "OK RIGHT",
    "s19-standings": _SECOND + "b3 OK OK LEFT",
    "s20-again": _BEGIN + "12 37 43 58 14 44 14",
    "s21-refusal": _FIRST + "OK 44",
    "s22-foreign": _FIRST + "OK :4007396032",
    "s23-missing": _BEGIN + "12 37 43 58 14 44 61 +21",
    "s25-swap": _FIRST + "OK :6NC-SWAP b1",
    "s26-audit": _FIRST + "OK :6NC-AUDIT 15 37 44 58",
    "s27-deal-end": _THIRD + "R2 b1 OK OK :6NC-NEXT",
    "s34-match-end": _OVER,
    "s34-more": _OVER + "R2",
    "s36-share": _OVER + "R1",
    "s24-too-many": _FIRST + "90",
    "s25-effect": _SECOND + "b3 OK OK :6NC-SWAP b3 b1",
    "s26-adopt": _BEGIN + "hold-OK RIGHT RIGHT R2 12 14 OK 37",
    "s01-hello": _FIRST + "OK hold-OK RIGHT RIGHT R3",
    "dial": _FIRST + "OK R3 R3",
    "erase": _OVER + ":6NC-ERASE b3",
    "erase-whom": ":6NC-ERASE DOWN DOWN DOWN",
    "who-goes": _FIRST + "OK :6NC-ABSENT",
    "menu": _FIRST + "OK hold-OK",
    "sure-end": _FIRST + "OK hold-OK RIGHT RIGHT RIGHT R1",
    "sure-away": _FIRST + "OK hold-OK RIGHT RIGHT RIGHT RIGHT R1",
    "beginner": "R2 b1 b2 b3 OK",
    "s50-turn-up": _ELEVEN + "R1 23",
    "s50-on-turn": _BULL,
    "s50-twelve-piles": _TWELVE_PILES + " DOWN DOWN DOWN DOWN DOWN DOWN",
    "s50-which-pile": _ELEVEN + "R1 23 27 30",
    "s50-bull-move": _BULL + "88 92 24",
    "s50-taken": _ELEVEN + "36 46 R1",
    "s50-counted": _BULL + "hold-OK RIGHT RIGHT R4",
    "s51-hands": _ELEVEN + "36 46 :6NC-NEXT 50 51",
    "s60-open": _CIAO,
    "s60-on-turn": _CIAO + "55 1",
    "s60-plus-three": _CIAO + "61 7",
    "s60-joker": _CIAO + "55 84",
    "s60-joker-on-top": _CIAO + "55 84 R2",
    "s60-again": _CIAO + "55 5",
    "s60-gift": _CIAO + "55 8",
    "s60-gift-card": _CIAO + "55 8 b3",
    "s60-thanks": _CIAO + "55 8 b3 88",
    "s60-penalty": _CIAO + "55 56",
    "s60-swap": _CIAO + "55 9",
    "s60-dial": _CIAO + "55 R1 R4",
    "s60-why": _CIAO + "55 1 WHY",
    "s61-race": _CIAO + "55 6 +3",
    "s62-to-go": _CIAO + "55 1 :6NC-NEXT 28 34 86 OK",
    "s62-hands": _CIAO + "55 1 :6NC-NEXT 28 34 86",
    "s28-pile": _SCORE + "R1 R2 R1 R1 12 55 30",
    "s28-next-pile": _SCORE + "R1 R2 R1 R1 12 55 30 b1",
    "s28-upside-down": _SCORE + "R1 R2 R1 R1 R1 R4 UP UP UP UP OK",
    "s28-rows": _SCORE + "R1 R1 R1 R1 R3 OK R3 OK R3 OK R3 OK",
    "s28-taken": _SCORE + "R1 R3 R1 R1 12 55",
    "s29-rows": _SCORE + "R1 R2 R1 R1 12 55 30 b1 13 b2 14 b3 15 b4 20 21",
    "s30-check-failed": _SCORE + "R1 R1 R2 R1 R4 OK R4 OK R4 OK R4 OK R2 R4 R4 OK OK",
    "s31-sums": _SCORE + "R1 R1 R1 R1 R4 R3 R3 OK R3",
    "s31-closing": _POINTS + "R4 OK R4 OK R4 OK R4 OK",
    "s32-edit": _POINTS + _DEALS + " :6NC-EDIT R2 DOWN DOWN R3 R3 R4",
    "s33-graph": _POINTS + _DEALS + " :6NC-GRAPH",
    "s34-teams": _SCORE + "R4 R1 R1 R2 " + _DEALS + " LEFT",
    "wrong-card": _FIRST + "OK :6NC-WRONG 61",
}


def pictures() -> Iterator[tuple[str, Image]]:
    """Name and picture of every screen."""
    config = replace(load(None), display=choose("display", "simulated"))
    for name, script in SCREENS.items():
        with tempfile.TemporaryDirectory(prefix="nimmt-screens-") as folder:
            runtime = Runtime(config, Path(folder) / "journal.sqlite")
            try:
                perform(script, runtime.app.controller)
                yield name, runtime.app.picture()
                if name == "s04-start":
                    runtime.app.controller.hear(
                        DeviceFault("scanner", "it was unplugged", "plug it in again"),
                        runtime.app.controller.now_s,
                    )
                    yield "device-away", runtime.app.picture()
            finally:
                runtime.close()
