"""A picture of every screen: each is reached by playing, never constructed directly."""

from __future__ import annotations

import tempfile
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Final

from companion.text.errors import CompanionError
from companion.text.sentence import say
from firmware.config.configuration import choose, load
from firmware.display.canvas import strictly
from firmware.display.letter_heights import MeasuredCanvas
from firmware.extensions.tournament.hand_checks import HandChecks
from firmware.extensions.update.at_table import Stage, UpdateSeen
from firmware.extensions.update.table import UpdateTable
from firmware.kiosk.install import install
from firmware.play.runtime import Runtime
from firmware.scripted.script import perform
from hardware.errors import sentence
from hardware.ports import DeviceFault, SeatsGiven

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from PIL.Image import Image

    from firmware.config.sections.screen import ScreenOptions

NOON: Final = "2026-02-21T12:00:00Z"
"""The time of day on all pictures: they are the same whenever they are made."""

_BEGIN: Final = "R1 b1 b2 b3 b4 OK R1 R1 "
_TEN: Final = "R1 b1 b2 b3 b4 b5 b6 b7 b8 b9 b10 OK R1 R1 12 37 43 58 "
_FIRST: Final = _BEGIN + "12 37 43 58 14 44 61 15 "
_SECOND: Final = _FIRST + "OK 21 36 26 30 "
_THIRD: Final = _SECOND + "b3 OK OK 3 9 68 93 "
_UNTIL_10_KEYS: Final = "OK #4 R2 R2 R2 R2 R2 R1 R1 R1 R1 R1 R1 OK R1 "
_UNTIL_10: Final = _UNTIL_10_KEYS + "12 37 43 58 "
_ONE_DEAL: Final = "R1 b1 b2 b3 b4 " + _UNTIL_10 + "21 26 27 28 OK 29 30 31 32 b3 OK OK "
_TIED: Final = _ONE_DEAL + ":6NC-NEXT OK "
_WON: Final = _ONE_DEAL + "33 34 38 44 b4 OK OK OK 2 59 60 61 R4 b2 OK OK OK :6NC-NEXT OK "
_OVER: Final = _WON + "OK OK "
_BY_TWO: Final = "R1 b1 b2 " + _UNTIL_10 + "3 44 R4 b1 OK OK OK :6NC-NEXT OK OK OK "
_AWAY: Final = _FIRST + "OK hold-OK #17 OK "
_ELEVEN: Final = "R2 b1 b2 b3 OK OK R2 31 "
_BULL: Final = _ELEVEN + "36 46 R1 23 87 "
_TWELVE_PILES: Final = _ELEVEN + " ".join(
    f"R1 {low} {low + 50}" for low in (2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22)
)
_CIAO: Final = "R3 b1 b2 b3 OK OK R1 R1 "
"""Cards of Ciao! are given by the number in their code: 55 is a green scissors card."""
_SCORE: Final = "#4 b1 b2 b3 b4 OK "
_POINTS: Final = _SCORE + "#4 R1 R1 R1 "
_DEALS: Final = " ".join(
    f"R4 {'R3 ' * low}OK R4 {'R3 ' * high}OK R4 R4 OK {'R3 ' * high}OK OK OK"
    for low, high in ((3, 1), (2, 5), (5, 2))
)

_ROBOT: Final = "R1 b1 R3 b4 OK R1 R1 "
_ROBOT_DEALT: Final = _ROBOT + "7 10 13 20 25 30 35 40 45 50 12 37 43 58 "
_ELEVEN_ROBOT: Final = "R2 R1 R3 R1 OK OK R2 3 14 25 36 47 58 69 80 80 +3 91 100 "
_CIAO_ROBOT: Final = "R3 R1 R3 R1 OK OK R3 R1 8 31 32 33 34 61 62 "

SCREENS: Final[dict[str, str]] = {
    "start": "",
    "start-suspended": _AWAY,
    "language": ":6NC-LANG",
    "resume-which": _AWAY + "OK 12 37 43 58 hold-OK #17 OK UNDO",
    "players": "R1 b1 b2 b3 b4",
    "players-seven": "R2 b1 b2",
    "end-rule": "R1 b1 b2 b3 b4 OK",
    "deck": "R1 b1 b2 b3 b4 OK R1",
    "deal": _BEGIN + "12 37 43",
    "deal-begins": _BEGIN,
    "draft": "R1 b1 b2 b3 b4 OK R1 R3 7 9",
    "dealt-hand": "R1 b1 b2 b3 b4 OK R1 #4 7 12 104",
    "between-turns": _FIRST + "OK +3",
    "collecting": _BEGIN + "12 37 43 58 14 44 61",
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
    "faulty-cards": _ELEVEN_ROBOT + "50 58 R4 60 61 :6NC-NEXT OK" + " R1 RIGHT RIGHT OK" * 4 + " +1",
    "collecting-ten": _TEN + "14 44 61 104 2 99 100",
    "ruling": _FIRST,
    "ruling-list": _FIRST + "R1",
    "why": _FIRST + "WHY OK OK",
    "choose-row": _THIRD,
    "who-played": _SECOND,
    "who-played-ten": _TEN + "14 44 61 104 2 99 100 60 70 80 R4",
    "owner-not-known": _SECOND + "OK",
    "row-taken": _SECOND + "b3",
    "ruling-taken": _SECOND + "b3 OK",
    "all-cards": _FIRST + "OK RIGHT",
    "standings": _SECOND + "b3 OK OK LEFT",
    "scanned-again": _BEGIN + "12 37 43 58 14 44 14",
    "refusal": _FIRST + "OK 44",
    "tournament-none": ":6NC-T041M",
    "unknown-code": _FIRST + "OK :4007396032",
    "missing-card": _BEGIN + "12 37 43 58 14 44 61 +21",
    "swap-owners": _FIRST + "OK :6NC-SWAP b1",
    "check-table": _FIRST + "OK :6NC-AUDIT 15 37 44 58",
    "deal-end": _THIRD + "R2 b1 OK OK :6NC-NEXT",
    "winner": _WON,
    "awards": _WON + "OK",
    "tie": _TIED,
    "match-end": _OVER,
    "match-end-more": _OVER + "R2",
    "match-end-why": _OVER + "WHY",
    "next-match": _OVER + "OK",
    "share": _OVER + "R1",
    "share-link": _BY_TWO + "R1",
    "all-deals": _POINTS + _DEALS + " LEFT R2",
    "records": _OVER + "R2 #6",
    "name-whom": "hold-OK #6",
    "enter-name": "hold-OK #6 b2 DOWN OK DOWN DOWN DOWN OK",
    "early-card": _FIRST + "90",
    "kept-card": _SECOND + "3",
    "too-many-cards": _FIRST + "90 R4",
    "swap-effect": _SECOND + "b3 OK OK :6NC-SWAP b3 b1",
    "set-up-table": _BEGIN + "hold-OK #10 12 14 OK 37",
    "table-is-set-up": _THIRD + "R1 b2 OK OK hold-OK #10 3 9 OK 36 OK 68 OK 93 OK OK",
    "eleven-set-up": _BULL + "88 hold-OK #10 23",
    "devices": _FIRST + "OK hold-OK #11",
    "dial": _FIRST + "OK R3 R3",
    "erase": _OVER + ":6NC-ERASE b3",
    "erase-whom": ":6NC-ERASE DOWN DOWN DOWN",
    "leave-or-join": _FIRST + "OK :6NC-ABSENT",
    "help": _BEGIN + "12 37 43 58 :6NC-HELP",
    "menu": _FIRST + "OK hold-OK",
    "confirm-end": _FIRST + "OK hold-OK #13",
    "confirm-suspend": _FIRST + "OK hold-OK #17",
    "beginner": "R2 b1 b2 b3 OK",
    "eleven-turn-up": _ELEVEN + "R1 23",
    "eleven-turn": _BULL,
    "eleven-twelve-piles": _TWELVE_PILES + " DOWN DOWN DOWN DOWN DOWN DOWN",
    "eleven-which-pile": _ELEVEN + "R1 23 27 30",
    "eleven-bull-move": _BULL + "88 92 24",
    "eleven-taken": _ELEVEN + "36 46 R1",
    "eleven-counted": _BULL + "hold-OK #12",
    "eleven-hands": _ELEVEN + "36 46 :6NC-NEXT 50 51",
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
    "ciao-hands-missing": _CIAO + "55 1 :6NC-NEXT 28 34 86 OK",
    "ciao-hands": _CIAO + "55 1 :6NC-NEXT 28 34 86",
    "score-pile": _SCORE + "R1 R2 R1 R1 12 55 30",
    "score-next-pile": _SCORE + "R1 R2 R1 R1 12 55 30 b1",
    "score-upside-down": _SCORE + "R1 R2 R1 R1 R1 R4 UP UP UP UP OK",
    "score-rows": _SCORE + "R1 R1 R1 R1 R3 OK R3 OK R3 OK R3 OK",
    "score-taken": _SCORE + "R1 R3 R1 R1 12 55",
    "score-rows-scanned": _SCORE + "R1 R2 R1 R1 12 55 30 b1 13 b2 14 b3 15 b4 20 21",
    "score-check-failed": _SCORE + "R1 R1 R2 R1 R4 OK R4 OK R4 OK R4 OK R2 R4 R4 OK OK",
    "score-sums": _SCORE + "R1 R1 R1 R1 R4 R3 R3 OK R3",
    "score-closing": _POINTS + "R4 OK R4 OK R4 OK R4 OK",
    "correct-score": _POINTS + _DEALS + " :6NC-EDIT R2 DOWN DOWN R3 R3 R4",
    "graph": _POINTS + _DEALS + " :6NC-GRAPH",
    "standings-teams": _SCORE + "#4 R1 R1 R2 " + _DEALS + " LEFT",
    "wrong-card": _FIRST + "OK :6NC-WRONG 61",
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


_UNTIL_SCENE_2: Final = "+17 " * 9
_UNTIL_SCENE_1: Final = "+17 " * 24
"""The loops of the attract loop before a scene that is told in the language of the configuration."""

_MENU: Final = "R1 UNDO "
_LESSON: Final = _MENU + "R1 R1 "
_RIGHT: Final = _LESSON + "R3 OK R3 OK R2 OK "

_DEALS_SEED: Final = 6
PIN: Final = "1234"
_OPERATOR: Final = _MENU + "hold-OK hold-UNDO +6 "
_PLAY: Final = _MENU + "R2 R1 R1 "
_PLAYED: Final = _PLAY + "OK R1 " * 30
"""To the end of a deal: OK plays a card and goes on, R1 takes a row where one has to be taken."""

KIOSK_SCREENS: Final[dict[str, str]] = {
    "kiosk-attract": "+1",
    "kiosk-attract-sixth": "+1 +4",
    "kiosk-attract-heads": "+1 +8",
    "kiosk-attract-press": "+1 +12",
    "kiosk-scene-lost": _UNTIL_SCENE_2 + "+1",
    "kiosk-scene-lower": _UNTIL_SCENE_2 + "+5",
    "kiosk-scene-full": _UNTIL_SCENE_2 + "+9",
    "kiosk-scene-closest": _UNTIL_SCENE_1 + "+1",
    "kiosk-scene-closer": _UNTIL_SCENE_1 + "+5",
    "kiosk-scene-later": _UNTIL_SCENE_1 + "+9",
    "kiosk-card": "55",
    "kiosk-language": "R1",
    "kiosk-menu": _MENU,
    "kiosk-still-there": _MENU + "+1 +23",
    "lesson-row": _LESSON,
    "lesson-wrong": _LESSON + "R2",
    "lesson-right": _LESSON + "R3",
    "lesson-sixth": _LESSON + "R3 OK",
    "lesson-sixth-right": _LESSON + "R3 OK R3",
    "lesson-heads": _LESSON + "R3 OK R3 OK",
    "lesson-lowest": _RIGHT,
    "lesson-dearer": _RIGHT + "R1",
    "lesson-winner": _RIGHT + "R4 OK",
    "lesson-end": _RIGHT + "R4 OK R2 OK",
    "lesson-eleven": _MENU + "R1 R2",
    "lesson-eleven-round": _MENU + "R1 R2 R2 OK",
    "lesson-eleven-take": _MENU + "R1 R2 R2 OK R1 OK",
    "lesson-ciao": _MENU + "R1 R3",
    "lesson-ciao-colours": _MENU + "R1 R3 R2 OK",
    "lesson-ciao-joker": _MENU + "R1 R3 R2 OK R3 OK",
    "kiosk-which-game": _MENU + "R1",
    "kiosk-how-many": _MENU + "R2 R1",
    "kiosk-hand": _PLAY,
    "kiosk-hand-cards": _PLAY + "R4 R4",
    "kiosk-placement": _PLAY + "R4 R4 R4 R4 OK",
    "kiosk-why": _PLAY + "R4 R4 R4 R4 OK WHY",
    "kiosk-which-row": _PLAY + "OK",
    "kiosk-leave": _PLAY + "UNDO",
    "kiosk-result": _PLAYED,
    "kiosk-after": _PLAYED + "OK",
    "kiosk-after-why": _PLAYED + "OK WHY",
    "kiosk-pass-on": _MENU + "R2 R1 R2",
    "kiosk-eleven": _MENU + "R2 R2 R1",
    "kiosk-eleven-placement": _MENU + "R2 R2 R1 OK",
    "kiosk-eleven-refused": _MENU + "R2 R2 R1 R4 R4 OK",
    "kiosk-ciao": _MENU + "R2 R3 R1 OK OK OK OK OK OK",
    "kiosk-ciao-placement": _MENU + "R2 R3 R1 OK OK",
    "kiosk-watch": _MENU + "R3 R1",
    "kiosk-pin": _OPERATOR,
    "kiosk-operator": _OPERATOR + "R1 R2 R3 R4",
    "kiosk-operator-more": _OPERATOR + "R1 R2 R3 R4 R4",
}
"""Screens of a kiosk."""


_SEATED: Final = "b1 b2 b3 b4 "

TOURNAMENT_SCREENS: Final[dict[str, str]] = {
    "tournament-table": "b1 b3",
    "tournament-other-table": ":6NC-P05",
    "tournament-no-seat": ":6NC-P10",
    "tournament-registration": "",
    "tournament-registered": "b3",
    "tournament-registered-aside": "OK :6NC-T041M",
    "tournament-wrong-hand": _SEATED + "1 2 3 4 5 6 7 8 9 10 +1",
    "tournament-result": _SEATED + _WON.removeprefix("R1 " + _SEATED + _UNTIL_10_KEYS) + "OK OK b2 b4",
}
"""Screens of a table of a tournament, where four of eight players are seated."""

UPDATE_SCREENS: Final[dict[str, str]] = {"update-found": "hold-OK #9", "update-written": "hold-OK #9 OK"}
"""Screens of a box that was flashed as an image, with a USB drive that has an update."""

_SEATS: Final = {
    "title": "Friday",
    "round": 2,
    "table": 7,
    "game": "six",
    "options": {"end": {"target": 10}},
    "players": [
        {"badge": badge, "name": name} for badge, name in enumerate(("Ali", "Sara", "Max", "Leila"), start=1)
    ],
    "elsewhere": {"5": 3},
}
_SAME_DEALS: Final = {
    **_SEATS,
    "options": {"end": {"deals": 3}, "hands": True},
    "hands": {"salt": "0", "digests": [["0"] * 4] * 3},
}
_REGISTRATION: Final = {**_SEATS, "round": 0, "players": [], "elsewhere": {}, "tournament": 1}


@dataclass(frozen=True, slots=True)
class Shown:
    """A screen as it is drawn. The heights are those of its main text and of its smallest letters."""

    name: str
    picture: Image
    main_px: int
    smallest_px: int


def pictures(screen: ScreenOptions | None = None) -> Iterator[tuple[str, Image]]:
    """Name and picture of every screen, as `screens` has them."""
    return ((shown.name, shown.picture) for shown in screens(screen))


def screens(screen: ScreenOptions | None = None, only: Collection[str] = ()) -> Iterator[Shown]:
    """Every screen, or those of these names, in the language of `screen`.

    Raises `CompanionError` where a text, not a name, is too wide.
    """
    return (shown(name, runtime) for name, runtime in performed(screen, only))


def performed(
    screen: ScreenOptions | None = None, only: Collection[str] = ()
) -> Iterator[tuple[str, Runtime]]:
    """Name and device of every screen, or of those of these names, at the end of its script.

    The device is closed when the next one is taken: until then it can be drawn, also in other languages.
    """
    plain = replace(load(None), display=choose("display", "simulated"))
    plain = plain if screen is None else replace(plain, screen=screen)
    named = replace(plain, table=replace(plain.table, names=NAMES))
    strange = replace(plain, kiosk=replace(plain.kiosk, on=True, pin=PIN))
    todo = [
        *((name, script, plain) for name, script in SCREENS.items()),
        *((name, script, named) for name, script in NAMED_SCREENS.items()),
        *((name, script, strange) for name, script in KIOSK_SCREENS.items()),
    ]
    todo += [
        (name, script, plain)
        for more in (TOURNAMENT_SCREENS, UPDATE_SCREENS)
        for name, script in more.items()
    ]
    for name, script, config in todo:
        if only and name not in only:
            continue
        with tempfile.TemporaryDirectory(prefix="nimmt-screens-") as folder:
            path = Path(folder) / "journal.sqlite"  # in one thread: the same picture on every machine
            runtime = Runtime(config, path, time_of_day=lambda: NOON, in_threads=False)
            try:
                if config.kiosk.on:
                    install(runtime, rng=Random(_DEALS_SEED))  # noqa: S311 - pictures, no secret
                if name in TOURNAMENT_SCREENS:
                    runtime.app.controller.hand_checks = HandChecks()  # at once
                    same = _SAME_DEALS if "-hand" in name else _SEATS
                    seats = _REGISTRATION if "-regist" in name else same
                    runtime.app.controller.hear(SeatsGiven(seats), runtime.app.controller.now_s)
                if name in UPDATE_SCREENS:
                    runtime.app.controller.extension(UpdateTable).updates = _UpdateOnDrive()
                perform(script, runtime.app.controller)
                yield name, runtime
                if name == "start":
                    runtime.app.controller.hear(
                        DeviceFault("scanner", sentence("it was unplugged"), sentence("plug it in again")),
                        runtime.app.controller.now_s,
                    )
                    yield "device-away", runtime
            finally:
                runtime.close()


class _UpdateOnDrive:
    """A USB drive with an update that is written at once."""

    def __init__(self) -> None:
        self._stage = Stage.FOUND

    def look(self) -> None:
        """It is there already."""

    def begin(self) -> None:
        """Write it."""
        self._stage = Stage.WRITTEN

    def seen(self) -> UpdateSeen:
        """How far it is."""
        return UpdateSeen(self._stage, "0.5.0", 100)


def shown(name: str, runtime: Runtime) -> Shown:
    """The page in front of a device. Raises `CompanionError` where a text, not a name, is too wide."""
    canvas = MeasuredCanvas()
    try:
        with strictly():
            return Shown(name, runtime.app.picture(canvas), canvas.largest_px, canvas.smallest_px)
    except ValueError as too_wide:
        raise CompanionError(
            say("the page {name} cannot be shown whole: {too_wide}", name=name, too_wide=too_wide),
            say("use a shorter text"),
        ) from too_wide
