"""`nimmt config`: check a configuration file, or print every key."""

import argparse

from firmware.commands.declared import Command, Example, option, path
from firmware.commands.language import spoken
from firmware.config.configuration import load
from firmware.config.doc import as_markdown
from firmware.display.names import not_drawn


def run(args: argparse.Namespace) -> int:
    """Check (raises `ConfigError` with every fault) or print the keys."""
    if args.what == "keys":
        print(as_markdown(), end="")
        return 0
    config, t = load(args.config), spoken(args.config)
    if args.config:
        print(t("{file} is valid", file=args.config))
        for bad in config.unread:
            print(f"{t('note: {said}', said=bad.fault_text)}\n  {t.say(bad.fix_text)}")
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


COMMAND = Command(
    help="check a configuration file, or print every key",
    run=run,
    options=(
        option(
            "what",
            choices=("check", "keys"),
            help="check: list every fault in the file and how to fix it; keys: list every key",
        ),
        path("config", nargs="?", metavar="file", help="the file to check, such as table.toml"),
    ),
    examples=(Example("nimmt config check table.toml"), Example("nimmt config check broken.toml")),
)
