"""A picture of every screen: each is reached by playing, never constructed directly.

And how large the letters of a page are on a panel, and from how far they can be read.
"""

from __future__ import annotations

import tempfile
from collections.abc import Collection, Iterable, Iterator
from math import atan, degrees
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Final

from companion.text.errors import CompanionError
from companion.values import Value, replace
from firmware.config.configuration import choose, load
from firmware.config.sections import ScreenOptions
from firmware.display.canvas import Canvas, strictly
from firmware.display.glyphs import SMALL, Font
from firmware.kiosk.kiosk import install
from firmware.play.runtime import Runtime
from firmware.plugins import parts
from firmware.scripted import scripts
from firmware.scripted.script import perform
from firmware.scripted.scripts import NAMED_SCREENS, NAMES, PIN, PartScreens
from hardware.errors import sentence
from hardware.ports import DeviceFault

if TYPE_CHECKING:
    from PIL.Image import Image


NOON: Final = "2026-02-21T12:00:00Z"
"""The time of day on all pictures: they are the same whenever they are made."""

PARTS: Final[tuple[PartScreens, ...]] = tuple(part for _, part in parts("nimmt.screens"))

SCREENS: Final = {**scripts.SCREENS, **{name: one for part in PARTS for name, one in part.scripts.items()}}
"""The script of every screen of an ordinary device."""

KIOSK_SCREENS: Final = {
    **scripts.KIOSK_SCREENS,
    **{name: one for part in PARTS for name, one in part.kiosk.items()},
}
"""Screens of a kiosk."""

PREPARED_SCREENS: Final = {name: one for part in PARTS for name, one in part.prepared.items()}
"""Screens of optional parts that something has to be prepared for."""

_DEALS_SEED: Final = 6
"""The seed of the deals of a kiosk: the same cards on every machine."""


class DrawnScreen(Value):
    """A screen as it is drawn. The heights are those of its main text and of its smallest letters."""

    name: str
    picture: Image
    main_px: int
    smallest_px: int


def pictures(screen: ScreenOptions | None = None) -> Iterator[tuple[str, Image]]:
    """Name and picture of every screen, as `screens` has them."""
    return ((shown.name, shown.picture) for shown in screens(screen))


def screens(screen: ScreenOptions | None = None, only: Collection[str] = ()) -> Iterator[DrawnScreen]:
    """Every screen, or those of these names, in the language of `screen`.

    Raises `CompanionError` where a text, not a name, is too wide.
    """
    return (shown(name, runtime) for name, runtime in performed(screen, only))


def performed(
    screen: ScreenOptions | None = None, only: Collection[str] = (), names: tuple[str, ...] = ()
) -> Iterator[tuple[str, Runtime]]:
    """Name and device of every screen, or of those in `only`, at the end of its script.

    `names` are those of the players where a screen has none of its own. The device is closed when the next
    one is taken: until then it can be drawn, also in other languages.
    """
    plain = replace(load(None), display=choose("display", "simulated"))
    plain = plain if screen is None else replace(plain, screen=screen)
    named = replace(plain, table=replace(plain.table, names=NAMES))
    plain = replace(plain, table=replace(plain.table, names=names))
    strange = replace(plain, kiosk=replace(plain.kiosk, on=True, pin=PIN))
    todo = [
        *((name, script, plain) for name, script in SCREENS.items()),
        *((name, script, named) for name, script in NAMED_SCREENS.items()),
        *((name, script, strange) for name, script in KIOSK_SCREENS.items()),
        *((name, script, plain) for name, script in PREPARED_SCREENS.items()),
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
                for part in PARTS:
                    if name in part.prepared:
                        part.prepare(name, runtime.app.controller)
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


def shown(name: str, runtime: Runtime) -> DrawnScreen:
    """The page in front of a device. Raises `CompanionError` where a text, not a name, is too wide."""
    canvas = MeasuredCanvas()
    try:
        with strictly():
            return DrawnScreen(name, runtime.app.picture(canvas), canvas.largest_px, canvas.smallest_px)
    except ValueError as too_wide:
        raise CompanionError(
            f"the page {name} cannot be shown whole: {too_wide}",
            "use a shorter text",
        ) from too_wide


DISTANCE_MM: Final = 1200
"""From the eyes of people around a table to the device at its edge."""


class Panel(Value):
    """A panel of 128x64 pixels: its size as it is sold, and the distance from pixel to pixel."""

    inches: str
    pitch_mm: float


PANELS: Final = (Panel("2.42", 0.43), Panel("1.3", 0.23))
"""The panels that are bought for the device; the distance is the width of the lit area through 128."""


def height_mm(height_px: int, panel: Panel) -> float:
    return height_px * panel.pitch_mm


def arc_minutes(height_px: int, panel: Panel, distance_mm: float = DISTANCE_MM) -> float:
    """The angle in minutes under which letters are seen.

    ISO 9241-303 asks for capitals that are seen under at least 16 minutes of arc, and recommends 20 to 22.
    """
    return degrees(atan(height_mm(height_px, panel) / distance_mm)) * 60


class MeasuredCanvas(Canvas):
    """A canvas that also notes which letters are drawn on it."""

    def __init__(self) -> None:
        super().__init__()
        self.letters_px: set[int] = set()
        """The heights of capitals that were drawn, in pixels."""

    def text(self, x_px: int, y_px: int, text: str, font: Font = SMALL, *, invert: bool = False) -> int:
        if text.strip():
            self.letters_px.add(font.capital_px)
        return super().text(x_px, y_px, text, font, invert=invert)

    @property
    def largest_px(self) -> int:
        """The height of the main text: as the page notes it, else of the largest letters."""
        return self.main_px or max(self.letters_px, default=0)

    @property
    def smallest_px(self) -> int:
        """The height of the smallest letters; 0 if there are none."""
        return min(self.letters_px, default=0)


def as_table(pages: Iterable[tuple[str, int, int]]) -> Iterator[str]:
    """Lines of a Markdown table of pages: name, height of the main text, height of the smallest letters.

    The heights are given in pixels; the table also has them as they are on the panels and as they are seen.
    """
    parts = [f"{panel.inches} inch: mm | {panel.inches} inch: arc min" for panel in PANELS]
    yield " | ".join(["| screen", "main text: px", *parts, "smallest letters: px |"])
    yield "|---" + "|--:" * (2 + 2 * len(PANELS)) + "|"
    for name, main_px, smallest_px in pages:
        found = [f"{height_mm(main_px, panel):.1f} | {arc_minutes(main_px, panel):.1f}" for panel in PANELS]
        yield " | ".join([f"| {name}", str(main_px), *found, f"{smallest_px} |"])
