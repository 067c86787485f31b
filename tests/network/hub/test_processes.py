"""A hub as a process, at a real broker, with a real database: all of them are killed."""

import socket
import threading
from contextlib import closing, nullcontext
from pathlib import Path
from urllib.request import urlopen

import pytest

from network.hub import faults
from network.hub.demo import SimulatedTable
from network.hub.matches import Matches
from network.hub.pages import ON_A_PAGE
from network.hub.store import Store
from network.mqtt.config import BrokerOptions
from network.mqtt.forward import Forward
from tests.examples import TIMES
from tests.network.hub.at_hub import kept, six, whole
from tests.network.hub.servers import HubProcess, Postgres, needs_postgres, postgres
from tests.network.mqtt.mosquitto import Mosquitto, mosquitto, needs_mosquitto
from tests.patience import comes


class Evening:
    """Tables at which people play, a broker that keeps nothing over its end, and a hub as a process."""

    def __init__(self, folder: Path, broker: Mosquitto, server: Postgres | None, tables: int) -> None:
        url = server.url if server else f"sqlite:///{folder / 'hub.sqlite'}"
        self.broker, self.store = broker, Store(url)
        self.hub = HubProcess(broker.port, url, folder / "hub")
        self.hub.start()
        self._options = BrokerOptions(f"127.0.0.1:{broker.port}")
        self.tables = [
            SimulatedTable(self._options, f"t{number}", str(number), number)
            for number in range(1, tables + 1)
        ]
        for table in self.tables:
            with table.lock:
                table.box.begin(six(), f"match {table.box.name}", ("Ada", "Ben", "Cleo", "Dario"))

    def play(self, steps: int) -> None:
        """Play at every table, a little apart, so that the network has something to do."""
        for _ in range(steps):
            for table in self.tables:
                with table.lock:
                    table.box.step()
            threading.Event().wait(0.01)

    def kill_table(self, at: int) -> None:
        """End the program of a table as a power cut does, and start it again. It has its journal."""
        killed = self.tables[at]
        killed._broker._client.loop_stop()
        wire = killed._broker._client.socket()
        if isinstance(wire, socket.socket):
            wire.close()
        self.tables[at] = again = SimulatedTable(self._options, killed.box.name, killed.box.label, at)
        with again.lock:
            again.box.matches, again.box.forward = killed.box.matches, Forward()

    def is_whole(self) -> bool:
        """Whether every step of every table is stored, once."""
        return all(kept(self.store, one.box.matches[-1].uid) == whole(one.box) for one in self.tables)

    def check_shown(self) -> None:
        """Everything is shown, and once: each match in the list, and its score as at the table."""
        shown = urlopen(f"http://127.0.0.1:{self.hub.port}/history").read().decode()
        matches = Matches(self.store)
        for table in self.tables:
            played = table.box.matches[-1]
            assert shown.count(f'"/match/{played.uid}"') == 1
            folded = matches.whole(played.uid)
            assert folded.match is not None
            assert folded.match.totals == played.match.totals
        assert shown.count('class="entry"') == min(len(self.tables), ON_A_PAGE)
        with self.store.reading() as db:
            assert {one.kind for one in faults.listed(db)} <= {"broker", "database", "away"}

    def close(self) -> None:
        for table in self.tables:
            table.leave()
        self.store.close()
        assert self.hub.stop() == -15  # a service ends with what ended it


@needs_mosquitto
@pytest.mark.slow
@pytest.mark.parametrize("kind", ["sqlite", pytest.param("postgresql", marks=needs_postgres)])
def test_an_evening_loses_nothing_and_shows_nothing_twice_whatever_is_killed_in_the_middle_of_it(
    tmp_path: Path, kind: str
) -> None:
    with (
        postgres() if kind == "postgresql" else nullcontext() as server,
        mosquitto(tmp_path) as broker,
        closing(Evening(tmp_path, broker, server, 4 if TIMES <= 1 else 30)) as evening,
    ):
        evening.play(10)
        evening.hub.kill()
        evening.play(10)
        evening.hub.start()
        evening.play(5)
        broker.kill()  # with all that it has not delivered
        evening.play(10)
        broker.start()
        for at in range(0, len(evening.tables), 3):
            evening.kill_table(at)
        evening.play(10)
        if server:
            server.stop()
            evening.play(10)
            server.start()
            evening.store.engine.dispose()
        evening.play(10)
        broker.kill()  # and now both, with what each of them had
        evening.hub.kill()
        evening.play(10)
        broker.start()
        evening.hub.start()
        evening.play(5)
        assert comes(evening.is_whole, 0.2)
        evening.check_shown()
