"""The stored picture of every screen and what a new one makes different; who drew it is not known here."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from PIL import Image, ImageChops

STORED: Final = Path(__file__).parents[1] / "pictures"
FOUND: Final = Path(__file__).parents[2] / "build" / "pictures"
HOW_TO_REWRITE: Final = "python -m pytest tests/whole/test_pictures.py --rewrite-pictures"
_SCALE: Final = 4


def stored_names(stored: Path = STORED) -> set[str]:
    """The screens that have a stored picture."""
    return {file.stem for file in stored.glob("*.png")}


def rewrite(name: str, picture: Image.Image, stored: Path = STORED) -> None:
    """Make this the picture of a screen. One bit a pixel; equal pictures make equal files."""
    picture.convert("1", dither=Image.Dither.NONE).save(stored / f"{name}.png", optimize=True)


def difference(name: str, picture: Image.Image, *, stored: Path = STORED, found: Path = FOUND) -> str:
    """What is different from the stored picture, in words; empty where nothing is.

    The new picture and one of the differing pixels are laid into the folder `found`, four times enlarged.
    """
    file = stored / f"{name}.png"
    if not file.exists():
        return f"{name} has no picture in {stored}; look at it, then: {HOW_TO_REWRITE}"
    with Image.open(file) as opened:
        before = opened.convert("1", dither=Image.Dither.NONE)
    if before.size != picture.size:
        return f"{name} is {picture.size}, and its stored picture {before.size}"
    differing = ImageChops.logical_xor(before, picture.convert("1", dither=Image.Dither.NONE))
    count = differing.convert("L").histogram()[255]
    if not count:
        return ""
    found.mkdir(parents=True, exist_ok=True)
    for what, image in (("new", picture), ("difference", differing)):
        size = (image.width * _SCALE, image.height * _SCALE)
        image.resize(size, Image.Resampling.NEAREST).save(found / f"{name}-{what}.png")
    return (
        f"{name} differs in {count} pixels; see {name}-new.png and {name}-difference.png in {found}. "
        f"If that is meant: {HOW_TO_REWRITE}"
    )
