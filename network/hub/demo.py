"""A tournament on one machine: a broker, simulated boxes at which players play by chance, and the hub.

A director does what is due, and tables play where they are told.
"""

from __future__ import annotations

import logging
import random
import shutil
import socket
import subprocess
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Final

from paho.mqtt.subscribeoptions import SubscribeOptions

from companion.match.match import Terms
from companion.text.errors import CompanionError
from companion.tournament import acts
from companion.tournament.standing import standing
from network.hub.simulated import SimulatedBox
from network.mqtt import topics
from network.mqtt.broker import Address, Broker, Received
from network.mqtt.payloads import Have, Malformed, Online, Seats, decode, encode

if TYPE_CHECKING:
    from network.hub.tournament import Conductor

NAMES: Final = (
    "Ada", "Ben", "Cleo", "Dario", "Elif", "Farid", "Greta", "Hugo", "Ines", "Jonas", "Kian", "Leyla",
    "Mara", "Nils", "Olga", "Parisa", "Quentin", "Rosa", "Sara", "Tom", "Uta", "Vera", "Willi", "Yara",
    "Zeno",
)  # fmt: skip

WAIT_S: Final = 120.0  # one that hangs; one that ends is noticed at once


@contextmanager
def broker(folder: Path) -> Iterator[Address]:
    """A mosquitto of our own, for this machine alone. Raises `CompanionError` if there is none."""
    program = shutil.which("mosquitto", path="/usr/sbin:/usr/local/sbin:/usr/bin:/usr/local/bin")
    if program is None:
        raise CompanionError("the program mosquitto is not installed", "on Debian: apt install mosquitto")
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
    settings = folder / "mosquitto.conf"
    settings.write_text(f"listener {port} 127.0.0.1\nallow_anonymous true\nmax_queued_messages 100000\n")
    quiet = subprocess.DEVNULL
    running = subprocess.Popen([program, "-c", settings], stdout=quiet, stderr=quiet)  # noqa: S603
    try:
        _wait_for(port, running)
        yield Address("127.0.0.1", port)
    finally:
        running.terminate()
        running.wait()


def _wait_for(port: int, running: subprocess.Popen[bytes]) -> None:
    until_s = time.monotonic() + WAIT_S
    while True:
        try:
            socket.create_connection(("127.0.0.1", port), 1.0).close()
            return
        except OSError:
            if running.poll() is not None or time.monotonic() > until_s:
                raise CompanionError("mosquitto does not start", "try it by hand: mosquitto -v") from None
            threading.Event().wait(0.02)


class SimulatedConnection:
    """A simulated box with a connection of its own, as a real one has.

    `lock` is for whoever uses the box: what the hub says comes in another thread.
    """

    def __init__(self, address: Address, name: str, label: str, seed: int) -> None:
        self.lock = threading.RLock()
        self._connections = 0
        self.seats: Seats | None = None
        """Who is to play here in a tournament."""
        gone = encode(Online(name, online=False, name=label))
        self._broker = Broker(
            address,
            name,
            self._heard,
            self._changed,
            [(topics.table_topic(name, one), SubscribeOptions(qos=1)) for one in (topics.HAVE, topics.SEATS)],
            will=(topics.table_topic(name, topics.ONLINE), gone),
        )
        self.box = SimulatedBox(
            name,
            lambda topic, payload, retain: self._broker.publish(topic, payload, retain=retain),
            random.Random(seed),  # noqa: S311 - it is a game
            label=label,
            now=lambda: datetime.now(UTC).isoformat(timespec="milliseconds"),
        )
        self._broker.start()  # it comes back by itself until `leave`

    def leave(self) -> None:
        self.box.say_online(online=False)
        self._broker.close()

    def _changed(self) -> None:
        if self._connections != self._broker.connections:
            self._connections = self._broker.connections
            with self.lock:
                self.box.connected()

    def _heard(self, received: Received) -> None:
        with suppress(Malformed):
            if received.topic.endswith(topics.SEATS):
                self.seats = decode(Seats, received.payload) if received.payload else None
            elif received.payload:
                with self.lock:
                    self.box.hear(decode(Have, received.payload))


_LOG: Final = logging.getLogger(__name__)

WHO: Final = "demo"
_AT_A_TABLE: Final = 4


class Demo:
    """A tournament that is played by chance where people are seated, and led, until `stop`.

    At each table somebody acts every `step_s` seconds on average.
    """

    def __init__(self, address: Address, tables: int, step_s: float) -> None:
        self._tables = [SimulatedConnection(address, f"t{n}", f"{n}", n) for n in range(1, tables + 1)]
        self._turn_s = step_s / tables
        self._stopped = threading.Event()
        self._thread: threading.Thread | None = None

    def start(self, conductor: Conductor) -> None:
        self._thread = threading.Thread(target=self._play, args=(conductor,), name="players")
        self._thread.start()

    def stop(self) -> None:
        self._stopped.set()
        if self._thread is not None:
            self._thread.join()
        for table in self._tables:
            table.leave()

    def _play(self, conductor: Conductor) -> None:
        chance = random.Random(6)  # noqa: S311 - it is a game
        opened = acts.Opened("Demo", "6", 3, options={"end": {"deals": 1}})
        players, goes_on = people(len(self._tables)), True
        while not self._stopped.wait(self._turn_s):
            goes_on = goes_on and direct(conductor, opened, players)
            table = chance.choice(self._tables)
            with table.lock:
                play(table.box, table.seats)


def people(tables: int) -> list[acts.Registered]:
    """Four players for each table; the second with a name is called by a number too."""
    found = []
    for at in range(tables * _AT_A_TABLE):
        again, name = divmod(at, len(NAMES))
        found.append(acts.Registered(at + 1, f"{NAMES[name]} {again + 1}" if again else NAMES[name]))
    return found


def direct(conductor: Conductor, opened: acts.Opened, players: Sequence[acts.Registered]) -> bool:
    """Do what a director would do now, and log what is drawn; False once the tournament is over."""
    held = conductor.now()
    if held is None:
        conductor.act(opened, WHO)
        for player in players:
            conductor.act(player, WHO)
        return True
    state, round_ = held.state, held.state.open_round
    if state.finished:
        return False
    if round_ is not None:
        if all(table.is_confirmed for table in round_.tables):
            conductor.act(acts.Closed(round_.number), WHO)
    elif state.rounds and state.rounds[-1].final:
        conductor.act(acts.Finished(), WHO)
        _LOG.warning("the tournament is over; first: %s", standing(state)[0].name)
    else:
        drawn = conductor.draw(WHO).rounds[-1]
        what = "the final" if drawn.final else f"round {drawn.number}"
        _LOG.warning("%s is drawn: %d tables", what, len(drawn.tables))
    return True


def play(box: SimulatedBox, seats: Seats | None) -> None:
    """Let one table do the next thing: begin where people are seated, play, tell the result."""
    if seats is None or not seats.players:
        return
    uid = f"{box.name}-{seats.round}"
    if not box.matches or box.matches[-1].uid != uid:
        badges = tuple(player.badge for player in seats.players)
        names = tuple(player.name for player in seats.players)
        box.begin(Terms(seats.game, len(badges), dict(seats.options), badges=badges), uid, names)
    elif box.matches[-1].match.asks and not box.step():
        raise RuntimeError("a match that asks cannot go on")
    elif not box.matches[-1].match.asks:
        box.tell_result(seats.round, tuple(player.badge for player in seats.players))


@contextmanager
def evening(tables: int, step_s: float) -> Iterator[tuple[Address, Path, Demo]]:
    """A broker, and tables that are there; with a folder that is removed at the end."""
    with tempfile.TemporaryDirectory(prefix="nimmt-hub-") as name, broker(Path(name)) as address:
        demo = Demo(address, tables, step_s)
        try:
            yield address, Path(name), demo
        finally:
            demo.stop()
