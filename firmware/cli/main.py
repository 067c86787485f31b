"""`nimmt`: selects the command. Each command is a file of its own and is imported when it is called."""

from __future__ import annotations

import argparse
import io
import os
import sys
from collections.abc import Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NoReturn

from companion.text.errors import CompanionError
from firmware import __version__

if TYPE_CHECKING:
    from companion.text.sentence import Text
    from firmware.commands.declared import Command
    from firmware.plugins import EntryPoint

COMMANDS: Final = {
    "run": "firmware.commands.run:COMMAND",
    "demo": "firmware.commands.demo:COMMAND",
    "referee": "firmware.commands.referee:COMMAND",
    "doctor": "firmware.commands.doctor:COMMAND",
    "setup": "firmware.commands.setup:COMMAND",
    "table": "firmware.commands.table:COMMAND",
    "status": "firmware.commands.status:COMMAND",
    "overlays": "firmware.commands.overlays:COMMAND",
    "card": "firmware.commands.card:COMMAND",
    "support": "firmware.commands.support:COMMAND",
    "display": "firmware.commands.display:COMMAND",
    "print": "firmware.commands.print:COMMAND",
    "screens": "firmware.commands.screens:COMMAND",
    "config": "firmware.commands.config:COMMAND",
    "matches": "firmware.commands.records:MATCHES",
    "show": "firmware.commands.show:SHOW",
    "stats": "firmware.commands.records:STATS",
    "export": "firmware.commands.export:COMMAND",
    "import": "firmware.commands.journal:IMPORT",
    "erase": "firmware.commands.journal:ERASE",
    "backup": "firmware.commands.journal:BACKUP",
    "restore": "firmware.commands.journal:RESTORE",
    "replay": "firmware.commands.show:REPLAY",
}
"""The commands that are always there, each with its module and its `Command` there."""

GROUP: Final = "nimmt.commands"
"""The entry points of all other commands."""

INSTALLED = Path("/etc/nimmt/nimmt.toml")
"""The configuration of the installed device: the default of every command but `run`."""

INSTALLED_STATE = "/var/lib/nimmt"
"""The folder of the installed device's journal, which systemd passes to the service and to no one else."""


def command(name: str) -> Command | None:
    """The command of this name; None if there is none. Raises `Unusable` for one that cannot be used."""
    if name in COMMANDS:
        return _own(name)
    point = _added().get(name)
    return None if point is None else _usable(point)


def every_command() -> tuple[dict[str, Command], list[CompanionError]]:
    """All commands by name, the optional ones last; and what is wrong with those that cannot be used.

    A part of this product that is not installed is left out.
    """
    from companion.text.sentence import say
    from firmware import plugins

    found = {name: _own(name) for name in COMMANDS}
    faults: list[CompanionError] = []
    for point in plugins.entry_points(GROUP):
        if point.name in found:
            whose = plugins.whose(point, _what(point.name))
            fault = say("{what} has the name of another command", what=whose)
            faults.append(plugins.Unusable(fault, plugins.update(point)))
            continue
        try:
            found[point.name] = _usable(point)
        except plugins.NotInstalled:
            continue
        except plugins.Unusable as bad:
            faults.append(bad)
    return found, faults


def _own(name: str) -> Command:
    module, _, declared = COMMANDS[name].partition(":")
    found: Command = getattr(import_module(module), declared)
    return found


def _added() -> dict[str, EntryPoint]:
    from firmware.plugins import entry_points

    return {point.name: point for point in reversed(entry_points(GROUP))}


def _usable(point: EntryPoint) -> Command:
    from firmware.commands.declared import Command, offered

    return offered(point, Command, _what(point.name))


def _what(name: str) -> Text:
    from companion.text.sentence import say

    return say("the command {name}", name=name)


def parser(
    kind: type[argparse.ArgumentParser] = argparse.ArgumentParser,
    commands: Mapping[str, Command] | None = None,
) -> argparse.ArgumentParser:
    """The parser of the whole command line, of this kind; or of these commands alone."""
    top = kind(
        prog="nimmt",
        description=(
            "A referee for 6 nimmt!, 11 nimmt! and Ciao!: it reads the cards, applies the rules and keeps "
            "score."
        ),
        epilog="New here? Type: nimmt run    (then Enter; ? explains a ruling, u undoes, x quits)",
    )
    top.add_argument("--version", action="version", version=f"nimmt {__version__}")
    made = top.add_subparsers(dest="command", metavar="COMMAND", required=True)
    for name, one in (every_command()[0] if commands is None else commands).items():
        _add(made, name, one)
    return top


def _add(made: argparse._SubParsersAction[Any], name: str, one: Command) -> None:
    from firmware.commands.declared import add_options

    parser = made.add_parser(name, help=one.help, description=one.help, epilog=one.epilog or None)
    if one.config:
        parser.add_argument("--config", type=Path, metavar="FILE", help="the configuration file (TOML)")
        parser.set_defaults(config=INSTALLED if INSTALLED.is_file() else None)
    if one.journal:
        parser.add_argument("--journal", type=Path, metavar="FILE", help="use this journal instead")
    add_options(parser, one.options)


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command; gives the exit status: 0 success, 1 failure, 2 usage error, 130 interrupted."""
    words = sys.argv[1:] if argv is None else argv
    closed = _open_closed_streams()
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):  # a name or a path that the terminal cannot show
            stream.reconfigure(errors="backslashreplace")
    try:
        args = _parsed(words)
        one = command(args.command)
    except SystemExit:
        _forget_output()  # of --help and --version, where nobody can read it
        raise
    except CompanionError as bad:
        print(f"nimmt: {_shown(_whole(bad, _named_file(words)))}", file=sys.stderr)
        return 1
    assert one is not None  # noqa: S101 - the parser knew it
    file: Path | None = getattr(args, "config", None)
    if file == INSTALLED:
        os.environ.setdefault("STATE_DIRECTORY", INSTALLED_STATE)
    try:
        _refuse_closed(one, closed)
        status = _run(one, args)
        sys.stdout.flush()  # while an error can still be told
    except CompanionError as bad:
        print(f"nimmt: {_shown(_whole(bad, file))}", file=sys.stderr)
        status = 1
    except KeyboardInterrupt:
        status = 130
    except BrokenPipeError:
        status = 0
    except OSError as bad:
        if one.service:
            raise
        print(f"nimmt: {_shown(_lost(bad, file))}", file=sys.stderr)
        status = 1
    _forget_output()
    return status


def _run(one: Command, args: argparse.Namespace) -> int:
    """Do it. Raises `NotInstalled` where an optional command lacks a library."""
    try:
        return one.run(args)
    except ModuleNotFoundError as missing:
        point = None if args.command in COMMANDS else _added()[args.command]
        if point is None:
            raise
        from firmware.plugins import lacking

        raise lacking(point, _what(point.name), missing) from missing


class SaysNothing(argparse.ArgumentParser):
    """A parser that raises `HasToSpeak` instead of printing help or a complaint: that needs a language."""

    def print_help(self, file: Any = None) -> NoReturn:  # noqa: ANN401 - as in argparse
        raise HasToSpeak

    def error(self, message: str) -> NoReturn:
        raise HasToSpeak


class HasToSpeak(Exception):
    """Somebody asked for help, or has mistyped."""


def _parsed(words: Sequence[str]) -> argparse.Namespace:
    """The words of the command line. Raises `SystemExit` after help or a complaint in the reader's language.

    A command that was typed rightly waits neither for a translation nor for the other commands. Raises
    `Unusable` for one that cannot be used.
    """
    name = words[0] if words else ""
    named = None if name.startswith("-") else command(name)
    if named is not None and named.games:
        # Before the words are read: a game that is installed is one that can be named in them.
        from firmware.plugins import add_installed_games

        _tell(add_installed_games())
    known = {} if named is None else {name: named}
    try:
        return parser(SaysNothing, known).parse_args(words)
    except HasToSpeak:
        from firmware.commands.language import spoken
        from firmware.commands.usage import in_language

        if named is None:
            known, faults = every_command()
            _tell(faults)
        with in_language(spoken(_named_file(words))) as kind:
            return parser(kind, known).parse_args(words)


def _named_file(words: Sequence[str]) -> Path | None:
    """The configuration that a command line names, else that of the installed device."""
    for before, word in zip(("", *words), words, strict=False):
        if before == "--config" or word.startswith("--config="):
            return Path(word.removeprefix("--config="))
    return INSTALLED if INSTALLED.is_file() else None


def _open_closed_streams() -> set[int]:
    """Open /dev/null in the place of the standard streams that are closed; gives their numbers.

    Else the next file to be opened, perhaps the journal, would get the number of a stream, and what any
    library writes there would go into it.
    """
    closed = set()
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            closed.add(number)
            os.open(os.devnull, os.O_RDWR)  # gets the lowest number that is free: this one
    if sys.stdout is None:
        sys.stdout = open(os.devnull, "w", encoding="utf-8")  # noqa: PTH123, SIM115 - for the whole program
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: PTH123, SIM115
    return closed


def _refuse_closed(one: Command, closed: set[int]) -> None:
    """Raise `CompanionError` if a stream is closed that the command needs."""
    if missing := closed & one.streams:
        from companion.text.sentence import say  # a start with all its streams does not wait for it

        raise CompanionError(
            say("standard {value} is closed", value="input" if 0 in missing else "output"),
            say("start the program with its three standard streams open, if need be on /dev/null"),
        )


def _forget_output() -> None:
    """Let go what could not be written: Python tries again when it ends, and would complain."""
    # https://docs.python.org/3/library/signal.html#note-on-sigpipe
    try:
        sys.stdout.flush()
    except OSError:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)


def _lost(bad: OSError, file: Path | None) -> str:
    """What the system says, with the file if it names one, and what to do; a stream has no name."""
    from firmware.commands.language import spoken
    from firmware.text.os_errors import reason_of

    t = spoken(file)
    reason = t.say(reason_of(bad))
    cause = f"{bad.filename}: {reason}" if bad.filename else t("standard output or a file: {why}", why=reason)
    return f"{cause}\n  {t('make room, or check the permissions and the disk')}"


_SHOWN: Final = "\n\u200c\u2066\u2067\u2068\u2069"
"""What a Persian sentence needs beside letters: half-spaces, and isolates round paths and names."""


def _shown(text: str) -> str:
    """A text for the terminal: what came from a file or from the words typed may hold control characters."""
    return "".join(
        letter if letter.isprintable() or letter in _SHOWN else letter.encode("unicode_escape").decode()
        for letter in text
    )


def _tell(faults: Sequence[CompanionError]) -> None:
    """Say what is installed and cannot be used."""
    for bad in faults:
        print(f"nimmt: {_whole(bad)}", file=sys.stderr)


def _whole(bad: CompanionError, file: Path | None = None) -> str:
    """What is wrong and what to do; for a configuration, every fault with its own fix.

    In the language of the configuration in `file`, else of the login.
    """
    from firmware.commands.language import spoken
    from firmware.config.keys import ConfigError

    t = spoken(file)
    if isinstance(bad, ConfigError):
        return bad.said(t)
    return f"{t.say(bad.fault_text)}\n  {t.say(bad.fix_text)}"
