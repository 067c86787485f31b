"""What the pages show is the present evening, or they say why it is an older one."""

import socket
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy.exc import OperationalError

from network.hub import store
from network.hub.store import Store
from tests.network.hub.at_hub import six
from tests.network.hub.opened import OPEN, Opened, opened
from tests.network.hub.servers import needs_postgres, postgres
from tests.network.web.asking import ask, post
from tests.network.web.served import Watched
from tests.patience import comes

LANGUAGES = ("en", "de", "fa")
LIVE = ("/live", "/table/table-1/live", "/tournament/live")


def shown(at: Opened) -> dict[str, dict[str, Any]]:
    """What each page shows first, in each language, to whoever opens it now; nobody else watches."""
    found = {}
    for path in (f"{path}?language={language}" for path in LIVE for language in LANGUAGES):
        watched = Watched(at.port, path)
        found[path] = next(iter(watched))
        watched.close()
        assert comes(lambda: not any(live.watchers for live in at.site._lives.values()))
    return found


def test_whoever_opens_a_page_sees_the_present_however_long_nobody_has_watched(tmp_path: Path) -> None:
    with opened(tmp_path) as at:
        [box] = at.boxes(1)
        at.hub.intake.changed_broker(connected=True)
        box.begin(six(), "m1")
        box.play(3)
        at.must(**OPEN)
        at.hub.work()
        before = shown(at)
        box.play()
        at.must("register", badge="1", name="Ada")
        at.hub.work()
        after = shown(at)
        assert [page for page in before if before[page] == after[page]] == []
        assert all(view["over"] for page, view in after.items() if page.startswith("/table/"))
        for connected in (False, True):
            at.hub.intake.changed_broker(connected=connected)
            at.hub.work()
            assert {view["away"] for view in shown(at).values()} == {not connected}


class SqliteFile:
    """SQLite, on a disk that fails: while it is stopped, the file cannot be opened any more."""

    def __init__(self, folder: Path) -> None:
        self._file, self._kept = folder / "hub.sqlite", folder / "kept"
        self.url = f"sqlite:///{self._file}"

    def stop(self) -> None:
        self._file.rename(self._kept)
        self._file.mkdir()

    def start(self) -> None:
        self._file.rmdir()
        self._kept.rename(self._file)


NEED_IT = ("/standing", "/history", "/match/m1", "/match/none")
FOR_DIRECTORS = ("/director", "/faults", "/log")
ACTS: tuple[tuple[str, dict[str, object]], ...] = (
    ("/tournament", {"do": "register", "badge": "2", "name": "Ben"}),
    ("/faults", {"id": 1}),
)


@pytest.mark.parametrize("kind", ["sqlite", pytest.param("postgresql", marks=needs_postgres)])
def test_a_database_that_is_away_is_told_in_words_and_comes_back_by_itself(
    tmp_path: Path, kind: str, caplog: pytest.LogCaptureFixture
) -> None:
    with postgres() if kind == "postgresql" else nullcontext(SqliteFile(tmp_path)) as database:
        at = Opened(tmp_path, database.url)
        [box] = at.boxes(1)
        at.hub.intake.changed_broker(connected=True)
        box.begin(six(), "m1")
        box.play(3)
        at.must(**OPEN)
        at.must("register", badge="1", name="Ada")
        at.hub.work()
        statuses = {path: ask(at.app, path, at.director).status for path in (*NEED_IT, *FOR_DIRECTORS)}
        assert set(statuses.values()) == {200, 404}
        at.hub.store.engine.dispose()  # none of its connections is still open
        database.stop()
        for path in (*NEED_IT, *FOR_DIRECTORS):
            for language, word in (("en", "database"), ("de", "Datenbank"), ("fa", "پایگاه داده")):
                answer = ask(at.app, f"{path}?language={language}", at.director)
                assert answer.status == 503, path
                assert word in answer.text
                assert answer.headers["refresh"] == answer.headers["retry-after"] == "5"
        for path, act in ACTS:
            answer = post(at.app, path, act, at.director)
            assert (answer.status, answer.json["why"]) == (503, "database")
            assert "database" in answer.json["fault"]
        for path in ("/", "/tv", "/table/table-1", "/tournament", "/tournament/tournament.jsonl"):
            assert ask(at.app, path).status == 200, "tables and tournament are in memory"
        database.start()
        assert {
            path: ask(at.app, path, at.director).status for path in (*NEED_IT, *FOR_DIRECTORS)
        } == statuses
        assert post(at.app, *ACTS[0], at.director).json["accepted"]
        assert caplog.records == []
        at.hub.store.close()


def test_a_database_whose_machine_does_not_answer_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store, "CONNECT_S", 2)  # libpq takes no less
    with socket.create_server(("127.0.0.1", 0)) as silent:
        url = f"postgresql+psycopg://hub@127.0.0.1:{silent.getsockname()[1]}/nimmt"
        with pytest.raises(OperationalError, match="timeout"):
            Store(url)


def test_the_tables_and_the_log_say_that_the_database_is_away_until_it_is_back(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    database = SqliteFile(tmp_path)
    with opened(tmp_path) as at:
        [box] = at.boxes(1)
        at.hub.intake.changed_broker(connected=True)
        at.hub.work()
        at.hub.store.engine.dispose()
        database.stop()
        box.begin(six(), "m1")
        box.step()
        watched = {path: Watched(at.port, path) for path in LIVE}
        with at.working():
            for one in watched.values():
                assert next(view for view in one if view["away"])["why"] == "database"
            database.start()
            for one in watched.values():
                assert not next(view for view in one if not view["away"])["why"]
                one.close()
        assert at.hub.matches.get("m1").match is not None
        assert at.hub.faults(settled=True) == [("database", "")]
        assert caplog.text.count("the database is away") == 1
