"""`nimmt config`: check a configuration file, or print every key."""

from __future__ import annotations

from typing import TYPE_CHECKING

from firmware.config import load
from firmware.config_doc import as_markdown

if TYPE_CHECKING:
    import argparse


def run(words: argparse.Namespace) -> int:
    """Check (raises `ConfigError` with every fault) or print the keys."""
    if words.what == "keys":
        print(as_markdown(), end="")
        return 0
    load(words.file)
    print(f"{words.file or 'the built-in configuration'} is good")
    return 0
