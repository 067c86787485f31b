"""Texts in the columns of a terminal, where some letters take two and others none."""

import unicodedata


def columns(text: str) -> int:
    """How many columns of a terminal a text takes."""
    return sum(_of(letter) for letter in text)


def cut(text: str, width: int) -> str:
    """As much of a text as so many columns hold."""
    while columns(text) > width:
        text = text[:-1]
    return text


def left(text: str, width: int) -> str:
    """A text at the left of so many columns; one that is wider stays as it is."""
    return text + " " * (width - columns(text))


def right(text: str, width: int) -> str:
    """A text at the right of so many columns; one that is wider stays as it is."""
    return " " * (width - columns(text)) + text


def wrapped(text: str, width: int, lead: str = "") -> list[str]:
    """The lines of a text that is broken between words; `lead` stands before the first, room before others.

    A word that is wider than a line has one of its own.
    """
    lines, line, empty = [], lead, True
    for word in filter(None, text.split(" ")):
        if not empty and columns(line) + 1 + columns(word) > width:
            lines.append(line)
            line, empty = " " * columns(lead), True
        line += word if empty else f" {word}"
        empty = False
    return [*lines, line]


def _of(letter: str) -> int:
    if unicodedata.category(letter) in {"Cf", "Mn"}:
        return 0
    return 2 if unicodedata.east_asian_width(letter) in {"W", "F"} else 1
