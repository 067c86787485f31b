"""Which of two versions is the older one, as Debian's package manager sees it.

The versions of the card are those of its packages: 0.10.0 comes after 0.9.0, and 0.10.0~rc1 before 0.10.0.
Source: deb-version(7), "Sorting algorithm".
"""

import re
from typing import Final

_TURN: Final = re.compile(r"([^0-9]*)([0-9]*)")


def sort_key(version: str) -> tuple[tuple[tuple[int, ...], int], ...]:
    """What versions are sorted by, the oldest first; our packages have no revision of Debian."""
    return tuple(
        ((*map(_place, letters), 0), int(digits or "0")) for letters, digits in _TURN.findall(version)
    )


def is_older(one: str, other: str) -> bool:
    """Whether `one` comes before `other`."""
    return sort_key(one) < sort_key(other)


def _place(letter: str) -> int:
    """A tilde comes even before the end, which is 0; letters come before all else."""
    if letter == "~":
        return -1
    return ord(letter) if letter.isalpha() else ord(letter) + 0x110000
