"""The options of `nimmt update` and `nimmt card`, for boxes that were flashed as an image."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import argparse
    from collections.abc import Mapping


def add_flashed_options(made: Mapping[str, argparse.ArgumentParser]) -> None:
    """Add them to the parsers of their commands."""
    update = made["update"]
    update.add_argument("file", type=Path, nargs="?", help="the update, such as nimmt-0.5.0-arm64.update")
    update.add_argument("--status", action="store_true", help="say which slot runs, and what the slots hold")
    update.add_argument("--json", action="store_true", help="with --status: print it as JSON")
    update.add_argument(
        "--confirm",
        action="store_true",
        help="wait until the version on trial has been well for two minutes, and keep it",
    )
    update.add_argument(
        "--wanted", action="store_true", help="install what was chosen on the display; systemd calls it"
    )
    made["card"].add_argument(
        "what",
        choices=("settings", "keep", "first-start", "light", "clock"),
        help=(
            "settings: apply the files on the card's first partition; keep: write a changed configuration to "
            "the card; first-start: find the panel if none is named; light: blink what is wrong; "
            "clock: set the clock to the time that a paired phone has offered"
        ),
    )
    made["card"].add_argument("--boot", type=Path, metavar="FOLDER", help="the first partition (/boot/nimmt)")
    made["card"].add_argument("--root", type=Path, metavar="FOLDER", help="the root of the system (/)")
