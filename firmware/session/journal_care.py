"""Looking after the journal while nobody plays, and telling how it is.

- Each match of the past is read once after a start: are all its steps there, as they were?
- SQLite checks the pages of the file.
- The best results of each badge are noted, to compare the next match with them.
- If the configuration limits how many matches are kept, the oldest finished ones are removed.

A portion takes a few milliseconds on a laptop, so that a card that is scanned meanwhile does not wait.
"""

import logging
from collections import deque
from collections.abc import Callable, Iterator
from typing import Any, Final

from companion.text.errors import CompanionError
from firmware.history import results
from firmware.history.results import Best
from firmware.journal.errors import DamagedMatch, JournalError
from firmware.journal.rows import MatchEntry
from firmware.journal.store import Journal
from firmware.journal.writes import Note, Remove

_LOG: Final = logging.getLogger(__name__)

PAGES_BYTES: Final = 32 * 1024 * 1024
"""Up to this size SQLite checks the pages of the whole file, which it cannot do in portions.

It would hold up the loop for longer than the watchdog allows where the card is slow. Every row has been read
by then, so what is left unchecked in a larger file are pages that hold nothing; `nimmt backup` checks them.
"""

STEPS_AT_ONCE: Final = 16
"""So many steps are read in one portion."""


class JournalCare:
    """The care of one journal, from the first call of `portion` on, by the thread that owns the journal.

    `in_play` gives the match that is left alone; `keep_matches` is how many matches are kept, 0 for all.
    `damages` are sentences about what was found in earlier matches since the start, with what to do.
    """

    def __init__(self, journal: Journal, in_play: Callable[[], int | None], keep_matches: int = 0) -> None:
        self._journal, self._in_play, self._keep_matches = journal, in_play, keep_matches
        self._stop: Callable[[], bool] = lambda: False
        self._todo: deque[Iterator[None]] = deque([self._whole()])
        self.damages: dict[str, str] = {}
        self._checked = 0
        self._all_checked = False
        self._best: Best = {}
        self._counted: set[int] = set()

    def checkpoint(self) -> None:
        """Let the journal shorten its log; called when nothing else is to be done."""
        self._journal.checkpoint()

    def portion(self, stop: Callable[[], bool]) -> bool:
        """Do a small portion of what the journal needs; whether there is more to do.

        Called when nothing else is to be done; `stop` says that somebody waits. Raises nothing: a broken disk
        shows elsewhere.
        """
        self._stop = stop
        try:
            next(self._todo[0])
        except StopIteration:
            self._todo.popleft()
        except IndexError:
            return False
        except JournalError as bad:
            _LOG.warning("the journal could not be looked after: %s", bad)
            self._todo.popleft()
        return bool(self._todo)

    def match_left(self, match_id: int | None) -> None:
        """Note that a match is no longer in play."""
        if match_id is not None:
            self._todo.append(self._left(match_id))

    def forget(self, badge: int) -> None:
        """Note that a badge was erased: it is no longer in the journal."""
        self._best = results.best_without(self._best, badge)

    def state(self) -> dict[str, Any] | None:
        """How large the journal is and how much of it was checked; None if it cannot be read."""
        try:
            size = self._journal.reader.size()
        except JournalError:
            return None
        return {
            "matches": size.matches,
            "bytes": size.used_bytes,
            "free_bytes": size.free_bytes,
            "checked": self._checked,
            "all_checked": self._all_checked,
            "damaged": len(self.damages),
        }

    def _whole(self) -> Iterator[None]:
        after = 0
        while numbers := self._journal.reader.numbers(after, 1):
            (after,) = numbers
            yield from self._match(after)
            self._checked += 1
        if (missing := self._journal.reader.fault_of_count()) is not None:
            self.damages[str(missing)] = "a backup may have the others: nimmt restore"
        yield
        if self._journal.reader.size().used_bytes <= PAGES_BYTES:
            done, fault = self._journal.reader.check_pages(self._stop)
            while not done:  # somebody has scanned a card; once more when it is quiet again
                yield
                done, fault = self._journal.reader.check_pages(self._stop)
            if fault is not None:
                self.damages[f"the file of the journal: {fault}"] = (
                    "save what can be read: nimmt export --all"
                )
        self._all_checked = True
        self._note_best()
        yield from self._removal()

    def _left(self, match_id: int) -> Iterator[None]:
        if not self._journal.reader.has(match_id):
            return  # it had no step, and has left no trace
        yield from self._match(match_id)
        self._note_best()
        yield from self._removal()

    def _match(self, match_id: int) -> Iterator[None]:
        if match_id == self._in_play():
            return
        try:
            entry = self._journal.reader.entry(match_id)
            for number, _ in enumerate(self._journal.reader.steps(match_id), start=1):
                if number % STEPS_AT_ONCE == 0:
                    yield
            self._count(entry)
        except DamagedMatch as bad:
            self.damages[bad.fault] = bad.fix
        yield

    def _count(self, entry: MatchEntry) -> None:
        if entry.tally is None or not entry.tally.over or entry.id in self._counted:
            return
        try:
            results.add_best(self._best, entry.header, entry.tally)
        except CompanionError as bad:  # its game is not installed, say: nothing is wrong with the journal
            _LOG.info("match %d is not counted: %s", entry.id, bad)
        self._counted.add(entry.id)

    def _note_best(self) -> None:
        """Note the best results, once all matches were read; until then those of the last time are kept."""
        if self._all_checked and results.read_best(self._journal.recall(results.BEST_NOTE)) != self._best:
            self._journal.write([Note(results.BEST_NOTE, self._best)])

    def _removal(self) -> Iterator[None]:
        """Remove the oldest matches that are over, until few enough are left or all others are not over."""
        after = 0
        while 0 < self._keep_matches < self._journal.reader.size().matches:
            numbers = self._journal.reader.numbers(after, 1)
            if not numbers:
                return
            (after,) = numbers
            try:
                tally = self._journal.reader.entry(after).tally
            except DamagedMatch:
                continue  # somebody may want to repair it
            if after != self._in_play() and tally is not None and tally.over:
                self._journal.write([Remove(after)])
            yield
