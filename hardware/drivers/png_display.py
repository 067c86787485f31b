"""A display that writes every frame into a PNG file, for a screenshot or a web page; there is no panel."""

from __future__ import annotations

import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from PIL.Image import Resampling

from hardware.errors import HardwareError
from hardware.options import option
from hardware.panel.background import Background
from hardware.ports import Light

if TYPE_CHECKING:
    from collections.abc import Callable

    from PIL.Image import Image

    from hardware.ports import Message

_GREY: Final = {Light.FULL: 255, Light.DIM: 96, Light.OFF: 0}
"""How a lit pixel looks in the file."""


@dataclass(frozen=True, slots=True)
class Options:
    """Where the pictures go."""

    folder: str = option("folder for the pictures; it must exist and be writable")
    scale_px: int = option("size of a display pixel in the picture, in pixels", 4, low=1, high=16)
    keep: str = option(
        (
            "latest: only latest.png, always replaced as a whole; all: every frame as frame-000001.png and "
            "so on, until the disk is full"
        ),
        "latest",
        among=("latest", "all"),
    )


class PngDisplay:
    """The display port over a folder; see `hardware.ports.Display`."""

    def __init__(self, options: Options, *, now_s: Callable[[], float] = time.monotonic) -> None:
        self._panel = PngPanel(options)
        self._background = Background("display", self._panel, now_s=now_s)
        self.width_px = self._panel.width_px
        self.height_px = self._panel.height_px

    def start(self, post: Callable[[Message], None]) -> None:
        """Begin; a folder that cannot be written to is a fault, tried again every two seconds."""
        self._background.start(post)

    def draw(self, frame: Image) -> None:
        """Write a picture; `ValueError` if it is not of mode "1" and 128x64 pixels."""
        self._background.draw(frame)

    def light(self, level: Light) -> None:
        """Write the newest picture again: white, grey or not at all on black."""
        self._background.light(level)

    def settle(self, timeout_s: float) -> bool:
        """Wait until everything drawn so far is in its file; False if it is not in time."""
        return self._background.settle(timeout_s)

    def check(self) -> str:
        """Whether the folder can be written to; raises `HardwareError`."""
        return self._panel.check()

    def close(self) -> None:
        """Stop; the files stay."""
        self._background.close()


class PngPanel:
    """The blocking panel (see `hardware.panel.background.Panel`): a folder."""

    width_px = 128
    height_px = 64

    def __init__(self, options: Options) -> None:
        self._folder = Path(options.folder)
        self._scale_px = options.scale_px
        self._keep_all = options.keep == "all"
        self._number = 0
        self._frame: Image | None = None
        self._level = Light.FULL

    def open(self) -> None:
        """Look at the folder; numbering goes on after the highest number that is there."""
        self.check()
        self._number = max(
            (int(file.stem[6:]) for file in self._folder.glob("frame-*.png") if file.stem[6:].isdecimal()),
            default=0,
        )

    def show(self, frame: Image) -> None:
        """Write the frame."""
        self._frame = frame
        self._write()

    def light(self, level: Light) -> None:
        """Write the last frame with another brightness."""
        changed = level is not self._level
        self._level = level
        if changed and self._frame is not None:
            self._write()

    def refresh(self) -> None:
        """Nothing: files do not forget."""

    def close(self) -> None:
        """Nothing: no file is kept open."""

    def check(self) -> str:
        """One line about the folder; raises `HardwareError`."""
        probe = self._folder / ".nimmt-probe"
        try:
            probe.write_bytes(b"")
            probe.unlink()
        except OSError as seen:
            raise self._fault(seen) from seen
        return f"pictures are written to {self._folder / self._file_name(1)}"

    def _file_name(self, number: int) -> str:
        return f"frame-{number:06}.png" if self._keep_all else "latest.png"

    def _write(self) -> None:
        if self._frame is None:
            return
        grey = _GREY[self._level]
        size = (self.width_px * self._scale_px, self.height_px * self._scale_px)
        picture = self._frame.convert("L").point(lambda lit: grey if lit else 0)
        target = self._folder / self._file_name(self._number + 1)
        half_written = self._folder / f".{target.name}.part"
        try:
            picture.resize(size, Resampling.NEAREST).save(half_written, format="PNG")
            half_written.replace(target)
        except OSError as seen:
            raise self._fault(seen) from seen
        self._number += 1

    def _fault(self, seen: OSError) -> HardwareError:
        reason = seen.strerror or type(seen).__name__
        return HardwareError(
            "display",
            f"cannot write pictures to {self._folder}: {reason}",
            f"create the folder and make it writable (mkdir -p {self._folder}), "
            "or set another folder in [display]",
        )
