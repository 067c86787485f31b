"""`nimmt erase`: forget a person in everything that is stored; the badge is named twice, as scans are."""

from __future__ import annotations

from contextlib import closing
from typing import TYPE_CHECKING

from companion.codes import BADGES
from companion.errors import CompanionError
from firmware.build import wall
from firmware.commands.stored import opened, place
from firmware.config import load
from firmware.journal import Journal
from firmware.records.erasing import Traces, copies_beside, erase, traces

if TYPE_CHECKING:
    import argparse

    from firmware.config import Config


def run(words: argparse.Namespace) -> int:
    """With the badge once, say what would go; with the badge twice, erase it."""
    badge = words.badge
    if badge not in BADGES or words.again not in (None, badge):
        raise CompanionError(
            f"there is no badge {badge}"
            if badge not in BADGES
            else f"{badge} and {words.again} are two badges",
            f"name one badge from {BADGES[0]} to {BADGES[-1]} twice, as in: nimmt erase 3 3",
        )
    config = load(words.config)
    if words.again is None:
        with opened(words) as stored:
            _say(traces(stored.journal, badge), "would become nobody's")
        print(f"nothing has been changed; to erase it, name it twice: nimmt erase {badge} {badge}")
        return 0
    path = place(words, config)
    journal, _ = Journal.open(path, wall=wall)
    with closing(journal):
        _say(erase(journal, badge), "is nobody's now")
    _say_what_is_left(words, config, badge)
    return 0


def _say(found: Traces, becomes: str) -> None:
    matches = "1 match" if len(found.matches) == 1 else f"{len(found.matches)} matches"
    print(f"badge {found.badge} {becomes}, in {matches}; every total stays")


def _say_what_is_left(words: argparse.Namespace, config: Config, badge: int) -> None:
    names = config.table.names
    if badge <= len(names):
        print(
            f"The name {names[badge - 1]!r} stands in {words.config}, under [table], names: put another"
            " in its place there, then start nimmt, which renews its copy (last-good.toml)."
        )
    if copies := copies_beside(place(words, config)):
        print("Older copies of the journal may still know the badge; remove those that you do not need:")
        for copy in copies:
            print(f"  {copy}")
