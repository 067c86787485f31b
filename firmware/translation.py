"""Translation: a template is looked up in the catalogue of the language, then the facts are filled in."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from companion.text import Text
from firmware import catalogue

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

CATALOGUES: Final = Path(__file__).parent / "catalogues"


@dataclass(frozen=True, slots=True)
class Language:
    """A language of the texts: its own name, and whether its catalogue must have every text.

    What a catalogue has not is shown in English. `make check` demands all of a language that is complete.
    """

    title: str
    complete: bool = False


LANGUAGES: Final[Mapping[str, Language]] = {
    "en": Language("English", complete=True),
    "de": Language("Deutsch"),
    "fa": Language("فارسی"),
}
"""Every language of `[screen] language`. English has no catalogue: the templates are English."""


def catalogue_of(language: str) -> Path:
    """The file with the translations of a language."""
    return CATALOGUES / language / "LC_MESSAGES" / "nimmt.po"


class Translator:
    """The texts of one language; a text without a translation is in English."""

    def __init__(self, language: str = "en") -> None:
        self.naming: Callable[[int], str] | None = None
        """Gives the name of the player at a seat; set by the session."""
        self._catalogue = catalogue.load(catalogue_of(language))

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

    def _wording(self, text: Text, count: int) -> str:
        if not text.template:  # the empty template is the header of a catalogue
            return ""
        return self._catalogue.template(text.context, text.template, text.plural, count)


def _english(text: Text, count: int) -> str:
    return catalogue.ENGLISH.template(text.context, text.template, text.plural, count)
