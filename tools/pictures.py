"""`python -m tools.pictures` writes docs/screens.md and every picture of docs that comes from the program.

Run it after a change of a screen, a caption, a board, a printed sheet or a drawing (`make pictures`). Only
report.png, a printed report of `nimmt export`, is made by hand.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from msgspec.structs import replace
from PIL import Image

from firmware.card.first_start import question
from firmware.config.configuration import load
from firmware.display import status_pictures
from firmware.display.status_pictures import Notice
from firmware.scripted import animation
from firmware.scripted.gallery import KIOSK_SCREENS, screens
from firmware.text.translation import LANGUAGES, Translator
from hardware.boards.boards import BOARDS
from hardware.boards.wiring_picture import draw_board
from tools import card_drawings, drawings, screens_page, sheets

DOCS: Final = Path(__file__).parents[1] / "docs"
RULING: Final = "ruling"
"""The screen on the display of the overview: the first whose name ends like this."""

PERSIAN: Final = (
    "end-rule", "deal", "collecting", "ruling", "names-who-played", "names-taken", "names-standings",
    "refusal", "menu",
)  # fmt: skip
"""The screens of docs/pictures/persian.png; docs/languages.md says what each is."""

_COLUMNS: Final = 3
_KIOSK_COLUMNS: Final = 5
_SCALE: Final = 2
_EDGE_PX: Final = 8
_DARK, _LIT, _CASE = (7, 10, 14), (157, 220, 255), (38, 42, 50)


def main() -> None:
    folder = DOCS / "pictures" / "screens"
    folder.mkdir(parents=True, exist_ok=True)
    shown = list(screens())
    pictures = {one.name: one.picture for one in shown} | dict(_status_pictures())
    for old in folder.glob("*.png"):
        if old.stem not in pictures:
            old.unlink()
    for name, picture in pictures.items():
        in_case(picture).save(folder / f"{name}.png", optimize=True)
    ruling = next(picture for name, picture in pictures.items() if name.endswith(RULING))
    for name, text in (
        ("overview", drawings.overview(ruling)),
        ("packages", drawings.packages()),
        ("scan", drawings.scan()),
        *card_drawings.pictures(pictures.__getitem__, question()).items(),
    ):
        (DOCS / "pictures" / f"{name}.svg").write_text(text, encoding="utf-8")
    for board in BOARDS:
        (DOCS / "pictures" / f"wiring-{board.name}.svg").write_text(draw_board(board.name), encoding="utf-8")
    sheets.labels().save(DOCS / "pictures" / "printing-labels.png", optimize=True)
    sheets.sheets().save(DOCS / "pictures" / "printing-sheets.png", optimize=True)
    together("fa", PERSIAN, _COLUMNS).save(DOCS / "pictures" / "persian.png", optimize=True)
    for language in LANGUAGES:
        if language != load(None).screen.language:
            sheet = together(language, tuple(KIOSK_SCREENS), _KIOSK_COLUMNS)
            sheet.save(DOCS / "pictures" / f"kiosk-{language}.png", optimize=True)
    animation.write(DOCS / "pictures" / "turn.gif")
    (DOCS / "screens.md").write_text(screens_page.as_markdown(shown), encoding="utf-8")


def together(language: str, names: Sequence[str], columns: int) -> Image.Image:
    """Screens in a language, in rows."""
    options = replace(load(None).screen, language=language)
    shown = {one.name: in_case(one.picture) for one in screens(options, names)}
    first = shown[names[0]]
    step = (first.width - _EDGE_PX, first.height - _EDGE_PX)
    rows = -(-len(names) // columns)
    sheet = Image.new("P", (columns * step[0] + _EDGE_PX, rows * step[1] + _EDGE_PX), 2)
    palette = first.getpalette()
    assert palette is not None  # noqa: S101 - `in_case` gives it one
    sheet.putpalette(palette)
    for place, name in enumerate(names):
        row, column = divmod(place, columns)
        sheet.paste(shown[name], (column * step[0], row * step[1]))
    return sheet


def _status_pictures() -> Iterator[tuple[str, Image.Image]]:
    for notice in Notice:
        yield screens_page.status_name(notice), status_pictures.picture(notice, Translator())


def in_case(picture: Image.Image) -> Image.Image:
    """A picture of mode "1", twice as large, in the colours of a panel and with a case around it."""
    size = (picture.width * _SCALE, picture.height * _SCALE)
    framed = Image.new("P", (size[0] + 2 * _EDGE_PX, size[1] + 2 * _EDGE_PX), 2)
    framed.putpalette([part for colour in (_DARK, _LIT, _CASE) for part in colour])
    framed.paste(
        picture.convert("L").point(lambda level: 1 if level else 0).resize(size), (_EDGE_PX, _EDGE_PX)
    )
    return framed


if __name__ == "__main__":
    main()
