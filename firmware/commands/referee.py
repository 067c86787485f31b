"""`nimmt referee`: answers requests from standard input, one per line; see `companion.protocol.referee`."""

import sys
from collections.abc import Iterator
from contextlib import ExitStack
from datetime import datetime
from pathlib import Path
from typing import BinaryIO

from companion.match.log import header, replay, write_step
from companion.match.match import Match, Step, Terms
from companion.match.tally import tally_after
from companion.protocol.messages import StoredMatch
from companion.protocol.referee import LONGEST_LINE, Referee
from companion.text.errors import CompanionError, InvalidRecord, quoted
from firmware import __version__
from firmware.commands.declared import Command, path
from firmware.journal.errors import JournalError
from firmware.journal.store import Journal
from firmware.journal.writes import Append

_DRAIN_BYTES = 65_536
_INTERRUPTED = 130  # 128 and SIGINT, as shells say it


def run(journal: Path | None) -> int:
    """Answer every line of standard input with one line of standard output, until the input ends.

    With a `journal` every match and every step is on the disk before it is answered; what the
    journal refuses is refused. Blocks. Nothing but answers goes to standard output, complaints
    about the journal go to standard error.

    The exit status: 0 at the end of the input; 130 after Ctrl-C; 1 when the journal cannot be opened. Raises
    `OSError` when the answers cannot be written.
    """
    with ExitStack() as stack:
        try:
            if journal is None:
                referee = Referee(version=__version__)
            else:
                referee = with_journal(_opened(journal, stack))
            for line in _lines(sys.stdin.buffer):
                sys.stdout.buffer.write(referee.reply(line) + b"\n")
                sys.stdout.buffer.flush()
        except KeyboardInterrupt:
            return _INTERRUPTED
        except JournalError as bad:
            print(f"nimmt referee: {bad.fault}\n  {bad.fix}", file=sys.stderr)
            return 1
    return 0


class JournalStore:
    """The matches of one referee in a journal. All members raise `JournalError`."""

    def __init__(self, journal: Journal) -> None:
        self._journal = journal
        self._match_id = 0

    def began(self, terms: Terms) -> int:
        """Save a new match: its number."""
        self._match_id = self._journal.begin(header(terms))
        return self._match_id

    def stepped(self, step: Step, before: Match, after: Match) -> None:
        """Save a step of the match that was begun or resumed last."""
        record = write_step(step, sentences=False)
        self._journal.write([Append(self._match_id, step.number, record, tally=tally_after(before, after))])

    def matches(self) -> Iterator[StoredMatch]:
        """What the journal says of each match, the newest first."""
        for entry in reversed(self._journal.reader.matches()):
            yield StoredMatch(
                number=entry.id,
                game=entry.header.get("game", ""),
                seats=entry.header.get("seats", 0),
                badges=entry.header.get("badges", []),
                begun=entry.started_at,
                last=entry.last_at,
                steps=entry.steps,
            )

    def resume(self, number: int) -> Match:
        """The match of that number, read back from the journal.

        Raises `CompanionError` where the number is unknown or the match cannot be read.
        """
        if not self._journal.reader.has(number):
            newest = self._journal.reader.latest()
            known = f"use a number from 1 to {newest}" if newest else "start one with new"
            raise InvalidRecord(f"there is no match {quoted(number)} in the journal", known)
        try:
            match = replay([self._journal.reader.entry(number).header, *self._journal.reader.steps(number)])
        except JournalError:
            raise
        except CompanionError as bad:
            raise InvalidRecord(f"match {number} cannot be resumed: {bad.fault}", bad.fix) from bad
        self._match_id = number
        return match


def with_journal(journal: Journal) -> Referee:
    """A referee that saves every match and step in a journal, and resumes the matches in it."""
    store = JournalStore(journal)
    return Referee(store.began, store.stepped, store, __version__)


def _opened(path: Path, stack: ExitStack) -> Journal:
    """The journal at `path`, closed with the `stack`; what was wrong with it goes to standard error."""
    journal, report = Journal.open(path, wall=_wall)
    stack.callback(journal.close)
    if report.fault:
        print(f"nimmt referee: {report.fault}\n  {report.fix}", file=sys.stderr)
    return journal


def _wall() -> str:
    return datetime.now().astimezone().isoformat(sep=" ", timespec="seconds")


def _lines(stream: BinaryIO) -> Iterator[bytes]:
    """The lines of a stream without their line ends; the last line may lack one.

    Of a line that is too long, only enough is kept to recognise that.
    """
    while (line := stream.readline(LONGEST_LINE + 1)) not in (b"", b"\0"):  # UTF-16 ends with half a LF
        if not line.endswith(b"\n"):
            rest = line
            while rest and not rest.endswith(b"\n"):
                rest = stream.readline(_DRAIN_BYTES)
        yield line.removesuffix(b"\n")


COMMAND = Command(
    help="referee a match for another program: JSON lines in, JSON lines out",
    run=lambda args: run(args.journal),
    options=(path("--journal", help="save every step in this journal file, and resume matches from it"),),
    streams=frozenset({0, 1}),
    examples=("""echo '{"new": "six", "seats": 2}' | nimmt referee""",),
)
