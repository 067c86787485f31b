"""Sections of the configuration that optional parts and other distributions add, and keys in those of others.

An entry point of the group `nimmt.config` leads from the name of a section to the struct of its keys (see
`firmware.plugins`); where the section is there already, its keys join the others. It is imported when a file
names the section. The part itself reads it with `Config.section(Class)`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from companion.text.sentence import say
from firmware import plugins
from firmware.config.keys import keys_of

GROUP: Final = "nimmt.config"


def added_names() -> Sequence[str]:
    """The sections that something is added to, each once."""
    return tuple(dict.fromkeys(point.target for point in plugins.entry_points(GROUP)))


def added_to(section: str) -> tuple[list[type[Any]], list[plugins.Unusable]]:
    """The structs that are added to a section, and what is wrong with those that cannot be used."""
    found: list[type[Any]] = []
    faults = []
    for point in plugins.entry_points(GROUP):
        if point.target == section:
            try:
                found.append(_options(point))
            except plugins.Unusable as bad:
                faults.append(bad)
    return found, faults


def _options(point: plugins.EntryPoint) -> type[Any]:
    what = say("the section [{section}]", section=point.target)
    found: type[Any] = plugins.load(point, what)
    try:
        keys_of(found)
    except TypeError as bad:  # no struct, or one with a type that no file can hold
        whose = plugins.whose(point, what)
        raise plugins.Unusable(
            say("{what} cannot be read: {why}", what=whose, why=str(bad)), plugins.update(point)
        ) from bad
    return found
