"""Hubs as processes, at a real broker, with a real database: killed, cut off, two at a time."""

import tempfile
import threading
from collections.abc import Iterator
from pathlib import Path
from secrets import token_hex

import pytest
from sqlalchemy import create_engine, text

from companion.tournament import acts
from network.hub import faults
from network.hub.demo import SimulatedConnection
from network.hub.store import Store
from network.hub.tournament import Conductor
from network.mqtt.broker import Address
from tests.network.hub.at_hub import AtHub, kept, six, whole
from tests.network.hub.servers import HubProcess, needs_postgres, postgres
from tests.network.mqtt.mosquitto import mosquitto, needs_mosquitto
from tests.patience import comes


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    """A PostgreSQL; its folder has a name that is short enough for a socket, and other users may enter it."""
    with tempfile.TemporaryDirectory(prefix="nimmt-") as name:
        Path(name).chmod(0o755)
        with postgres(Path(name)) as running:
            yield running.url


@pytest.fixture
def url(server: str) -> str:
    """A database of its own."""
    name = f"n{token_hex(8)}"
    engine = create_engine(server, isolation_level="AUTOCOMMIT")
    with engine.connect() as db:
        db.execute(text(f"CREATE DATABASE {name}"))
    engine.dispose()
    return server.replace("/postgres?", f"/{name}?")


def everything_arrives(store: Store, tables: list[SimulatedConnection]) -> bool:
    def there() -> bool:
        for one in tables:
            one.send_missing()
        return all(kept(store, one.box.matches[-1].uid) == whole(one.box) for one in tables)

    return comes(there, 0.1)


@needs_mosquitto
@needs_postgres
@pytest.mark.slow
def test_two_hubs_one_of_them_killed_and_a_broker_that_goes_away_lose_nothing(
    tmp_path: Path, url: str
) -> None:
    with mosquitto(tmp_path) as broker:
        hubs = [HubProcess(broker.port, url, tmp_path / name) for name in ("a", "b")]
        for one in hubs:
            one.start()
        address = Address("127.0.0.1", broker.port)
        tables = [SimulatedConnection(address, f"t{number}", str(number), number) for number in (1, 2, 3)]
        for number, table in enumerate(tables):
            with table.alone() as box:
                box.begin(six(), f"match{number}", ("Ada", "Ben", "Cleo", "Dario"))
        store = Store(url)
        assert everything_arrives(store, tables)
        play(tables, 10)
        hubs[0].kill()
        play(tables, 10)
        assert everything_arrives(store, tables)
        broker.kill()
        play(tables, 10)
        broker.start()
        play(tables, 10)
        assert everything_arrives(store, tables)
        status = hubs[1].stop()
        for table in tables:
            table.leave()
        with store.reading() as db:
            told = {one.kind for one in faults.listed(db)}
        assert told <= {"broker", "missing", "away"}
        store.close()
    assert status == -15  # a service ends with what ended it


def play(tables: list[SimulatedConnection], steps: int) -> None:
    """Let some steps be played at every table, a little apart, so that the network has something to do."""
    pause = threading.Event()
    for _ in range(steps):
        for one in tables:
            with one.alone() as box:
                box.step()
        pause.wait(0.01)


@needs_postgres
def test_postgres_keeps_the_same_as_sqlite(url: str) -> None:
    hub = AtHub(url)
    box = hub.box("t1", 3)
    box.say_online()
    box.begin(six(), "m1")
    box.play()

    def twice(topic: str, payload: bytes, _retain: bool) -> None:
        hub.hear(topic, payload)
        hub.hear(topic, payload)

    box.publish = twice
    box.begin(six(), "m2")
    box.step()
    hub.hear("nimmt/t1/event", b"\x00rubbish")
    hub.work()
    with hub.store.writing() as db:  # a table can give a match any name in its result
        faults.tell(db, ("result", "t1", "x" * 99), 1.0)
        faults.put_aside(db, faults.listed(db)[-1].id, 2.0)
    assert hub.kept("m1") == [(one.number, one.seal) for one in box.matches[0].events[1:]]
    assert hub.kept("m2") == whole(box)
    hub.again()
    assert hub.matches.get("m1").match is not None
    assert hub.faults() == [("rubbish", "t1")]
    hub.store.close()


@needs_postgres
def test_two_hubs_that_lead_one_tournament_write_one_log(url: str) -> None:
    hubs = [AtHub(url), AtHub(url)]
    leading = [
        Conductor(one.store, one.evening, one.matches, one.said.__setitem__, lambda: 1.0) for one in hubs
    ]
    leading[0].act(acts.Opened("Friday", "4 8 15", 1, final=0), "Tablet")

    def register(which: int) -> None:
        for badge in range(1 + which, 13, 2):
            leading[which].act(acts.Registered(badge, f"Player {badge}"), f"Tablet {which}")

    at_once = [threading.Thread(target=register, args=(which,)) for which in (0, 1)]
    for one in at_once:
        one.start()
    for one in at_once:
        one.join()
    leading[1].draw("Tablet 1")
    first, second = (one.now() for one in leading)
    assert first is not None
    assert second is not None
    assert first.entries == second.entries
    assert [one.number for one in first.entries] == list(range(1, 15))
    assert {one.badge for one in first.state.players} == set(range(1, 13))
    assert first.state.open_round == second.state.open_round
    assert first.state.open_round is not None
    for hub in hubs:
        hub.store.close()
