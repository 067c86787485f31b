"""`nimmt config`: check a configuration file, or print every key."""

from __future__ import annotations

from typing import TYPE_CHECKING

from firmware.commands.language import spoken
from firmware.config.configuration import load
from firmware.config.doc import as_markdown
from firmware.session.names import not_drawn

if TYPE_CHECKING:
    import argparse


def run(args: argparse.Namespace) -> int:
    """Check (raises `ConfigError` with every fault) or print the keys."""
    if args.what == "keys":
        print(as_markdown(), end="")
        return 0
    config, t = load(args.file), spoken(args.file)
    if args.file:
        print(t("{file} is valid", file=args.file))
        for said in not_drawn(config.table.names):
            print(t("note: {said}", said=said))
    else:
        print(
            t(
                "no file was given; the built-in configuration is valid. To check a file, type: nimmt config "
                "check FILE"
            )
        )
    return 0
