"""Sentences broken into the lines of the display."""

from __future__ import annotations

import textwrap

from firmware.display.canvas import COLUMNS


def paginate(lines: int, *texts: str) -> list[list[str]]:
    """Sentences in capitals, each beginning a line of 21 columns, as pages of `lines` lines."""
    broken = [line for text in texts for line in textwrap.wrap(text.upper(), COLUMNS)] or [""]
    return [broken[first : first + lines] for first in range(0, len(broken), lines)]


def wrap(text: str, lines: int) -> list[str]:
    """A sentence in capitals, broken into at most `lines` lines of 21 columns; a longer one ends in …."""
    broken = textwrap.wrap(text.upper(), COLUMNS, break_long_words=True) or [""]
    if len(broken) > lines:
        broken = broken[:lines]
        broken[-1] = broken[-1][: COLUMNS - 1] + "…"
    return broken
