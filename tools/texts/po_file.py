"""Writes nimmt.pot, and brings the catalogue of a language up to date with it.

The same templates give the same bytes: no dates, no line numbers, no wrapped lines. What a translator wrote
stays: a translation whose template is gone is kept as an obsolete entry at the end, and is taken again if the
template comes back. Nothing is guessed: a new template has no translation until somebody writes it.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from companion.values import Value, replace
from firmware.text.catalogue import Entry, read

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from tools.texts.extract import Template

_FIELD: Final = re.compile(r"\{\w+\}")

POT_HEADER: Final = Entry(
    "",
    forms=(
        (
            "Project-Id-Version: nimmt-companion\n"
            "MIME-Version: 1.0\n"
            "Content-Type: text/plain; charset=UTF-8\n"
            "Content-Transfer-Encoding: 8bit\n"
            "Plural-Forms: nplurals=INTEGER; plural=EXPRESSION;\n"
        ),
    ),
)
_ABOUT: Final = (
    "# The texts of nimmt-companion. `make texts` writes this file; CONTRIBUTING.md says how to translate.\n"
)


class Translated(Value):
    """An entry of a catalogue with the remarks of its translators (lines that begin with "# ")."""

    entry: Entry
    remarks: tuple[str, ...] = ()
    obsolete: bool = False


def pot(templates: Iterable[Template]) -> str:
    """The text of nimmt.pot."""
    blocks = [_ABOUT + entry_lines(POT_HEADER)]
    blocks += [_described(one) + entry_lines(_empty(one, 2)) for one in templates]
    return "\n".join(blocks)


def new(language: str) -> str:
    """The text of a catalogue without any entry. Its translators correct the plural forms."""
    plurals = "nplurals=2; plural=(n != 1);"
    header = POT_HEADER.forms[0].replace("nplurals=INTEGER; plural=EXPRESSION;", plurals)
    return _ABOUT + entry_lines(Entry("", forms=(f"{header}Language: {language}\n",)))


def merged(po: str, templates: Iterable[Template], forms: int) -> str:
    """A catalogue with exactly these templates; `forms` is the number of plural forms of its language."""
    there = {one.entry.key: one for one in sorted(_translated(po), key=lambda one: not one.obsolete)}
    header = there.pop(("", ""), Translated(POT_HEADER))
    remarks = "".join(f"{line}\n" for line in header.remarks) or _ABOUT
    blocks = [remarks + entry_lines(header.entry)]
    for template in templates:
        empty = _empty(template, forms)
        old = there.pop(template.key, None)
        entry = empty
        if old is not None and bool(old.entry.plural) == bool(template.plural):
            entry = replace(old.entry, plural=template.plural, forms=old.entry.forms or empty.forms)
        kept = "".join(f"{line}\n" for line in old.remarks) if old else ""
        blocks.append(kept + _described(template, fuzzy=entry.fuzzy) + entry_lines(entry))
    blocks += [
        re.sub(r"^", "#~ ", entry_lines(one.entry)[:-1], flags=re.MULTILINE) + "\n"
        for _, one in sorted(there.items())
        if any(one.entry.forms)
    ]
    return "\n".join(blocks)


def _translated(po: str) -> Iterator[Translated]:
    for block in re.split(r"\n\s*\n", po.replace("\r\n", "\n")):
        remarks = tuple(line for line in block.splitlines() if line == "#" or line.startswith("# "))
        obsolete = block.startswith("#~")
        for entry in read(re.sub(r"^#~ ", "", block, flags=re.MULTILINE) if obsolete else block):
            yield Translated(entry, remarks, obsolete)


def _empty(template: Template, forms: int) -> Entry:
    blanks = ("",) * (forms if template.plural else 1)
    return Entry(template.template, template.plural, template.context, blanks)


def _described(template: Template, *, fuzzy: bool = False) -> str:
    flags = ["fuzzy"] * fuzzy
    if _FIELD.search(template.template + template.plural):
        flags.append("python-brace-format")
    lines = [f"#. {comment}" for comment in template.comments]
    lines += [f"#: {file}" for file in template.files]
    if flags:
        lines.append(f"#, {', '.join(flags)}")
    return "".join(f"{line}\n" for line in lines)


def entry_lines(entry: Entry) -> str:
    """An entry as it is written in a catalogue, without comments."""
    lines = []
    if entry.context:
        lines.append(f"msgctxt {_quoted(entry.context)}")
    lines.append(f"msgid {_quoted(entry.template)}")
    if entry.plural:
        lines.append(f"msgid_plural {_quoted(entry.plural)}")
        lines += [f"msgstr[{number}] {_quoted(form)}" for number, form in enumerate(entry.forms)]
    else:
        lines.append(f"msgstr {_quoted(entry.forms[0])}")
    return "\n".join(lines) + "\n"


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\t", "\\t")
    lines = [line.replace("\n", "\\n") for line in escaped.splitlines(keepends=True)]
    if len(lines) < 2:
        return f'"{"".join(lines)}"'
    return '""\n' + "\n".join(f'"{line}"' for line in lines)
