"""Stored matches: lists, each match turn by turn, people, and files to take along.

The journal is opened for each request and closed after it: a reader that stays would keep the log of the
game's journal from being shortened. What is called here blocks, so the server calls it in threads.

Lists and people come from the stored summaries. A match turn by turn is replayed; of a long one others than
paired phones see a deal at once, and get no files. All is made in portions, none of which takes more than a
moment, however much was played.
"""

from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, closing, contextmanager
from copy import copy
from pathlib import Path
from typing import Any, Final

from starlette.exceptions import HTTPException

from companion.text.errors import CompanionError
from companion.text.sentence import Text, say
from companion.values import Value
from firmware.history import bgstats
from firmware.history.csv_export import as_csv
from firmware.history.exported import as_jsonl
from firmware.history.portions import Portions
from firmware.history.report import article, as_html
from firmware.history.statistics import count_in_portions, name_of
from firmware.history.stored_matches import Export, StoredMatches
from firmware.history.stored_time import read_time, shown
from firmware.journal.rows import MatchEntry
from firmware.journal.store import Journal
from firmware.paper.badges import LOOKS
from firmware.text.translation import Translator
from network.web.frame import Page

MATCHES: Final = Page("matches", say("Matches"))
PEOPLE: Final = Page("people", say("People"))
MATCH: Final = Page("one-match", say("Match"))

ON_A_PAGE: Final = 40
"""Matches in a list."""

LONG_STEPS: Final = 320
"""A match of more steps is shown to the unpaired deal by deal. One of four players has about 300."""


_PORTION: Final = 8192
"""Letters of a page or a file that are made in one portion."""


class FileKind(Value):
    """A file that a match can be taken along as: the end of its name, its type, what it is, and its parts."""

    ending: str
    media: str
    title: Text
    parts: Callable[[Export], Iterator[str]]


KINDS: Final[Mapping[str, FileKind]] = {
    "html": FileKind(
        "html",
        "text/html; charset=utf-8",
        say("Report to print or to send"),
        lambda export: as_html(export, LOOKS, export.stored.translate),
    ),
    "csv": FileKind("csv", "text/csv; charset=utf-8", say("Table for a spreadsheet (CSV)"), as_csv),
    "jsonl": FileKind("jsonl", "application/x-ndjson", say("Log of every step (JSON lines)"), as_jsonl),
    "bgstats": FileKind(
        "bgsplay",
        "application/json",
        say("Play for BG Stats"),
        lambda export: bgstats.file(export.finished()),
    ),
}


@contextmanager
def opened(journal: Path, configured: Sequence[str], translate: Translator) -> Iterator[StoredMatches]:
    """The journal for one request, with a translator of its own: a story puts names into it."""
    with closing(Journal.read(journal)) as reader:
        yield StoredMatches(reader, configured, copy(translate))


def matches(records: StoredMatches, before: int | None, *, whole: bool) -> Portions[dict[str, Any]]:
    """What the list of matches shows, the newest first; `before` goes on from this number.

    `whole`: with files of all of them.
    """
    numbers = records.journal.numbers_before(before, ON_A_PAGE + 1)
    entries = []
    for number in numbers[:ON_A_PAGE]:
        entries.append(_entry(records, number))
        yield
    return {
        "entries": entries,
        "older": numbers[ON_A_PAGE - 1] if len(numbers) > ON_A_PAGE else None,
        "kinds": {kind: KINDS[kind] for kind in ("csv", "jsonl", "bgstats")} if numbers and whole else {},
    }


def one_match(
    records: StoredMatches, number: int, deal: int | None = None, *, whole: bool = True
) -> Portions[dict[str, Any]]:
    """What the page of a match shows, turn by turn. Raises `CompanionError`.

    A long match is shown deal by deal unless it is wanted `whole`; `deal` is the one that is asked for.
    """
    past = yield from records.past_in_portions(_stored(records, number))
    if whole or past.match.steps <= LONG_STEPS:
        parts = yield from _in_portions(article(past, LOOKS, records.translate))
        kinds = {name: kind for name, kind in KINDS.items() if past.winners or name != "bgstats"}
        return {"report": "".join(parts), "number": number, "kinds": kinds, "deals": ()}
    last = past.match.position.deal
    shown_deal = deal if deal is not None and 0 < deal <= last else 1
    parts = yield from _in_portions(article(past, LOOKS, records.translate, deal=shown_deal))
    return {"report": "".join(parts), "deals": range(1, last + 1), "shown": shown_deal}


def _stored(records: StoredMatches, number: int) -> MatchEntry:
    if not records.journal.has(number):
        raise HTTPException(404)
    return records.journal.entry(number)


def people(records: StoredMatches) -> Portions[dict[str, Any]]:
    """Statistics by person and game; a match that cannot be read is left out."""
    return {"rows": (yield from count_in_portions(records.results([]))), "name_of": name_of}


def file(records: StoredMatches, kind: FileKind, number: int, *, whole: bool) -> Portions[bytes]:
    """A match as a file of a kind; a long one only if it is wanted `whole`. Raises `CompanionError`."""
    entry = _stored(records, number)
    if not whole and entry.steps > LONG_STEPS:
        raise CompanionError(
            say("only paired phones get the file of a long match"), say("pair this phone first")
        )
    parts = yield from _in_portions(kind.parts(Export(records, [number], {})))
    return "".join(parts).encode()


def everything(
    opens: Callable[[], AbstractContextManager[StoredMatches]], kind: FileKind
) -> Generator[bytes]:
    """All matches as a file of a kind, in parts."""
    with opens() as records:
        numbers = records.journal.numbers_before(None, -1)[::-1]
        if numbers:
            for part in kind.parts(Export(records, numbers, {}, several=True)):
                yield part.encode()


def _in_portions(parts: Iterable[str]) -> Portions[list[str]]:
    made, length = list[str](), 0
    for part in parts:
        made.append(part)
        length += len(part)
        if length >= _PORTION:
            length = 0
            yield
    return made


def _entry(records: StoredMatches, number: int) -> dict[str, Any]:
    t = records.translate
    try:
        entry = records.journal.entry(number)
        tally, _ = records.tally(entry)
    except CompanionError as bad:
        return {"number": number, "fault": t.say(bad.fault_text)}
    begun = read_time(entry.started_at)
    names = [person.called(t) for person in records.people(entry, tally)]
    return {
        "number": number,
        "fault": "",
        "begun": shown(begun, t) if begun else "",
        "tally": tally,
        "names": names,
    }
