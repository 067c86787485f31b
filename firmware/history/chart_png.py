"""The chart as PNG, for programs that cannot show SVG: drawn larger, then reduced to smooth the lines."""

import io
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Final

from PIL import Image, ImageDraw, ImageFont
from PIL.ImageFont import FreeTypeFont

from companion.core.cards import Seat
from firmware.history.chart import MARKER, WIDE, PlayerLook, Point, Word, draw, flattened
from firmware.history.played_match import PlayedMatch
from firmware.text.translation import Translator

SCALE: Final = 2
"""Pixels for each point of the chart."""
_BIG: Final = SCALE * 3
_PLAIN: Final = ("DejaVuSans.ttf", "NotoSans-Regular.ttf")
_BOLD: Final = ("DejaVuSans-Bold.ttf", "NotoSans-Bold.ttf")
_ANCHORS: Final = {"start": "ls", "middle": "ms", "end": "rs"}


def as_png(past: PlayedMatch, looks: Mapping[Seat, PlayerLook], translate: Translator) -> bytes:
    """The picture, twice as large as the chart. Texts are in DejaVu or Noto if one is installed."""
    canvas = Image.new("RGB", (WIDE.width * _BIG, WIDE.height * _BIG), "white")
    draw(past.said_in(translate), looks, translate, _PngPen(canvas))
    small = canvas.resize((WIDE.width * SCALE, WIDE.height * SCALE), Image.Resampling.LANCZOS)
    file = io.BytesIO()
    small.save(file, "PNG", optimize=True)
    return file.getvalue()


class _PngPen:
    def __init__(self, canvas: Image.Image) -> None:
        self._on = ImageDraw.Draw(canvas)

    def line(self, places: Sequence[Point], colour: str, width: float, *, dotted: bool = False) -> None:
        if dotted:
            (x, y), (end_x, _) = places
            for at in range(round(x), round(end_x), 7):
                self.line([(at, y), (at + 2, y)], colour, width)
            return
        self._on.line(_large(places), fill=colour, width=round(width * _BIG), joint="curve")

    def shape(self, look: PlayerLook, centre: Point) -> None:
        for radius, colour in ((MARKER + 0.6, "white"), (MARKER - 0.6, look.colour)):
            self._on.polygon(_large(flattened(look.shape, centre, radius)), fill=colour)

    def text(self, word: Word) -> None:
        font, text = _font(word.size * _BIG, _BOLD if word.bold else _PLAIN), word.text
        while word.most is not None and len(text) > 1 and font.getlength(text) > word.most * _BIG:
            text = text.removesuffix("…")[:-1] + "…"
        self._on.text(_large([word.at])[0], text, fill=word.colour, font=font, anchor=_ANCHORS[word.anchor])


@cache
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


def _large(places: Sequence[Point]) -> list[Point]:
    return [(x * _BIG, y * _BIG) for x, y in places]
