"""Whatever is asked of a page, by anybody: it is answered, and costs no memory for ever."""

from __future__ import annotations

import asyncio
import gc
import json
import tracemalloc
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any, Final, TypeAlias
from urllib.parse import quote

from starlette.routing import Mount, Route

from network.web.application import application, routes
from network.web.bodies import BODIES
from network.web.site import SiteSetup, TableSite
from tests.examples import TIMES
from tests.firmware.table_socket.at_table import RunningTable
from tests.network.hub.opened import OPEN, Opened
from tests.network.web.asking import ask
from tests.network.web.served import QUICK

if TYPE_CHECKING:
    from starlette.routing import BaseRoute
    from starlette.types import ASGIApp

TEXTS: Final = (
    *("", " ", "\0", "a\0b", "\ud800", "\udfff\ud800", "\u202e", "{1}", "{name}", "{{", "}", "%s%n"),
    *("=1+1", "<b>", "0", "1", "-1", "9" * 20, "9" * 400, "9" * 4400, "1e400", "nan", "٣", "null"),
    *("../..", "'; --", "x" * 3000),
)
ODD: Final[tuple[Any, ...]] = (
    *TEXTS,
    *(None, True, False, 0, 1, -1, 7.5, 10**30, -(2**63), 2**63, [], {}, ["\ud800"], {"\0": "\0"}, [[[[]]]]),
)
ACTS: Final = ("scan", "type", "key", "name", "answer", "pair", "phones", "nothing")
WORDS: Final = (
    *ACTS,
    *("act", "code", "codes", "text", "badge", "choice", "press", "expect", "step", "page", "host", "hosts"),
    *("id", "set", "of", "restart", "now_ms", "do", "title", "open", "rename", "register", "seed", "rounds"),
    *("round", "table", "heads", "reason", "mqtt", "screen", "kind"),
)

Asked: TypeAlias = tuple[str, str, bytes | None, Mapping[str, str]]
"""Method, path with its query, body, headers."""


def requests(routes: Sequence[BaseRoute], random: Random) -> Iterator[Asked]:
    """Requests without end."""
    known = [(path, method) for one in routes for path, method in _addresses(one)]
    while True:
        path, method = random.choice(known)
        while "{" in path:
            before, _, rest = path.partition("{")
            path = f"{before}{_part(random)}{rest.partition('}')[2]}"
        if random.random() < 0.3:
            path += f"?{random.choice(('language', 'before', 'deal', 'page', 'x'))}={_part(random)}"
        if random.random() < 0.05:
            method = random.choice(("GET", "POST", "HEAD", "PUT", "DELETE", "OPTIONS"))
        body = None if method in ("GET", "HEAD") else _body(random)
        media = BODIES[path].media if path in BODIES else "application/json"
        yield method, path, body, ({} if body is None else {"content-type": media}) | _headers(random)


def _addresses(route: BaseRoute) -> Iterator[tuple[str, str]]:
    if isinstance(route, Mount):
        yield f"{route.path}/{{file}}", "GET"
    elif isinstance(route, Route):
        yield from ((route.path, method) for method in route.methods or {"GET"})


def _part(random: Random) -> str:
    known = ("1", "2", "3", "csv", "html", "jsonl", "bgstats", "page.css")
    return quote(random.choice((*TEXTS, *WORDS, *known)).encode(errors="surrogatepass"), safe="")


BROKEN: Final = (
    *(b"", b"[", b"{", b"\xff\xfe", b"[" * 9000, b'{"a":' * 900, b"1" * 5000, b'"\\ud800"'),
    *(
        b'{"code":"\\ud800"}',
        b'{"act":"name","badge":1,"name":"{1}"}',
        b'{"act":"key","key":"ok","expect":"x"}',
    ),
)


def _body(random: Random) -> bytes:
    if random.random() < 0.1:
        return random.choice(BROKEN)
    value = _value(random, 3)
    if isinstance(value, dict) and random.random() < 0.5:
        value |= {"act": random.choice(ACTS), "name": random.choice(ODD), "badge": random.choice((1, 2, 99))}
    return json.dumps(value).encode()


def _value(random: Random, depth: int) -> Any:
    if depth == 0 or random.random() < 0.3 * (3 - depth):
        return random.choice((*ODD, *WORDS))
    names = [random.choice((*WORDS, *WORDS, "\ud800")) for _ in range(random.randrange(5))]
    return {name: _value(random, depth - 1) for name in names}


_NAMES: Final = ("cookie", "accept-language", "sec-fetch-site", "origin", "content-type", "host", "range")
_VALUES: Final = ("", "\x7f", "a" * 5000, "language=\x80", "nimmt_host=x; __Host-nimmt=", "bytes=9-1")


def _headers(random: Random) -> dict[str, str]:
    return {} if random.random() < 0.8 else {random.choice(_NAMES): random.choice(_VALUES)}


COUNT: Final = max(50, round(400 * TIMES))
"""Requests, twice, to each site: with `NIMMT_EXAMPLES=25` they are 20,000 each."""
MOST_KEPT: Final = 1_000_000
"""Bytes that are kept on the way, up to some limit: of addresses, of pages that somebody watched."""
MOST_OF_EACH: Final = 10
"""Bytes for each request that are there after it, in the mean, beside these."""


def every_answer(app: ASGIApp, routes: list[BaseRoute], cookie: str, loop: asyncio.Runner) -> None:
    """Ask for anything; no answer is a fault of the server, and nothing is kept."""
    # The same in every run, unless more is wanted.
    given = requests(routes, Random(7 if TIMES <= 1 else None))
    counted, failed = 0, []
    for number in range(2 * COUNT):
        method, path, body, headers = next(given)
        if number == COUNT:  # by now what is kept once is kept
            gc.collect()
            tracemalloc.start()
        own = {"cookie": cookie} if number % 2 else {}
        client = f"10.0.{number // 100 % 200}.{number % 250}"
        answer = ask(app, path, {**own, **headers}, body, method, client=client, leaves=True, loop=loop)
        counted += answer.status != 429
        if answer.status >= 500 and answer.status != 503:
            failed.append((answer.status, method, path[:200], body and body[:200]))
    gc.collect()
    kept, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert failed == []
    assert counted > 1.5 * COUNT
    assert kept < MOST_KEPT + MOST_OF_EACH * COUNT


def test_the_page_of_a_table_answers_whatever_is_asked(tmp_path: Path) -> None:
    table = RunningTable(tmp_path, "", table=QUICK)
    table.settings.write_text("")
    journal = next(tmp_path.glob("*.sqlite"))
    with asyncio.Runner() as loop:
        site = TableSite(SiteSetup(table.path, journal, tmp_path / "phones.json", players=QUICK.names))
        following = loop.get_loop().create_task(site.link.run())
        token = site.phones.pair("me", 0)
        try:
            every_answer(application(site), routes(site), f"nimmt_host={token}", loop)
            assert not site.link.away  # the game has gone on
        finally:
            following.cancel()
            site.close()
            table.close()


def test_the_hub_answers_whatever_is_asked(tmp_path: Path) -> None:
    at = Opened(tmp_path)
    at.boxes(2)
    at.must(**OPEN)
    with asyncio.Runner() as loop:
        every_answer(at.app, at.routes, at.director["cookie"], loop)
    at.site.close()
    at.hub.store.close()
