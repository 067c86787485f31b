"""`nimmt screens`: a PNG of every screen, and a recording of a turn."""

import argparse
from pathlib import Path

from companion.text.errors import CompanionError
from firmware.commands.declared import Command, Example, path
from firmware.config.configuration import load
from firmware.config.sections import ScreenOptions
from firmware.text.os_errors import unwritable

_SCALE = 4


def run(args: argparse.Namespace) -> int:
    """Write the pictures, four times enlarged, and the recording. Raises `CompanionError`."""
    if args.folder is None and args.animation is None:
        raise CompanionError(
            "neither a folder nor --animation is given",
            "name a folder for the pictures, or use --animation FILE",
        )
    from firmware.scripted import animation  # the help of all commands does not wait for the game

    if args.folder is not None:
        _write_pictures(args.folder, load(args.config).screen)
    if args.animation is not None:
        animation.write(args.animation)
        print(args.animation)
    return 0


def _write_pictures(folder: Path, screen: ScreenOptions) -> None:
    from firmware.scripted.gallery import pictures

    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name, picture in pictures(screen):
            size = (picture.width * _SCALE, picture.height * _SCALE)
            picture.resize(size).save(folder / f"{name}.png")
            print(folder / f"{name}.png")
    except BrokenPipeError:
        raise  # whoever reads the names has seen enough; nothing is wrong with the folder
    except OSError as bad:
        raise unwritable(folder, bad, "choose a folder that you can write to") from bad


COMMAND = Command(
    help="write a picture of every screen",
    run=run,
    options=(
        path("folder", nargs="?", help="the folder for the pictures"),
        path("--animation", help="write a turn as an animated picture (.gif or .png)"),
    ),
    config=True,
    examples=(
        Example("nimmt screens pictures", lines=3),
        Example("nimmt screens --animation turn.gif"),
    ),
)
