"""How the screens of optional parts are reached, and what has to be prepared for them."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Final

from companion.values import replace
from firmware.extensions.camera.camera import Camera, LessonMoved
from firmware.extensions.camera.cards_in_play import different
from firmware.extensions.camera.config import CameraOptions
from firmware.extensions.camera.deck_files import Header
from firmware.extensions.camera.deck_menus import Decks
from firmware.extensions.camera.pages import WhichCard
from firmware.extensions.camera.progress import Advice, Hint, Progress
from firmware.extensions.camera.seen import CardsLie, Corners, Seen
from firmware.extensions.camera.service import CameraService
from firmware.extensions.camera.table import CameraTable
from firmware.extensions.plugged_camera.table import offer
from firmware.extensions.speech.config import SpeechOptions
from firmware.extensions.tournament.messages import GiveSeats, Seated, Seats
from firmware.extensions.update.at_table import DriveUpdates, UpdateStage, UpdateState
from firmware.extensions.update.page import UpdateTable
from firmware.loop.react import handle_message
from firmware.play.table import Table
from firmware.usb_camera import UsbCamera
from tests.gallery.script import perform
from tests.gallery.scripts import MENU, UNTIL_10_KEYS, WON

_CODES: Final = different("six")
_NAMES: Final = ("6 nimmt!", "6 nimmt! 2")
_DECKS: Final = tuple(
    Header("", name, "six", 1, [(code, [1]) for code in _CODES[:cards]])
    for name, cards in zip(_NAMES, (104, 48), strict=True)
)
_BEGIN: Final = "R1 b1 b2 b3 b4 OK R1 R1 "
_ROWS: Final = _BEGIN + "12 37 43 58 "
_TURN: Final = _ROWS + "14 44 61 15 OK OK OK OK "
_TEACH: Final = "menu:CAMERA R1 R1"
_LAID: Final = Progress(Advice.LAY, _CODES[12:24], showings=3, taught=12, of=104, found=7)
_PLACES: Final = [(0.06 + 0.24 * (at % 4), 0.03 + 0.24 * (at // 4)) for at in range(12) if at != 6]
_SEEN: Final = tuple(((x, y), (x + 0.14, y), (x + 0.14, y + 0.21), (x, y + 0.21)) for x, y in _PLACES)
_LESSONS: Final[Mapping[str, Progress]] = {
    "camera-lay": Progress(Advice.LAY, _CODES[:12], showings=3, of=104),
    "camera-count": replace(_LAID, advice=Advice.COUNT, found=11, seen=_SEEN),
    "camera-cloth": replace(_LAID, advice=Advice.COUNT, found=11, seen=_SEEN, hint=Hint.CLOTH),
    "camera-hard": replace(_LAID, advice=Advice.AGAIN, found=0, hint=Hint.HARD),
    "camera-shift": replace(_LAID, advice=Advice.SHIFT, showing=1, found=12),
    "camera-order": replace(_LAID, advice=Advice.ORDER, showing=1, found=12),
    "camera-shown": replace(_LAID, advice=Advice.SHOWN, found=12),
    "camera-again": replace(_LAID, advice=Advice.AGAIN, lay=(_CODES[24], _CODES[34]), found=0),
    "camera-taught": Progress(Advice.DONE, showings=3, taught=104, of=104),
    "camera-alike": Progress(Advice.DONE, showings=3, taught=102, of=104, doubtful=(_CODES[24], _CODES[34])),
}
_TABLES: Final[Mapping[str, Sequence[Sequence[int]]]] = {
    "camera-table-right": ((12, 14, 15), (37,), (43, 44), (58, 61)),
    "camera-table-wrong": ((12, 14, 15), (37, 44), (43,), (58, 61)),
    "camera-table-order": ((12, 15, 14), (37,), (43, 44), (58, 61)),
}
"""The rows after the first turn, as they lie."""


def _prepare_camera(name: str, table: Table) -> None:
    decks = Decks(Path("decks"), box=1)
    decks.all = _DECKS[1:] if name == "camera-not-taught" else _DECKS
    camera = Camera(CameraOptions(), decks.folder)
    table.extension(CameraTable).service = CameraService(camera, decks, lambda _: None)
    if name == "camera-plugged":
        table.open(offer(UsbCamera("HD Pro Webcam C920", Path("/dev/video0"))))
    elif name in _LESSONS:
        perform(_TEACH, table)
        handle_message(table, LessonMoved(_LESSONS[name]), table.now_s)
    elif name == "camera-unsure":
        perform(_ROWS, table)
        handle_message(table, CardsLie((), unsure=((_CODES[34], _CODES[24]),)), table.now_s)
    elif name in {"camera-reads", "camera-not-taught"}:
        perform(_BEGIN + "+0", table)
    elif name == "camera-no-hand":
        perform(_ROWS, table)
        table.open(WhichCard(("35",), lambda _: None, doubtful=True))
    elif name.startswith("camera-table"):
        perform(_TURN + ":6NC-AUDITE", table)
        if name != "camera-table":
            handle_message(table, CardsLie(_lying(_TABLES[name]), asked=True), table.now_s)


def _lying(rows: Sequence[Sequence[int]]) -> tuple[Seen, ...]:
    """Rows as a camera sees them."""
    return tuple(
        Seen(_corners(place * 150, row * 240), _CODES[card - 1])
        for row, cards in enumerate(rows)
        for place, card in enumerate(cards)
    )


def _corners(x: float, y: float) -> Corners:
    return (x, y), (x + 128, y), (x + 128, y + 197), (x, y + 197)


_SEATED: Final = "b1 b2 b3 b4 "
_SEATS: Final = Seats(
    title="Friday",
    round=2,
    table=7,
    game="six",
    options={"end": {"target": 10}},
    players=tuple(Seated(badge, name) for badge, name in enumerate(("Ali", "Sara", "Max", "Leila"), start=1)),
    elsewhere={"5": 3},
)
_SAME_DEALS: Final = replace(_SEATS, options={"end": {"deals": 3}, "hands": True}, seed="4 8 15")
_REGISTRATION: Final = replace(_SEATS, round=0, players=(), elsewhere={}, tournament=1)


def _prepare_seats(name: str, table: Table) -> None:
    seats = _REGISTRATION if "-regist" in name else _SAME_DEALS if "-hand" in name else _SEATS
    handle_message(table, GiveSeats(kind="act", seats=seats), table.now_s)


class _UpdateOnDrive(DriveUpdates):
    def __init__(self) -> None:
        self._stage = UpdateStage.FOUND

    def search(self) -> None:
        """It is there already."""

    def install(self) -> None:
        self._stage = UpdateStage.WRITTEN

    def state(self) -> UpdateState:
        return UpdateState(self._stage, "1.1.0", 100)


def _prepare_update(_name: str, table: Table) -> None:
    table.extension(UpdateTable).updates = _UpdateOnDrive()


def _prepare_voice(_name: str, table: Table) -> None:
    config = table.config
    table.config = replace(config, added={**config.added, SpeechOptions: SpeechOptions(driver="espeak")})


_ROBOT: Final = "R1 b1 R3 R3 b4 OK R1 R1 "
_ROBOT_DEALT: Final = _ROBOT + "7 10 13 20 25 30 35 40 45 50 12 37 43 58 "
_ELEVEN_ROBOT: Final = "R2 R1 R3 R3 R1 OK OK R2 3 14 25 36 47 58 69 80 80 +3 91 100 "
_CIAO_ROBOT: Final = "R3 R1 R3 R3 R1 OK OK R3 R1 8 31 32 33 34 61 62 "
_PLAY: Final = MENU + "R2 R1 R1 "
_PLAYED: Final = _PLAY + "OK R1 " * 30
"""To the end of a deal: OK plays a card and goes on, R1 takes a row where one has to be taken."""


SCREENS: Final = {
    "players-robot": "R1 b1 b2 R3",
    "robot-hand": _ROBOT + "7 10 13",
    "robot-turn": _ROBOT_DEALT,
    "robot-card": _ROBOT_DEALT + "OK",
    "robots-cards": "R1 R3 R3 R4 R1 OK R1 R1 7 10 13 20 25 30 35 40 45 50 6 11 14 21 26 31 36 41 46 51 "
    "12 37 43 58 OK",
    "card-of-robot": _ROBOT_DEALT + "20",
    "robot-row": _ROBOT + "1 2 3 4 5 6 8 9 10 11 12 37 43 58 OK 14 99 +1",
    "robot-thinks": _ROBOT + "1 2 3 4 5 6 8 9 10 11 12 37 43 58 OK 14 99 +1 UNDO",
    "robot-moved": _ELEVEN_ROBOT + "50 52 +1 +4",
    "hands-counted": _ELEVEN_ROBOT + "50 52 +1 +4 menu:END_THIS_DEAL OK R1 R1 R4 R1 R1 R1 R4 R1",
    "robot-on-turn": _ELEVEN_ROBOT + "50 52 +1 UNDO +4",
    "robot-gives": _CIAO_ROBOT + "55 +1 +1 +1 OK",
    "given-card": _CIAO_ROBOT + "55 +1 +1 +1 OK OK",
    "tournament-none": ":6NC-T041M",
}
KIOSK_SCREENS: Final = {
    "kiosk-hand": _PLAY,
    "kiosk-hand-cards": _PLAY + "R4 R4",
    "kiosk-placement": _PLAY + "R4 R4 R4 R4 OK",
    "kiosk-why": _PLAY + "R4 R4 R4 R4 OK WHY",
    "kiosk-which-row": _PLAY + "OK",
    "kiosk-leave": _PLAY + "UNDO",
    "kiosk-result": _PLAYED,
    "kiosk-after": _PLAYED + "OK",
    "kiosk-after-why": _PLAYED + "OK WHY",
    "kiosk-after-better": _PLAYED + "OK WHY OK",
    "kiosk-pass-on": MENU + "R2 R1 R2",
    "kiosk-eleven": MENU + "R2 R2 R1",
    "kiosk-eleven-placement": MENU + "R2 R2 R1 OK",
    "kiosk-eleven-refused": MENU + "R2 R2 R1 R4 R4 OK",
    "kiosk-ciao": MENU + "R2 R3 R1 OK OK OK OK OK OK",
    "kiosk-ciao-placement": MENU + "R2 R3 R1 OK OK",
    "kiosk-watch": MENU + "R3 R1",
    "kiosk-how-many": MENU + "R2 R1",
}
PREPARED_SCREENS: Final[dict[str, str]] = {
    "camera-plugged": "",
    "camera-menu": "menu:CAMERA",
    "camera-decks": "menu:CAMERA R2",
    "camera-deck": "menu:CAMERA R2 R2",
    "camera-remove": "menu:CAMERA R2 R1 R2",
    "camera-unsure": "",
    "camera-reads": "",
    "camera-not-taught": "",
    "camera-no-hand": "",
    **dict.fromkeys(_LESSONS, ""),
    "camera-table": "",
    **dict.fromkeys(_TABLES, ""),
    "tournament-table": "b1 b3",
    "tournament-other-table": ":6NC-P05P",
    "tournament-no-seat": ":6NC-P10H",
    "tournament-registration": "",
    "tournament-registered": "b3",
    "tournament-registered-aside": "OK :6NC-T041M",
    "tournament-wrong-hand": _SEATED + "1 2 3 4 5 6 7 8 9 10 +1",
    "tournament-result": _SEATED + WON.removeprefix("R1 " + _SEATED + UNTIL_10_KEYS) + "OK OK b2 b4",
    "update-found": "menu:UPDATE",
    "update-written": "menu:UPDATE OK",
    "voice": "menu:VOICE",
    "voice-muted": "menu:VOICE #4",
}
_PREPARE: Final[Mapping[str, Callable[[str, Table], None]]] = {
    "camera": _prepare_camera,
    "tournament": _prepare_seats,
    "update": _prepare_update,
    "voice": _prepare_voice,
}


def prepare(name: str, table: Table) -> None:
    """Prepare a table for one of `PREPARED_SCREENS`."""
    _PREPARE[name.partition("-")[0]](name, table)
