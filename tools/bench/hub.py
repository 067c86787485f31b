"""How late a page of the hub shows a step, with a thousand tables and a step a second at each; and its cost.

The tables are one process with a thousand connections of its own. Each plays the same match, of which every
step is told a second after the one before. In the same event loop a bare subscriber hears the steps from the
same broker: that is the floor.
"""

import asyncio
import json
import random
import re
import sqlite3
import struct
import subprocess
import time
from pathlib import Path
from typing import Final

from companion.match.match import Terms
from companion.text.errors import CompanionError
from network.hub.demo import broker
from network.hub.simulated import SimulatedBox
from network.mqtt import topics
from network.mqtt.payloads import Event, decode, encode, first_seal, header_seal, next_seal
from tools.bench.figure import Clock, Effort, Figure, at_most, late
from tools.bench.machine import DISK, fresh_folder, processor_s, resident_mb
from tools.bench.programs import environment, nimmt

_LIMIT_MS: Final = 250.0
_SHOWN: Final = 24
"""Tables on one page of the hall; the steps of these are timed."""

_SETTLE_S: Final = 3.0


def hub(effort: Effort) -> list[Figure]:
    """The slowest hundredth at the page, and what was lost; the cost of a step is in a note."""
    with fresh_folder(DISK) as folder:
        try:
            with broker(folder) as address:
                return _measured(effort, folder, address.port)
        except CompanionError as missing:
            note = f"{missing.fault}: {missing.fix}"
            return [Figure("hub.page", None, "ms", at_most(_LIMIT_MS), note=note)]


def _measured(effort: Effort, folder: Path, port: int) -> list[Figure]:
    database = folder / "hub.sqlite"
    words = ["hub", "--broker", f"127.0.0.1:{port}", "--database", f"sqlite:///{database}", "--port", "0"]
    server = subprocess.Popen(  # noqa: S603 - our own program
        nimmt(*words), env=environment(folder), stdout=subprocess.PIPE, text=True
    )
    try:
        assert server.stdout is not None  # noqa: S101 - it is a pipe
        page = next(found for line in server.stdout if (found := re.search(r"http://[^/]*:(\d+)/", line)))
        run = _Run(effort.tables, effort.tables_s, port, int(page[1]))
        before_s = processor_s(server.pid)
        asyncio.run(run.all())
        spent_s, memory_mb = processor_s(server.pid) - before_s, resident_mb(server.pid)
    finally:
        server.terminate()
        server.communicate()
    with sqlite3.connect(database) as db:
        (kept,) = db.execute("SELECT count(*) FROM step").fetchone()
    db.close()
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
    """The tables, a subscriber and a page, in one event loop, so that all times are of one clock."""

    def __init__(self, tables: int, steps: int, port: int, page: int) -> None:
        self._tables, self._steps, self._port, self._page = tables, steps, port, page
        self._records = _match(steps)
        self._sent_s: dict[tuple[str, int], float] = {}
        self._timed = {f"t{number}" for number in range(1, min(tables, _SHOWN) + 1)}
        self._seen: dict[str, int] = {}
        self._writers: list[asyncio.StreamWriter] = []
        self.shown_ms: list[float] = []
        self.heard_ms: list[float] = []

    async def all(self) -> None:
        """Connect, play, wait for what is still on its way, and end."""
        go = asyncio.Event()
        playing = []
        for number in range(1, self._tables + 1):
            playing.append(asyncio.create_task(self._table(f"t{number}", go)))
            if number % 50 == 0:
                await asyncio.sleep(0.05)
        await asyncio.sleep(_SETTLE_S)
        watching = [asyncio.create_task(self._watch()), asyncio.create_task(self._listen())]
        await asyncio.sleep(1.0)
        go.set()
        await asyncio.gather(*playing)
        for one in watching:
            one.cancel()
        await asyncio.gather(*watching, return_exceptions=True)
        for writer in self._writers:
            writer.close()
        await asyncio.gather(*(one.wait_closed() for one in self._writers), return_exceptions=True)

    async def _table(self, name: str, go: asyncio.Event) -> None:
        reader, writer = await self._connected(name)
        draining = asyncio.create_task(_drain(reader))
        uid, topic = f"match-{name}", topics.table_topic(name, topics.EVENT)
        header, *records = self._records
        first = Event(uid, 0, "", header_seal(uid, header), header)
        writer.write(_publish(topic, encode(first)))
        seal = first_seal(uid)
        await go.wait()
        await asyncio.sleep(random.Random(name).random())
        next_s = time.monotonic()
        for number, record in enumerate(records, start=1):
            seal = next_seal(seal, number, "", record)
            packet = _publish(topic, encode(Event(uid, number, "", seal, record)))
            self._sent_s[name, number] = time.monotonic()
            writer.write(packet)
            next_s += 1.0
            await asyncio.sleep(max(0.0, next_s - time.monotonic()))
        await asyncio.sleep(_SETTLE_S)
        draining.cancel()

    async def _listen(self) -> None:
        reader, writer = await self._connected("floor")
        filter_ = _text(topics.every_table(topics.EVENT))
        writer.write(_packet(0x82, b"\x00\x01" + filter_ + b"\x00"))
        while True:
            kind, body = await _read(reader)
            if kind >> 4 != 3:
                continue
            length = struct.unpack("!H", body[:2])[0]
            name = body[2 : 2 + length].decode().split("/")[1]
            if name in self._timed:
                now_s = time.monotonic()
                sent_s = self._sent_s.get((name, decode(Event, body[2 + length :]).number))
                if sent_s is not None:
                    self.heard_ms.append(1000 * (now_s - sent_s))

    async def _watch(self) -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", self._page, limit=2**22)
        self._writers.append(writer)
        writer.write(b"GET /live?page=1&language=en HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
        while line := await reader.readline():
            if not line.startswith(b"data: {"):
                continue
            now_s = time.monotonic()
            for table in json.loads(line[6:])["tables"]:
                self._see(table["name"], table["step"], now_s)

    def _see(self, name: str, step: int, now_s: float) -> None:
        for number in range(self._seen.get(name, 0) + 1, step + 1):
            if (sent_s := self._sent_s.get((name, number))) is not None:
                self.shown_ms.append(1000 * (now_s - sent_s))
        self._seen[name] = max(step, self._seen.get(name, 0))

    async def _connected(self, name: str) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        reader, writer = await asyncio.open_connection("127.0.0.1", self._port)
        self._writers.append(writer)
        writer.write(_packet(0x10, _text("MQTT") + b"\x04\x02\x00\x3c" + _text(f"table-{name}")))
        await _read(reader)
        return reader, writer


def _match(steps: int) -> list[dict[str, object]]:
    """The header and the records of so many steps of a match, or of several that are one."""
    sent: list[Event] = []

    def keep(topic: str, payload: bytes, _retain: bool) -> None:  # noqa: FBT001 - as in MQTT
        if topic.endswith(f"/{topics.EVENT}"):
            sent.append(decode(Event, payload))

    box = SimulatedBox("t", keep, random.Random(6))
    box.begin(Terms("six", 4, badges=(1, 2, 3, 4)), "m")
    while len(sent) <= steps and box.step():
        pass
    if len(sent) <= steps:
        raise RuntimeError(f"the match has {len(sent) - 1} steps only")
    return [dict(one.record) for one in sent[: steps + 1]]


def _text(text: str) -> bytes:
    data = text.encode()
    return struct.pack("!H", len(data)) + data


def _packet(kind: int, body: bytes) -> bytes:
    size, left = b"", len(body)
    while True:
        left, digit = divmod(left, 128)
        size += bytes([digit | (128 if left else 0)])
        if not left:
            return bytes([kind]) + size + body


def _publish(topic: str, payload: bytes) -> bytes:
    return _packet(0x30, _text(topic) + payload)


async def _read(reader: asyncio.StreamReader) -> tuple[int, bytes]:
    kind = (await reader.readexactly(1))[0]
    size, factor = 0, 1
    while True:
        digit = (await reader.readexactly(1))[0]
        size += (digit & 127) * factor
        if digit < 128:
            return kind, await reader.readexactly(size)
        factor *= 128


async def _drain(reader: asyncio.StreamReader) -> None:
    while await reader.read(4096):
        pass
