"""docs/commands.md, generated from the parser of the command line, with the output of examples.

Everything that an output could depend on is given: three matches of scripted players with fixed seeds, a
clock that goes on by 15 seconds for each step, one configuration, a folder of its own. Lines about the
machine on which the page is made are left out.

`python -m firmware.cli.doc > docs/commands.md` writes it; a test compares them.
"""

import argparse
import io
import json
import os
import random
import re
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import chdir, closing, contextmanager, redirect_stderr, redirect_stdout
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path
from typing import Final

from msgspec.structs import replace

from firmware import __version__
from firmware.cli import main as cli
from firmware.cli.main import parser
from firmware.commands.declared import Command, Example
from firmware.commands.setup import guide
from firmware.config.configuration import Config, choose, load
from firmware.journal.store import Journal
from firmware.journal.writes import Append
from firmware.play.runtime import Runtime
from firmware.scripted.gallery import SCREENS
from firmware.scripted.players import Players
from firmware.service.health import of_devices
from firmware.setup.dialogue import Talk
from firmware.setup.machine import Machine
from firmware.table_socket.as_text import lines_of
from firmware.table_socket.events import EventWriter
from firmware.table_socket.feed import Feed
from firmware.table_socket.messages import after
from hardware.ports import DeviceFault

_CONFIGURED: Final = ("--config", "table.toml")
"""The configuration of the examples, and with it their journal."""

_HOME: Final = "/home/pi"
"""Stands in the page for the folder in which the examples are run."""

_BEGAN: Final = datetime(2026, 2, 21, 19, 30, tzinfo=UTC)
_STEP_S: Final = 15

_MATCHES: Final = (("six", 4, 6, None), ("eleven", 3, 11, None), ("six", 4, 7, 40))
"""Game, seats, seed, and after how many inputs the match is left; None: it is played to its end."""

_ALL: Final = 10_000
"""More lines than a command prints."""

_INPUTS: Final = 54
"""After so many inputs the table is shown."""

_TABLE: Final = """\
[display]
driver = "png"
folder = "pictures"

[scanner]
driver = "serial"
port = "/dev/ttyUSB9"

[journal]
path = "journal.sqlite"

[table]
names = ["Ana", "Bo", "Cem", "Dora"]
"""

_BROKEN: Final = """\
[display]
driver = "oled"
chip = "ssd1308"

[table]
missing_card_s = 0
nmaes = ["Ana"]
"""

_DEVICE: Final = """\
board = "hand-wired"

[scanner]
driver = "gm65"
port = "/dev/ttyAMA0"
"""

_BOOT: Final = "dtparam=audio=on\n\n[all]\ndtparam=i2c_arm=on\n"
_WIFI: Final = "country = Germany\nnetwork = My network\npassword = correct horse\n"


def outputs() -> dict[str, list[tuple[str, str]]]:
    """The examples of each command: what is typed, and what is printed. Takes some seconds."""
    commands, _ = cli.every_command()
    # The optional ones first: some of those that are always there change the journal.
    order = sorted(commands, key=lambda name: name in cli.COMMANDS)
    with _evening():
        found = {
            name: [(one.typed, _output(one, commands[name])) for one in commands[name].examples]
            for name in order
        }
        told = {"setup": [("nimmt setup", _setup())], "table": [("nimmt table --once", _table())]}
        return {**found, **told}


def _table() -> str:
    """A match in play as its socket tells it, without a socket."""
    config = replace(load(Path("table.toml")), display=choose("display", "simulated"))
    players = Players("six", 4, random.Random(6))  # noqa: S311 - a game, no secret
    with closing(Runtime(replace(config, scanner=choose("scanner", "none")), Path("t.sqlite"))) as runtime:
        feed = Feed(runtime.app, tuple, lambda: None)
        runtime.app.observe(feed.looked)
        controller = runtime.app.controller
        for _ in range(_INPUTS):
            message = players.next(controller)
            if message is not None:
                controller.hear(message, controller.now_s + 1.5)
        runtime.app.look()
        writer = EventWriter()
        writer.write(feed.taken(), events=True)
        snapshot = after(None, json.loads(writer.snapshot() or b""))
        return "\n".join(lines_of(snapshot)) if snapshot else ""


def _setup() -> str:
    """The set-up on a machine without devices, where Enter answers every question but the first."""
    reads, types = os.pipe()
    answers = ["4", *[""] * 20]
    os.write(types, "".join(f"{answer}\n" for answer in answers).encode())
    os.close(types)
    (nothing := Path("nothing")).mkdir()
    printed = io.StringIO()
    try:
        guide(Talk(reads, printed), Machine(nothing), Path("nimmt.toml"), None)
    finally:
        os.close(reads)
    typed = iter(answers)
    text = re.sub(r"(\[[^]\n]*\] )", lambda asked: f"{asked[1]}{next(typed)}\n", printed.getvalue())
    # What stands between the first two headings tells of this machine.
    text = re.sub(r"(\n1\. .*?\n).*?(?=\n2\. )", r"\1...\n", text, flags=re.DOTALL)
    return "\n".join(line.rstrip() for line in text.strip().splitlines())


class _Head(io.TextIOWrapper):
    """Takes so many lines and one. Whoever writes on finds the pipe closed, as before `head`."""

    def __init__(self, lines: int) -> None:
        super().__init__(io.BytesIO(), "utf-8", write_through=True)
        self._left = lines + 1

    def write(self, text: str) -> int:
        if self._left <= 0:
            raise BrokenPipeError
        self._left -= text.count("\n")
        return super().write(text)


def _output(example: Example, command: Command) -> str:
    words = example.typed.rpartition("| ")[2].split()[1:]
    Path("status.json").write_text(_status(), encoding="utf-8")  # what it says must not be old
    printed, before = _Head(_ALL if example.without else example.lines), sys.stdin
    sys.stdin = io.TextIOWrapper(io.BytesIO(example.reads.encode()))
    try:
        with redirect_stdout(printed), redirect_stderr(printed):
            cli.main([*words, *(example.given or (_CONFIGURED if command.config else ()))])
    finally:
        sys.stdin = before
    printed.seek(0)
    text = printed.read().replace(str(Path.cwd() / "boot"), "/boot").replace(str(Path.cwd()), _HOME)
    text = text.replace("boot/firmware", "/boot/firmware").replace("//boot", "/boot")
    lines = [line.rstrip() for line in text.splitlines()]
    if example.without:
        lines = [line for line in lines if not re.search(example.without, line)]
    more = ["..."] if len(lines) > example.lines else []
    return "\n".join(lines[: example.lines] + more)


@contextmanager
def _evening() -> Iterator[None]:
    """A folder with everything that the examples read, as the current one."""
    environ = dict(os.environ)
    with tempfile.TemporaryDirectory(prefix="nimmt-examples-") as name, chdir(name):
        folder = Path.cwd()
        files = {"table.toml": _TABLE, "broken.toml": _BROKEN, "device.toml": _DEVICE}
        for file, text in {**files, "boot/firmware/config.txt": _BOOT, "card/wifi.txt": _WIFI}.items():
            (folder / file).parent.mkdir(parents=True, exist_ok=True)
            (folder / file).write_text(text, encoding="utf-8")
        (folder / "pictures").mkdir()
        os.environ.update({"XDG_STATE_HOME": name, "XDG_RUNTIME_DIR": name, "COLUMNS": "100"})
        os.environ.pop("RUNTIME_DIRECTORY", None)
        try:
            _keep(folder, "journal.sqlite", _MATCHES)
            _keep(folder, "other.sqlite", (("ciao", 3, 3, None),))
            other = io.StringIO()
            with redirect_stdout(other):
                cli.main(["export", "--journal", "other.sqlite", *_CONFIGURED])
            (folder / "other-table.jsonl").write_text(other.getvalue(), encoding="utf-8")
            yield
        finally:
            os.environ.clear()
            os.environ.update(environ)


def _keep(folder: Path, name: str, matches: Sequence[tuple[str, int, int, int | None]]) -> None:
    """Play the matches, and keep them in a journal whose times and identities are always the same."""
    config = replace(
        load(folder / "table.toml"), display=choose("display", "simulated"), scanner=choose("scanner", "none")
    )
    ticks, numbers = count(), count(1)
    journal, _ = Journal.open(
        folder / name,
        wall=lambda: f"{_BEGAN + timedelta(seconds=_STEP_S * next(ticks)):%Y-%m-%dT%H:%M:%SZ}",
        identity=lambda: f"{name.partition('.')[0]:0<12.12}{next(numbers):04}",
    )
    with closing(journal):
        for game, seats, seed, inputs in matches:
            header, records = _played(config, game, seats, seed, inputs)
            match_id = journal.begin(header)
            for number, record in enumerate(records, start=1):
                journal.write([Append(match_id, number, record)])


def _played(
    config: Config, game: str, seats: int, seed: int, inputs: int | None
) -> tuple[dict[str, object], list[dict[str, object]]]:
    players = Players(game, seats, random.Random(seed))  # noqa: S311 - a game, no secret
    with tempfile.TemporaryDirectory(prefix="nimmt-example-") as folder:
        runtime = Runtime(config, Path(folder) / "journal.sqlite")
        try:
            controller, made = runtime.app.controller, 0
            while (inputs is None or made < inputs) and (given := players.next(controller)) is not None:
                controller.hear(given, controller.now_s + 1.5)
                made += 1
            journal = runtime.journal
            (entry,) = journal.reader.matches()
            return entry.header, list(journal.reader.steps(entry.id))
        finally:
            runtime.close()


def _status() -> str:
    """What a device says of itself while its scanner is away."""
    issues = of_devices([DeviceFault("scanner", "it was unplugged", "plug it in again")])
    match = {
        "id": 3,
        "game": "six",
        "deal": 1,
        "turn": 4,
        "players": 4,
        "asks": ["play a card"],
        "over": False,
    }
    said = {"format": 1, "version": __version__, "pid": os.getpid(), "mode": "normal", "playing": True}
    said |= {"match": match, "issues": [issue.as_json() for issue in issues], "said_at_s": time.monotonic()}
    return json.dumps(said)


_HEAD: Final = """\
# Commands

- `nimmt --help` lists the commands.
- `nimmt COMMAND --help` explains one.
- `nimmt --version` prints the version.

If you have not installed the package, type `.venv/bin/nimmt` in place of `nimmt`. `make run` creates it.

| exit status | meaning |
|---|---|
| 0 | done |
| 1 | not done: the last two lines say what is wrong and what to do |
| 2 | usage error: the command or an option is not known |
| 130 | stopped with Ctrl-C |

An installed device finds its configuration and its journal by itself. Elsewhere, add `--config FILE` or
`--journal FILE`. The examples on this page show the journal of one evening of Ana, Bo, Cem and Dora.
They are real output: a test runs them and compares. `...` stands for lines that were left out.
"""

_PICTURES: Final[Mapping[str, tuple[str, str]]] = {
    "run": (next(iter(SCREENS)), "Without a configuration, the display appears in the terminal:"),
    "display": ("status-starting", "`nimmt display starting` prints nothing. The display shows:"),
}
"""Commands that show a picture and print nothing: its name, and what is said of it."""


def as_markdown() -> str:
    """The whole page. Runs the examples, which takes some seconds."""
    shown = outputs()
    sections = ("\n".join(_section(name, command, shown.get(name, []))) for name, command in _commands())
    return _HEAD + "".join(f"\n{section}\n" for section in sections)


def _commands() -> Iterator[tuple[str, argparse.ArgumentParser]]:
    """Every command once, as `nimmt --help` lists them; the old name of a command is left out."""
    for action in _actions(parser()):
        if isinstance(action, argparse._SubParsersAction):  # noqa: SLF001 - argparse has no other name for it
            listed = {choice.dest for choice in action._choices_actions}  # noqa: SLF001
            yield from ((name, command) for name, command in action.choices.items() if name in listed)


def _section(
    name: str, command: argparse.ArgumentParser, examples: Sequence[tuple[str, str]]
) -> Iterator[str]:
    words = [action for action in _actions(command) if not isinstance(action, argparse._HelpAction)]  # noqa: SLF001
    typed = [_placeholder(action) for action in words if not action.option_strings]
    yield f"## `{' '.join(['nimmt', name, *typed])}`"
    yield ""
    about = command.description or ""
    yield f"{about[:1].upper()}{_plain(about[1:])}."
    if words:
        yield ""
        yield "| argument | meaning |"
        yield "|---|---|"
    for action in words:
        yield f"| `{_typed(action)}` | {_meaning(action)} |"
    if name in _PICTURES:
        picture, says = _PICTURES[name]
        yield f"\n{says}\n\n![{name}](pictures/screens/{picture}.png)"
    for example, output in examples:
        yield f"\n```text\n$ {example}\n{output}\n```"


def _typed(action: argparse.Action) -> str:
    if not action.option_strings:
        return _placeholder(action)
    value = "" if action.nargs == 0 else f" {_name(action)}"
    return "`, `".join(f"{one}{value}" for one in action.option_strings)


def _placeholder(action: argparse.Action) -> str:
    return f"[{_name(action)}]" if action.nargs == "?" else _name(action)


def _name(action: argparse.Action) -> str:
    metavar = action.metavar if isinstance(action.metavar, str) else action.dest
    return metavar.upper()


def _meaning(action: argparse.Action) -> str:
    choices = "" if action.choices is None else ", ".join(f"`{choice}`" for choice in action.choices)
    about = _plain((action.help or "") % vars(action))  # as argparse does
    return "; ".join(part for part in (about, choices and f"one of {choices}") if part)


def _plain(text: str) -> str:
    """The text with Markdown's special characters escaped."""
    return text.replace("|", "\\|").replace("*", "\\*")


def _actions(command: argparse.ArgumentParser) -> list[argparse.Action]:
    return command._actions  # noqa: SLF001 - argparse tells them nowhere else


if __name__ == "__main__":
    sys.stdout.write(as_markdown())
