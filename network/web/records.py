"""Stored matches: lists, each match turn by turn, people, and files to take along.

The journal is opened for each request and closed after it: a reader that stays would keep the log of the
game's journal from being shortened. What is called here blocks, so the server calls it in threads.

Lists and people come from the stored summaries. A match turn by turn is replayed; of a long one others than
paired phones see a deal at once, and get no files. All is made in portions, none of which takes more than a
moment, however much was played.
"""

from collections.abc import Callable, Generator, Iterator, Mapping
from contextlib import closing, contextmanager
from copy import copy
from typing import Any, Final

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from companion.text.errors import CompanionError
from companion.text.names import one_spelling
from companion.text.sentence import Text, say
from companion.values import Value
from firmware.commands.export import FORMATS
from firmware.history.portions import Portions, in_portions
from firmware.history.report import article, as_html
from firmware.history.statistics import count_in_portions, name_of
from firmware.history.stored_matches import MatchExport, MatchHistory
from firmware.history.stored_time import read_time, shown
from firmware.journal.rows import MatchEntry
from firmware.journal.store import Journal
from firmware.paper.badges import LOOKS
from firmware.text.translation import Translator
from network.web.permissions import PAIRED
from network.web.rate_limit import sender_of
from network.web.site import TableSite, as_file

ON_A_PAGE: Final = 40
"""Matches in a list."""

SEARCHED: Final = 400
"""Matches that are looked at for a name at once; the next page goes on."""

_LONGEST_SEARCH: Final = 40

LONG_STEPS: Final = 320
"""A match of more steps is shown to the unpaired deal by deal. One of four players has about 300."""

_DIGITS: Final = 12
"""Of the number of a match; a longer one is no number of anything."""


_XLSX: Final = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"


class FileKind(Value):
    """A file that a match can be taken along as: the end of its name, its type, what it is, and its parts."""

    ending: str
    media: str
    title: Text
    parts: Callable[[MatchExport], Iterator[bytes]]


KINDS: Final[Mapping[str, FileKind]] = {
    "html": FileKind(
        "html",
        "text/html; charset=utf-8",
        say("Report to print or to send"),
        lambda export: map(str.encode, as_html(export, LOOKS, export.stored.translate)),
    ),
    "xlsx": FileKind("xlsx", _XLSX, say("Table for a spreadsheet"), FORMATS["xlsx"][0]),
    "csv": FileKind("csv", "text/csv; charset=utf-8", say("Table for programs (CSV)"), FORMATS["csv"][0]),
    "jsonl": FileKind(
        "jsonl", "application/x-ndjson", say("Log of every step (JSON lines)"), FORMATS["jsonl"][0]
    ),
    "bgstats": FileKind("bgsplay", "application/json", say("Play for BG Stats"), FORMATS["bgstats"][0]),
}


async def list_page(site: TableSite, request: Request) -> Response:
    """The matches, the newest first; `before` in the query goes on from a number, `search` is in a name."""
    before, search = _number(request.query_params.get("before", "")), request.query_params.get("search", "")
    wanted, most = one_spelling(search[:_LONGEST_SEARCH]).casefold(), SEARCHED if search else ON_A_PAGE

    def listed(records: MatchHistory) -> Portions[dict[str, Any]]:
        numbers = records.journal.numbers_before(before, most + 1)
        entries, last = [], 0
        for last in numbers[:most]:
            entry = _entry(records, last)
            if wanted in " ".join(map(one_spelling, entry.get("names", ()))).casefold():
                entries.append(entry)
            if len(entries) == ON_A_PAGE:
                break
            yield
        kinds = ("xlsx", "csv", "jsonl", "bgstats") if numbers and PAIRED in request.auth.scopes else ()
        return {
            "entries": entries,
            "older": last if numbers and last != numbers[-1] else None,
            "search": search,
            "kinds": {kind: KINDS[kind] for kind in kinds},
        }

    return await _page(site, request, "matches.html", listed)


def _entry(records: MatchHistory, number: int) -> dict[str, Any]:
    t = records.translate
    try:
        entry = records.journal.entry(number)
        tally, _ = records.tally(entry)
    except CompanionError as bad:
        return {"number": number, "fault": t.say(bad.fault_text)}
    begun = read_time(entry.started_at)
    names = [person.called(t) for person in records.people(entry, tally)]
    when = shown(begun, t) if begun else ""
    return {"number": number, "fault": "", "begun": when, "tally": tally, "names": names}


async def match_page(site: TableSite, request: Request) -> Response:
    """A match turn by turn; to the unpaired a long one deal by deal: `deal` in the query is which."""
    number, deal = _match_number(request, "number"), _number(request.query_params.get("deal", ""))

    def turn_by_turn(records: MatchHistory) -> Portions[dict[str, Any]]:
        past = yield from records.past_in_portions(_stored(records, number))
        if PAIRED in request.auth.scopes or past.match.steps <= LONG_STEPS:
            report = yield from in_portions(article(past, LOOKS, records.translate))
            kinds = {name: kind for name, kind in KINDS.items() if past.winners or name != "bgstats"}
            return {"report": report, "number": number, "kinds": kinds, "deals": ()}
        last = past.match.position.deal
        shown_deal = deal if deal is not None and 0 < deal <= last else 1
        report = yield from in_portions(article(past, LOOKS, records.translate, deal=shown_deal))
        return {"report": report, "deals": range(1, last + 1), "shown": shown_deal}

    return await _page(site, request, "match.html", turn_by_turn)


async def people_page(site: TableSite, request: Request) -> Response:
    """Statistics by person and game; they are counted again when something was played since."""

    def counted(records: MatchHistory) -> Portions[dict[str, Any]]:
        state = (records.journal.state(), records.names)
        if site.people[0] != state:
            rows = yield from count_in_portions(records.results([]))
            site.people = state, {"rows": rows, "name_of": name_of}
        return site.people[1]

    return await _page(site, request, "people.html", counted)


async def match_file(site: TableSite, request: Request) -> Response:
    """A match as a file; a long one only for a paired phone."""
    kind, number = _kind(request), _match_number(request, "which")

    def made(records: MatchHistory) -> Portions[Response]:
        entry = _stored(records, number)
        if PAIRED not in request.auth.scopes and entry.steps > LONG_STEPS:
            raise CompanionError(
                say("only paired phones get the file of a long match"), say("pair this phone first")
            )
        content = yield from in_portions(kind.parts(MatchExport(records, [entry.id], {})))
        headers = as_file(f"match-{number}.{kind.ending}")
        return Response(content, media_type=kind.media, headers=headers)

    return await _read(site, request, made)


async def all_matches(site: TableSite, request: Request) -> Response:
    """All matches as a file, for a paired phone; one at a time."""
    kind, t = _kind(request), request.state.t
    if site.setting.records == "nobody":
        return site.ask_to_pair(request, 403)

    def parts() -> Generator[bytes]:
        with _opened(site, t) as records:
            numbers = records.journal.numbers_before(None, -1)[::-1]
            if numbers:
                yield from kind.parts(MatchExport(records, numbers, {}, several=True))

    return site.download(request, parts(), f"matches.{kind.ending}", kind.media)


# ------------------------------------------------------------------------------------- reading


async def _page(
    site: TableSite,
    request: Request,
    template: str,
    facts: Callable[[MatchHistory], Portions[dict[str, Any]]],
) -> Response:
    def rendered(records: MatchHistory) -> Portions[Response]:
        return site.respond(request, template, **(yield from facts(records)))

    return await _read(site, request, rendered)


async def _read(
    site: TableSite, request: Request, make: Callable[[MatchHistory], Portions[Response]]
) -> Response:
    """What `make` answers from the stored matches; if they are not for this phone, why not."""
    is_paired = PAIRED in request.auth.scopes
    match site.setting.records:
        case "nobody":
            fix = say("Whoever has the box can change that: [web] records")
            return site.message(request, 403, say("Stored matches are not shown here."), fix)
        case "paired" if not is_paired:
            return site.ask_to_pair(request)

    def read() -> Portions[Response]:
        with _opened(site, request.state.t) as records:
            return (yield from make(records))

    return await site.reading[is_paired].do(read(), sender_of(request))


@contextmanager
def _opened(site: TableSite, t: Translator) -> Iterator[MatchHistory]:
    """The journal for one request, with a translator of its own: a story puts names into it."""
    with closing(Journal.read(site.setting.journal)) as reader:
        yield MatchHistory(reader, site.setting.players, copy(t))


def _number(text: str) -> int | None:
    return int(text) if text.isdecimal() and len(text) < _DIGITS else None


def _match_number(request: Request, name: str) -> int:
    number = _number(request.path_params[name])
    if number is None:
        raise HTTPException(404)
    return number


def _kind(request: Request) -> FileKind:
    kind = KINDS.get(request.path_params["kind"])
    if kind is None:
        raise HTTPException(404)
    return kind


def _stored(records: MatchHistory, number: int) -> MatchEntry:
    if not records.journal.has(number):
        raise HTTPException(404)
    return records.journal.entry(number)
