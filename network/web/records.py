"""Stored matches: lists, each match turn by turn, people, and files to take along.

The journal is opened for each request and closed after it: a reader that stays would keep the log of the
game's journal from being shortened. What is called here blocks, so the server calls it in threads.
"""

import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from copy import copy
from html import escape
from pathlib import Path
from typing import IO, Final

from companion.text.errors import CompanionError
from companion.text.sentence import Text, in_context, say
from companion.values import Value
from firmware.history import bgstats
from firmware.history.csv_export import as_csv
from firmware.history.exported import as_jsonl
from firmware.history.report import article, as_html
from firmware.history.statistics import count_results
from firmware.history.stored_matches import Export, StoredMatches
from firmware.history.stored_time import read_time, shown
from firmware.journal.store import Journal
from firmware.paper.badges import LOOKS
from firmware.text.translation import Translator
from network.web.frame import Page, listing, number_cell, table_of, totals, words

MATCHES: Final = Page("matches", say("Matches"))
PEOPLE: Final = Page("people", say("People"))
MATCH: Final = Page("one-match", say("Match"))

ON_A_PAGE: Final = 40
"""Matches in a list."""

_PIECE: Final = 65_536
"""Bytes of a file that are sent at once."""

_IN_MEMORY: Final = 1_000_000
"""Bytes of a file that is put together in memory; a larger one lies on the disk meanwhile."""


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


def matches(records: StoredMatches, before: int | None) -> str:
    """The list of matches, the newest first, as HTML; `before` goes on from this number."""
    t = records.translate
    numbers = [one.id for one in records.journal.each_match()][::-1]
    if before is not None:
        numbers = [number for number in numbers if number < before]
    older = f"?before={numbers[ON_A_PAGE - 1]}" if len(numbers) > ON_A_PAGE else ""
    entries = (_entry(records, number) for number in numbers[:ON_A_PAGE])
    files = _files(t, "all", ("csv", "jsonl", "bgstats"), say("All matches as a file")) if numbers else ""
    headed = _headed(t, say("Matches"), (("/records/people", say("People and statistics")),))
    return headed + listing(t, say("No match has been played yet."), entries, older) + files


def one_match(records: StoredMatches, number: int) -> str:
    """A match turn by turn, as HTML. Raises `CompanionError`."""
    past = records.past(records.journal.entry(number))
    kinds = tuple(KINDS) if past.winners else ("html", "csv", "jsonl")
    files = _files(records.translate, str(number), kinds, say("This match as a file"))
    return f'<div class="report">{"".join(article(past, LOOKS, records.translate, ()))}</div>{files}'


def people(records: StoredMatches) -> str:
    """Statistics by person and game, as HTML; a match that cannot be read is left out."""
    t = records.translate

    heads = (
        say("Player"), say("Game"), in_context("a column", "Matches"), say("Wins"), say("Deals"), say("Mean"),
        say("Best deal"), say("Worst deal"), say("Most expensive card"),
    )  # fmt: skip
    rows = []
    for one in count_results(records.results([])):
        numbers = (
            one.matches, one.wins, len(one.deals), one.mean, one.best, one.worst, one.worst_card or None
        )  # fmt: skip
        who, game = (f"<bdi>{escape(what)}</bdi>" for what in (one.name, t.title(one.game)))
        rows.append((who, game, *(number_cell(cell, t) for cell in numbers)))
    headed = _headed(t, say("People"), (("/records", say("Matches")),))
    return headed + table_of(t, heads, rows)


def file(records: StoredMatches, kind: FileKind, number: int | None) -> IO[bytes]:
    """A match, or all of them, as a file of a kind; it is at its beginning. Raises `CompanionError`."""
    journal = records.journal
    wanted = journal.each_match() if number is None else [journal.entry(number)]
    export = Export(records, [one.id for one in wanted], {}, several=number is None)
    made: IO[bytes] = tempfile.SpooledTemporaryFile(_IN_MEMORY)  # noqa: SIM115 - the response closes it
    try:
        for part in kind.parts(export):
            made.write(part.encode())
    except BaseException:
        made.close()
        raise
    made.seek(0)
    return made


def _entry(records: StoredMatches, number: int) -> str:
    t = records.translate
    try:
        entry = records.journal.entry(number)
        tally, _ = records.tally(entry)
    except CompanionError as bad:
        return f'<li class="entry damaged"><b>{t.number(number)}</b> {escape(t.say(bad.fault_text))}</li>'
    begun = read_time(entry.started_at)
    names = [one.name for one in records.people(entry, tally)]
    state = "" if tally.winners else f" · {escape(t('not finished'))}"
    when = f"<time>{escape(shown(begun, t))}</time>" if begun else ""
    return (
        f'<li class="entry"><a href="/records/{number}"><b><bdi>{escape(t.title(tally.game))}</bdi></b> '
        f'<span class="soft">{when} · {escape(t("match {id}", id=number))}{state}</span></a>'
        f"{totals(tally, names, t)}</li>"
    )


def _headed(t: Translator, title: Text, links: Sequence[tuple[str, Text]]) -> str:
    more = "".join(f'<a class="button" href="{to}">{words(t, text)}</a>' for to, text in links)
    return f'<div class="headed"><h1>{words(t, title)}</h1>{more}</div>'


def _files(t: Translator, which: str, kinds: Sequence[str], title: Text) -> str:
    links = "".join(
        f'<li><a class="button" href="/records/{which}/{kind}" download>'
        f"{words(t, KINDS[kind].title)}</a></li>"
        for kind in kinds
    )
    return f'<section class="files"><h2>{words(t, title)}</h2><ul>{links}</ul></section>'


def in_pieces(file: IO[bytes]) -> Iterator[bytes]:
    """The content of a file, which is closed then."""
    with file:
        while piece := file.read(_PIECE):
            yield piece
