"""The sessions of the documentation, played again: what is sent, and what is answered and told."""

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from firmware.table_socket.client import Connection
from tools.bench.wired import live_table

_BEFORE: Final = "R1 b1 b2 b3 OK R1 R1 12 37 43 58 14 44"
_SHOWN: Final = ("hello", "snapshot", "step", "refused", "answer")
_LONG: Final = ("table", "picture", "steps", "health", "page")
_PATIENCE_S: Final = 300.0


def table_socket(requests: Sequence[str]) -> str:
    """The session of docs/table-socket.md: these lines are sent, each once the one before it is answered."""
    shown: list[str] = []
    with (
        TemporaryDirectory(prefix="nimmt-page-") as folder,
        live_table(Path(folder), _BEFORE),
        Connection(Path(folder) / "table.sock", _PATIENCE_S) as connection,
    ):
        objects = iter(connection)
        _until("snapshot", objects, shown)
        for request in requests:
            shown.append(f"> {request}")
            connection.send(json.loads(request))
            _until("answer", objects, shown)
    return "".join(f"{line}\n" for line in shown)


def _until(kind: str, objects: Iterator[dict[str, Any]], shown: list[str]) -> None:
    for told in objects:
        if told["kind"] in _SHOWN:
            shown.append(json.dumps(_short(told), ensure_ascii=False))
        if told["kind"] == kind:
            return


def _short(told: dict[str, Any]) -> dict[str, Any]:
    """Without what is long, and without the numbers of events, which depend on what is told together."""
    long = _LONG if told["kind"] == "snapshot" else ()
    return {key: "..." if key in long else value for key, value in told.items() if key != "number"}
