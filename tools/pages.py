"""`python -m tools.pages` updates the schemas, and the pages that are checked against the program.

In docs/api.md it writes the output of the example; in docs/architecture.md the budgets; in docs/referee.md
and the pages of the games the answers of the examples and the tables of rules; in CONTRIBUTING.md the
numbers of lines; in docs/table-socket.md the session, except the lines that begin with `> `. All else is
written by hand.
"""

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, redirect_stdout
from io import StringIO
from pathlib import Path
from queue import SimpleQueue
from tempfile import TemporaryDirectory
from threading import Thread
from typing import Any, Final

from companion.core import games
from companion.core.codec import json_schema
from companion.core.ruling import Rule
from companion.match import commands as match_commands
from companion.match import match
from companion.protocol.referee import Referee
from companion.values import replace
from firmware import __version__
from firmware.commands.referee import with_journal
from firmware.config.configuration import choose, load
from firmware.journal.store import Journal
from firmware.loop.app import App
from firmware.loop.runtime import Runtime
from firmware.table_socket import messages
from firmware.table_socket.client import TableClient
from firmware.table_socket.server import TableSocket
from network.mqtt.payloads import OF_TOPIC
from tests.gallery.script import perform
from tools import budgets

ROOT: Final = Path(__file__).parents[1]
DOCS: Final = ROOT / "docs"
RECIPES: Final = ROOT / "CONTRIBUTING.md"

_EXAMPLE: Final = re.compile(r"(```python\n(.*?)```\n\n```text\n)(.*?)(?=```)", re.DOTALL)
_SESSION: Final = re.compile(r"(?<=^<!-- session -->\n\n```text\n)(.*?)(?=^```$)", re.MULTILINE | re.DOTALL)
_COUNT: Final = re.compile(r"([\d,]+)(<!-- lines of (\S+) -->)")
_EXCHANGE: Final = re.compile(
    r"^(?:\$ nimmt referee --journal (?P<journal>\S+)|> (?P<request>.+)\n< .+)$", re.MULTILINE
)
_TIME: Final = "2026-02-21 19:30:00+01:00"
"""What the clock says whenever something is saved for the page."""
_RULES: Final = re.compile(
    r"(<!-- rules of (?P<about>\w+) -->\n\n\| key \| .*\n\|---.*\n)(?:\|.*\n)+", re.MULTILINE
)
_BEFORE: Final = "R1 b1 b2 b3 OK R1 R1 12 37 43 58 14"
_SHOWN: Final = ("hello", "snapshot", "step", "refused", "answer")
_LONG: Final = ("table", "picture", "steps", "health", "page")
_PATIENCE_S: Final = 300.0


def api_page(page: str) -> str:
    """docs/api.md with what its example prints today."""
    return _EXAMPLE.sub(lambda example: example[1] + _printed(example[2]), page)


def _printed(code: str) -> str:
    output = StringIO()
    with redirect_stdout(output):
        exec(code, {})  # noqa: S102 - our own page
    return output.getvalue()


def lines_of(name: str) -> int:
    """How many lines a file of the repository has, or the Python files of a folder."""
    path = ROOT / name
    files = sorted(path.rglob("*.py")) if path.is_dir() else [path]
    return sum(len(file.read_text(encoding="utf-8").splitlines()) for file in files)


def counts(text: str) -> Iterator[tuple[str, int]]:
    """What is counted in a text, and the number that stands there."""
    for number, _, name in _COUNT.findall(text):
        yield name, int(number.replace(",", ""))


def counted(text: str) -> str:
    """The text with numbers as they are now: two digits are enough for people, and change rarely."""
    return _COUNT.sub(lambda found: f"{int(float(f'{lines_of(found[3]):.2g}')):,}{found[2]}", text)


# ------------------------------------------------------------------------------------------- the referee


def referee_page(page: str) -> str:
    """docs/referee.md, or the page of a game, with the answers of today and the rules as they are now.

    Every chapter begins with a new referee. A line `$ nimmt referee --journal FILE` starts it again with a
    journal; the journal is kept until the chapter ends.
    """
    answered = "".join(_answered(chapter) for chapter in re.split(r"(?m)(?=^## )", page))
    return _RULES.sub(lambda table: table[1] + _rows(table["about"]), answered)


def _answered(chapter: str) -> str:
    """A chapter with the answers of today, without what is empty or as in the answer before."""
    with TemporaryDirectory() as folder, ExitStack() as stack:
        referee, before = Referee(version=__version__), dict[str, Any]()

        def answered(exchange: re.Match[str]) -> str:
            nonlocal referee, before
            if exchange["journal"]:
                stack.close()
                journal, _ = Journal.open(Path(folder) / exchange["journal"], wall=lambda: _TIME)
                stack.callback(journal.close)
                referee = with_journal(journal)
                return exchange[0]
            answer = json.loads(referee.reply(exchange["request"].encode()))
            if "state" in answer:
                before, answer = answer, _changed(answer, before)
            return f"> {exchange['request']}\n< {json.dumps(answer)}"

        return _EXCHANGE.sub(answered, chapter)


def _changed(answer: dict[str, Any], before: dict[str, Any]) -> dict[str, Any]:
    """What an answer has beside the answer before: what differs and is not empty."""
    known = before.get("state", {})
    state = {key: new for key, new in answer["state"].items() if (known.get(key) or None) != (new or None)}
    asks = [{key: value for key, value in ask.items() if value} for ask in answer["asks"]]
    shown = answer | {"asks": asks, "state": state}
    return {"ok": True} | {key: shown[key] for key in shown if shown[key] and before.get(key) != answer[key]}


def _rows(about: str) -> str:
    """The rules of a game, or of every match (`match`), as the rows of a table."""
    if about == "match":
        rules: Iterable[Rule] = (match.UNDO, match.OVER, *match_commands.RULES)
        own = ""
    else:
        module = games.module(about)
        rules = module.make(module.SEATS[0], {}).rules.values()
        own = f"{module.TITLE.capitalize()} rulebook, "  # the page is about this game
    return "".join(f"| `{rule.key}` | {rule.full} | {rule.source.replace(own, '')} |\n" for rule in rules)


# ------------------------------------------------------------------------------------- the table's socket


def table_socket_page(page: str) -> str:
    """docs/table-socket.md with its session as it is today."""
    return _SESSION.sub(lambda found: _session(re.findall(r"^> (.*)$", found[0], re.MULTILINE)), page)


def _session(requests: Sequence[str]) -> str:
    """Lines that are sent to a table, each once the one before it is answered, and what it sends."""
    shown: list[str] = []
    apps = SimpleQueue[App]()
    with TemporaryDirectory(prefix="nimmt-page-") as name:
        thread = Thread(target=_live, args=(Path(name), apps.put))
        thread.start()
        app = apps.get(timeout=_PATIENCE_S)
        with closing(TableClient(Path(name) / "table.sock", _PATIENCE_S)) as connection, ExitStack() as stack:
            stack.callback(thread.join)
            stack.callback(app.stop)
            objects = iter(connection)
            _until("snapshot", objects, shown)
            for request in requests:
                shown.append(f"> {request}")
                connection.send(json.loads(request))
                _until("answer", objects, shown)
    return "".join(f"{line}\n" for line in shown)


def _live(folder: Path, ready: Callable[[App], None]) -> None:
    """Run a device without hardware, in the middle of a match; its socket is `table.sock`."""
    config = replace(load(None), display=choose("display", "simulated"))
    with (
        closing(Runtime(config, folder / "journal.sqlite")) as runtime,
        closing(TableSocket(runtime.app, folder / "table.sock")) as table,
    ):
        perform(_BEFORE, runtime.app.table)
        table.start()
        ready(runtime.app)
        runtime.app.run()


def _until(kind: str, objects: Iterator[dict[str, Any]], shown: list[str]) -> None:
    for message in objects:
        if message["kind"] in _SHOWN:
            shown.append(json.dumps(_short(message), ensure_ascii=False))
        if message["kind"] == kind:
            return


def _short(message: dict[str, Any]) -> dict[str, Any]:
    """Without what is long, and without the numbers of events, which depend on what is sent together."""
    long = _LONG if message["kind"] == "snapshot" else ()
    return {key: "..." if key in long else value for key, value in message.items() if key != "number"}


# ------------------------------------------------------------------------------------------- all of them


def mqtt_schema() -> dict[str, Any]:
    """docs/mqtt.schema.json: one definition for each topic, by its last word."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "the messages of nimmt-companion over MQTT, version 1, by the last word of the topic",
        "$defs": {name: json_schema(kind) for name, kind in OF_TOPIC.items()},
    }


PAGES: Final[Mapping[Path, Callable[[str], str]]] = {
    DOCS / "api.md": api_page,
    DOCS / "architecture.md": budgets.architecture_page,
    **{DOCS / f"{name}.md": referee_page for name in ("referee", *games.GAMES)},
    DOCS / "table-socket.md": table_socket_page,
    DOCS / "mqtt.schema.json": lambda _: _as_text(mqtt_schema()),
    DOCS / "table-socket.schema.json": lambda _: _as_text(messages.schema()),
    RECIPES: counted,
}
"""Files, and what makes of the text of each the one of today."""


def _as_text(schema: object) -> str:
    return json.dumps(schema, indent=1) + "\n"


if __name__ == "__main__":
    for file, up_to_date in PAGES.items():
        file.write_text(up_to_date(file.read_text(encoding="utf-8")), encoding="utf-8")
