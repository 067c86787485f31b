"""What somebody without a paired phone can make the page do: little, whatever is asked for.

Work is counted in calls of functions, of Python's and of compiled ones, in all threads: that is the same on
every machine, busy or not.
"""

from __future__ import annotations

import asyncio
import random
import sqlite3
import sys
import threading
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import pytest

from companion.match import log
from companion.match.dealer import players_by_chance
from companion.match.match import Terms, begin
from companion.match.tally import tally_of
from firmware.history.statistics import MATCHES_AT_ONCE
from firmware.journal import rows
from firmware.journal.file import Database
from firmware.journal.store import Journal
from network.web.application import application, routes
from network.web.bodies import BODIES
from network.web.job_queue import UNPAIRED_SHARE, JobQueue
from network.web.records import LONG_STEPS
from network.web.site import SiteSetup, TableSite
from tests.companion.random_match import by_people
from tests.firmware.evening import EXAMPLE_1, device
from tests.network.web.asking import ask

if TYPE_CHECKING:
    from types import FrameType

MOST_CALLS: Final = 195_000
"""55 ms of a core of a small desktop, which makes 3.5 million a second when it replays and tells a match."""
MOST_AT_ONCE: Final = 120_000
"""35 ms, for the portions of what grows with a long match or with many matches."""
MOST_IN_ALL: Final = 875_000
"""250 ms, for what is made in portions."""
OTHERS: Final = 5000
"""Short matches beside the whole ones."""
GAMES: Final = (("six", 4), ("six", 10), ("eleven", 4), ("ciao", 4), ("eleven", 7))
LONGEST: Final = len(GAMES)
"""Its number; it has more than thirteen hundred steps."""
_AT: Final = "2026-03-01T20:15:00Z"


def whole(game: str, seats: int) -> tuple[dict[str, Any], list[tuple[dict[str, Any], str]], Any]:
    """A match to its end: header, steps, and tally."""
    match = begin(Terms(game, seats, badges=tuple(range(1, seats + 1))))
    people, steps = players_by_chance(game, random.Random(3)), []
    while match.asks:
        step = by_people(match, people)
        steps.append((log.write_step(step, sentences=False), _AT))
        match = match.then(step)
    return log.header(match.terms), steps, tally_of(match)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """With a journal of some whole matches and many short ones."""
    made = tmp_path_factory.mktemp("box")
    Journal.open(made / "journal.sqlite")[0].close()
    matches = [whole(game, seats) for game, seats in GAMES]
    header, steps, _ = matches[0]
    match = log.replay([header, steps[0][0]])
    matches += [(header, steps[:1], tally_of(match))] * OTHERS
    with closing(sqlite3.connect(made / "journal.sqlite", isolation_level=None, factory=Database)) as db:
        db.execute("BEGIN")
        for number, (header, steps, tally) in enumerate(matches):
            match_id = rows.begin(db, header, _AT, f"match {number}")
            rows.append(db, rows.head(db, match_id), steps, tally=tally)
        db.execute("COMMIT")
    return made


def site_of(folder: Path, **setting: Any) -> TableSite:
    return TableSite(
        SiteSetup(folder / "t.sock", folder / "journal.sqlite", folder / "phones.json", **setting)
    )


class Counted:
    """Calls in this thread and in those that begin from now on, until `end`."""

    def __init__(self) -> None:
        self.calls = 0
        threading.setprofile(self._count)
        sys.setprofile(self._count)

    def _count(self, _frame: FrameType, event: str, _what: object) -> None:
        self.calls += event in ("call", "c_call")

    def end(self) -> None:
        sys.setprofile(None)
        threading.setprofile(None)


@pytest.fixture
def counted() -> Iterator[Counted]:
    made = Counted()
    try:
        yield made
    finally:
        made.end()


def requests(site: TableSite) -> Iterator[tuple[str, str, bytes | None]]:
    """A request of every kind to every address: the address, a path of it, and a body."""
    for route in routes(site):
        path = getattr(route, "path")  # noqa: B009 - a Mount has one, too
        methods = getattr(route, "methods", None) or {"GET"}
        if "POST" in methods:
            yield f"POST {path}", path, b'{"code":"123456","name":"me"}'
            continue
        if "{number}" in path:
            yield from ((path, path.replace("{number}", str(n)), None) for n in range(1, LONGEST + 2))
        elif "{kind}" in path:
            kinds = [path.replace("{kind}", kind) for kind in ("html", "csv", "jsonl", "bgstats", "x")]
            yield from (
                (kind, kind.replace("{which}", str(n)), None) for kind in kinds for n in (1, 4, LONGEST)
            )
        else:
            yield path, f"{path}/page.css" if path == "/static" else path, None


def test_no_request_of_somebody_unpaired_makes_much_work(folder: Path, counted: Counted) -> None:
    site, loop, portions = site_of(folder), asyncio.Runner(), list[int]()

    def ends_portion(_rest_s: float = 0) -> None:
        portions.append(counted.calls)
        counted.calls = 0

    site.reading[False] = JobQueue(UNPAIRED_SHARE, ends_portion)
    app = application(site)
    paths = list(requests(site))
    assert len({path for _, path, _ in paths}) > 30
    found, warm, people = dict[str, list[int]](), set[str](), list[int]()
    for number, (kind, path, body) in enumerate(paths):
        headers = {"cookie": "nimmt_host=guess"}
        if path in BODIES:
            headers["content-type"] = BODIES[path].media
        # The first request of a kind imports what it needs; another language needs all else again.
        for language in ("en", "fa")[kind in warm :]:
            portions.clear()
            counted.calls = 0
            asked = f"{path}?language={language}"
            answer = ask(app, asked, headers, body, client=f"10.0.{number}.1", leaves=True, loop=loop)
            assert answer.status != 429
            ends_portion()
            found[path] = portions.copy()
            people = people or (found[path] if path == "/records/people" else [])
        warm.add(kind)
    site.close()
    loop.close()
    assert {path: calls for path, calls in found.items() if max(calls) > MOST_AT_ONCE} == {}
    in_portions = {path for path, calls in found.items() if sum(calls) > MOST_CALLS}
    assert in_portions == {f"/records/{LONGEST}"}
    assert max(map(sum, found.values())) < MOST_IN_ALL
    assert len(people) > OTHERS // MATCHES_AT_ONCE


def test_a_long_match_is_shown_deal_by_deal_and_whole_to_a_paired_phone(folder: Path) -> None:
    site = site_of(folder)
    app, token = application(site), site.phones.pair("me", 0)
    long = 1 + GAMES.index(("eleven", 4))
    with closing(Journal.read(folder / "journal.sqlite")) as reader:
        assert reader.entry(long).steps > LONG_STEPS
    pages = [ask(app, f"/records/{long}?deal={deal}").text for deal in (1, 2)]
    assert [page.count('<section class="deal">') for page in pages] == [1, 1]
    assert pages[0] != pages[1]
    assert 'href="?deal=2"' in pages[0]
    own = {"cookie": f"nimmt_host={token}"}
    assert ask(app, f"/records/{long}", own).text.count('<section class="deal">') > 1
    refused = ask(app, f"/records/{long}/html?language=de")
    assert refused.status == 404
    assert "<h1>Die Datei einer langen Partie bekommen nur gekoppelte Handys.</h1>" in refused.text
    assert ask(app, f"/records/{long}/html", own).status == 200
    site.close()


def test_files_of_all_matches_are_for_paired_phones_one_at_a_time(tmp_path: Path) -> None:
    with device(tmp_path, EXAMPLE_1):
        site = site_of(tmp_path)
    app, own = application(site), {"cookie": f"nimmt_host={site.phones.pair('me', 0)}"}
    assert "/records/all" not in ask(app, "/records").text
    assert "/records/all/csv" in ask(app, "/records", own).text
    assert ask(app, "/records/all/csv").status == 403
    site.exports.file = app
    refused = ask(app, "/records/all/csv", own)
    assert (refused.status, refused.headers["retry-after"]) == (503, "5")
    assert "Others are looking" in refused.text
    assert ask(app, "/records", own).status == 200
    site.exports.file = None
    assert ask(app, "/records/all/csv", own).status == 200
    assert site.exports.file is None
    site.close()


@pytest.mark.parametrize(
    ("records", "unpaired", "paired"), [("everybody", 200, 200), ("paired", 200, 200), ("nobody", 403, 403)]
)
def test_settings_say_who_sees_matches(tmp_path: Path, records: str, unpaired: int, paired: int) -> None:
    with device(tmp_path, EXAMPLE_1):
        site = site_of(tmp_path, records=records)
    app, own = application(site), {"cookie": f"nimmt_host={site.phones.pair('me', 0)}"}
    for path, shows in (
        ("/records", 'class="entry"'),
        ("/records/1", 'class="story"'),
        ("/records/1/csv", "game_id"),
    ):
        found = ask(app, path), ask(app, path, own)
        assert [one.status for one in found] == [unpaired, paired]
        assert [shows in one.text for one in found] == [records == "everybody", records != "nobody"]
    assert ('href="/records"' in ask(app, "/").text) is (records != "nobody")
    site.close()
