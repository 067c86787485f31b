"""Numbers as people type them, in the digits of their keyboard."""

import unicodedata
from typing import Final

_SIGNS: Final = {"\u066b": ".", "\u2212": "-"}
"""The decimal point of Persian and Arabic, and a minus that some keyboards have."""


def in_latin_digits(text: str) -> str:
    """The same text with the digits 0 to 9 in the place of those of every other script, and their signs."""
    if text.isascii():
        return text
    return "".join(
        str(unicodedata.decimal(letter)) if letter.isdecimal() else _SIGNS.get(letter, letter)
        for letter in text
    )
