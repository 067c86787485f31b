"""Brings docs/referee.md up to date with the program: the answers of its examples and its tables of rules.

`python -m tools.referee_page` writes the page; a test compares it with the program. All other text of the
page is written by hand.

Every chapter begins with a new referee. A line `$ nimmt referee --journal FILE` starts it again with a
journal; the journal is kept until the chapter ends.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from companion.core import games
from companion.core.ruling import Rule
from companion.match import commands as match_commands
from companion.match import match
from companion.protocol.referee import Referee
from firmware import __version__
from firmware.commands.referee import with_journal
from firmware.journal.store import Journal

PAGE: Final = Path(__file__).parents[1] / "docs" / "referee.md"

_EXCHANGE: Final = re.compile(
    r"^(?:\$ nimmt referee --journal (?P<journal>\S+)|> (?P<request>.+)\n< .+)$", re.MULTILINE
)
_CHAPTER: Final = re.compile(r"(?=^## )", re.MULTILINE)
_TIME: Final = "2026-02-21 19:30:00+01:00"
"""What the clock says whenever something is saved for the page."""
_TABLE: Final = re.compile(
    r"(?<=^\| key \| rule \| where to find it \|\n\|---\|---\|---\|\n)(?:\|.*\n)+", re.MULTILINE
)
_REFUSAL: Final = re.compile(r'^\{"ok": false, .*\}$', re.MULTILINE)
_EVERY_MATCH: Final = "The score of a match"


def main() -> None:
    PAGE.write_text(up_to_date(PAGE.read_text(encoding="utf-8")), encoding="utf-8")


def up_to_date(page: str) -> str:
    """The page with the answers that the referee gives today, and the rules as they are now."""
    refusals: list[str] = []
    chapters = [_answered(chapter, refusals) for chapter in _CHAPTER.split(page)]
    chapters = [_REFUSAL.sub(lambda _: refusals[0], chapter) for chapter in chapters]
    return "".join(_with_rules(chapter) for chapter in chapters)


def _with_rules(chapter: str) -> str:
    return _TABLE.sub(lambda _: _rows(_rules_of(chapter)), chapter)


def _answered(chapter: str, refusals: list[str]) -> str:
    """A chapter with the answers of today. The refusals among them are added to `refusals`."""
    with TemporaryDirectory() as folder, ExitStack() as stack:
        referee = Referee(version=__version__)

        def answered(exchange: re.Match[str]) -> str:
            nonlocal referee
            if exchange["journal"]:
                stack.close()
                journal, _ = Journal.open(Path(folder) / exchange["journal"], wall=lambda: _TIME)
                stack.callback(journal.close)
                referee = with_journal(journal)
                return exchange[0]
            answer = referee.reply(exchange["request"].encode()).decode()
            if not answer.startswith('{"ok": true'):
                refusals.append(answer)
            return f"> {exchange['request']}\n< {answer}"

        return _EXCHANGE.sub(answered, chapter)


def _rules_of(chapter: str) -> Iterable[Rule]:
    """The rules of the game that a chapter is about, or of every match."""
    title = chapter.partition("\n")[0].removeprefix("## ")
    if title == _EVERY_MATCH:
        return (match.UNDO, match.OVER, *match_commands.RULES)
    modules = (games.module(key) for key in games.GAMES)
    chosen = next(one for one in modules if title.upper() == one.TITLE)
    return chosen.make(chosen.SEATS[0], {}).rules.values()


def _rows(rules: Iterable[Rule]) -> str:
    return "".join(f"| `{rule.key}` | {rule.full} | {rule.source} |\n" for rule in rules)


if __name__ == "__main__":
    main()
