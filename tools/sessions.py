"""The sessions of the documentation, played again: what is sent, and what is answered and told."""

import json
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from companion.values import replace
from firmware.config.configuration import choose, load
from firmware.play.runtime import Runtime
from firmware.scripted.script import perform
from firmware.table_socket.client import Connection
from firmware.table_socket.server import TableSocket

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


@contextmanager
def live_table(folder: Path, script: str = "") -> Iterator[Runtime]:
    """A device without hardware, after a script; its loop runs in a thread, its socket is `table.sock`."""
    made: list[Runtime] = []
    ready = threading.Event()

    def live() -> None:
        config = replace(load(None), display=choose("display", "simulated"))
        runtime = Runtime(config, folder / "journal.sqlite")
        table = TableSocket(runtime.app, folder / "table.sock")
        try:
            perform(script, runtime.app.controller)
            table.start()
            made.append(runtime)
            ready.set()
            runtime.app.run()
        finally:
            table.close()
            runtime.close()

    thread = threading.Thread(target=live)
    thread.start()
    try:
        if not ready.wait(_PATIENCE_S):
            raise TimeoutError("the table does not begin")
        yield made[0]
    finally:
        if made:
            made[0].app.stop()
        thread.join()


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
