"""`nimmt screens`: a PNG of every screen, four times enlarged."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.errors import CompanionError
from firmware.scripted.gallery import pictures

if TYPE_CHECKING:
    import argparse

_SCALE = 4


def run(args: argparse.Namespace) -> int:
    """Write the pictures into a folder. Raises `CompanionError` where it cannot be written."""
    try:
        args.folder.mkdir(parents=True, exist_ok=True)
        for name, picture in pictures():
            size = (picture.width * _SCALE, picture.height * _SCALE)
            picture.resize(size).save(args.folder / f"{name}.png")
            print(args.folder / f"{name}.png")
    except OSError as bad:
        raise CompanionError(
            f"{args.folder} cannot be written: {bad.strerror}", "choose a folder that you can write to"
        ) from bad
    return 0
