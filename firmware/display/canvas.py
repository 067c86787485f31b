"""The display as something to draw on: text, cards, keys and boxes, in pixels.

Positions count from the top left corner, a lit pixel is a white one. The same calls give the same bits: there
is no font renderer, no clock and no randomness in here. A picture is one integer per row of pixels, because
laying a text over them takes some eight shifts; Pillow sees the result only once, in `image()`.

Two promises about space. A text that may be too wide (`shorten`, `card`) is shortened with …: no text ever
stops a table. A strict canvas raises ValueError instead, so that a test finds the text. What is placed freely
(`text`, `icon`, `fill` and the lines) is cut at the edge.

Where a title, a line or a hint stands is decided by a `Layout` (`firmware/display/layout.py`).
"""

from collections.abc import Callable, Hashable, Iterable, Iterator
from contextlib import contextmanager
from functools import lru_cache
from typing import ClassVar, Final

from PIL import Image

from firmware.display.bitmap import Bitmap
from firmware.display.glyphs import ICONS, LARGE_ICONS, MEDIUM, SMALL, Font

BAR_PX: Final = 9
"""Height of a key."""
CARD_WIDTH_PX: Final = 27
CARD_HEIGHT_PX: Final = 16


class Canvas:
    """A dark picture, 128x64 px by default. For one thread at a time; never blocks."""

    strict: ClassVar[bool] = False
    """Whether a text that does not fit in the layout is an error; see `strictly`."""

    def __init__(self, width_px: int = 128, height_px: int = 64) -> None:
        if width_px <= 0 or height_px <= 0:
            raise ValueError(f"a canvas has pixels, {width_px}x{height_px} has none")
        self._columns_px = width_px
        self._rows = [0] * height_px
        self._glass = (1 << width_px) - 1
        self.notice_at = (0, 0, width_px, BAR_PX)
        """Where a notice covers nothing that people need: x, y, width and height of the title."""

        self.main_px = 0
        """Height of the largest words that a page says to all at the table; see `note_main`."""

    @property
    def size_px(self) -> tuple[int, int]:
        return self._columns_px, len(self._rows)

    def image(self, bits: bytes | None = None) -> Image.Image:
        """What is drawn so far, as an independent Pillow image of mode "1"; from `bits`, if you have them."""
        return Image.frombytes("1", self.size_px, self.bits() if bits is None else bits)

    def bits(self) -> bytes:
        """What is drawn so far, row by row, a lit pixel a 1; each row begins with a new byte."""
        row_bytes = (self._columns_px + 7) // 8
        pad = row_bytes * 8 - self._columns_px
        if not pad:  # every panel of today
            return b"".join([row.to_bytes(row_bytes, "big") for row in self._rows])
        return b"".join([(row << pad).to_bytes(row_bytes, "big") for row in self._rows])

    # ---------------------------------------------------------------------------------------------- text

    def text(self, x_px: int, y_px: int, text: str, font: Font = SMALL, *, invert: bool = False) -> int:
        """Draw text with its top left pixel at x, y; returns the column where a next letter would start.

        `invert` draws it dark on a lit field that is one pixel larger on each side. Cut at the edge of the
        display; characters without a glyph are empty boxes.
        """
        letters = font.bitmap(text)
        if invert:
            self.fill(x_px - 1, y_px - 1, letters.width_px + 2, font.capital_px + 2)
            self._clear(x_px, y_px, letters)
        else:
            self._lay(x_px, y_px, letters)
        return x_px + letters.width_px + font.gap_px

    def text_right(self, x_px: int, y_px: int, text: str, font: Font = SMALL) -> int:
        """Like `text`, but ending just before column x (128: at the edge); returns where it starts."""
        start_px = x_px - font.width_px(text)
        self.text(start_px, y_px, text, font)
        return start_px

    def text_centre(self, x_px: int, y_px: int, text: str, font: Font = SMALL) -> int:
        """Like `text`, but with its middle at column x (64: of the display); returns where it starts."""
        start_px = x_px - (font.width_px(text) + 1) // 2
        self.text(start_px, y_px, text, font)
        return start_px

    def shorten(self, text: str, width_px: int, font: Font = SMALL) -> str:
        """The text in at most that many pixels, shortened with … if it is wider: for all that is no name.

        Raises ValueError on a strict canvas if it has to be shortened.
        """
        if font.width_px(text) <= width_px:
            return text
        if self.strict:
            raise ValueError(f"{text!r} is wider than {width_px} px")
        return font.fit(text, width_px)

    def key(self, x_px: int, y_px: int, label: str) -> int:
        """Draw a key: its label in SMALL, dark on a lit key of 9 px with round corners.

        x is the left edge of the key, y the top of the letters; the key begins one pixel above. Returns the
        column where the text that belongs to the key starts. Keys in a column need 10 px each.
        """
        key = _key(label)
        self.fill(x_px, y_px - 1, key.width_px, BAR_PX, lit=False)
        self._lay(x_px, y_px - 1, key)
        return x_px + key.width_px + 3

    # ---------------------------------------------------------------------------------- things of the game

    def card(self, x_px: int, y_px: int, label: str | None, *, emphasised: bool = False) -> None:
        """Draw a card of 27x16 px; emphasised: dark on light; None: an empty place.

        A number up to 104 is written in MEDIUM, anything else in SMALL. Cut at the edge of the display. All
        of 4 columns fits; a longer label is shortened.
        """
        if label is None:
            self._place(x_px, y_px)
            return
        large = label.isdigit() and MEDIUM.width_px(label) <= CARD_WIDTH_PX - 2
        font, down_px = (MEDIUM, 2) if large else (SMALL, 5)
        numeral = font.bitmap(self.shorten(label, CARD_WIDTH_PX - 2, font))
        inside_px = x_px + (CARD_WIDTH_PX - numeral.width_px) // 2
        self.fill(x_px, y_px, CARD_WIDTH_PX, CARD_HEIGHT_PX, lit=emphasised)
        if emphasised:
            self._round(x_px, y_px, CARD_WIDTH_PX, CARD_HEIGHT_PX)
            self._clear(inside_px, y_px + down_px, numeral)
        else:
            self.frame(x_px, y_px, CARD_WIDTH_PX, CARD_HEIGHT_PX)
            self._lay(inside_px, y_px + down_px, numeral)

    def boxes(self, x_px: int, y_px: int, filled: int, total: int = 5) -> int:
        """Draw the places of a row as boxes of 4x7 px, the first `filled` of them solid, 5 px apart.

        A full row is marked by a frame 2 px outside its boxes: the next card takes it. Returns the column
        after the last box. Raises ValueError if `filled` is not 0..total.
        """
        if not 0 <= filled <= total or not total:
            raise ValueError(f"a row has 0 to {total} filled places, not {filled}")
        places = _places(filled, total)
        self._lay(x_px, y_px, places)
        if filled == total:
            self.frame(x_px - 2, y_px - 2, places.width_px + 4, 11)
        return x_px + places.width_px

    def light_key(self, x_px: int, y_px: int, width_px: int, height_px: int) -> None:
        """Turn a field to dark letters on a lit key with round corners."""
        self.invert(x_px, y_px, width_px, height_px)
        self._round(x_px, y_px, width_px, height_px)

    def note(self, *texts: str) -> None:
        """Hear what a page says, before it is laid out. Draws nothing: it is for tests and tools."""

    def note_main(self, height_px: int) -> None:
        """Note that something is drawn in letters of that height which the page says to all at the table."""
        self.main_px = max(self.main_px, height_px)

    def icon(self, x_px: int, y_px: int, name: str, *, large: bool = False) -> int:
        """Draw an icon of 7x7 px (see `ICONS`), cut at the edge of the display; returns the column behind it.

        `large`: of 14x14 px. Raises KeyError for a name that is none. Inside a text, and in the larger sizes,
        icons are characters: `BULL` and its like in `firmware.display.glyphs`.
        """
        icon = LARGE_ICONS[name] if large else ICONS[name]
        self._lay(x_px, y_px, icon)
        return x_px + icon.width_px

    def cursor(self, x_px: int, y_px: int, *, left: bool = False) -> int:
        """Draw a triangle of 4x7 px that points right, at the selected line; returns the column after it.

        `left`: it points left, from the end of a line that runs from right to left.
        """
        self._lay(x_px, y_px, Bitmap(4, (1, 3, 7, 15, 7, 3, 1) if left else (8, 12, 14, 15, 14, 12, 8)))
        return x_px + 4

    # ------------------------------------------------------------------------------------ lines and fields

    def fill(self, x_px: int, y_px: int, width_px: int, height_px: int, *, lit: bool = True) -> None:
        """Light a field, or darken it; cut at the edge of the display, nothing for an empty one."""
        rows, bits = self._field(x_px, y_px, width_px, height_px)
        for y in rows:
            self._rows[y] = self._rows[y] | bits if lit else self._rows[y] & ~bits

    def invert(self, x_px: int, y_px: int, width_px: int, height_px: int) -> None:
        """Turn light into dark and dark into light within a field; cut at the edge of the display."""
        rows, bits = self._field(x_px, y_px, width_px, height_px)
        for y in rows:
            self._rows[y] ^= bits

    def is_parted(self, x_px: int, y_px: int, width_px: int) -> bool:
        """Whether nothing in these columns goes on from the row above row y, 1 or more, to row y."""
        _, bits = self._field(x_px, y_px, width_px, 1)
        return not self._rows[y_px - 1] & self._rows[y_px] & bits

    def frame(self, x_px: int, y_px: int, width_px: int, height_px: int, *, sharp: bool = False) -> None:
        """Draw the outline of a field, one pixel thick, within its size; `sharp` with the four corners."""
        inset = 0 if sharp else 1
        self.hline(x_px + inset, y_px, width_px - 2 * inset)
        self.hline(x_px + inset, y_px + height_px - 1, width_px - 2 * inset)
        self.vline(x_px, y_px + inset, height_px - 2 * inset)
        self.vline(x_px + width_px - 1, y_px + inset, height_px - 2 * inset)

    def hline(self, x_px: int, y_px: int, width_px: int, *, dotted: bool = False) -> None:
        """Draw a horizontal line of one pixel; dotted: every other pixel; cut at the edge of the display."""
        if not dotted:
            self.fill(x_px, y_px, width_px, 1)
        elif width_px > 0:
            self._lay(x_px, y_px, Bitmap(width_px, (int(("10" * width_px)[:width_px], 2),)))

    def vline(self, x_px: int, y_px: int, height_px: int, *, dotted: bool = False) -> None:
        """Draw a vertical line of one pixel; dotted: every other pixel; cut at the edge of the display."""
        if not dotted:
            self.fill(x_px, y_px, 1, height_px)
        else:
            self._lay(x_px, y_px, Bitmap(1, ((1, 0) * height_px)[:height_px]))

    def line(self, x_px: int, y_px: int, to_x_px: int, to_y_px: int) -> None:
        """Draw a straight line from one pixel to another; cut at the edge of the display."""
        steps = max(abs(to_x_px - x_px), abs(to_y_px - y_px), 1)
        for step in range(steps + 1):
            along = step / steps
            self.fill(round(x_px + (to_x_px - x_px) * along), round(y_px + (to_y_px - y_px) * along), 1, 1)

    def kept(self, draw: Callable[..., None], *facts: Hashable) -> None:
        """Add what `draw(canvas, *facts)` draws on a dark canvas; it is drawn once for the same facts.

        `draw` must depend on nothing else. A canvas of a subclass draws each time: it wants to hear of it.
        """
        if type(self) is not Canvas:
            draw(self, *facts)
            return
        self._rows = [
            row | new for row, new in zip(self._rows, _drawn(draw, *self.size_px, *facts), strict=True)
        ]

    # -------------------------------------------------------------------------------------------- the bits

    def _place(self, x_px: int, y_px: int) -> None:
        right_px, bottom_px = x_px + CARD_WIDTH_PX - 1, y_px + CARD_HEIGHT_PX - 1
        for y in (y_px, bottom_px):
            self.hline(x_px + 2, y, CARD_WIDTH_PX - 4, dotted=True)
        for x in (x_px, right_px):
            self.vline(x, y_px + 2, CARD_HEIGHT_PX - 4, dotted=True)

    def _round(self, x_px: int, y_px: int, width_px: int, height_px: int) -> None:
        for x in (x_px, x_px + width_px - 1):
            _, bit = self._field(x, 0, 1, 1)
            for y in (y_px, y_px + height_px - 1):
                if 0 <= y < len(self._rows):
                    self._rows[y] &= ~bit

    def _field(self, x_px: int, y_px: int, width_px: int, height_px: int) -> tuple[range, int]:
        """The rows of a field that are on the display, and the bits of it in each of them."""
        left_px, end_px = max(0, x_px), min(self._columns_px, x_px + width_px)
        top_px, bottom_px = max(0, y_px), min(len(self._rows), y_px + height_px)
        if left_px >= end_px:
            return range(0), 0
        return range(top_px, bottom_px), (1 << end_px - left_px) - 1 << self._columns_px - end_px

    def _lay(self, x_px: int, y_px: int, bitmap: Bitmap) -> None:
        rows, top_px = self._rows, y_px - bitmap.above_px
        shift = self._columns_px - x_px - bitmap.width_px
        if x_px >= 0 <= shift and 0 <= top_px <= len(rows) - len(bitmap.rows):
            # Nothing has to be cut at an edge: nearly all that is drawn comes here.
            for y, line in enumerate(bitmap.rows, top_px):
                rows[y] |= line << shift
            return
        for y, bits in self._on_glass(x_px, y_px, bitmap):
            rows[y] |= bits

    def _clear(self, x_px: int, y_px: int, bitmap: Bitmap) -> None:
        for y, bits in self._on_glass(x_px, y_px, bitmap):
            self._rows[y] &= ~bits

    def _on_glass(self, x_px: int, y_px: int, bitmap: Bitmap) -> Iterable[tuple[int, int]]:
        """Row and bits of each row of the picture that is on the display."""
        y_px -= bitmap.above_px
        first = max(0, -y_px)
        lines = bitmap.rows[first : max(first, len(self._rows) - y_px)]
        shift = self._columns_px - x_px - bitmap.width_px
        if shift >= 0:
            bits = [line << shift & self._glass for line in lines]
        else:
            bits = [line >> -shift & self._glass for line in lines]
        return enumerate(bits, max(0, y_px))


@contextmanager
def strictly(*, strict: bool = True) -> Iterator[None]:
    """Make every canvas strict meanwhile, or none: for pictures and tests."""
    before, Canvas.strict = Canvas.strict, strict
    try:
        yield
    finally:
        Canvas.strict = before


@lru_cache(maxsize=32)
def _drawn(draw: Callable[..., None], width_px: int, height_px: int, *facts: Hashable) -> tuple[int, ...]:
    canvas = Canvas(width_px, height_px)
    draw(canvas, *facts)
    return tuple(canvas._rows)  # noqa: SLF001 - of a canvas of our own


@lru_cache(maxsize=64)
def _key(label: str) -> Bitmap:
    """A key with its label; a page has up to eight, and they hardly ever change."""
    key = Canvas(SMALL.width_px(label) + 4, BAR_PX)
    width_px, height_px = key.size_px
    key.fill(0, 0, width_px, height_px)
    key._round(0, 0, width_px, height_px)  # noqa: SLF001 - of a canvas of our own
    key._clear(2, 1, SMALL.bitmap(label))  # noqa: SLF001
    return Bitmap(width_px, tuple(key._rows))  # noqa: SLF001


@lru_cache(maxsize=64)
def _places(filled: int, total: int) -> Bitmap:
    edge = "0".join(["1111"] * total)
    inside = "0".join(["1111"] * filled + ["1001"] * (total - filled))
    return Bitmap(len(edge), tuple(int(row, 2) for row in (edge, *[inside] * 5, edge)))
