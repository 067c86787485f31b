"""The stored picture of every screen and what a new one makes different; who drew it is not known here."""

from collections.abc import Mapping
from pathlib import Path
from typing import Final

from PIL import Image, ImageChops
from PIL.PngImagePlugin import PngInfo

STORED: Final = Path(__file__).parents[1] / "pictures"
FOUND: Final = Path(__file__).parents[2] / "build" / "pictures"
SHEETS: Final = STORED / "sheets"
HOW_TO_REWRITE: Final = (
    "python -m pytest tests/whole/test_pictures.py tests/whole/test_every_language.py --rewrite-pictures"
)
_SCALE: Final = 4
_COLUMNS: Final = 10
_GAP_PX: Final = 4
_NAMES: Final = "Screens"
"""The field of a sheet that names its pictures, in the order of reading."""


def _keep(name: str, picture: Image.Image, differing: Image.Image, found: Path) -> None:
    found.mkdir(parents=True, exist_ok=True)
    for what, image in (("new", picture), ("difference", differing)):
        size = (image.width * _SCALE, image.height * _SCALE)
        image.resize(size, Image.Resampling.NEAREST).save(found / f"{name}-{what}.png")


def rewrite_sheet(name: str, pictures: Mapping[str, Image.Image], stored: Path = SHEETS) -> None:
    """Make these the pictures of a sheet: many screens in one file, side by side, all of one size."""
    wide, high = next(iter(pictures.values())).size
    rows = -(-len(pictures) // _COLUMNS)
    size = (_COLUMNS * (wide + _GAP_PX) + _GAP_PX, rows * (high + _GAP_PX) + _GAP_PX)
    sheet = Image.new("1", size, 1)
    for place, picture in enumerate(pictures.values()):
        sheet.paste(picture.convert("1", dither=Image.Dither.NONE), _corner(place, (wide, high)))
    names = PngInfo()
    names.add_text(_NAMES, " ".join(pictures))
    stored.mkdir(exist_ok=True)
    sheet.save(stored / f"{name}.png", optimize=True, pnginfo=names)


def sheet_differences(
    name: str, pictures: Mapping[str, Image.Image], *, stored: Path = SHEETS, found: Path = FOUND
) -> list[str]:
    """What is different from a stored sheet, in words: a line for each screen, and what to do then.

    The new picture and one of the differing pixels are laid into the folder `found`, four times enlarged, and
    named by sheet and screen.
    """
    file = stored / f"{name}.png"
    if not file.exists():
        return [f"there is no {file}; {HOW_TO_REWRITE}"]
    told = []
    with Image.open(file) as sheet:
        names = str(sheet.info.get(_NAMES, "")).split()
        for screen in [*names, *(new for new in pictures if new not in names)]:
            if screen not in pictures or screen not in names:
                told.append(f"{screen} is {'missing' if screen in names else 'new'}")
                continue
            picture = pictures[screen].convert("1", dither=Image.Dither.NONE)
            left, top = _corner(names.index(screen), picture.size)
            before = sheet.crop((left, top, left + picture.width, top + picture.height)).convert("1")
            differing = ImageChops.logical_xor(before, picture)
            if differing.getbbox() is not None:
                told.append(f"{screen} differs: see {name}-{screen}-new.png in {found}")
                _keep(f"{name}-{screen}", picture, differing, found)
    return [*told, f"if that is meant: {HOW_TO_REWRITE}"] if told else []


def _corner(place: int, size_px: tuple[int, int]) -> tuple[int, int]:
    row, column = divmod(place, _COLUMNS)
    return _GAP_PX + column * (size_px[0] + _GAP_PX), _GAP_PX + row * (size_px[1] + _GAP_PX)
