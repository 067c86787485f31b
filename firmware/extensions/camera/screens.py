"""The screens of the camera: what it asks, a lesson, the decks, the check of the table."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from companion.values import replace
from firmware.extensions.camera.camera import Camera, CameraUnsure, CardsLie, LessonMoved
from firmware.extensions.camera.cards_in_play import different
from firmware.extensions.camera.config import CameraOptions
from firmware.extensions.camera.deck_files import Header
from firmware.extensions.camera.decks import Decks
from firmware.extensions.camera.pages import WhichCard
from firmware.extensions.camera.progress import Advice, Progress
from firmware.extensions.camera.seen import Corners, Seen
from firmware.extensions.camera.service import CameraService
from firmware.extensions.camera.table import CameraTable
from firmware.loop.react import handle_message
from firmware.play.table import Table
from firmware.scripted.script import perform
from firmware.scripted.scripts import PartScreens

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
_LESSONS: Final[Mapping[str, Progress]] = {
    "camera-lay": Progress(Advice.LAY, _CODES[:12], showings=3, of=104),
    "camera-count": replace(_LAID, advice=Advice.COUNT),
    "camera-shift": replace(_LAID, advice=Advice.SHIFT, showing=1, found=12),
    "camera-order": replace(_LAID, advice=Advice.ORDER, showing=1, found=12),
    "camera-shown": replace(_LAID, advice=Advice.SHOWN, found=12),
    "camera-again": replace(_LAID, advice=Advice.AGAIN, lay=(_CODES[24], _CODES[34]), found=0),
    "camera-taught": Progress(Advice.DONE, showings=3, taught=104, of=104),
    "camera-alike": Progress(
        Advice.DONE, showings=3, taught=104, of=104, confusable=((_CODES[24], _CODES[34]),)
    ),
}
_TABLES: Final[Mapping[str, Sequence[Sequence[int]]]] = {
    "camera-table-right": ((12, 14, 15), (37,), (43, 44), (58, 61)),
    "camera-table-wrong": ((12, 14, 15), (37, 44), (43,), (58, 61)),
    "camera-table-order": ((12, 15, 14), (37,), (43, 44), (58, 61)),
}
"""The rows after the first turn, as they lie."""


def _prepare(name: str, table: Table) -> None:
    decks = Decks(Path("decks"), box=1)
    decks.all = _DECKS[1:] if name == "camera-not-taught" else _DECKS
    camera = Camera(CameraOptions(), decks.folder)
    table.extension(CameraTable).service = CameraService(camera, decks, lambda _: None)
    if name in _LESSONS:
        perform(_TEACH, table)
        handle_message(table, LessonMoved(_LESSONS[name]), table.now_s)
    elif name == "camera-unsure":
        perform(_ROWS, table)
        handle_message(table, CameraUnsure((_CODES[34], _CODES[24])), table.now_s)
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


SCREENS: Final = PartScreens(
    prepared={
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
    },
    prepare=_prepare,
)
