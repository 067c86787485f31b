"""A whole journal: a verified copy and the way back, matches from elsewhere, a person to be forgotten.

`nimmt backup`, `nimmt restore`, `nimmt import`; `nimmt erase`, where the badge is given twice to confirm.
"""

import argparse
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from companion.core.codes import BADGES
from companion.text.errors import CompanionError
from firmware.commands.declared import about_records, counted, flag, option, path, whole
from firmware.commands.records import opened, place
from firmware.config.configuration import Config, load
from firmware.history import usb_stick
from firmware.history.erasing import copies_beside, erase, traces
from firmware.history.exported import matches_in, text_of
from firmware.history.played_match import replayed
from firmware.history.stored_matches import MatchHistory
from firmware.history.story import headline, outcome
from firmware.journal.copies import back_up, restore
from firmware.journal.store import Journal, wall
from firmware.text.translation import Translator


def run_backup(args: argparse.Namespace) -> int:
    """Write the copy and say where it is. Raises `CompanionError`, and leaves no partial file."""
    source = place(args, load(args.config))
    to: Path = usb_stick.newest().folder if args.usb else args.to or Path()
    if to.is_dir():
        to /= f"nimmt-journal-{''.join(letter for letter in wall() if letter.isalnum())}.sqlite"
    steps: list[int] = []
    back_up(source, to, lambda reader: steps.extend(replayed(reader)))
    print(f"{to}: {_counted(steps)}, all of them read back and replayed")
    return 0


def run_restore(args: argparse.Namespace) -> int:
    """Restore. Raises `CompanionError` while the device is running, and for an invalid file."""
    path = place(args, load(args.config))
    steps: list[int] = []
    aside = restore(path, args.file, lambda reader: steps.extend(replayed(reader)))
    print(f"{path} now has {_counted(steps)}, as in {args.file}")
    if aside is not None:
        print(f"the old journal is kept as {aside}")
    return 0


def _counted(steps: list[int]) -> str:
    return f"{counted(len(steps), 'match', 'matches')}, {sum(steps)} steps"


BACKUP = about_records(
    help="make a verified copy of the whole journal, even during play",
    run=run_backup,
    options=(
        path("to", nargs="?", metavar="TO", help="a new file or a folder (default: this folder)"),
        flag("--usb", help="write to the USB drive that was mounted last"),
    ),
)

RESTORE = about_records(
    help="replace the journal with a backup, and keep the old journal",
    run=run_restore,
    options=(path("file", help="a file from nimmt backup"),),
)


@contextmanager
def opened_to_write(args: argparse.Namespace, config: Config) -> Iterator[Journal]:
    """The journal for writing; the device must not be running. Raises `JournalError`."""
    journal, _ = Journal.open(place(args, config))
    with closing(journal):
        yield journal


def run_import(args: argparse.Namespace) -> int:
    """Read the whole file, replay every match, then save all of them at once; or report why not."""
    text = text_of(args.file)
    try:
        matches = matches_in(text)
    except CompanionError as bad:
        raise CompanionError(f"{args.file} was not imported: {bad.fault}", bad.fix) from bad
    config, english = load(args.config), Translator()
    with opened_to_write(args, config) as journal:
        stored = MatchHistory(journal.reader, config.table.names, english)
        for number in journal.import_matches(matches):
            past = stored.past(journal.reader.entry(number))
            print(f"{headline(past, english)}, {outcome(past, english)}")
    return 0


IMPORT = about_records(
    help="import matches from exported JSON lines into the journal",
    run=run_import,
    options=(path("file", help="JSON lines from nimmt export, with one or more matches"),),
)


def run_erase(args: argparse.Namespace) -> int:
    """With the badge once, show what would be erased; with the badge twice, erase it."""
    badge = args.badge
    if badge not in BADGES or args.again not in (None, badge):
        different = f"{badge} and {args.again} are different badges"
        raise CompanionError(
            different if badge in BADGES else f"there is no badge {badge}",
            f"type one badge from {BADGES[0]} to {BADGES[-1]} twice, as in: nimmt erase 3 3",
        )
    config = load(args.config)
    if args.again is None:
        with opened(args) as stored:
            found = traces(stored.journal, badge)
        where = counted(len(found.matches), "match", "matches")
        print(f"badge {badge} would become anonymous, in {where}; all totals stay")
        print(f"nothing was changed; to erase it, type its number twice: nimmt erase {badge} {badge}")
        return 0
    with opened_to_write(args, config) as journal:
        found = erase(journal, badge)
    where = counted(len(found.matches), "match", "matches")
    print(f"badge {badge} is now anonymous, in {where}; all totals stay")
    _say_what_is_left(args, config, badge)
    return 0


def _say_what_is_left(args: argparse.Namespace, config: Config, badge: int) -> None:
    names = config.table.names
    if badge <= len(names):
        print(
            f"The name {names[badge - 1]!r} is still in {args.config}, in the list names under "
            "[table]: change it there, then restart nimmt, which updates its copy "
            "(last-good.toml)."
        )
    if copies := copies_beside(place(args, config)):
        print("Older copies of the journal may still contain the badge; delete those that you do not need:")
        for copy in copies:
            print(f"  {copy}")


ERASE = about_records(
    help="remove a person from all stored data; the totals stay",
    examples=("nimmt erase 3", "nimmt erase 3 3"),
    run=run_erase,
    options=(
        option("badge", type=whole, help="the number on the badge, 1 to 10"),
        option("again", type=whole, nargs="?", help="the same number, to confirm: else nothing is erased"),
    ),
)
