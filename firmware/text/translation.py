"""Translation: a template is looked up in the catalogue of the language, then the facts are filled in.

A translator with contexts, such as "speech", has other texts for some templates. The English catalogue has
nothing else: what is written in English is the template.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from copy import copy
from functools import lru_cache
from pathlib import Path
from struct import error
from typing import TYPE_CHECKING, Final

from companion.text.sentence import Decimals, Text, in_context, literal
from companion.values import Value
from hardware.errors import Sentence, sentence

if TYPE_CHECKING:
    from datetime import date
    from gettext import NullTranslations


class Catalogue:
    """The translations of a language. What it has not is English; without translations everything is."""

    def __init__(self, translations: NullTranslations | None = None) -> None:
        self._translations = translations

    def template(self, context: str, template: str, plural: str, count: int) -> str:
        """The translation of a template, or of the plural form for `count` where there is a plural."""
        known = self._translations
        if known is None:
            return plural if plural and count != 1 else template
        if not plural:
            return known.pgettext(context, template) if context else known.gettext(template)
        if context:
            return known.npgettext(context, template, plural, count)
        return known.ngettext(template, plural, count)


ENGLISH: Final = Catalogue()


@lru_cache(maxsize=4)  # the key that changes the language is pressed back and forth
def load(file: Path) -> Catalogue:
    """The catalogue in a file; English where there is none, or none that can be read."""
    try:
        with file.open("rb") as opened:
            from gettext import GNUTranslations  # takes a millisecond that a device in English does not need

            return Catalogue(GNUTranslations(opened))
    except (OSError, ValueError, LookupError, error):
        return ENGLISH


CATALOGUES: Final = Path(__file__).parent / "catalogues"

DEFAULT: Final = "en"
"""The language until people have chosen one."""


class Language(Value):
    """A language of the texts: its own name, and whether its catalogue must have every text.

    What a catalogue has not is shown in English. `make check` demands all of a language that is complete.
    `nouns` are words that begin with a capital within a sentence, too: see `Translator.in_a_sentence`.
    """

    title: str
    complete: bool = False
    nouns: tuple[str, ...] = ()
    right_to_left: bool = False
    solar_hijri: bool = False
    """Whether its readers count days in the calendar of Iran."""


_GERMAN_NOUNS: Final = (
    "Reihe", "Stapel", "Karte", "Karten",
    "Joker", "Mühlstein", "Stein", "Papier", "Schere", "Grün", "Gelb", "Rot", "Symbol", "Farbe",
    "Bullen", "Bullenkarte", "Zug", "Zugstapel", "Vorrat", "Rest", "Reihen", "Besitzer",
    "Punkt", "Punkte", "Punkten", "Summe", "Hand", "Handkarten", "Runde", "Partie", "Ende",
    "Fehler", "Geschenk", "Tausch", "Umkehr", "Uhrzeigersinn", "Eröffnung",
)  # fmt: skip


LANGUAGES: Final[Mapping[str, Language]] = {
    DEFAULT: Language("English", complete=True),
    "de": Language("Deutsch", complete=True, nouns=_GERMAN_NOUNS),
    "fa": Language("فارسی", complete=True, right_to_left=True, solar_hijri=True),
}
"""Every language of `[screen] language`. The templates are English; its catalogue has what is spoken."""


# Translators: the ten digits of the language, from zero: those of counts and points. Cards look as printed.
DIGITS: Final = in_context("digits", "0123456789")

# Translators: what stands between a whole number and its decimals. German: ",". Persian: "٫" (U+066B)
_POINT: Final = in_context("in a number", ".")

DIGIT_CHOICES: Final = ("language", "latin")
"""Counts and points in the digits of the language, or as on the cards."""

CALENDAR_CHOICES: Final = ("language", "gregorian")
"""Dates in the calendar of the language, or in the Gregorian one."""

ASK: Final = "ask"
"""Instead of a language: people choose it at the device."""


_RIGHT_TO_LEFT: Final = "[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]"  # compiled at the first use
"""Hebrew and Arabic letters, the Persian ones among them."""


def runs_right_to_left(text: str) -> bool:
    """Whether a text has letters or digits of a script that is written from right to left."""
    return bool(re.search(_RIGHT_TO_LEFT, text))


def catalogue_of(language: str) -> Path:
    """The file with the translations of a language for its translators; the compiled one is beside it."""
    return CATALOGUES / language / "LC_MESSAGES" / "nimmt.po"


def _translations(language: str, contexts: Collection[str]) -> Catalogue:
    if language == DEFAULT and not contexts:  # it has only what is spoken: a device in English reads no file
        return ENGLISH
    return load(catalogue_of(language).with_suffix(".mo"))


class Translator:
    """The texts of one language; a text without a translation is in English.

    `digits` is one of `DIGIT_CHOICES`, `calendar` of `CALENDAR_CHOICES`. A text is the one in the first of
    `contexts` that has it. It is a `companion.text.sentence.Locale`.
    """

    def __init__(
        self, language: str = DEFAULT, digits: str = "language", calendar: str = "language", *contexts: str
    ) -> None:
        self.naming: Callable[[int], str | None] | None = None
        """Gives the name of the player at a seat, None for the number of the seat; set by the session."""
        self.signs: Mapping[int, str | None] = {}
        """What stands for a character in every text, as `str.translate` takes it."""
        self.edge = ""
        """What stands on both sides of each fact."""
        self.language, self.calendar = language, calendar
        self._contexts = contexts
        self._catalogue = _translations(language, contexts)
        own = self._catalogue.template(DIGITS.context, DIGITS.template, "", 1)
        others = len(own) == len(DIGITS.template) and own != DIGITS.template
        latin = digits == "latin"
        self._digits = str.maketrans(DIGITS.template, own) if others and not latin else None
        self._latin = str.maketrans(own, DIGITS.template) if others and latin else None
        self._point = "." if self._latin else self._catalogue.template(_POINT.context, _POINT.template, "", 1)
        self._declared = LANGUAGES.get(language, LANGUAGES[DEFAULT])
        self._nouns = {noun.upper(): noun for noun in self._declared.nouns}

    def calling(self, names: Sequence[str]) -> Translator:
        """The same texts with the names of the players, by seat."""
        found = copy(self)
        found.naming = lambda seat: names[seat] if seat < len(names) else f"P{seat + 1}"
        return found

    def __call__(self, template: str, /, **facts: object) -> str:
        """A translated template with its fields filled in."""
        return self.say(Text(template, facts))

    def say(self, text: Text) -> str:
        """A text of the referee; in English if its translation has other fields."""
        try:
            sentence = text.render(self)
        except (LookupError, ValueError, AttributeError):
            # A mistake of a translator must not end the evening.
            english = Translator()
            english.naming = self.naming
            sentence = text.render(english)
        return sentence.translate(self.signs) if self.signs else sentence

    def title(self, name: str) -> str:
        """What something is called in this language: a game, a section of a rulebook. It has no facts.

        Most titles are names, which are the same in every language.
        """
        return self._catalogue.template("", name, "", 1) if name else ""

    def in_a_sentence(self, capitals: str) -> str:
        """Words of the display, where all is in capitals, as they are written in a sentence.

        What is not in capitals there is a name, and stays.
        """
        return " ".join(
            self._nouns.get(word, word.lower()) if word.isupper() else word for word in capitals.split(" ")
        )

    def template(self, text: Text, count: int) -> str:
        """The template of a text in this language; see `companion.text.sentence.Locale`."""
        if not text.template:  # the empty template is the header of a catalogue
            return ""
        found = self.in_contexts(text, count)
        if found is None:
            found = self._catalogue.template(text.context, text.template, text.plural, count)
        if self.edge:
            found = re.sub(r"({\w+})", rf"{self.edge}\1{self.edge}", found)
        return found.translate(self._latin) if self._latin else found

    def in_contexts(self, text: Text, count: int = 1) -> str | None:
        """The template of a text in the first of `contexts` that has another one for it; None if none has."""
        for context in self._contexts:
            found = self._catalogue.template(context, text.template, text.plural, count)
            if found not in (text.template, text.plural):
                return found
        return None

    def number(self, number: int) -> str:
        """A number in the digits of this language."""
        return self.digits(str(number))

    def digits(self, counts: str) -> str:
        """Counts with signs between them ("3/4", "+6") in the digits of this language."""
        if not self._digits:
            return counts
        shown = counts.translate(self._digits)
        # A sign stands at the left of its number, in a line from right to left as well.
        return f"\u2066{shown}\u2069" if shown[:1] in ("+", "-") else shown

    def decimals(self, number: Decimals) -> str:
        """A number in the digits of this language, with its decimal separator."""
        return self.digits(str(number).replace(".", self._point))

    @property
    def solar_hijri(self) -> bool:
        """Whether dates are in the calendar of Iran."""
        return self.calendar == "language" and self._declared.solar_hijri

    def date(self, day: date) -> tuple[int, int, int]:
        """Year, month and day of month of a date in the calendar of the reader."""
        if not self.solar_hijri:
            return day.year, day.month, day.day
        from firmware.text.solar_hijri import solar_hijri  # only its readers load it

        return solar_hijri(day)

    def name(self, seat: int) -> str | None:
        """The name of the player at a seat, where names are known; see `isolated`."""
        name = None if self.naming is None else self.naming(seat)
        return None if name is None else self.isolated(name)

    @property
    def right_to_left(self) -> bool:
        """Whether this language is written from right to left."""
        return self._declared.right_to_left

    def isolated(self, name: str) -> str:
        """A name for the middle of a sentence: it does not turn around the numbers beside it.

        Only a name that runs the other way needs it.
        """
        return name if runs_right_to_left(name) is self.right_to_left else f"\u2068{name}\u2069"

    def line(self, parts: Iterable[str]) -> str:
        """Parts beside each other, in the order of this language also on a page that runs the other way."""
        line = " · ".join(filter(None, parts))
        return f"\u2067{line}\u2069" if line and self.right_to_left else line


@lru_cache(maxsize=16)
def translator(language: str, digits: str = "language", calendar: str = "language") -> Translator:
    """The texts of a language; reading its catalogue takes some milliseconds, once."""
    return Translator(language, digits, calendar)


def text_of(said: str) -> Text:
    """What a device says as a text; the plain strings of a driver of another package stay as they are."""
    if not isinstance(said, Sentence):
        return literal(said)
    return Text(said.template, {name: _fact(fact) for name, fact in said.facts.items()})


def sentence_of(text: Text) -> Sentence:
    """A text of the program for a `DeviceFault`; `text_of` gives it back."""
    return sentence("{text}", text=text)


def _fact(fact: object) -> object:
    if isinstance(fact, Text):
        return fact
    # Numbers of pins, buses and baud rates are as they are printed, in every language.
    return text_of(fact) if isinstance(fact, Sentence) else str(fact)
