"""Brings docs/table-socket.md up to date: its session is played at a table. It writes the schema beside it.

`python -m tools.socket_page` writes both; a test compares them with the program. A line that begins with `> `
is sent; what was answered and told stands below it. All other text of the page is written by hand.
"""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from msgspec.structs import replace

from firmware.config.configuration import choose, load
from firmware.play.runtime import Runtime
from firmware.scripted.script import perform
from firmware.table_socket.client import Connection
from firmware.table_socket.messages import schema
from firmware.table_socket.server import TableSocket

PAGE: Final = Path(__file__).parents[1] / "docs" / "table-socket.md"
SCHEMA: Final = PAGE.with_name("table-socket.schema.json")

_SESSION: Final = re.compile(r"(?<=^<!-- session -->\n\n```text\n)(.*?)(?=^```$)", re.MULTILINE | re.DOTALL)
_BEFORE: Final = "R1 b1 b2 b3 OK R1 R1 12 37 43 58 14 44"
_SHOWN: Final = ("hello", "snapshot", "step", "refused", "answer")
_LONG: Final = ("table", "picture", "steps", "health", "page")
_PATIENCE_S: Final = 300.0


def main() -> None:
    PAGE.write_text(up_to_date(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
    SCHEMA.write_text(schema_text(), encoding="utf-8")


def schema_text() -> str:
    return json.dumps(schema(), indent=1) + "\n"


def up_to_date(page: str) -> str:
    """The page with the session as it is today."""
    return _SESSION.sub(lambda found: _played(re.findall(r"^> (.*)$", found[0], re.MULTILINE)), page)


def _played(requests: list[str]) -> str:
    """The session in which these lines are sent, each once the one before it is answered."""
    shown: list[str] = []
    with _table() as path, Connection(path, _PATIENCE_S) as connection:
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


@contextmanager
def _table() -> Iterator[Path]:
    """The socket of a table at which two of three players have played their card."""
    with TemporaryDirectory(prefix="nimmt-page-") as name:
        folder, ready, stop = Path(name), threading.Event(), list[Runtime]()
        thread = threading.Thread(target=_live, args=(folder, ready, stop))
        thread.start()
        try:
            if not ready.wait(_PATIENCE_S):
                raise TimeoutError("the table does not begin")
            yield folder / "table.sock"
        finally:
            stop[0].app.stop()
            thread.join()


def _live(folder: Path, ready: threading.Event, made: list[Runtime]) -> None:
    config = replace(load(None), display=choose("display", "simulated"))
    runtime = Runtime(config, folder / "journal.sqlite")
    made.append(runtime)
    socket = TableSocket(runtime.app, folder / "table.sock")
    try:
        for word in _BEFORE.split():
            perform(word, runtime.app.controller)
        socket.start()
        ready.set()
        runtime.app.run()
    finally:
        socket.close()
        runtime.close()


if __name__ == "__main__":
    main()
