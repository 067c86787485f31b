"""What is wrong with a catalogue: translations that cannot be filled in, and those that are missing."""

from __future__ import annotations

from string import Formatter
from typing import TYPE_CHECKING

from firmware.text.catalogue import Entry, plural_rule, read

if TYPE_CHECKING:
    from collections.abc import Iterator


def faults(po: str, *, complete: bool) -> Iterator[str]:
    """Each fault of a catalogue in a line. A `complete` one must have every translation, and no fuzzy one."""
    entries = {entry.key: entry for entry in read(po)}
    header = entries.pop(("", ""), None)
    try:
        forms, rule = plural_rule(header.forms[0] if header else "")
    except ValueError as bad:
        yield f"the plural forms of the header cannot be read: {bad}"
        return
    if {rule(number) for number in range(1000)} - set(range(forms)):
        yield f"the rule of the header gives other plural forms than 0 to {forms - 1}"
    for entry in entries.values():
        yield from (f"{entry.template!r}: {fault}" for fault in _of(entry, forms, complete=complete))


def _of(entry: Entry, forms: int, *, complete: bool) -> Iterator[str]:
    if not any(entry.forms):
        if complete:
            yield "has no translation"
        return
    if entry.fuzzy and complete:
        yield "is fuzzy: somebody has to say whether the translation is right"
    if len(entry.forms) != (forms if entry.plural else 1) or not all(entry.forms):
        yield f"needs {forms} plural forms, and has {sum(map(bool, entry.forms))}"
    try:
        fields = _fields(entry.template) | _fields(entry.plural)
    except ValueError as bad:
        yield f"cannot be filled in: {bad}"
        return
    # A plural form may leave its number out ("one card"), and name what only one of the English forms names.
    free = {"count"} if entry.plural else set()
    for form in filter(None, entry.forms):
        try:
            others = (_fields(form) | free) ^ (fields | free)
        except ValueError as bad:
            yield f"{form!r} cannot be filled in: {bad}"
            continue
        if others:
            yield f"{form!r} has other fields: {', '.join(sorted(others))}"


def _fields(template: str) -> set[str]:
    """The fields of a template. Raises ValueError for one that is more than a name."""
    fields = set()
    for _, name, how, conversion in Formatter().parse(template):
        if name is not None:
            if how or conversion or not name.isidentifier():
                raise ValueError(f"write {{{name.partition('.')[0]}}} and nothing else in the braces")
            fields.add(name)
    return fields
