"""Names of people: which letters are the same one, and the order in which names stand in a list."""

import unicodedata
from typing import Final

_SAME: Final = str.maketrans("يىكةۀ", "ییکهه", "\u0640")
"""Letters of an Arabic keyboard, and the Persian ones that people mean; a kashida is no letter."""

_PERSIAN: Final = "آاءبپتثجچحخدذرزژسشصضطظعغفقکگلمنوهی"
_PLACES: Final = {
    ord(letter): chr(0xE000 + _PERSIAN.index("ء" if letter in "أإؤئ" else letter))
    for letter in _PERSIAN + "أإؤئ"
}
"""Private characters in the order of the alphabet. In Unicode پ چ ژ ک گ ی stand after all the others."""


def one_spelling(name: str) -> str:
    """A name in the letters in which it is kept: however it was typed, it is the same name."""
    return unicodedata.normalize("NFC", name).translate(_SAME)


def in_order(name: str) -> str:
    """What names are sorted by: Älva beside Alva, ß as ss, and Persian in the order of its alphabet.

    A half-space and the vowel signs do not count. Hamza stands after alef, whatever carries it.
    """
    apart = unicodedata.normalize("NFD", one_spelling(name).casefold().translate(_PLACES))
    return "".join(letter for letter in apart if unicodedata.category(letter) not in ("Mn", "Cf"))
