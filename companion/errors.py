"""Errors for invalid input. An illegal play is not an error: it is a `Refused` ruling (see `ruling`)."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable


class CompanionError(Exception):
    """Something from outside cannot be used.

    `fault` says what was given and what is wrong with it, `fix` what to do next; both are English
    sentences without a full stop at the end.
    """

    def __init__(self, fault: str, fix: str) -> None:
        super().__init__(f"{fault} ({fix})")
        self.fault = fault
        self.fix = fix


class InvalidRecord(CompanionError, ValueError):
    """A record (of a log, a request, a position) does not have the documented form."""


class UnknownGame(CompanionError, LookupError):
    """No game of that name is installed."""


class UnknownCard(CompanionError, ValueError):
    """A text that names no card of this game."""


class NotInThisGame(CompanionError):
    """A command that this game does not have; the fix says what to use instead."""


def quoted(value: object) -> str:
    """A value from outside as it is quoted in a fault: its repr, at most 40 characters."""
    text = repr(value)
    return text if len(text) <= 40 else f"{text[:37]}..."  # noqa: PLR2004 - one line of a message


def did_you_mean(came: str, known: Iterable[str]) -> str:
    """A fix as a sentence: the nearest known name if one is near, otherwise all of them."""
    from difflib import get_close_matches  # only who has mistyped waits for it

    names = list(known)
    near = get_close_matches(came, names, n=1, cutoff=0.6)
    return f"did you mean {near[0]!r}?" if near else "use one of: " + ", ".join(names)
