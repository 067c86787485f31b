"""Catalogues of translations: files of GNU gettext, compiled (.mo) or as their translators have them (.po).

A built package has compiled ones: they are read in half the time, with a third of the memory (see setup.py).
A checkout has those of the translators, so there is nothing to build and nothing that can be out of date.
A .po file beside a compiled one is read in its place: who corrects a translation sees it at the next start.
"""

from __future__ import annotations

import re
from struct import error
from typing import TYPE_CHECKING, Final

from companion.values import Value, field

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from gettext import NullTranslations
    from pathlib import Path

COMPILED: Final = ".mo"

_TEXT: Final = r'".*"(?:\n".*")*'
_ENTRY: Final = (  # not compiled here: a device in English needs none of them, and each takes its time
    rf"(?m)^(#,.*\bfuzzy\b.*\n(?:#.*\n)*)?(?:msgctxt ({_TEXT})\n)?msgid ({_TEXT})\n"
    rf"(?:msgid_plural ({_TEXT})\n)?((?:msgstr.* {_TEXT}(?:\n|\Z))+)"
)
_FORM: Final = rf"(?m)^msgstr\[\d+\] ({_TEXT})"
_ESCAPED: Final = r"\\(.)"
_LETTERS: Final = {"n": "\n", "t": "\t", "r": "\r"}
_PLURALS: Final = r"(?m)^Plural-Forms:.*?nplurals=(\d+);\s*plural=([^;\n]+)"


class Entry(Value):
    """A template with its translations: one, or one for each plural form of the language.

    The `context` tells two templates apart that are the same in English; most have none.
    """

    template: str
    plural: str = ""
    context: str = ""
    forms: tuple[str, ...] = ("",)
    fuzzy: bool = False

    @property
    def key(self) -> tuple[str, str]:
        """What it is looked up by."""
        return self.context, self.template


def read(text: str) -> Iterator[Entry]:
    """The entries of a .po file, the header among them; obsolete ones (`#~`) are left out.

    What is no entry is passed over: who needs a strict reader has the tools of gettext.
    """
    for fuzzy, context, template, plural, forms in re.findall(_ENTRY, text):
        yield Entry(_said(template), _said(plural), _said(context), _forms(forms), bool(fuzzy))


def _forms(told: str) -> tuple[str, ...]:
    if told.startswith("msgstr "):
        return (_said(told[7:].rstrip()),)
    return tuple(map(_said, re.findall(_FORM, told)))


def _said(quoted: str) -> str:
    """The text of one or several lines in quotation marks."""
    if "\n" in quoted:
        quoted = quoted.replace('"\n"', "")
    text = quoted[1:-1]
    return re.sub(_ESCAPED, _letter, text) if "\\" in text else text


def _letter(found: re.Match[str]) -> str:
    return _LETTERS.get(found[1], found[1])


def _germanic(number: int) -> int:
    return int(number != 1)


class Catalogue(Value):
    """The translations of a language; what it has not is English.

    `plural_form` gives the number of the form for a count.
    """

    forms: Mapping[tuple[str, str], tuple[str, ...]] = field(default_factory=dict)
    plural_form: Callable[[int], int] = _germanic

    def template(self, context: str, template: str, plural: str, count: int) -> str:
        """The translation of a template, or of the plural form for `count` where there is a plural."""
        english = plural if plural and count != 1 else template
        forms = self.forms.get((context, template))
        if forms is None:
            return english
        number = self.plural_form(count) if plural else 0
        return forms[number] if number < len(forms) else english


ENGLISH: Final = Catalogue()


def plural_rule(header: str) -> tuple[int, Callable[[int], int]]:
    """How many plural forms the header of a catalogue names, and which of them a count has.

    Raises ValueError for a rule that cannot be read.
    """
    found = re.search(_PLURALS, header)
    if found is None:
        return 2, _germanic
    from gettext import c2py  # takes a millisecond that a device in English does not need

    return int(found[1]), c2py(found[2])


class Compiled:
    """A compiled catalogue; what it has not is English."""

    def __init__(self, translations: NullTranslations) -> None:
        self._said = translations

    def template(self, context: str, template: str, plural: str, count: int) -> str:
        """The translation of a template, or of the plural form for `count` where there is a plural."""
        said = self._said
        if plural:
            return (
                said.npgettext(context, template, plural, count)
                if context
                else said.ngettext(template, plural, count)
            )
        return said.pgettext(context, template) if context else said.gettext(template)


def load(file: Path) -> Catalogue | Compiled:
    """The catalogue in a file; English where there is none, or none that can be read.

    A catalogue that a hand has broken must not end the evening; `make check` tells it.
    """
    return _compiled(file) if file.suffix == COMPILED else _plain(file)


def _compiled(file: Path) -> Catalogue | Compiled:
    from gettext import GNUTranslations  # takes a millisecond that a device in English does not need

    try:
        with file.open("rb") as opened:
            return Compiled(GNUTranslations(opened))
    except (OSError, ValueError, LookupError, error):
        return ENGLISH


def _plain(file: Path) -> Catalogue:
    try:
        text = file.read_text(encoding="utf-8")
        found = re.findall(_ENTRY, text)  # `read` would make 1,500 values that nobody needs
        translated = {
            (_said(context), _said(template)): _forms(forms)
            for fuzzy, context, template, _, forms in found
            if not fuzzy or template == '""'
        }
        header = translated.pop(("", ""), ("",))
        rule = plural_rule(header[0])[1]
    except (OSError, ValueError):
        return ENGLISH
    complete = {key: forms for key, forms in translated.items() if all(forms)}
    return Catalogue(complete, rule)
