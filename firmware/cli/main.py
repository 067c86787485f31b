"""`nimmt`: selects the command. Each command is a file of its own and is imported when it is called."""

from __future__ import annotations

import argparse
import io
import os
import sys
from collections.abc import Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Final

from companion.text.errors import CompanionError
from firmware import __version__

if TYPE_CHECKING:
    from firmware.commands.declared import Command
    from firmware.plugins import EntryPoint

COMMANDS: Final = {
    "run": "firmware.commands.run:COMMAND",
    "demo": "firmware.commands.demo:COMMAND",
    "referee": "firmware.commands.referee:COMMAND",
    "doctor": "firmware.commands.doctor:COMMAND",
    "setup": "firmware.commands.setup:COMMAND",
    "status": "firmware.commands.status:COMMAND",
    "overlays": "firmware.commands.overlays:COMMAND",
    "card": "firmware.commands.card:COMMAND",
    "support": "firmware.commands.support:COMMAND",
    "display": "firmware.commands.display:COMMAND",
    "print": "firmware.commands.print:COMMAND",
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
    from firmware import plugins

    found = {name: _own(name) for name in COMMANDS}
    faults: list[CompanionError] = []
    for point in plugins.added("commands"):
        if point.name in found:
            fault = f"{plugins.whose(point, _what(point.name))} has the name of another command"
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
    from firmware.plugins import added

    return {point.name: point for point in reversed(added("commands"))}


def _usable(point: EntryPoint) -> Command:
    from firmware.commands.declared import Command, offered

    return offered(point, Command, _what(point.name))


def _what(name: str) -> str:
    return f"the command {name}"


def parser(commands: Mapping[str, Command] | None = None) -> argparse.ArgumentParser:
    """The parser of the command line with these commands, else with every one."""
    top = argparse.ArgumentParser(
        prog="nimmt",
        description="A referee for 6 nimmt!, 11 nimmt! and Ciao!: reads the cards, rules, keeps the score.",
        epilog="New here? Type: nimmt run    (then Enter; ? explains a ruling, u undoes, x quits)",
    )
    top.add_argument("--version", action="version", version=f"nimmt {__version__}")
    made = top.add_subparsers(dest="command", metavar="COMMAND", required=True)
    for name, found in (every_command()[0] if commands is None else commands).items():
        _add(made, name, found)
    return top


def _add(made: argparse._SubParsersAction[argparse.ArgumentParser], name: str, declared: Command) -> None:
    from firmware.commands.declared import add_options

    examples = "\n  ".join(("examples:", *declared.examples)) if declared.examples else ""
    parser = made.add_parser(
        name,
        help=declared.help,
        description=declared.help,
        epilog="\n\n".join(filter(None, (examples, declared.epilog))),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    if declared.config:
        parser.add_argument("--config", type=Path, metavar="FILE", help="the configuration file (TOML)")
        parser.set_defaults(config=INSTALLED if INSTALLED.is_file() else None)
    if declared.journal:
        parser.add_argument("--journal", type=Path, metavar="FILE", help="use this journal instead")
    parser.set_defaults(usage_error=parser.error)
    add_options(parser, declared.options)


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command; returns the exit status: 0 success, 1 failure, 2 usage error, 130 interrupted."""
    words = sys.argv[1:] if argv is None else argv
    closed = _open_closed_streams()
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):  # a name or a path that the terminal cannot show
            stream.reconfigure(errors="backslashreplace")
    try:
        args = _parsed(words)
        declared = command(args.command)
    except SystemExit:
        _forget_output()  # of --help and --version, where nobody can read it
        raise
    except CompanionError as bad:
        _print_error(bad)
        return 1
    assert declared is not None  # noqa: S101 - the parser knew it
    file: Path | None = getattr(args, "config", None)
    if file == INSTALLED:
        os.environ.setdefault("STATE_DIRECTORY", INSTALLED_STATE)
    try:
        _refuse_closed(declared, closed)
        status = _run(declared, args)
        sys.stdout.flush()  # while an error can still be told
    except CompanionError as bad:
        _print_error(bad)
        status = 1
    except KeyboardInterrupt:
        status = 130
    except BrokenPipeError:
        status = 0
    except OSError as bad:
        if declared.service:
            raise
        _print_error(_lost(bad))
        status = 1
    _forget_output()
    return status


def _run(declared: Command, args: argparse.Namespace) -> int:
    """Do it. Raises `NotInstalled` where an optional command lacks a library."""
    try:
        return declared.run(args)
    except ModuleNotFoundError as missing:
        point = None if args.command in COMMANDS else _added()[args.command]
        if point is None:
            raise
        from firmware.plugins import lacking

        raise lacking(point, _what(point.name), missing) from missing


def _parsed(words: Sequence[str]) -> argparse.Namespace:
    """The words of the command line; a command that is named does not wait for the other ones.

    Raises `SystemExit` after help or an error, and `Unusable` for a command that cannot be used.
    """
    if not words or words[0] == "help":
        words = (*words[1:2], "--help")
    name = words[0]
    named = None if name.startswith("-") else command(name)
    if named is not None:
        if named.games:  # before the words are read: an installed game can be named in them
            from firmware.plugins import add_installed_games

            _print_faults(add_installed_games())
        args, rest = parser({name: named}).parse_known_args(words)
        if rest:
            args.usage_error(f"unrecognized arguments: {' '.join(rest)}")
        return args
    known: Mapping[str, Command] = {}
    if name != "--version":
        known, faults = every_command()
        _print_faults(faults)
    return parser(known).parse_args(words)


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


def _refuse_closed(declared: Command, closed: set[int]) -> None:
    """Raise `CompanionError` if a stream is closed that the command needs."""
    if missing := closed & declared.streams:
        raise CompanionError(
            f"standard {'input' if 0 in missing else 'output'} is closed",
            "start the program with its three standard streams open, if need be on /dev/null",
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


def _lost(bad: OSError) -> CompanionError:
    """What the system says, with the file if it names one; a stream has no name."""
    from firmware.text.os_errors import reason_of

    cause = f"{bad.filename or 'standard output or a file'}: {reason_of(bad)}"
    return CompanionError(cause, "make room, or check the permissions and the disk")


def _print_faults(faults: Sequence[CompanionError]) -> None:
    """Say what is installed and cannot be used."""
    for bad in faults:
        _print_error(bad)


def _print_error(bad: CompanionError) -> None:
    """Say what is wrong and what to do; of a configuration every fault with its own fix.

    Control characters, which may come from a file or from the words typed, are written as escapes.
    """
    from firmware.config.keys import ConfigError

    text = str(bad) if isinstance(bad, ConfigError) else f"{bad.fault}\n  {bad.fix}"
    shown = (c if c.isprintable() or c == "\n" else c.encode("unicode_escape").decode() for c in text)
    print(f"nimmt: {''.join(shown)}", file=sys.stderr)
