"""`nimmt config`: check a configuration file, or print every key."""

import argparse

from firmware.commands.declared import Command, option, path
from firmware.config.configuration import load
from firmware.config.doc import as_markdown
from firmware.display.names import not_drawn


def run(args: argparse.Namespace) -> int:
    """Check (raises `ConfigError` with every fault) or print the keys."""
    if args.what == "keys":
        print(as_markdown(), end="")
        return 0
    file = args.file or args.config
    config = load(file)
    if file:
        print(f"{file} is valid")
        for bad in config.unread:
            print(f"note: {bad.fault}\n  {bad.fix}")
        for said in not_drawn(config.table.names):
            print(f"note: {said}")
    else:
        print(
            "no file was given; the built-in configuration is valid. To check a file, type: "
            "nimmt config check FILE"
        )
    return 0


COMMAND = Command(
    help="check a configuration file, or print every key",
    run=run,
    options=(
        option(
            "what",
            choices=("check", "keys"),
            help="check: list every fault in the file and how to fix it; keys: list every key",
        ),
        path("file", nargs="?", help="the file to check, such as table.toml"),
    ),
    examples=("nimmt config check table.toml",),
    config=True,
)
