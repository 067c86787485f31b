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
from html import escape
from pathlib import Path
from typing import Final

from starlette.exceptions import HTTPException

from companion.text.errors import CompanionError
from companion.text.sentence import Text, in_context, say
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
from network.web.frame import Page, listing, number_cell, table_of, totals, words

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


def matches(records: StoredMatches, before: int | None, *, whole: bool) -> Portions[str]:
    """The list of matches, the newest first, as HTML; `before` goes on from this number.

    `whole`: with files of all of them.
    """
    t = records.translate
    numbers = records.journal.numbers_before(before, ON_A_PAGE + 1)
    older = f"?before={numbers[ON_A_PAGE - 1]}" if len(numbers) > ON_A_PAGE else ""
    entries = yield from _in_portions(_entry(records, number) for number in numbers[:ON_A_PAGE])
    files = ""
    if numbers and whole:
        files = _files(t, "all", ("csv", "jsonl", "bgstats"), say("All matches as a file"))
    headed = _headed(t, say("Matches"), (("/records/people", say("People and statistics")),))
    return headed + listing(t, say("No match has been played yet."), entries, older) + files


def one_match(
    records: StoredMatches, number: int, deal: int | None = None, *, whole: bool = True
) -> Portions[str]:
    """A match turn by turn, as HTML. Raises `CompanionError`.

    A long match is shown deal by deal unless it is wanted `whole`; `deal` is the one that is asked for.
    """
    t, past = records.translate, (yield from records.past_in_portions(_stored(records, number)))
    if whole or past.match.steps <= LONG_STEPS:
        kinds = tuple(KINDS) if past.winners else ("html", "csv", "jsonl")
        files = _files(t, str(number), kinds, say("This match as a file"))
        parts = yield from _in_portions(article(past, LOOKS, t))
        return f'<div class="report">{"".join(parts)}</div>{files}'
    last = past.match.position.deal
    here = deal if deal is not None and 0 < deal <= last else 1
    links = "".join(
        f'<a class="button" href="?deal={one}"{_HERE if one == here else ""}>'
        f"{words(t, say('Deal {deal}', deal=one))}</a>"
        for one in range(1, last + 1)
    )
    pages = f'<nav class="choices" aria-label="{words(t, say("Deals"))}">{links}</nav>'
    parts = yield from _in_portions(article(past, LOOKS, t, deal=here))
    return f'<div class="report">{"".join(parts)}</div>{pages}'


_HERE: Final = ' aria-current="page"'


def _stored(records: StoredMatches, number: int) -> MatchEntry:
    if not records.journal.has(number):
        raise HTTPException(404)
    return records.journal.entry(number)


def people(records: StoredMatches) -> Portions[str]:
    """Statistics by person and game, as HTML; a match that cannot be read is left out."""
    t = records.translate

    heads = (
        say("Player"), say("Game"), in_context("a column", "Matches"), say("Wins"), say("Deals"), say("Mean"),
        say("Best deal"), say("Worst deal"), say("Most expensive card"),
    )  # fmt: skip
    rows = []
    for one in (yield from count_in_portions(records.results([]))):
        numbers = (
            one.matches, one.wins, len(one.deals), one.mean, one.best, one.worst, one.worst_card or None
        )  # fmt: skip
        who, game = (f"<bdi>{escape(what)}</bdi>" for what in (name_of(one, t), t.title(one.game)))
        rows.append((who, game, *(number_cell(cell, t) for cell in numbers)))
    headed = _headed(t, say("People"), (("/records", say("Matches")),))
    return headed + table_of(t, heads, rows)


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


def _entry(records: StoredMatches, number: int) -> str:
    t = records.translate
    try:
        entry = records.journal.entry(number)
        tally, _ = records.tally(entry)
    except CompanionError as bad:
        return f'<li class="entry damaged"><b>{t.number(number)}</b> {escape(t.say(bad.fault_text))}</li>'
    begun = read_time(entry.started_at)
    names = [one.called(t) for one in records.people(entry, tally)]
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
