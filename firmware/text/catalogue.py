"""The catalogue of a language as `gettext` reads it: compiled (.mo), by Babel."""

from __future__ import annotations

from struct import error
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from gettext import NullTranslations
    from pathlib import Path


class Catalogue:
    """The translations of a language. What it has not is English; without translations everything is."""

    def __init__(self, translations: NullTranslations | None = None) -> None:
        self._said = translations

    def template(self, context: str, template: str, plural: str, count: int) -> str:
        """The translation of a template, or of the plural form for `count` where there is a plural."""
        said = self._said
        if said is None:
            return plural if plural and count != 1 else template
        if not plural:
            return said.pgettext(context, template) if context else said.gettext(template)
        if context:
            return said.npgettext(context, template, plural, count)
        return said.ngettext(template, plural, count)


ENGLISH: Final = Catalogue()


def load(file: Path) -> Catalogue:
    """The catalogue in a file; English where there is none, or none that can be read."""
    try:
        with file.open("rb") as opened:
            from gettext import GNUTranslations  # takes a millisecond that a device in English does not need

            return Catalogue(GNUTranslations(opened))
    except (OSError, ValueError, LookupError, error):
        return ENGLISH
