"""What the journal needs now and then, done in small portions while nobody plays.

- Each match of the past is read once after a start: are all its steps there, as they were?
- A match that has no summary gets one.
- SQLite checks the pages of the file.
- The best results of each badge are noted, to compare the next match with them.
- If the configuration limits how many matches are kept, the oldest finished ones are removed.

A portion takes a few milliseconds on a laptop, so that a card that is scanned meanwhile does not wait.
"""

from __future__ import annotations

import logging
from collections import deque
from typing import TYPE_CHECKING, Any, Final

from companion.match import log
from companion.match.match import begin
from companion.text.errors import CompanionError
from firmware.history import best_results
from firmware.history.played_match import played_match
from firmware.history.summary import kept, summary_slowly
from firmware.journal.errors import DamagedMatch, JournalError
from firmware.text.translation import Translator

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterator

    from firmware.journal.store import Journal

_LOG: Final = logging.getLogger(__name__)

PAGES_BYTES: Final = 32 * 1024 * 1024
"""Up to this size SQLite checks the pages of the whole file, which it cannot do in portions.

It would hold up the loop for longer than the watchdog allows where the card is slow. Every row has been read
by then, so what is left unchecked in a larger file are pages that hold nothing; `nimmt backup` checks them.
"""

STEPS_AT_ONCE: Final = 16
"""So many steps are read or replayed in one portion."""


class Upkeep:
    """The work on one journal. Used by the thread that owns the journal.

    `damages` are sentences about what was found, with what to do. `checked` counts the matches that were
    read; `finished` says that all were, and that the check of the pages came to its end. `in_play` gives the
    match that is left alone, `stop` says that somebody waits. `keep_matches` is how many matches are kept, 0
    for all.
    """

    def __init__(
        self,
        journal: Journal,
        in_play: Callable[[], int | None],
        keep_matches: int = 0,
        stop: Callable[[], bool] = lambda: False,
    ) -> None:
        self._journal = journal
        self._in_play = in_play
        self._keep_matches = keep_matches
        self._stop = stop
        self._todo: deque[Iterator[None]] = deque([self._whole()])
        self.damages: dict[str, str] = {}
        self.checked = 0
        self.finished = False
        self._best: best_results.Best = {}
        self._counted: set[int] = set()

    def portion(self) -> bool:
        """Do the next portion; whether there is more to do. Raises nothing: a broken disk shows elsewhere."""
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

    def match_left(self, match_id: int) -> None:
        """A match is over or was left: look after it, and after how many there are."""
        self._todo.append(self._left(match_id))

    def _whole(self) -> Iterator[None]:
        after = 0
        while numbers := self._journal.numbers(after, 1):
            (after,) = numbers
            yield from self._match(after)
            self.checked += 1
        if (missing := self._journal.fault_of_count()) is not None:
            self.damages[str(missing)] = "a backup may have the others: nimmt restore"
        yield
        if self._journal.size().used_bytes <= PAGES_BYTES:
            done, fault = self._journal.check_pages(self._stop)
            while not done:  # somebody has scanned a card; once more when it is quiet again
                yield
                done, fault = self._journal.check_pages(self._stop)
            if fault is not None:
                self.damages[f"the file of the journal: {fault}"] = (
                    "save what can be read: nimmt export --all"
                )
        self.finished = True
        self._keep_best()
        yield from self._removal()

    def _left(self, match_id: int) -> Iterator[None]:
        yield from self._match(match_id)
        self._keep_best()
        yield from self._removal()

    def _match(self, match_id: int) -> Iterator[None]:
        """Read a match, and derive its summary if it has none."""
        if match_id == self._in_play():
            return
        try:
            entry = self._journal.entry(match_id)
            steps = []
            for step in self._journal.timed_steps(match_id):
                steps.append(step)
                if len(steps) % STEPS_AT_ONCE == 0:
                    yield
            summary = kept(entry)
            if summary is None or summary["taken"] is None:
                yield
                summary = yield from _derived(entry, steps)
                self._journal.summarise(match_id, len(steps), summary)
            if match_id not in self._counted:
                best_results.add(self._best, entry.header, summary)
                self._counted.add(match_id)
        except DamagedMatch as bad:
            self.damages[bad.fault] = bad.fix
        except JournalError:
            raise
        except CompanionError as bad:  # its game is not installed, say: nothing is wrong with the journal
            _LOG.info("match %d has no summary: %s", match_id, bad)
        yield

    def forget(self, badge: int) -> None:
        """A badge was erased: it is no longer in the journal."""
        self._best = best_results.without(self._best, badge)

    def _keep_best(self) -> None:
        """Note the best results once all matches were read; until then those of the last time are kept."""
        if self.finished and best_results.read(self._journal.recall(best_results.NOTE)) != self._best:
            self._journal.remember(best_results.NOTE, self._best)

    def _removal(self) -> Iterator[None]:
        """Remove the oldest matches that are over, until few enough are left or all others are not over."""
        after = 0
        while 0 < self._keep_matches < self._journal.size().matches:
            numbers = self._journal.numbers(after, 1)
            if not numbers:
                return
            (after,) = numbers
            try:
                summary = kept(self._journal.entry(after))
            except DamagedMatch:
                continue  # somebody may want to repair it
            if after != self._in_play() and summary is not None and summary["over"]:
                self._journal.remove(after)
            yield


def _derived(entry: Any, steps: list[tuple[dict[str, Any], str]]) -> Generator[None, None, dict[str, Any]]:  # noqa: ANN401
    match = begin(log.read_header(entry.header))
    for number, (record, _) in enumerate(steps, start=1):
        match = match.then(log.read_step(record, match.game))
        if number % STEPS_AT_ONCE == 0:
            yield
    past = played_match(match, entry, [at for _, at in steps], ())
    return (yield from summary_slowly(past, Translator()))
