"""The first draft of the Persian letters of 16 px, from an outline font. It was run once.

The sheet `firmware/display/persian_16.txt` was changed by hand since; this shows where it comes from, and
makes a draft for letters that are added later. The outlines are those of Vazirmatn Medium (OFL-1.1), file
`misc/UI/fonts/ttf/Vazirmatn-UI-Medium.ttf` of the npm package `vazirmatn` 33.0.3.

    npm pack vazirmatn@33.0.3 && tar xzf vazirmatn-33.0.3.tgz
    python -m tools.persian_draft package/misc/UI/fonts/ttf/Vazirmatn-UI-Medium.ttf

Each form is drawn eight times as large, made smaller, and its pixels are lit from a threshold on: of the ways
that were compared, this one keeps most dots apart. Its width is rounded to whole pixels and its outline
stretched to it, so that what joins still joins.
"""

from __future__ import annotations

import sys
from typing import Final

from PIL import Image, ImageDraw, ImageFont

from firmware.display.persian import sheet

_PX: Final = 13
_ABOVE_PX: Final = 12
_HEIGHT_PX: Final = 16
_LARGER: Final = 8
_LIT: Final = 160
_MARGIN_PX: Final = 6
_PER_BAND: Final = 10


def _drawn(font: ImageFont.FreeTypeFont, char: str) -> list[str]:
    """The picture of a form, wider than its own width where it reaches over its neighbours."""
    real_px = font.getlength(char) / _LARGER
    own_px = max(1, round(real_px))
    width_px = own_px + 2 * _MARGIN_PX
    large = Image.new("L", (width_px * _LARGER, _HEIGHT_PX * _LARGER))
    ImageDraw.Draw(large).text(
        (_MARGIN_PX * _LARGER, _ABOVE_PX * _LARGER), char, fill=255, font=font, anchor="ls"
    )
    stretch = real_px / own_px
    shift = _MARGIN_PX * _LARGER * (1 - stretch)
    large = large.transform(large.size, Image.Transform.AFFINE, (stretch, 0, shift, 0, 1, 0))
    grey = large.resize((width_px, _HEIGHT_PX), Image.Resampling.BOX).tobytes()
    rows = [grey[y * width_px : (y + 1) * width_px] for y in range(_HEIGHT_PX)]
    lit = [x for row in rows for x, level in enumerate(row) if level >= _LIT]
    left = min([_MARGIN_PX, *lit])
    end = max([_MARGIN_PX + own_px, *(x + 1 for x in lit)])
    return ["".join("#" if row[x] >= _LIT else "." for x in range(left, end)) for row in rows]


def draft(path: str) -> str:
    """The whole sheet, in the format of `firmware/display/persian_16.txt`."""
    forms = sorted(sheet("persian_16", _HEIGHT_PX))
    font = ImageFont.truetype(path, _PX * _LARGER, layout_engine=ImageFont.Layout.BASIC)
    bands = []
    for first in range(0, len(forms), _PER_BAND):
        chars = forms[first : first + _PER_BAND]
        pictures = [_drawn(font, char) for char in chars]
        lines = [" ".join(f"{ord(char):04x}" for char in chars)]
        lines += [" ".join(row) for row in zip(*pictures, strict=True)]
        bands.append("\n".join(lines))
    return "\n\n".join(bands) + "\n"


if __name__ == "__main__":
    print(draft(sys.argv[1]))  # noqa: T201 - it is a program
