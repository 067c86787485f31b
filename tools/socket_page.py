"""docs/table-socket.md: its session is played at a table. The schema stands beside it.

A line that begins with `> ` is sent; what was answered and told stands below it. All other text of the page
is written by hand.
"""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from firmware.table_socket.client import Connection
from firmware.table_socket.messages import schema
from tools.bench.wired import live_table

PAGE: Final = Path(__file__).parents[1] / "docs" / "table-socket.md"
SCHEMA: Final = PAGE.with_name("table-socket.schema.json")

_SESSION: Final = re.compile(r"(?<=^<!-- session -->\n\n```text\n)(.*?)(?=^```$)", re.MULTILINE | re.DOTALL)
_BEFORE: Final = "R1 b1 b2 b3 OK R1 R1 12 37 43 58 14 44"
_SHOWN: Final = ("hello", "snapshot", "step", "refused", "answer")
_LONG: Final = ("table", "picture", "steps", "health", "page")
_PATIENCE_S: Final = 300.0


def schema_text() -> str:
    return json.dumps(schema(), indent=1) + "\n"


def up_to_date(page: str) -> str:
    """The page with the session as it is today."""
    return _SESSION.sub(lambda found: _played(re.findall(r"^> (.*)$", found[0], re.MULTILINE)), page)


def _played(requests: list[str]) -> str:
    """The session in which these lines are sent, each once the one before it is answered."""
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
