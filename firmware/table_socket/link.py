"""The table's socket, from the side of a program with an event loop: the newest snapshot, and acts for it.

The snapshot that the table sends first is kept up to date with its events; where some are left out, the table
sends another one. A table that is away, or says nothing for some time, is tried again for
ever: meanwhile `away` is true, and nobody takes the old snapshot for a current one.
"""

import asyncio
import json
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

from msgspec import convert, to_builtins

from firmware.play.acts import SocketAct
from firmware.table_socket.access import reachable
from firmware.table_socket.acts import LONGEST_LINE
from firmware.table_socket.messages import SettingsAnswer, Snapshot, TableAnswer, after

RETRY_S: Final = 0.5
"""The pause before a table that is away is tried again; one that starts is so seen at once."""

SILENCE_S: Final = 15.0
"""The table says every few seconds that it is alive. One that has not for so long hangs."""

_LONGEST_LINE: Final = 2_000_000
"""Bytes of a line; a snapshot has some ten thousand."""


class Link:
    """The connection to the table at `path`. All of it belongs to the thread of the event loop.

    `changed` is called after each change with the kinds of the events that led to it, also with `away`.
    """

    def __init__(self, path: Path, changed: Callable[[str], None]) -> None:
        self.snapshot: Snapshot | None = None
        """The newest one that is known, of now or before the table went away."""
        self.parts: dict[str, Any] = {}
        """The same of the values of optional parts of the table."""
        self.away = True
        self._path = path
        self._changed = changed
        self._writer: asyncio.StreamWriter | None = None
        self._answers: dict[str, asyncio.Future[dict[str, Any]]] = {}
        self._acts = 0

    async def run(self) -> None:
        """Follow the table until this is cancelled."""
        while True:
            with suppress(OSError, TimeoutError, ValueError, KeyError):
                await self._follow()
            await asyncio.sleep(RETRY_S)

    async def act(self, act: SocketAct | dict[str, Any]) -> TableAnswer:
        """Do something at the table, and give its answer.

        Raises `ConnectionError` where there is none, and `ValueError` for more than the table reads at once.
        """
        record = {**act, "kind": "act"} if isinstance(act, dict) else to_builtins(act)
        return convert(await self._ask(record), TableAnswer)

    async def settings(self, record: dict[str, Any]) -> SettingsAnswer:
        """Read or change the configuration of the game; the rest is as for `act`."""
        return convert(await self._ask({**record, "kind": "settings"}), SettingsAnswer)

    async def _ask(self, record: dict[str, Any]) -> Any:  # noqa: ANN401 - the answer as an object
        if self._writer is None:
            raise ConnectionError
        self._acts += 1
        name = str(self._acts)
        line = json.dumps({**record, "id": name}, ensure_ascii=False, default=str).encode()
        if len(line) > LONGEST_LINE:
            raise ValueError(len(line))
        answer = self._answers[name] = asyncio.get_running_loop().create_future()
        try:
            self._writer.write(line + b"\n")
            # A table that is only slow answers, and one that hangs is left after `SILENCE_S`.
            return await answer
        finally:
            self._answers.pop(name, None)

    async def _follow(self) -> None:
        with reachable(self._path) as address:
            reader, writer = await asyncio.open_unix_connection(address, limit=_LONGEST_LINE)
        self._writer = writer
        try:
            while True:
                async with asyncio.timeout(SILENCE_S):
                    line = await reader.readline()
                if not line:
                    return
                self._hear(json.loads(line))
        finally:
            self._leave()
            writer.close()
            with suppress(OSError):
                await writer.wait_closed()

    def _hear(self, record: dict[str, Any]) -> None:
        kind = record["kind"]
        if kind in ("answer", "settings"):
            answer = self._answers.get(record["id"])
            if answer is not None and not answer.done():
                answer.set_result(record)
        elif kind == "snapshot":
            self.snapshot = after(None, record)
            known = ("kind", *Snapshot.__struct_fields__)
            self.parts = {name: value for name, value in record.items() if name not in known}
            self.away = False
            self._changed(kind)
        elif "number" in record and self.snapshot is not None and not self.away and kind != "alive":
            self.snapshot = after(self.snapshot, record)
            if kind in self.parts:
                self.parts[kind] = record[kind]
            self._changed(kind)

    def _leave(self) -> None:
        """The table is gone: those who wait for an answer get none."""
        self._writer = None
        for answer in self._answers.values():
            if not answer.done():
                answer.set_exception(ConnectionError())
        if not self.away:
            self.away = True
            self._changed("away")
