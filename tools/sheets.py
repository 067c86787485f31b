"""Pictures of printed sheets for docs/printing.md: the PDF of the program, turned into pixels."""

from __future__ import annotations

import io
import tempfile
from collections.abc import Sequence
from contextlib import redirect_stdout
from pathlib import Path
from typing import Final

import pypdfium2
from PIL import Image

from firmware.cli import main as cli

_POINTS: Final = 72
_TABLE, _SHADOW = (223, 227, 231), (186, 193, 200)
_GAP_PX: Final = 26
_SHADOW_PX: Final = 5


def labels() -> Image.Image:
    """The upper left of a sheet of card labels."""
    sheet = _page(("cards", "--labels", "L4731"), 158)
    return sheet.crop((0, 0, 760, 440)).quantize(32)


def sheets() -> Image.Image:
    """Badges and their backs, control sheet and table card, side by side on a table."""
    asked = (("badges", 0), ("badges", 1), ("control", 0), ("table-card", 0))
    pages = [_page((name,), 52, number) for name, number in asked]
    wide, high = pages[0].size
    table = Image.new("RGB", (len(pages) * (wide + _GAP_PX) + _GAP_PX, high + 2 * _GAP_PX), _TABLE)
    for place, page in enumerate(pages):
        x_px = _GAP_PX + place * (wide + _GAP_PX)
        table.paste(
            _SHADOW,
            (x_px + _SHADOW_PX, _GAP_PX + _SHADOW_PX, x_px + wide + _SHADOW_PX, high + _GAP_PX + _SHADOW_PX),
        )
        table.paste(page, (x_px, _GAP_PX))
    return table.quantize(64)


def _page(words: Sequence[str], dots_per_inch: int, number: int = 0) -> Image.Image:
    with tempfile.TemporaryDirectory(prefix="nimmt-sheets-") as folder:
        file = Path(folder) / "sheet.pdf"
        with redirect_stdout(io.StringIO()):
            cli.main(["print", *words, "--out", str(file)])
        document = pypdfium2.PdfDocument(file.read_bytes())
    picture: Image.Image = document[number].render(scale=dots_per_inch / _POINTS).to_pil().convert("RGB")
    document.close()
    return picture
