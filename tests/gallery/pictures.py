"""A picture of every screen: each is reached by playing, never constructed directly."""

from __future__ import annotations

import tempfile
from collections.abc import Collection, Iterator
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Final

from companion.text.errors import CompanionError
from companion.values import replace
from firmware.config.configuration import choose, load
from firmware.config.sections import ScreenOptions
from firmware.display.canvas import strictly
from firmware.kiosk.kiosk import install
from firmware.loop.react import handle_message
from firmware.loop.runtime import Runtime
from hardware.errors import sentence
from hardware.ports import DeviceFault
from tests.gallery import parts, scripts
from tests.gallery.script import perform
from tests.gallery.scripts import NAMED_SCREENS, NAMES, PIN

if TYPE_CHECKING:
    from PIL.Image import Image


NOON: Final = "2026-02-21T12:00:00Z"
"""The time of day on all pictures: they are the same whenever they are made."""
SCREENS: Final = {**scripts.SCREENS, **parts.SCREENS}
"""The script of every screen of an ordinary device."""
KIOSK_SCREENS: Final = {**scripts.KIOSK_SCREENS, **parts.KIOSK_SCREENS}
"""Screens of a kiosk."""
_DEALS_SEED: Final = 6
"""The seed of the deals of a kiosk: the same cards on every machine."""


def pictures(screen: ScreenOptions | None = None, only: Collection[str] = ()) -> Iterator[tuple[str, Image]]:
    """Name and picture of every screen, or of those in `only`, in the language of `screen`.

    Raises `CompanionError` where a text, not a name, is too wide.
    """
    return ((name, picture(name, runtime)) for name, runtime in performed(screen, only))


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
        *((name, script, plain) for name, script in parts.PREPARED_SCREENS.items()),
    ]
    for name, script, config in todo:
        if only and name not in only:
            continue
        with tempfile.TemporaryDirectory(prefix="nimmt-screens-") as folder:
            path = Path(folder) / "journal.sqlite"  # in one thread: the same picture on every machine
            runtime = Runtime(config, path, time_of_day=lambda: NOON, in_threads=False)
            try:
                if config.kiosk.on:
                    install(runtime, rng=Random(_DEALS_SEED))
                if name in parts.PREPARED_SCREENS:
                    parts.prepare(name, runtime.app.table)
                perform(script, runtime.app.table)
                yield name, runtime
                if name == "start":
                    what, fix = sentence("no scanner is plugged in"), sentence("plug it into a USB port")
                    fault = DeviceFault("scanner", what, fix)
                    handle_message(runtime.app.table, fault, runtime.app.table.now_s)
                    yield "device-away", runtime
            finally:
                runtime.close()


def picture(name: str, runtime: Runtime) -> Image:
    """The page in front of a device. Raises `CompanionError` where a text, not a name, is too wide."""
    try:
        with strictly():
            return runtime.app.picture()
    except ValueError as too_wide:
        raise CompanionError(
            f"the page {name} cannot be shown whole: {too_wide}", "use a shorter text"
        ) from too_wide
