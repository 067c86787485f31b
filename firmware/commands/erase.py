"""`nimmt erase`: remove a person from all stored data; the badge is given twice to confirm."""

import argparse

from companion.core.codes import BADGES
from companion.text.errors import CompanionError
from companion.text.sentence import count, say
from firmware.commands.declared import AT_HOME, Command, Example
from firmware.commands.language import spoken
from firmware.commands.stored import opened, opened_to_write, place
from firmware.config.configuration import Config, load
from firmware.history.erasing import copies_beside, erase, traces
from firmware.text.translation import Translator


def run(args: argparse.Namespace) -> int:
    """With the badge once, show what would be erased; with the badge twice, erase it."""
    badge = args.badge
    if badge not in BADGES or args.again not in (None, badge):
        raise CompanionError(
            say("there is no badge {badge}", badge=badge)
            if badge not in BADGES
            else say("{badge} and {again} are different badges", badge=badge, again=args.again),
            say(
                "type one badge from {badges} to {badges_2} twice, as in: nimmt erase 3 3",
                badges=BADGES[0],
                badges_2=BADGES[-1],
            ),
        )
    config, t = load(args.config), spoken(args.config)
    if args.again is None:
        with opened(args) as stored:
            found = traces(stored.journal, badge)
        would = count(
            "badge {badge} would become anonymous, in {count} match; all totals stay",
            "badge {badge} would become anonymous, in {count} matches; all totals stay",
            len(found.matches),
            badge=str(badge),
        )
        print(t.say(would))
        print(
            t(
                "nothing was changed; to erase it, type its number twice: nimmt erase {badge} {badge}",
                badge=str(badge),
            )
        )
        return 0
    with opened_to_write(args, config) as journal:
        found = erase(journal, badge)
    erased = count(
        "badge {badge} is now anonymous, in {count} match; all totals stay",
        "badge {badge} is now anonymous, in {count} matches; all totals stay",
        len(found.matches),
        badge=str(badge),
    )
    print(t.say(erased))
    _say_what_is_left(args, config, badge, t)
    return 0


def _say_what_is_left(args: argparse.Namespace, config: Config, badge: int, t: Translator) -> None:
    names = config.table.names
    if badge <= len(names):
        print(
            t(
                "The name {name} is still in {file}, in the list names under [table]: change it there, then "
                "restart nimmt, which updates its copy (last-good.toml).",
                name=repr(names[badge - 1]),
                file=args.config,
            )
        )
    if copies := copies_beside(place(args, config)):
        print(
            t("Older copies of the journal may still contain the badge; delete those that you do not need:")
        )
        for copy in copies:
            print(f"  {copy}")


def _options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("badge", type=int, help="the number on the badge, 1 to 10")
    parser.add_argument(
        "again", type=int, nargs="?", help="the same number again to confirm; without it nothing is erased"
    )


COMMAND = Command(
    help="remove a person from all stored data; the totals stay",
    run=run,
    options=_options,
    config=True,
    journal=True,
    epilog="More, with examples: docs/records.md",
    examples=(
        Example("nimmt erase 3", given=AT_HOME),
        Example("nimmt erase 2 2", given=AT_HOME),
    ),
)
