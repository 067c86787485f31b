"""Whatever is asked of a page, by anybody: it is answered, and costs no memory for ever."""

from __future__ import annotations

import asyncio
import gc
import random
import tracemalloc
from pathlib import Path
from typing import TYPE_CHECKING, Final

from network.web.application import application, routes
from network.web.site import SiteSetup, TableSite
from tests.examples import TIMES
from tests.firmware.table_socket.at_table import RunningTable
from tests.network.hub.opened import OPEN, Opened
from tests.network.web.asking import ask
from tests.network.web.requests import requests
from tests.network.web.served import QUICK

if TYPE_CHECKING:
    from starlette.routing import BaseRoute
    from starlette.types import ASGIApp

COUNT: Final = max(50, round(400 * TIMES))
"""Requests, twice, to each site: with `NIMMT_EXAMPLES=25` they are 20,000 each."""

MOST_KEPT: Final = 1_000_000
"""Bytes that are kept on the way, up to some limit: of addresses, of pages that somebody watched."""

MOST_OF_EACH: Final = 10
"""Bytes for each request that are there after it, in the mean, beside these."""


def every_answer(app: ASGIApp, routes: list[BaseRoute], cookie: str, loop: asyncio.Runner) -> None:
    """Ask for anything; no answer is a fault of the server, and nothing is kept."""
    # The same in every run, unless more is wanted.
    given = requests(routes, random.Random(7 if TIMES <= 1 else None))
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
