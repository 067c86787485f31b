"""`nimmt overlays`: what config.txt lacks for the configured devices; `--write` adds it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.errors import CompanionError
from companion.text import say
from firmware.commands.language import spoken
from firmware.config.configuration import load
from firmware.service import overlays

if TYPE_CHECKING:
    import argparse


def run(args: argparse.Namespace) -> int:
    """Say what is missing; gives 0 if nothing is. With `--write`, add it. Raises `CompanionError`."""
    file = args.boot or overlays.found()
    needs, t = overlays.wanted(load(args.config)), spoken(args.config)
    if file is None:
        print(t("this machine has no config.txt: it is not a Raspberry Pi, or /boot is not mounted"))
        return 0
    try:
        lacking = overlays.missing(needs, overlays.text_of(file))
        for need in needs:
            print(f"{'!!' if need in lacking else 'ok'}  {need.line:34} {t.say(need.why)}")
        if not lacking:
            return 0
        if not args.write:
            print(t("to add what is missing to {file}: sudo nimmt overlays --write", file=file))
            return 1
        backup = overlays.add(lacking, file)
    except (OSError, UnicodeDecodeError) as error:
        raise CompanionError(
            say("{file} cannot be changed: {error}", file=file, error=error),
            say("run it as root: sudo nimmt overlays --write"),
        ) from error
    print(
        t(
            "written to {file}; the old file was saved as {backup}. Reboot to apply the change.",
            file=file,
            backup=backup,
        )
    )
    return 0
