"""`nimmt replay`: read an exported match and tell it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion import log
from companion.errors import CompanionError
from firmware.commands.show import tell

if TYPE_CHECKING:
    import argparse


def run(words: argparse.Namespace) -> int:
    """Print the story of the file. Raises `CompanionError` naming the line that cannot be read."""
    try:
        text = words.file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as bad:
        raise CompanionError(
            f"{words.file} cannot be read: {bad}", "name a file written by nimmt export"
        ) from bad
    tell(log.from_lines(text.splitlines()))
    return 0
