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
from functools import partial
from pathlib import Path
from typing import Any, Final

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from companion.text.errors import CompanionError
from companion.text.sentence import Text, say
from companion.values import Value
from firmware.history import bgstats
from firmware.history.csv_export import as_csv
from firmware.history.exported import as_jsonl
from firmware.history.portions import Portions
from firmware.history.report import article, as_html
from firmware.history.statistics import count_in_portions, name_of
from firmware.history.stored_matches import MatchExport, MatchHistory
from firmware.history.stored_time import read_time, shown
from firmware.journal.rows import MatchEntry
from firmware.journal.store import Journal
from firmware.paper.badges import LOOKS
from firmware.text.translation import Translator
from network.web.permissions import PAIRED
from network.web.site import TableSite, as_file

ON_A_PAGE: Final = 40
"""Matches in a list."""

LONG_STEPS: Final = 320
"""A match of more steps is shown to the unpaired deal by deal. One of four players has about 300."""


_PORTION: Final = 8192
"""Letters of a page or a file that are made in one portion."""

_DIGITS: Final = 12
"""Of the number of a match; a longer one is no number of anything."""


class FileKind(Value):
    """A file that a match can be taken along as: the end of its name, its type, what it is, and its parts."""

    ending: str
    media: str
    title: Text
    parts: Callable[[MatchExport], Iterator[str]]


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


# ------------------------------------------------------------------------------------- what is answered


async def list_page(site: TableSite, request: Request) -> Response:
    """The matches, the newest first; `before` in the query goes on from a number."""
    before = _number(request.query_params.get("before", ""))
    return await _page(
        site, request, "matches.html", lambda found, whole: matches(found, before, whole=whole)
    )


async def match_page(site: TableSite, request: Request) -> Response:
    """A match turn by turn; `deal` in the query is the one that is shown of a long match."""
    number, deal = _number(request.path_params["number"]), _number(request.query_params.get("deal", ""))
    if number is None:
        raise HTTPException(404)
    return await _page(
        site, request, "match.html", lambda found, whole: one_match(found, number, deal, whole=whole)
    )


async def people_page(site: TableSite, request: Request) -> Response:
    """Statistics by person and game; they are counted again when something was played since."""

    def counted(found: MatchHistory, _whole: object) -> Portions[dict[str, Any]]:
        t = found.translate
        state = (found.journal.state(), found.names, t.language, t.number(0))
        if site.people[0] != state:
            rows = yield from count_in_portions(found.results([]))
            site.people = state, {"rows": rows, "name_of": name_of}
        return site.people[1]

    return await _page(site, request, "people.html", counted)


async def match_file(site: TableSite, request: Request) -> Response:
    """A match as a file."""
    kind, number = KINDS.get(request.path_params["kind"]), _number(request.path_params["which"])
    if kind is None or number is None:
        raise HTTPException(404)

    def made(found: MatchHistory, whole: bool) -> Portions[Response]:  # noqa: FBT001 - as of `_read`
        content = yield from file(found, kind, number, whole=whole)
        return Response(content, media_type=kind.media, headers=as_file(f"match-{number}.{kind.ending}"))

    return await _read(site, request, made)


async def all_matches(site: TableSite, request: Request) -> Response:
    """All matches as a file, for a paired phone; one at a time."""
    kind = KINDS.get(request.path_params["kind"])
    if kind is None:
        raise HTTPException(404)
    if site.setting.records == "nobody":
        return site.ask_to_pair(request, 403)
    opens = partial(opened, site.setting.journal, site.setting.players, request.state.t)
    return site.download(request, partial(everything, opens, kind), f"matches.{kind.ending}", kind.media)


async def _page(
    site: TableSite,
    request: Request,
    template: str,
    make: Callable[[MatchHistory, bool], Portions[dict[str, Any]]],
) -> Response:
    def rendered(found: MatchHistory, whole: bool) -> Portions[Response]:  # noqa: FBT001 - as of `_read`
        return site.respond(request, template, **(yield from make(found, whole)))

    return await _read(site, request, rendered)


async def _read(
    site: TableSite, request: Request, make: Callable[[MatchHistory, bool], Portions[Response]]
) -> Response:
    """What `make` answers from the stored matches, given whether the phone is paired; else why not."""
    is_paired = PAIRED in request.auth.scopes
    match site.setting.records:
        case "nobody":
            fix = say("Whoever has the box can change that: [web] records")
            return site.message(request, 403, say("Stored matches are not shown here."), fix)
        case "paired" if not is_paired:
            return site.ask_to_pair(request)

    def read() -> Portions[Response]:
        with opened(site.setting.journal, site.setting.players, request.state.t) as found:
            return (yield from make(found, is_paired))

    return await site.reading[is_paired].do(read())


def _number(text: str) -> int | None:
    return int(text) if text.isdecimal() and len(text) < _DIGITS else None


# ------------------------------------------------------------------------------------- what is shown


@contextmanager
def opened(journal: Path, configured: Sequence[str], translate: Translator) -> Iterator[MatchHistory]:
    """The journal for one request, with a translator of its own: a story puts names into it."""
    with closing(Journal.read(journal)) as reader:
        yield MatchHistory(reader, configured, copy(translate))


def matches(records: MatchHistory, before: int | None, *, whole: bool) -> Portions[dict[str, Any]]:
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
    records: MatchHistory, number: int, deal: int | None = None, *, whole: bool = True
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


def _stored(records: MatchHistory, number: int) -> MatchEntry:
    if not records.journal.has(number):
        raise HTTPException(404)
    return records.journal.entry(number)


def file(records: MatchHistory, kind: FileKind, number: int, *, whole: bool) -> Portions[bytes]:
    """A match as a file of a kind; a long one only if it is wanted `whole`. Raises `CompanionError`."""
    entry = _stored(records, number)
    if not whole and entry.steps > LONG_STEPS:
        raise CompanionError(
            say("only paired phones get the file of a long match"), say("pair this phone first")
        )
    parts = yield from _in_portions(kind.parts(MatchExport(records, [number], {})))
    return "".join(parts).encode()


def everything(opens: Callable[[], AbstractContextManager[MatchHistory]], kind: FileKind) -> Generator[bytes]:
    """All matches as a file of a kind, in parts."""
    with opens() as records:
        numbers = records.journal.numbers_before(None, -1)[::-1]
        if numbers:
            for part in kind.parts(MatchExport(records, numbers, {}, several=True)):
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


def _entry(records: MatchHistory, number: int) -> dict[str, Any]:
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
