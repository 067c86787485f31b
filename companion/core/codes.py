"""What a scanned text means: a card of some game, a player's badge, a control code, or an unknown code.

A card code is two characters for the game, three digits and a check letter: `6N055Y`. The
cards of a second box of the same game have the number of the box before the digits:
`6N2055H`. The check letter is position-weighted, so that a misread, a grocery code or another
deck's code is not taken for a card. Whether the card may be played is not checked here.

Badges and control codes end with a check letter as well: `6NC-P03Z`. Who types one may leave it out. The
back of a badge has a code for each row, `6NC-P03R2D`: its player takes that row. Any sign may come in place
of the hyphen, which the keyboards of each country have on another key.

Scanners add signs of their own: a name of the kind of code in front (`]d1`), a prefix, or signs behind. They
are taken off where the rest is a code by its check letter.
"""

import re
from enum import Enum
from typing import Final

from companion.core import games
from companion.text.sentence import NOTHING, Text, say
from companion.values import Value, replace

PREFIX: Final = "6NC-"
"""The prefix of every control and badge code, for every game."""
_PREFIX_LETTERS: Final = PREFIX.removesuffix("-")

_LETTERS: Final = "ABCDEFGHJKLMNPRSTUVWXYZ"
"""Check letters: 23, a prime, so that every single error and swap is found; I, O and Q look like digits."""

_CARD: Final = re.compile(r"([0-9A-Z]{2})([2-9]?)([0-9]{3})([A-Z])")
_WITHIN: Final = re.compile(
    r"(?:(?<![0-9A-Z])|(?<=^[^0-9])|(?<=^[^0-9]{2})|(?<=^[^0-9]{3})|(?<=\][A-Z][0-9]))"
    r"(?=(6NC.[0-9A-Z]{3,}|[0-9A-Z]{2}[2-9]?[0-9]{3}[A-Z])(?![0-9A-Z]))"
)
"""What may be a code, with signs around it that no single mistake makes of another code: no letter or
digit but three letters in front, for more are an article of a shop, and the digit of `]d1`."""
_OTHER_KEYS: Final = re.compile(r"(?=.*[^0-9A-Z-])[!-~]{6,10}|6[0-9]{3,4}")
"""As long as our codes, with signs that none of them has, or digits alone: the keyboard is another one."""
UNKNOWN: Final = say("unknown code")
_BADGE: Final = re.compile(r"(?:P([0-9]{2})|T([0-9]{3}))(?:R([1-4]))?")
BADGES: Final = range(1, 11)
"""The badges of a table."""
EVENING_BADGES: Final = range(1, 1000)
"""The badges of an evening with many tables. From 11 on their codes have another length: `6NC-T041`.

So no single mistake, not even one sign too many, makes a badge of a table of it.
"""
ROWS: Final = range(4)
"""The rows that the back of a badge can name, from 0; its codes count them from 1."""
BOXES: Final = range(1, 10)
"""Boxes of one game that can be told apart."""


class Control(Enum):
    """What a control code does; the value is printed after `6NC-`."""

    OK = "OK"
    UNDO = "UNDO"
    REDO = "REDO"
    ROW_1 = "R1"
    ROW_2 = "R2"
    ROW_3 = "R3"
    ROW_4 = "R4"
    MORE = "UP"
    LESS = "DOWN"
    SWAP = "SWAP"
    WRONG = "WRONG"
    AUDIT = "AUDIT"
    NEXT = "NEXT"
    WHY = "WHY"
    TOTALS = "TOTALS"
    ROWS = "ROWS"
    ABSENT = "ABSENT"
    MUTE = "MUTE"
    LANGUAGE = "LANG"
    MENU = "MENU"
    EDIT = "EDIT"
    GRAPH = "GRAPH"
    ERASE = "ERASE"
    HELP = "HELP"
    PHONES = "PHONES"


class CardCode(Value):
    """A card: the game's two characters (empty for a bare number) and the number as text, without zeros."""

    game: str
    card: str


class BadgeCode(Value):
    """A player's badge: 1 to 10 at a table, up to 999 on an evening with many tables."""

    number: int


class RowCode(Value):
    """The player of a badge takes a row (from 0): from the back of the badge."""

    badge: int
    row: int


class ControlCode(Value):
    """A control code from the control sheet."""

    control: Control


class UnknownCode(Value):
    """Anything else; `why` is a short reason to show, `fix` what to do, where there is something."""

    text: str
    why: Text
    fix: Text = NOTHING


Meaning = CardCode | BadgeCode | RowCode | ControlCode | UnknownCode


def check_letter(body: str) -> str:
    """The letter that makes `body` (digits and capitals) a whole code."""
    return _LETTERS[sum(weight * int(char, 36) for weight, char in enumerate(body, start=2)) % len(_LETTERS)]


def card_code(game: str, number: int, box: int = 1) -> str:
    """The code of a card: `card_code("6N", 55)`; the first box of a game is not numbered."""
    body = f"{game}{box if box > 1 else ''}{number:03d}"
    return body + check_letter(body)


def badge_code(number: int) -> str:
    """The code of a badge, 1 to 999."""
    return _with_letter(_badge_name(number))


def row_code(badge: int, row: int) -> str:
    """The code with which the player of a badge takes a row, from 0."""
    return _with_letter(f"{_badge_name(badge)}R{row + 1}")


def control_code(control: Control) -> str:
    return _with_letter(control.value)


def read(text: str, *, plain_numbers: bool = True, box: int = 1, typed: bool = False) -> Meaning:
    """What a scanned text means. Never raises; case does not matter.

    With `plain_numbers` a bare number of one to three digits is a card of the game in play.
    `box` is the number of the box on the table; cards of other boxes are unknown codes. What is
    `typed` may be a badge of a table or a command without its check letter.
    """
    came = text.strip().upper()
    meaning = _whole(came, plain_numbers=plain_numbers, box=box, typed=typed)
    if isinstance(meaning, UnknownCode):
        within = (
            _whole(found[1], plain_numbers=False, box=box, typed=False) for found in _WITHIN.finditer(came)
        )
        codes = {code for code in within if not isinstance(code, UnknownCode)}
        return codes.pop() if len(codes) == 1 else replace(meaning, text=text.strip())  # it may be a name
    return meaning


def _whole(came: str, *, plain_numbers: bool, box: int, typed: bool) -> Meaning:
    if came.isascii() and came.isdigit() and len(came) <= 3:  # noqa: PLR2004 - three digits
        if plain_numbers:
            return CardCode("", str(int(came)))
        return UnknownCode(came, say("a bare number"), say("type the number"))
    if came.startswith(_PREFIX_LETTERS) and len(came) > len(_PREFIX_LETTERS):
        return _order(came, came[len(PREFIX) :], typed=typed)
    if found := _CARD.fullmatch(came):
        game, of_box, number, letter = found.groups()
        if letter != check_letter(game + of_box + number):
            return UnknownCode(came, say("misread"), say("scan it again"))
        if all(game != games.module(key).CODE for key in games.GAMES):
            return UnknownCode(came, say("another game"))
        if int(of_box or 1) != box:
            return UnknownCode(came, say("from box {box}", box=int(of_box or 1)))
        return CardCode(game, str(int(number)))
    if _OTHER_KEYS.fullmatch(came):
        return UnknownCode(came, UNKNOWN, say("a card? Set the scanner to a US keyboard"))
    return UnknownCode(came, UNKNOWN)


def _badge_name(number: int) -> str:
    return f"P{number:02d}" if number in BADGES else f"T{number:03d}"


def _with_letter(order: str) -> str:
    return PREFIX + order + _order_letter(order)


def _order_letter(order: str) -> str:
    return check_letter(_PREFIX_LETTERS + order)


def _order(came: str, order: str, *, typed: bool) -> Meaning:
    meaning = _named(order) if typed else None
    if meaning and (order.startswith("P") or isinstance(meaning, ControlCode)):
        return meaning
    if meaning := _named(order[:-1]):
        return (
            meaning
            if order[-1] == _order_letter(order[:-1])
            else UnknownCode(came, say("misread"), say("scan it again"))
        )
    return UnknownCode(came, say("unknown command"))


def _named(order: str) -> BadgeCode | RowCode | ControlCode | None:
    """The badge, the row of a badge or the command of this name, without its check letter."""
    if found := _BADGE.fullmatch(order):
        number = int(found[1] or found[2])
        if number not in (BADGES if found[1] else EVENING_BADGES[len(BADGES) :]):
            return None
        return RowCode(number, int(found[3]) - 1) if found[3] else BadgeCode(number)
    return next((ControlCode(control) for control in Control if order == control.value), None)
