"""A monochrome picture as the bytes that a controller keeps, and which of them to send. See `hardware.panel`.

A page is a strip eight pixels high; one byte holds the eight pixels of one of its columns, the least
significant bit on top (SSD1306 data sheet 8.7, SH1106 data sheet "Page Address"). A whole picture is
one `bytes`: page 0 from left to right, then page 1, and so on.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from typing import Final, NamedTuple

from msgspec import Struct
from PIL.Image import Image, Transpose


class Window(NamedTuple):
    """A rectangle of page bytes; all four are 0-based and inclusive.

    No dataclass: some thirty are made for a card, and a frozen one takes four times as long to make.
    """

    first_page: int
    last_page: int
    first_column: int
    last_column: int

    @property
    def cells(self) -> int:
        return (self.last_page - self.first_page + 1) * (self.last_column - self.first_column + 1)

    def cut(self, pages: bytes, width_px: int) -> bytes:
        """The bytes of `pages` (of a picture `width_px` wide) that fill this window, row by row."""
        return b"".join(
            pages[page * width_px + self.first_column : page * width_px + self.last_column + 1]
            for page in range(self.first_page, self.last_page + 1)
        )

    def union(self, other: Window) -> Window:
        return Window(
            min(self.first_page, other.first_page),
            max(self.last_page, other.last_page),
            min(self.first_column, other.first_column),
            max(self.last_column, other.last_column),
        )


class Addressing(Struct, frozen=True):
    """How a controller is told where the next bytes go, and how many bytes that takes."""

    opening_bytes: int  # to open a window over I2C: the commands, two addresses, two control bytes
    tall: bool  # whether a window may span several pages
    commands: Callable[[Window, int], tuple[int, ...]]  # with the column at the left edge


def _address_window(window: Window, _offset: int) -> tuple[int, ...]:
    """Column and page range (SSD1306 data sheet 10.1.4, 10.1.5); the chip steps through it by itself."""
    return (0x21, window.first_column, window.last_column, 0x22, window.first_page, window.last_page)


SH1106_OFFSET: Final = 2
"""An SH1106 has 132 columns, and most panels are wired to the middle 128 of them."""


def _address_page(window: Window, offset: int) -> tuple[int, ...]:
    """Page, low and high half of the column (SH1106 data sheet commands 1, 2 and 12)."""
    column = window.first_column + offset
    return (0xB0 | window.first_page, column & 0x0F, 0x10 | column >> 4)


_CALLS_BYTES: Final = 6
"""What the two system calls of a window are worth in bytes: so many are sent in their time.

Through luma and smbus2 they take the processor some 0.03 ms on a laptop, and by the estimate of
docs/performance.md 0.1 to 0.4 ms on a Raspberry Pi. At 400 kHz a byte takes 0.0225 ms.
"""

_WINDOWED: Final = Addressing(opening_bytes=10, tall=True, commands=_address_window)
_PAGED: Final = Addressing(opening_bytes=7, tall=False, commands=_address_page)
_LIKE_SSD1306: Final = dict.fromkeys(("ssd1305", "ssd1306", "ssd1309", "ssd1315"), _WINDOWED)
ADDRESSING: Final = _LIKE_SSD1306 | {"sh1106": _PAGED, "ch1115": _PAGED}
"""By the name of the controller."""


def pack(picture: Image) -> bytes:
    """The page bytes of a picture of mode "1" whose height is a multiple of 8.

    Pillow does the work in C: a transposed picture, written with the least significant bit first, has the
    bytes of one column after each other. That is some twenty times faster than a loop over the pixels, which
    takes several milliseconds a frame on a Zero 2 W.
    """
    page_count = picture.height // 8
    by_column = picture.transpose(Transpose.TRANSPOSE).tobytes("raw", "1;R")
    return b"".join(by_column[page::page_count] for page in range(page_count))


def everything(width_px: int, height_px: int, addressing: Addressing) -> list[Window]:
    """The windows of a full picture: one if a window may span pages, else one for each page."""
    page_count, last_column = height_px // 8, width_px - 1
    if addressing.tall:
        return [Window(0, page_count - 1, 0, last_column)]
    return [Window(page, page, 0, last_column) for page in range(page_count)]


def changed(old: bytes, new: bytes, width_px: int, addressing: Addressing) -> list[Window]:
    """Windows that together cover every byte in which `old` and `new` differ; none if they are equal.

    Opening a window takes bytes on the bus, and time of the processor. So windows are joined where sending
    the unchanged bytes between them takes no longer. The windows never take more bytes than sending
    everything would. What people look at first comes first: the title on top, then the largest window.
    """
    opening_bytes = addressing.opening_bytes + _CALLS_BYTES
    finished: list[Window] = []
    growing: list[Window] = []  # those that end on the page above, and may still grow
    # This and the search run in C, which is some ten times faster than a loop over the columns.
    differing = (int.from_bytes(old, "big") ^ int.from_bytes(new, "big")).to_bytes(len(new), "big")
    stretches = _stretches(opening_bytes)
    for page, first in enumerate(range(0, len(new), width_px)):
        above, growing = growing, []
        for stretch in stretches.finditer(differing, first, first + width_px):
            run_window = Window(page, page, stretch.start() - first, stretch.end() - first - 1)
            best = _cheapest_to_join(run_window, above, opening_bytes) if addressing.tall else None
            if best is None:
                growing.append(run_window)
            else:
                above.remove(best)
                growing.append(best.union(run_window))
        finished += above
    finished += growing
    whole = everything(width_px, len(new) // width_px * 8, addressing)
    fewest = min(finished, whole, key=lambda windows: _bytes_to_send(windows, opening_bytes))
    return sorted(fewest, key=lambda window: (window.first_page > 0, -window.cells))


def _bytes_to_send(windows: list[Window], opening_bytes: int) -> int:
    return sum(window.cells + opening_bytes for window in windows)


@cache
def _stretches(gap_bytes: int) -> re.Pattern[bytes]:
    """Bytes that are not 0, with at most so many that are between two of them."""
    return re.compile(rb"[^\0]+(?:\0{1,%d}[^\0]+)*" % gap_bytes)


def _cheapest_to_join(run_window: Window, above: list[Window], opening_bytes: int) -> Window | None:
    """The window of the page above that saves most when `run_window` is added to it; None if none saves."""
    best, best_gain = None, -1
    for candidate in above:
        # What `union` of the two would have, without making it: most are not taken.
        pages = run_window.last_page - candidate.first_page + 1
        last = max(candidate.last_column, run_window.last_column)
        columns = last - min(candidate.first_column, run_window.first_column) + 1
        gain = candidate.cells + run_window.cells + opening_bytes - pages * columns
        if gain > best_gain:
            best, best_gain = candidate, gain
    return best
