"""`nimmt referee`: answers requests from standard input, one per line; see `companion.protocol`."""

from __future__ import annotations

import json
import os
import sys
from contextlib import ExitStack
from datetime import datetime
from typing import TYPE_CHECKING, BinaryIO

from companion.log import header, write_step
from companion.protocol import LONGEST_LINE, Referee
from firmware.journal.store import Journal, JournalError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from companion.match import Step, Terms

_DRAIN_BYTES = 65_536
_INTERRUPTED = 130  # 128 and SIGINT, as shells say it


def run(journal: Path | None) -> int:
    """Answer every line of standard input with one line of standard output, until the input ends.

    With a `journal` every match and every step is on the disk before it is answered; what the
    journal refuses is refused. Blocks. Nothing but answers goes to standard output, complaints
    about the journal go to standard error.

    The exit status: 0 at the end of the input, or when nobody reads the answers any more; 130
    after Ctrl-C; 1 when the journal cannot be opened.
    """
    with ExitStack() as stack:
        try:
            referee = Referee() if journal is None else _journalled(journal, stack)
            for line in _lines(sys.stdin.buffer):
                sys.stdout.write(json.dumps(referee.answer(line)) + "\n")
                sys.stdout.flush()
        except BrokenPipeError:
            _forget_output()
        except KeyboardInterrupt:
            return _INTERRUPTED
        except JournalError as bad:
            print(f"nimmt referee: {bad.fault}: {bad.fix}", file=sys.stderr)
            return 1
    return 0


class _Saved:
    """The matches of one referee in a journal; `began` and `stepped` raise `JournalError`."""

    def __init__(self, journal: Journal) -> None:
        self._journal = journal
        self._match_id = 0

    def began(self, terms: Terms) -> None:
        self._match_id = self._journal.begin(header(terms))

    def stepped(self, step: Step) -> None:
        self._journal.append(self._match_id, step.number, write_step(step))


def _journalled(path: Path, stack: ExitStack) -> Referee:
    journal, report = Journal.open(path, wall=_wall)
    stack.callback(journal.close)
    if report.fault:
        print(f"nimmt referee: {report.fault}: {report.fix}", file=sys.stderr)
    saved = _Saved(journal)
    return Referee(saved.began, saved.stepped)


def _wall() -> str:
    return datetime.now().astimezone().isoformat(sep=" ", timespec="seconds")


def _lines(stream: BinaryIO) -> Iterator[bytes]:
    """The lines of a stream without their line ends; the last line may lack one.

    Of a line that is too long, only enough is kept to recognise that.
    """
    while line := stream.readline(LONGEST_LINE + 1):
        if not line.endswith(b"\n"):
            rest = line
            while rest and not rest.endswith(b"\n"):
                rest = stream.readline(_DRAIN_BYTES)
        yield line.removesuffix(b"\n")


def _forget_output() -> None:
    # Python flushes standard output once more when it ends, and would complain about the closed pipe then:
    # https://docs.python.org/3/library/signal.html#note-on-sigpipe
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())
    os.close(nowhere)
