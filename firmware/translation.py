"""Translation: templates go through gettext, then the facts are filled in."""

from __future__ import annotations

import gettext
from pathlib import Path
from typing import TYPE_CHECKING, Final

from companion.text import Text

if TYPE_CHECKING:
    from collections.abc import Callable

_CATALOGUES: Final = Path(__file__).parent / "catalogues"


class Translator:
    """The texts of one language; a text without a translation is in English."""

    def __init__(self, language: str = "en") -> None:
        self.naming: Callable[[int], str] | None = None
        """Gives the name of the player at a seat; set by the session."""
        self._catalogue = gettext.translation("nimmt", _CATALOGUES, [language], fallback=True)

    def __call__(self, template: str, /, **facts: object) -> str:
        """A translated template with its fields filled in."""
        return self.say(Text(template, facts))

    def say(self, text: Text) -> str:
        """A text of the referee; in English if its translation has other fields."""
        try:
            return text.said(self._wording, self.naming)
        except (
            LookupError,
            ValueError,
            AttributeError,
        ):  # a mistake of a translator must not end the evening
            return text.said(_english, self.naming)

    def _wording(self, template: str, plural: str, number: int) -> str:
        if not template:  # gettext answers an empty text with the header of the catalogue
            return ""
        if plural:
            return self._catalogue.ngettext(template, plural, number)
        return self._catalogue.gettext(template)


def _english(template: str, plural: str, number: int) -> str:
    return plural if plural and number != 1 else template
