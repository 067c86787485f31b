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
    if words.file:
        print(f"{words.file} is good")
    else:
        print("no file is named, and the built-in configuration is good; type: nimmt config check FILE")
    return 0
