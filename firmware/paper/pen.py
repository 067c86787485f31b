"""The pen: draws on pages, in millimetres from the upper left corner.

Sheets in a language that is written from right to left are laid out like all others, and the pen draws them
the other way round: what is on the left comes to the right. Codes, pictures and letters are not turned
themselves, and `literal` keeps a place as it is, such as a label on a sheet that somebody bought.

Same job, same bytes: reportlab's `invariant` leaves out the time and random identifiers.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from io import BytesIO
from pathlib import Path
from typing import Final

from reportlab import rl_config
from reportlab.lib.utils import simpleSplit
from reportlab.pdfbase.pdfmetrics import registerFont, stringWidth
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.pdfgen.canvas import Canvas

from companion.text.sentence import Text
from companion.values import Value
from firmware.paper.figures import ADVANCE, PICTURES, RADIUS, placed
from firmware.paper.stock import Box, Paper
from firmware.paper.symbols import DOT_MM, CodeKind, CodeSymbol

POINT: Final = 25.4 / 72
"""A typographic point in mm. Sizes of letters are in points, everything else is in mm."""

INK: Final = "#16202c"
FAINT: Final = "#5b6673"
RULE: Final = "#c3cad2"
WASH: Final = "#eef1f4"
ACCENT: Final = "#8a1538"
WHITE: Final = "#ffffff"

rl_config.useA85 = 0  # bytes as they are, without letters for them: a fifth less, and sooner

_RUN: Final = re.compile("([" + "".join(PICTURES) + "])")

Place = tuple[float, float]


class Type(Value):
    """How letters look: size in points, weight and colour."""

    size: float
    bold: bool = False
    colour: str = INK

    def font(self, letters: str) -> str:
        """A font that every PDF reader and printer has, or the one that the sheet brings for other letters.

        Raises ValueError where that has not got them either: they would come out as black boxes.
        """
        try:
            letters.encode("cp1252")
        except UnicodeEncodeError:
            return _embedded("Vazirmatn-Bold" if self.bold else "Vazirmatn-Regular", letters)
        return "Helvetica-Bold" if self.bold else "Helvetica"

    @property
    def leading(self) -> float:
        """From line to line, in mm."""
        return self.size * 1.28 * POINT

    @property
    def capital(self) -> float:
        """The height of a capital, in mm (Helvetica: 718 of 1000)."""
        return self.size * 0.718 * POINT

    def width(self, text: str) -> float:
        """How long a text is, in mm, as `Pen.words` gives it."""
        letters = "".join(char for char in text if char not in PICTURES)
        pictures = (len(text) - len(letters)) * ADVANCE * self.size
        return (float(stringWidth(letters, self.font(letters), self.size)) + pictures) * POINT

    def fitting(self, text: str, width: float) -> Type:
        """The same, smaller where the text would be longer than `width`."""
        long = self.width(text)
        return self if long <= width else Type(self.size * width / long, self.bold, self.colour)


class Pen:
    """Writes one document. `say` turns a text into the words of a language.

    For a language that is written from right to left, `shaped` gives the forms of its letters in the order
    in which they stand on the page, from left to right.
    """

    def __init__(
        self,
        paper: Paper,
        title: str,
        say: Callable[[Text], str] = str,
        shaped: Callable[[str], str] | None = None,
    ) -> None:
        self.paper = paper
        self._say = say
        self._shaped = shaped
        self._turned = shaped is not None
        self._into = BytesIO()
        size = (paper.width / POINT, paper.height / POINT)
        self._canvas = Canvas(self._into, pagesize=size, invariant=1, pageCompression=1)
        self._canvas.setTitle(title)
        self._canvas.setCreator("nimmt-companion")
        self._canvas.setAuthor("nimmt-companion")
        # Readers that heed it print at actual size without a setting.
        self._canvas.setViewerPreference("PrintScaling", "None")
        self._open = False

    def words(self, said: Text | str) -> str:
        """The words of a text as they are drawn, from left to right."""
        return self._drawn(said if isinstance(said, str) else self._say(said))

    def _drawn(self, words: str) -> str:
        return words if self._shaped is None or words.isascii() else self._shaped(words)

    def can_write(self, words: str, look: Type) -> bool:
        """Whether there are letters for a name, in whatever script it is."""
        try:
            look.width(self.words(words))
        except ValueError:
            return False
        return True

    @contextmanager
    def literal(self) -> Iterator[None]:
        """Draw from left to right in every language."""
        before, self._turned = self._turned, False
        try:
            yield
        finally:
            self._turned = before

    def page(self) -> None:
        """Begin a page; everything after it goes there."""
        if self._open:
            self._canvas.showPage()
        self._open = True

    def finished(self) -> bytes:
        """The whole document. Nothing can be drawn afterwards."""
        self._canvas.save()
        return self._into.getvalue()

    def text(
        self, said: Text | str, at: Place, look: Type, *, align: str = "left", fit: float = 0.0
    ) -> float:
        """One line on the baseline `at`; `align` is left, center or right of it. Gives its width.

        With `fit` the letters become smaller until the line is no longer than that.
        """
        words = self.words(said)
        if fit:
            look = look.fitting(words, fit)
        width = look.width(words)
        x = self._left(at[0] - {"left": 0.0, "center": width / 2, "right": width}[align], width)
        self._letters(words, (x, at[1]), look)
        return width

    def _letters(self, words: str, at: Place, look: Type) -> None:
        x = at[0]
        for run in filter(None, _RUN.split(words)):
            if run in PICTURES:
                middle = (x + ADVANCE / 2 * look.size * POINT, at[1] - look.capital / 2)
                with self.literal():
                    for outline in PICTURES[run]:
                        self.shape(placed(outline, middle, RADIUS * look.size * POINT), fill=look.colour)
            else:
                self._canvas.setFillColor(look.colour)
                self._canvas.setFont(look.font(run), look.size)
                self._canvas.drawString(*self._at((x, at[1])), run)
            x += look.width(run)

    def paragraph(self, said: Text | str, at: Place, width: float, look: Type) -> float:
        """Lines broken at `width`, the first one's upper edge `at`. Gives the lower edge of the last."""
        x, y = at
        across = self._shaped is not None and not self._turned  # as it is, but from right to left
        for line in self._split(said, width, look):
            if across:
                self.text(line, (x + width, y + look.capital), look, align="right")
            else:
                self.text(line, (x, y + look.capital), look)
            y += look.leading
        return y

    def lines(self, said: Text | str, width: float, look: Type) -> int:
        """How many lines a paragraph will have."""
        return len(self._split(said, width, look))

    def _split(self, said: Text | str, width: float, look: Type) -> list[str]:
        """The lines of a paragraph as they are read."""
        words = said if isinstance(said, str) else self._say(said)
        if self._shaped is None:
            return list(simpleSplit(words, look.font(words), look.size, width / POINT))
        lines = [""]
        for word in words.split():
            longer = f"{lines[-1]} {word}".strip()
            if look.width(self._drawn(longer)) <= width:
                lines[-1] = longer
            else:
                lines.append(word)
        return lines if lines[0] else lines[1:]

    def symbol(self, symbol: CodeSymbol, at: Place, module: float, height: float = 0.0) -> None:
        """A code; `at` is the corner of its quiet zone. Bars are `height` tall.

        All modules are one shape, so that no viewer shows hairlines between them, and begin on a
        dot of the printer, so that modules of whole dots stay whole.
        """
        quiet = symbol.code.quiet * module
        x = _on_a_dot(self._left(at[0], symbol.width_mm(module)) + quiet)
        y = _on_a_dot(at[1] + (0.0 if symbol.code is CodeKind.CODE128 else quiet))
        tall = height if symbol.code is CodeKind.CODE128 else module
        path = self._canvas.beginPath()
        for number, row in enumerate(symbol.rows):
            for start, end in _runs(row):
                left, bottom = self._at((x + start * module, y + number * tall + tall))
                path.rect(left, bottom, (end - start) * module / POINT, tall / POINT)
        self._canvas.setFillColor("#000000")
        self._canvas.drawPath(path, stroke=0, fill=1)

    def line(self, start: Place, end: Place, *, width: float = 0.2, colour: str = RULE) -> None:
        self._canvas.setStrokeColor(colour)
        self._canvas.setLineWidth(width / POINT)
        ends = ((self._left(x, 0.0), y) for x, y in (start, end))
        self._canvas.line(*(number for place in ends for number in self._at(place)))

    def box(
        self, box: Box, *, fill: str = "", stroke: str = "", width: float = 0.25, round_mm: float = 0.0
    ) -> None:
        self._colours(fill, stroke, width)
        x, y = self._at((self._left(box.x, box.width), box.y + box.height))
        size = (box.width / POINT, box.height / POINT)
        if round_mm:
            self._canvas.roundRect(x, y, *size, round_mm / POINT, stroke=bool(stroke), fill=bool(fill))
        else:
            self._canvas.rect(x, y, *size, stroke=bool(stroke), fill=bool(fill))

    def circle(
        self, centre: Place, radius: float, *, fill: str = "", stroke: str = "", width: float = 0.25
    ) -> None:
        self._colours(fill, stroke, width)
        x, y = self._at((self._left(centre[0], 0.0), centre[1]))
        self._canvas.circle(x, y, radius / POINT, stroke=bool(stroke), fill=bool(fill))

    def shape(
        self, pieces: Sequence[Sequence[Place]], *, fill: str = "", stroke: str = "", width: float = 0.25
    ) -> None:
        """A closed outline: the first piece is one place to begin at, then lines (1 place) and curves (3)."""
        self._colours(fill, stroke, width)
        path = self._canvas.beginPath()
        xs = [x for piece in pieces for x, _ in piece]
        shift = self._left(min(xs), max(xs) - min(xs)) - min(xs)
        pieces = [[(x + shift, y) for x, y in piece] for piece in pieces]
        path.moveTo(*self._at(pieces[0][0]))
        for piece in pieces[1:]:
            if len(piece) == 1:
                path.lineTo(*self._at(piece[0]))
            else:
                path.curveTo(*self._at(piece[0]), *self._at(piece[1]), *self._at(piece[2]))
        path.close()
        self._canvas.drawPath(path, stroke=bool(stroke), fill=bool(fill))

    def _colours(self, fill: str, stroke: str, width: float) -> None:
        if fill:
            self._canvas.setFillColor(fill)
        if stroke:
            self._canvas.setStrokeColor(stroke)
            self._canvas.setLineWidth(width / POINT)

    def _left(self, x: float, width: float) -> float:
        """Where something begins that is laid out at `x`."""
        return self.paper.width - x - width if self._turned else x

    def _at(self, place: Place) -> tuple[float, float]:
        return place[0] / POINT, (self.paper.height - place[1]) / POINT


def _embedded(name: str, letters: str) -> str:
    known = _fonts()[name]
    missing = {letter for letter in letters if ord(letter) not in known}
    if missing:
        raise ValueError(f"{name} has no {sorted(missing)}")
    return name


@cache
def _fonts() -> dict[str, frozenset[int]]:
    """The letters of our own fonts; tells reportlab of them, but only where a sheet needs them."""
    found = {}
    for file in sorted((Path(__file__).parent / "fonts").glob("*.ttf")):
        font = TTFont(file.stem, file)
        registerFont(font)
        found[file.stem] = frozenset(font.face.charToGlyph)
    return found


def _on_a_dot(length: float) -> float:
    return round(length / DOT_MM) * DOT_MM


def _runs(row: Sequence[bool]) -> list[tuple[int, int]]:
    pairs = zip((False, *row), (*row, False), strict=True)
    edges = [place for place, (before, after) in enumerate(pairs) if before is not after]
    return list(zip(edges[::2], edges[1::2], strict=True))
