"""The chart as PNG, for programs that cannot show SVG: drawn larger, then reduced to smooth the lines."""

import io
from typing import Final

from PIL import Image, ImageDraw, ImageFont
from PIL.ImageFont import FreeTypeFont

from firmware.history.chart import LEFT, LIMIT, MARKER, Chart, Curve, Point, Word, flattened
from firmware.text.translation import Translator

SCALE: Final = 2
"""Pixels for each point of the chart."""
_BIG: Final = SCALE * 3
_PLAIN: Final = ("DejaVuSans.ttf", "NotoSans-Regular.ttf")
_BOLD: Final = ("DejaVuSans-Bold.ttf", "NotoSans-Bold.ttf")
_ANCHORS: Final = {"start": "ls", "middle": "ms", "end": "rs"}


def as_png(chart: Chart, translate: Translator) -> bytes:
    """The picture, twice as large as the chart. Texts are in DejaVu or Noto if one is installed."""
    size = chart.size
    canvas = Image.new("RGB", (size.width * _BIG, size.height * _BIG), "white")
    _Pencil(canvas).draw(chart, translate)
    small = canvas.resize((size.width * SCALE, size.height * SCALE), Image.Resampling.LANCZOS)
    file = io.BytesIO()
    small.save(file, "PNG", optimize=True)
    return file.getvalue()


class _Pencil:
    def __init__(self, canvas: Image.Image) -> None:
        self._on = ImageDraw.Draw(canvas)
        self._fonts: dict[tuple[int, bool], FreeTypeFont] = {}

    def draw(self, chart: Chart, translate: Translator) -> None:
        for y, total in chart.ticks:
            self._line([(LEFT, y), (chart.right, y)], "#8a8a8a" if total == 0 else "#e4e4e4", 1)
        if chart.limit is not None:
            y = chart.limit[0]
            for x in range(LEFT, round(chart.right), 7):
                self._line([(x, y), (x + 2, y)], LIMIT, 1.5)
        for curve in chart.curves:
            self._curve(curve)
        for word in chart.words(translate):
            self._text(word)

    def _curve(self, curve: Curve) -> None:
        self._line(list(curve.points), curve.look.colour, curve.width)
        if curve.leads is not None:
            self._line(list(curve.leads), curve.look.colour, 0.7)
        for place in (*curve.points[1:], curve.sign):
            for radius, colour in ((MARKER + 0.6, "white"), (MARKER - 0.6, curve.look.colour)):
                self._on.polygon(_large(flattened(curve.look.shape, place, radius)), fill=colour)

    def _line(self, places: list[Point], colour: str, width: float) -> None:
        self._on.line(_large(places), fill=colour, width=round(width * _BIG), joint="curve")

    def _text(self, word: Word) -> None:
        font, text = self._font(word.size, bold=word.bold), word.text
        while word.most is not None and len(text) > 1 and font.getlength(text) > word.most * _BIG:
            text = text.removesuffix("…")[:-1] + "…"
        self._on.text(_large([word.at])[0], text, fill=word.colour, font=font, anchor=_ANCHORS[word.anchor])

    def _font(self, size: int, *, bold: bool) -> FreeTypeFont:
        if (size, bold) not in self._fonts:
            self._fonts[size, bold] = _font(size * _BIG, _BOLD if bold else _PLAIN)
        return self._fonts[size, bold]


def _font(size: int, names: tuple[str, ...]) -> FreeTypeFont:
    for name in names:
        try:
            return ImageFont.truetype(name, size)
        except OSError:
            continue
    found = ImageFont.load_default(size)
    if not isinstance(found, ImageFont.FreeTypeFont):
        raise TypeError("Pillow was built without FreeType and cannot draw letters")
    return found


def _large(places: list[Point]) -> list[Point]:
    return [(x * _BIG, y * _BIG) for x, y in places]
