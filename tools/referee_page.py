"""Brings docs/referee.md up to date with the program: the answers of its examples and its tables of rules.

`python -m tools.referee_page` writes the page; a test compares it with the program. All other text of the
page is written by hand.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING, Final

from companion import games, match, match_commands
from companion.protocol import Referee

if TYPE_CHECKING:
    from collections.abc import Iterable

    from companion.ruling import Rule

PAGE: Final = Path(__file__).parents[1] / "docs" / "referee.md"

_EXCHANGE: Final = re.compile(r"^> (.+)\n< .+$", re.MULTILINE)
_TABLE: Final = re.compile(
    r"(?<=^\| key \| rule \| where to find it \|\n\|---\|---\|---\|\n)(?:\|.*\n)+", re.MULTILINE
)
_REFUSAL: Final = re.compile(r'^\{"ok": false, .*\}$', re.MULTILINE)
_EVERY_MATCH: Final = "The score of a match"


def main() -> None:
    """Write the page again."""
    PAGE.write_text(up_to_date(PAGE.read_text(encoding="utf-8")), encoding="utf-8")


def up_to_date(page: str) -> str:
    """The page with the answers that the referee gives today, and the rules as they are now."""
    referee = Referee()
    refusals: list[str] = []

    def answered(exchange: re.Match[str]) -> str:
        answer = json.dumps(referee.answer(exchange[1].encode()))
        if not answer.startswith('{"ok": true'):
            refusals.append(answer)
        return f"> {exchange[1]}\n< {answer}"

    page = _EXCHANGE.sub(answered, page)
    page = _REFUSAL.sub(lambda _: refusals[0], page)
    chapters = re.split(r"(?=^## )", page, flags=re.MULTILINE)
    return "".join(_TABLE.sub(lambda _, one=one: _rows(_rules_of(one)), one) for one in chapters)


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
