"""Columns of a table in a terminal, filled up with spaces.

Not `str.ljust`: half-spaces and isolates of a Persian text have no width, and some signs are twice as wide.
"""

from __future__ import annotations

import unicodedata


def columns(text: str) -> int:
    """How many columns of a terminal a text takes."""
    return sum(_of(letter) for letter in text)


def left(text: str, width: int) -> str:
    """A text at the left of so many columns; one that is wider stays as it is."""
    return text + " " * (width - columns(text))


def right(text: str, width: int) -> str:
    """A text at the right of so many columns; one that is wider stays as it is."""
    return " " * (width - columns(text)) + text


def _of(letter: str) -> int:
    if unicodedata.category(letter) in {"Cf", "Mn"}:
        return 0
    return 2 if unicodedata.east_asian_width(letter) in {"W", "F"} else 1
