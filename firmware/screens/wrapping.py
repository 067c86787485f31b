"""A sentence broken into the lines of the glass. What it says is decided elsewhere."""

from __future__ import annotations

import textwrap

from firmware.canvas import COLUMNS


def wrapped(text: str, lines: int) -> list[str]:
    """A sentence in capitals, broken into at most `lines` lines of 21 columns; a longer one ends in …."""
    broken = textwrap.wrap(text.upper(), COLUMNS, break_long_words=True) or [""]
    if len(broken) > lines:
        broken = broken[:lines]
        broken[-1] = broken[-1][: COLUMNS - 1] + "…"
    return broken
