"""The sections `[rules.<game>]`: house rules for every match of a game, checked by the game itself."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from companion.core import games
from companion.text.errors import CompanionError, did_you_mean
from companion.text.sentence import say

if TYPE_CHECKING:
    from collections.abc import Mapping

    from firmware.config.reader import Findings

SECTION: Final = "rules"


def read_rules(tables: Mapping[str, object], findings: Findings) -> Mapping[str, Mapping[str, Any]]:
    """The options by game, each set checked by the game itself; every fault is reported."""
    given = tables.get(SECTION, {})
    if not isinstance(given, dict):
        findings.add(
            SECTION, given, say("is a value, not a section"), say("write [rules.six], and options below")
        )
        return {}
    rules: dict[str, Mapping[str, Any]] = {}
    for key, options in given.items():
        path = f"{SECTION}.{key}"
        if key not in games.GAMES:
            findings.add(path, None, say("is not a known game"), did_you_mean(key, games.GAMES))
        elif not isinstance(options, dict):
            fix = say("write [{path}] and its options below", path=path)
            findings.add(path, options, say("is a value, not a section"), fix)
        elif (fault := _fault(key, options)) is not None:
            findings.add(path, None, fault.fault_text, fault.fix_text)
        else:
            rules[key] = options
    return rules


def _fault(key: str, options: Mapping[str, Any]) -> CompanionError | None:
    """Why these options allow no number of players; None if some number can play."""
    module, fault = games.module(key), None
    for seats in module.SEATS:
        try:
            module.make(seats, options)
        except CompanionError as bad:
            fault = fault or bad
        else:
            return None
    return fault
