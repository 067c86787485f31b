"""A display that writes every frame into a PNG file, for a screenshot or a web page."""

from pathlib import Path
from typing import Annotated, Final

from msgspec import Struct
from PIL.Image import Image, Resampling

from hardware.errors import HardwareError, sentence
from hardware.options import option
from hardware.panel.display import Panel, PanelDisplay
from hardware.ports import Light

_GREY: Final = {Light.FULL: 255, Light.DIM: 96, Light.OFF: 0}
"""How a lit pixel looks in the file."""


class Options(Struct, frozen=True):
    """Where the pictures go."""

    folder: Annotated[str, option("folder for the pictures; it must exist and be writable", in_file=True)]
    scale_px: Annotated[int, option("size of a display pixel in the picture, in pixels", low=1, high=16)] = 4
    keep: Annotated[
        str,
        option(
            "latest: only latest.png, always replaced as a whole; all: every frame as frame-000001.png and "
            "so on, until the disk is full",
            among=("latest", "all"),
        ),
    ] = "latest"


class PngDisplay(PanelDisplay):
    """A display that is a folder of pictures: for a screenshot, a web page, or a test of everything else.

    ```toml
    [display]
    driver = "png"
    folder = "/tmp/nimmt"
    ```

    ```python
    from PIL import Image
    from hardware.drivers.png_display import Options, PngDisplay

    display = PngDisplay(Options(folder="/tmp"))
    display.start(print)
    display.draw(Image.new("1", (128, 64), 1))  # a white picture in /tmp/latest.png
    display.settle(1.0)
    display.close()
    ```
    """

    def __init__(self, options: Options) -> None:
        super().__init__(PngPanel(options))


class PngPanel(Panel):
    """The folder, as a panel."""

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
        """Look at the folder; numbering continues after the highest number that is there."""
        self.check()
        self._number = max(
            (int(file.stem[6:]) for file in self._folder.glob("frame-*.png") if file.stem[6:].isdecimal()),
            default=0,
        )

    def show(self, frame: Image) -> None:
        self._frame = frame
        self._write()

    def light(self, level: Light) -> None:
        changed = level is not self._level
        self._level = level
        if changed and self._frame is not None:
            self._write()

    def refresh(self) -> None:
        """Do nothing: files do not lose their content."""

    def close(self) -> None:
        """Do nothing: no file is kept open."""

    def check(self) -> str:
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
            sentence("cannot write pictures to {folder}: {reason}", folder=self._folder, reason=reason),
            sentence(
                "create the folder and make it writable (mkdir -p {folder}), "
                "or set another folder in [display]",
                folder=self._folder,
            ),
        )
