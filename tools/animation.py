"""A recording of a turn as an animated picture: what the display shows after each scan and key.

Each frame is the picture of the device, enlarged, and below it a line that says what people did. The time on
the pages is the time of the script, so the same program always makes the same file.
"""

import tempfile
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Final

from PIL import Image

from companion.values import Value, replace
from firmware.config.configuration import choose, load
from firmware.display.canvas import Canvas
from firmware.loop.runtime import Runtime
from tests.gallery.script import perform

NAMES: Final = ("Ana", "Bo", "Cem", "Dora")
"""The players of the recording, by badge number."""

BEFORE: Final = "R1 b1 b2 b3 b4 OK R1 R1 12 37 43 58"
"""What is played before the recording begins: four players, and the four cards that start the rows."""

_SCAN_MS: Final = 1300
_READ_MS: Final = 3500
_LOOK_MS: Final = 2200

TURNS: Final = (
    ("", "TURN 1 BEGINS", _LOOK_MS),
    ("14", "SCAN 14", _SCAN_MS),
    ("44", "SCAN 44", _SCAN_MS),
    ("61", "SCAN 61", _SCAN_MS),
    ("15", "SCAN 15, THE LAST ONE", _READ_MS),
    ("WHY", "WHY: WHY IS 14 HERE?", _READ_MS),
    ("OK OK", "OK: AND WHY 44?", _READ_MS),
    ("OK OK OK", "OK: CARDS ARE PLACED", _LOOK_MS),
    ("21", "SCAN 21", _SCAN_MS),
    ("36", "SCAN 36", _SCAN_MS),
    ("26", "SCAN 26", _SCAN_MS),
    ("30", "SCAN 30, THE LAST ONE", _READ_MS),
    ("b3", "CEM SHOWS THE BADGE", _READ_MS),
    ("OK", "OK: THE WHOLE TURN", _READ_MS),
    ("OK LEFT", "THE STANDINGS", _READ_MS),
)
"""The recording: what is done, as a script; the line below it, in up to 21 columns; how long it stays."""

_SCALE: Final = 3
_EDGE_PX: Final = 12
_LINE_PX: Final = 11
_DARK, _LIT, _CASE, _LINE = (7, 10, 14), (157, 220, 255), (38, 42, 50), (240, 200, 90)


class Frame(Value):
    """A picture of mode "P" and how long it stays, in milliseconds."""

    picture: Image.Image
    lasts_ms: int


def frames() -> Iterator[Frame]:
    config = load(None)
    config = replace(config, display=choose("display", "simulated"), table=replace(config.table, names=NAMES))
    with (
        tempfile.TemporaryDirectory(prefix="nimmt-animation-") as folder,
        closing(Runtime(config, Path(folder) / "journal.sqlite")) as runtime,
    ):
        perform(BEFORE, runtime.app.table)
        for script, line, lasts_ms in TURNS:
            perform(script, runtime.app.table)
            yield Frame(_framed(runtime.app.picture(), line), lasts_ms)


def write(file: Path) -> None:
    """Write the recording as a GIF."""
    first, *others = recorded = list(frames())
    times_ms = [frame.lasts_ms for frame in recorded]
    pictures = [frame.picture for frame in others]
    first.picture.save(file, save_all=True, append_images=pictures, duration=times_ms, loop=0, optimize=False)


def _framed(picture: Image.Image, line: str) -> Image.Image:
    """The picture of the device, enlarged, in a case, with a line of text below it."""
    words = Canvas(picture.width, _LINE_PX)
    words.text_centre(picture.width // 2, 2, line)
    width_px = picture.width * _SCALE + 2 * _EDGE_PX
    height_px = (picture.height + _LINE_PX) * _SCALE + 2 * _EDGE_PX
    framed = Image.new("P", (width_px, height_px), 2)
    framed.putpalette([part for colour in (_DARK, _LIT, _CASE, _LINE) for part in colour])
    framed.paste(enlarged(picture, _SCALE, 0, 1), (_EDGE_PX, _EDGE_PX))
    framed.paste(enlarged(words.image(), _SCALE, 2, 3), (_EDGE_PX, _EDGE_PX + picture.height * _SCALE + 3))
    return framed


def enlarged(picture: Image.Image, scale: int, dark: int, lit: int) -> Image.Image:
    """A picture of mode "1" with two colours of the palette."""
    size = (picture.width * scale, picture.height * scale)
    return picture.convert("L").point(lambda level: lit if level else dark).resize(size)
