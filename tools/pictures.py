"""`python -m tools.pictures` writes every picture of docs that comes from the program.

The captions in docs/screens.md are written by hand. Run it after changing a screen, a board, a printed
sheet or a drawing (`make pictures`). Only report.png, a printed report of `nimmt export`, is made by hand.
"""

import io
import tempfile
from collections.abc import Sequence
from contextlib import closing, redirect_stdout
from functools import cache
from pathlib import Path
from typing import Final

import pypdfium2
from msgspec.structs import replace
from PIL import Image

from firmware.card.first_start import question
from firmware.cli import main as cli
from firmware.config.configuration import choose, load
from firmware.config.sections import ScreenOptions
from firmware.display import status_pictures
from firmware.display.status_pictures import Notice
from firmware.loop.runtime import Runtime
from firmware.text.translation import DEFAULT, LANGUAGES, Translator
from tests.gallery.pictures import KIOSK_SCREENS, picture, pictures
from tests.gallery.script import perform
from tools import animation, drawings

_POINTS: Final = 72
_TABLE, _SHADOW = (223, 227, 231), (186, 193, 200)
_GAP_PX: Final = 26
_LABELS_PX: Final = 760
_SHADOW_PX: Final = 5


def labels(language: str) -> Image.Image:
    """The upper corner of a sheet of card labels, where its title begins."""
    sheet = _page(("cards", "--labels", "L4731"), language, 158)
    left = sheet.width - _LABELS_PX if LANGUAGES[language].right_to_left else 0
    return sheet.crop((left, 0, left + _LABELS_PX, 440)).quantize(32)


def sheets(language: str) -> Image.Image:
    """Badges and their backs, control sheet and table card, side by side on a table."""
    asked = (("badges", 0), ("badges", 1), ("control", 0), ("table-card", 0))
    pages = [_page((name,), language, 52, number) for name, number in asked]
    wide, high = pages[0].size
    shadow = Image.new("RGB", pages[0].size, _SHADOW)
    table = Image.new("RGB", (len(pages) * (wide + _GAP_PX) + _GAP_PX, high + 2 * _GAP_PX), _TABLE)
    for place, page in enumerate(pages):
        x_px = _GAP_PX + place * (wide + _GAP_PX)
        table.paste(shadow, (x_px + _SHADOW_PX, _GAP_PX + _SHADOW_PX))
        table.paste(page, (x_px, _GAP_PX))
    return table.quantize(64)


@cache
def screens_of_drawings(language: str) -> dict[str, Image.Image]:
    """The screens that are filled into the drawings of a language."""
    options = replace(load(None).screen, language=language)
    drawn = dict(pictures(options, ("language", "players", "deal", "ruling")))
    return drawn | {"question": question(), "devices": _devices_of_a_new_box(options)}


def _devices_of_a_new_box(options: ScreenOptions) -> Image.Image:
    """What works on a box that is just put together, with keys and a scanner, and without a match."""
    devices = {port: choose(port, "simulated") for port in ("display", "buttons", "scanner")}
    config = replace(load(None), screen=options, **devices)
    with (
        tempfile.TemporaryDirectory(prefix="nimmt-new-") as folder,
        closing(Runtime(config, Path(folder) / "journal.sqlite", in_threads=False)) as runtime,
    ):
        perform("menu:DEVICES", runtime.app.table)
        return picture("devices", runtime)


def _page(words: Sequence[str], language: str, dots_per_inch: int, number: int = 0) -> Image.Image:
    with tempfile.TemporaryDirectory(prefix="nimmt-sheets-") as folder:
        file, config = Path(folder) / "sheet.pdf", Path(folder) / "table.toml"
        config.write_text(f'[screen]\nlanguage = "{language}"\n', encoding="utf-8")
        with redirect_stdout(io.StringIO()):
            cli.main(["print", *words, "--out", str(file), "--config", str(config)])
        with closing(pypdfium2.PdfDocument(file)) as document:
            picture: Image.Image = document[number].render(scale=dots_per_inch / _POINTS).to_pil()
            return picture.convert("RGB")


def status_name(notice: Notice) -> str:
    """The name of the picture that stays on the display while no game runs."""
    return f"status-{notice.value}"


DOCS: Final = Path(__file__).parents[1] / "docs"
PERSIAN: Final = (
    "end-rule", "deal", "collecting", "ruling", "names-who-played", "names-taken", "names-standings",
    "refusal", "menu",
)  # fmt: skip
"""The screens of docs/pictures/persian.png; docs/languages.md says what each is."""

_COLUMNS: Final = 3
_KIOSK_COLUMNS: Final = 5
_SCALE: Final = 2
_EDGE_PX: Final = 8
_PALETTE: Final = (7, 10, 14, 157, 220, 255, 38, 42, 50)
"""Dark and lit pixels, and the case."""


def main() -> None:
    folder = DOCS / "pictures" / "screens"
    folder.mkdir(parents=True, exist_ok=True)
    drawn = dict(pictures()) | {status_name(of): status_pictures.picture(of, Translator()) for of in Notice}
    for old in folder.glob("*.png"):
        if old.stem not in drawn:
            old.unlink()
    for name, screen in drawn.items():
        in_case(screen).save(folder / f"{name}.png", optimize=True)
    for language in (DEFAULT, *drawings.words()):
        mark = "" if language == DEFAULT else f"-{language}"
        for name in drawings.NAMES:
            text = drawings.drawn(name, language, screens_of_drawings(language))
            (folder.parent / drawings.file_name(name, language)).write_text(text, encoding="utf-8")
        labels(language).save(folder.parent / f"printing-labels{mark}.png", optimize=True)
        sheets(language).save(folder.parent / f"printing-sheets{mark}.png", optimize=True)
    for language in LANGUAGES.keys() - {DEFAULT}:
        sheet = together(language, tuple(KIOSK_SCREENS), _KIOSK_COLUMNS)
        sheet.save(folder.parent / f"kiosk-{language}.png", optimize=True)
    together("fa", PERSIAN, _COLUMNS).save(folder.parent / "persian.png", optimize=True)
    animation.write(folder.parent / "turn.gif")


def together(language: str, names: Sequence[str], columns: int) -> Image.Image:
    options = replace(load(None).screen, language=language)
    shown = {name: in_case(screen) for name, screen in pictures(options, names)}
    first = shown[names[0]]
    step = (first.width - _EDGE_PX, first.height - _EDGE_PX)
    rows = -(-len(names) // columns)
    sheet = Image.new("P", (columns * step[0] + _EDGE_PX, rows * step[1] + _EDGE_PX), 2)
    sheet.putpalette(_PALETTE)
    for place, name in enumerate(names):
        row, column = divmod(place, columns)
        sheet.paste(shown[name], (column * step[0], row * step[1]))
    return sheet


def in_case(picture: Image.Image) -> Image.Image:
    """A picture of mode "1", twice as large, in the colours of a panel and with a case around it."""
    size = (picture.width * _SCALE, picture.height * _SCALE)
    framed = Image.new("P", (size[0] + 2 * _EDGE_PX, size[1] + 2 * _EDGE_PX), 2)
    framed.putpalette(_PALETTE)
    framed.paste(animation.enlarged(picture, _SCALE, 0, 1), (_EDGE_PX, _EDGE_PX))
    return framed


if __name__ == "__main__":
    main()
