"""Errors for invalid input. An illegal play is not an error: it is a `Refused` ruling (see `ruling`)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from companion.text.sentence import Text


class CompanionError(Exception):
    """Something from outside cannot be used.

    `fault` says what was given and what is wrong with it, `fix` what to do next; both are English
    sentences without a full stop at the end. `fault_text` and `fix_text` are the same to be said in any
    language; a fault or fix that is given as a string is said as it is.
    """

    def __init__(self, fault: Text | str, fix: Text | str) -> None:
        super().__init__(f"{fault} ({fix})")
        self.fault = str(fault)
        self.fix = str(fix)
        from companion.text.sentence import Text, literal  # a start without an error does not wait for it

        self.fault_text = fault if isinstance(fault, Text) else literal(fault)
        self.fix_text = fix if isinstance(fix, Text) else literal(fix)


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


def fault_of_json(what: str, text: str, bad: ValueError | RecursionError) -> str:
    """Why a text is not JSON, and from where on; `bad` is what `json` raised for it."""
    place: int | None = getattr(bad, "pos", None)
    if place is None:
        return f"{what} is not valid JSON: it has a number that is too long, or lists too deep in each other"
    if not text[place:].strip():
        return f"{what} is not valid JSON: it ends too early"
    return f"{what} is not valid JSON from character {place + 1} on: {quoted(text[place : place + 12])}"


def did_you_mean(came: str, known: Iterable[str]) -> Text:
    """A fix as a sentence: the nearest known name, if one is near and has the same digits, otherwise all."""
    from difflib import get_close_matches  # only who has mistyped waits for it

    from companion.text.sentence import say

    names = list(known)
    near = get_close_matches(came, names, n=1, cutoff=0.6)
    if near and sorted(filter(str.isdigit, near[0])) == sorted(filter(str.isdigit, came)):
        return say("did you mean {name}?", name=repr(near[0]))
    return say("use one of: {names}", names=tuple(names))
