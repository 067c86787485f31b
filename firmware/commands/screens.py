"""`nimmt screens`: a PNG of every screen, a recording of a turn, and how large the letters are."""

import argparse
from pathlib import Path

from companion.text.errors import CompanionError
from firmware.commands.declared import Command, Example, flag, path
from firmware.config.configuration import load
from firmware.config.sections import ScreenOptions
from firmware.text.os_errors import unwritable

_SCALE = 4


def run(args: argparse.Namespace) -> int:
    """Write the pictures, four times enlarged, the recording, the table. Raises `CompanionError`."""
    if args.folder is None and args.animation is None and not args.letters:
        raise CompanionError(
            "neither a folder nor --animation is given",
            "name a folder for the pictures, or use --animation FILE or --letters",
        )
    from firmware.scripted import animation  # the help of all commands does not wait for the game
    from firmware.scripted.gallery import as_table, screens

    if args.letters:
        shown = screens(load(args.config).screen)
        for line in as_table((one.name, one.main_px, one.smallest_px) for one in shown):
            print(line)
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
        flag("--letters", help="print how large the letters of every screen are on the panels"),
    ),
    config=True,
    examples=(
        Example("nimmt screens pictures", lines=3),
        Example("nimmt screens --animation turn.gif"),
        Example("nimmt screens --letters", lines=4),
    ),
)
