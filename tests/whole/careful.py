"""A canvas that minds: it tells what leaves the display, covers something or touches its neighbour."""

from firmware.display.bitmap import Bitmap
from firmware.display.canvas import Canvas
from firmware.display.glyphs import ELLIPSIS, SMALL, Font
from firmware.display.layout import Area

_DOTS_PX = 8
"""What a notice may hide or leave of letters: in Persian dots hang into the next line."""


class CarefulCanvas(Canvas):
    """Draws as every canvas does. `faults` are its findings, `shortened` the texts that end in ….

    `letters_px` are the heights of the letters that were drawn, `texts` these themselves. `said` are titles,
    asides, choices and hints that the page gave to the layout.

    Letters and drawings are ink. Ink on ink cannot be read, and ink without a dark column to its
    neighbour hardly; a field that is filled where ink was laid before takes the ink away. Letters without a
    dark row to the title bar melt into it.
    """

    def __init__(self) -> None:
        super().__init__()
        self.faults: list[str] = []
        self.shortened: list[str] = []
        self.icons: list[str] = []
        self.letters_px: set[int] = set()
        self.texts: list[str] = []
        self.said: list[str] = []
        self._ink = [0] * self.size_px[1]
        self._rows_of_letters: set[int] = set()
        self._bar_px = 0
        self._what = ""
        self._laid: list[tuple[dict[int, int], str]] = []

    def text(self, x_px: int, y_px: int, text: str, font: Font = SMALL, *, invert: bool = False) -> int:
        self.texts.append(text)
        self._what = f" ({text!r})"
        self.shortened += [text] if ELLIPSIS in text else []
        if text.strip():
            self.letters_px.add(font.capital_px)
            bits = font.bitmap(text)
            lit = {y_px - bits.above_px + row for row, dots in enumerate(bits.rows) if dots}
            self._rows_of_letters |= lit
            self._minds_bar(lit)
        end_px = super().text(x_px, y_px, text, font, invert=invert)
        self._what = ""
        return end_px

    def light_key(self, x_px: int, y_px: int, width_px: int, height_px: int) -> None:
        super().light_key(x_px, y_px, width_px, height_px)
        if (x_px, y_px, width_px) == (0, 0, self.size_px[0]):
            self._bar_px = height_px
            self._minds_bar(self._rows_of_letters)

    def note(self, *texts: str) -> None:
        self.said += filter(None, texts)

    def icon(self, x_px: int, y_px: int, name: str, *, large: bool = False) -> int:
        self.icons.append(name)
        self._what = f" ({name})"
        end_px = super().icon(x_px, y_px, name, large=large)
        self._what = ""
        return end_px

    def under(self, area: Area, *, players: bool) -> list[str]:
        """What a notice there would cut, or hide though it belongs to play; `players` may be hidden."""
        rows, bits = self._field(area.x_px, area.y_px, area.width_px, area.height_px)
        found = []
        for laid, what in self._laid:
            hidden = sum((dots & bits).bit_count() for y, dots in laid.items() if y in rows)
            shown = sum(map(int.bit_count, laid.values())) - hidden
            if min(hidden, shown) > _DOTS_PX:
                found.append(f"a notice cuts {what}")
            elif hidden and "badge-" in what and not players:
                found.append(f"a notice hides a player {what}")
        return found

    def fill(self, x_px: int, y_px: int, width_px: int, height_px: int, *, lit: bool = True) -> None:
        a_point = width_px == height_px == 1  # of a line, which may cross others
        rows, bits = self._field(x_px, y_px, width_px, height_px)
        if not a_point and any(self._ink[y] & bits for y in rows):
            self.faults.append(f"a field at {x_px},{y_px} ({width_px}x{height_px}) covers what was there")
        super().fill(x_px, y_px, width_px, height_px, lit=lit)

    def _lay(self, x_px: int, y_px: int, bitmap: Bitmap) -> None:
        self._minds(x_px, y_px, bitmap)
        super()._lay(x_px, y_px, bitmap)

    def _clear(self, x_px: int, y_px: int, bitmap: Bitmap) -> None:
        self._minds(x_px, y_px, bitmap)
        super()._clear(x_px, y_px, bitmap)

    def _minds_bar(self, rows: set[int]) -> None:
        if self._bar_px and self._bar_px in rows:
            self.faults.append(f"letters touch the title bar{self._what}")

    def _minds(self, x_px: int, y_px: int, bitmap: Bitmap) -> None:
        where = f"{x_px},{y_px}{self._what}"
        shown = touched = 0
        ink = dict(self._on_glass(x_px, y_px, bitmap))
        self._laid.append((ink, where))
        for y, bits in ink.items():
            touched |= self._ink[y] & (bits | bits << 1 | bits >> 1)
            self._ink[y] |= bits
            shown += bits.bit_count()
        if shown < sum(map(int.bit_count, bitmap.rows)):
            self.faults.append(f"what is drawn at {where} is cut at the edge")
        if touched:
            self.faults.append(f"what is drawn at {where} covers or touches what was there")
