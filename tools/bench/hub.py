"""How late a page of the hub shows a step, with a thousand tables and a step a second at each; and its cost.

Each table plays the same match, of which every step is told a second after the one before. Beside the hub, a
bare subscriber hears the steps from the same broker: that is the floor.
"""

import json
import random
import re
import sqlite3
import subprocess
import threading
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Final
from urllib.request import urlopen

from paho.mqtt.subscribeoptions import SubscribeOptions

from companion.match.match import Terms
from companion.text.errors import CompanionError
from network.hub.demo import broker
from network.hub.simulated import SimulatedBox
from network.mqtt import topics
from network.mqtt.broker import Address, Broker, Received
from network.mqtt.payloads import Event, decode, encode
from tools.bench.figure import Clock, Effort, Figure, at_most, late
from tools.bench.machine import DISK, fresh_folder, processor_s, resident_mb
from tools.bench.programs import PATIENCE_S, environment, nimmt

_LIMIT_MS: Final = 250.0
_SHOWN: Final = 24
"""Tables on one page of the hall; the steps of these are timed."""

_SETTLE_S: Final = 3.0


def hub(effort: Effort) -> list[Figure]:
    """The slowest hundredth at the page, and what was lost; the cost of a step is in a note."""
    with fresh_folder(DISK) as folder:
        try:
            with broker(folder) as address:
                return _measured(effort, folder, address)
        except CompanionError as missing:
            note = f"{missing.fault}: {missing.fix}"
            return [Figure("hub.page", None, "ms", at_most(_LIMIT_MS), note=note)]


def _measured(effort: Effort, folder: Path, address: Address) -> list[Figure]:
    database = folder / "hub.sqlite"
    words = [
        "hub",
        "--broker",
        f"{address.host}:{address.port}",
        "--database",
        f"sqlite:///{database}",
        "--port",
        "0",
    ]
    server = subprocess.Popen(  # noqa: S603 - our own program
        nimmt(*words), env=environment(folder), stdout=subprocess.PIPE, text=True
    )
    try:
        assert server.stdout is not None  # noqa: S101 - it is a pipe
        page = next(found for line in server.stdout if (found := re.search(r"http://[^/]*:(\d+)/", line)))
        run = _Run(effort)
        watching = threading.Thread(target=run.watch, args=(f"http://127.0.0.1:{page[1]}",))
        watching.start()
        before_s = processor_s(server.pid)
        run.play(address)
        spent_s, memory_mb = processor_s(server.pid) - before_s, resident_mb(server.pid)
    finally:
        server.terminate()
        server.communicate()
    watching.join()
    with closing(sqlite3.connect(database)) as db:
        (kept,) = db.execute("SELECT count(*) FROM step").fetchone()
    sent = effort.tables * effort.tables_s
    seen = f"{len(run.shown_ms)} steps seen on a page"
    note = f"{effort.tables} tables, {effort.tables_s} s, a step a second each; {seen}"
    cost = f"a step takes {1000 * spent_s / sent:.2f} ms of processor time; {memory_mb:.0f} MB in memory"
    return [
        Figure(
            "hub.page",
            late(run.shown_ms, 99),
            "ms",
            at_most(_LIMIT_MS),
            floor=late(run.heard_ms, 99),
            note=note,
            detail={"shown_ms": run.shown_ms, "heard_ms": run.heard_ms},
            timed_by=Clock.WALL,
        ),
        Figure(
            "hub.lost",
            float(sent - kept),
            "",
            at_most(0.0),
            floor=0.0,
            note=f"{sent} steps; {cost}",
            timed_by=Clock.WALL,
        ),
    ]


class _Run:
    """The tables, a subscriber and a page; all times are of one clock."""

    def __init__(self, effort: Effort) -> None:
        self._names = [f"t{number}" for number in range(1, effort.tables + 1)]
        self._steps = effort.tables_s
        self._sent_s: dict[tuple[str, int], float] = {}
        self._seen: dict[str, int] = {}
        self.shown_ms: list[float] = []
        self.heard_ms: list[float] = []

    def play(self, address: Address) -> None:
        """Connect, play, and wait for what is still on its way."""
        there = threading.Semaphore(0)
        every = [(topics.every_table(topics.EVENT), SubscribeOptions(qos=1))]
        most = len(self._names)
        clients = (
            Broker(address, "tables", changed=there.release, most_waiting=most),
            Broker(address, "floor", self._hear, there.release, every),
        )
        for client in clients:
            client.start()
        if not all(there.acquire(timeout=PATIENCE_S) for _ in clients):
            raise TimeoutError("the broker does not answer")
        records, pause = _match(self._steps), threading.Event()
        tables = {name: _messages(name, records) for name in self._names}
        offset_s = {name: random.Random(name).random() for name in self._names}
        for name, messages in tables.items():
            clients[0].publish(topics.table_topic(name, topics.EVENT), next(messages), retain=False)
        pause.wait(_SETTLE_S)
        began_s = time.monotonic()
        for number in range(1, self._steps + 1):
            for name in sorted(self._names, key=offset_s.__getitem__):
                payload = next(tables[name])
                pause.wait(max(0.0, began_s + number - 1 + offset_s[name] - time.monotonic()))
                self._sent_s[name, number] = time.monotonic()
                clients[0].publish(topics.table_topic(name, topics.EVENT), payload, retain=False)
        pause.wait(_SETTLE_S)
        for client in clients:
            client.close()

    def _hear(self, received: Received) -> None:
        now_s, name = time.monotonic(), received.topic.split("/")[1]
        if name in self._names[:_SHOWN]:
            sent_s = self._sent_s.get((name, decode(Event, received.payload).number))
            if sent_s is not None:
                self.heard_ms.append(1000 * (now_s - sent_s))

    def watch(self, site: str) -> None:
        """Look at the first page of the hall until the server ends."""
        with urlopen(f"{site}/live?page=1&language=en") as page:  # noqa: S310 - our own program
            for line in page:
                now_s = time.monotonic()
                if line.startswith(b"data: {"):
                    for table in json.loads(line[6:])["tables"]:
                        self._see(table["name"], table["step"], now_s)

    def _see(self, name: str, step: int, now_s: float) -> None:
        for number in range(self._seen.get(name, 0) + 1, step + 1):
            if (sent_s := self._sent_s.get((name, number))) is not None:
                self.shown_ms.append(1000 * (now_s - sent_s))
        self._seen[name] = max(step, self._seen.get(name, 0))


def _messages(name: str, records: list[dict[str, object]]) -> Iterator[bytes]:
    """The header and the steps of a match at this table."""
    uid, (header, *steps) = f"match-{name}", records
    yield encode(Event(uid, 0, "", "", header))
    for number, record in enumerate(steps, start=1):
        yield encode(Event(uid, number, "", "", record))


def _match(steps: int) -> list[dict[str, object]]:
    """The header and the records of so many steps of a match, or of several that are one."""
    sent: list[Event] = []

    def keep(topic: str, payload: bytes, _retain: bool) -> bool:  # noqa: FBT001 - as in MQTT
        if topic.endswith(f"/{topics.EVENT}"):
            sent.append(decode(Event, payload))
        return True

    box = SimulatedBox("t", keep, random.Random(6))
    box.begin(Terms("six", 4, badges=(1, 2, 3, 4)), "m")
    while len(sent) <= steps and box.step():
        pass
    if len(sent) <= steps:
        raise RuntimeError(f"the match has {len(sent) - 1} steps only")
    return [dict(one.record) for one in sent[: steps + 1]]
