"""Which of two versions is the older one, as Debian's package manager sees it.

The versions of the card are those of its packages: 0.10.0 comes after 0.9.0, and 0.10.0~rc1 before 0.10.0.
Source: deb-version(7), "Sorting algorithm".
"""

import re
from typing import Final, TypeAlias

_Part: TypeAlias = tuple[tuple[tuple[int, ...], int], ...]

_TURN: Final = re.compile(r"([^0-9]*)([0-9]*)")


def sort_key(version: str) -> tuple[_Part, _Part]:
    """What versions are sorted by, the oldest first."""
    upstream, _, revision = version.rpartition("-") if "-" in version else (version, "", "")
    return _part(upstream), _part(revision)


def is_older(one: str, other: str) -> bool:
    """Whether `one` comes before `other`."""
    return sort_key(one) < sort_key(other)


def _part(text: str) -> _Part:
    return tuple(((*map(_place, letters), 0), int(digits or "0")) for letters, digits in _TURN.findall(text))


def _place(letter: str) -> int:
    """A tilde comes even before the end, which is 0; letters come before all else."""
    if letter == "~":
        return -1
    return ord(letter) if letter.isalpha() else ord(letter) + 0x110000
