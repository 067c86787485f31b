"""`nimmt`: selects the command. Each command is a file of its own and is imported when it is called."""

from __future__ import annotations

import argparse
import io
import os
import sys
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NoReturn

from companion.core import games
from companion.text.errors import CompanionError
from firmware import __version__
from firmware.commands.flashed_options import add_flashed_options
from firmware.commands.print_options import add_print_options
from firmware.commands.record_options import RECORDS, add_record_options
from firmware.extensions.robots.arena_options import add_arena_options

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

_COMMANDS = {
    "run": "play: start the configured device, or play in this terminal if there is no configuration",
    "demo": "watch scripted players play a whole match",
    "arena": "let robots and programs play many rounds against each other",
    "referee": "referee a match for another program: JSON lines in, JSON lines out",
    "doctor": "check every configured device and the machine, and report what was found",
    "setup": "set up board, display, keys, scanner and buzzer step by step, and write the configuration",
    "web": "serve the page for phones and televisions: the table as it is, and stored matches",
    "table": "follow the table in this terminal: cards, what is asked, why, standings",
    "mqtt": "tell an MQTT broker of the table: its state, every step, and how it is for Home Assistant",
    "hub": "gather many tables over an MQTT broker, keep every step, and serve the pages of the evening",
    "status": "show the state of the running service",
    "overlays": "show what is missing in the Raspberry Pi's config.txt for the configured devices",
    "update": "install a new version on a box that was flashed as an image",
    "card": "what a flashed box does at its start; systemd calls it",
    "support": "collect everything a bug report needs in one file, without names or secrets",
    "display": "show a status picture on the display while no game is running",
    "print": "make a PDF of card labels, badges, the control sheet, a table card or the scanner setup sheet",
    "screens": "write a picture of every screen",
    "config": "check a configuration file, or print every key",
    **RECORDS,
    "replay": "read exported JSON lines and check that they form a valid match",
}

_WITHOUT_GAMES = ("status", "overlays", "display", "glass", "update", "card")
"""Commands that need no game, and are called often or early: installed games are not looked for."""

_OLD_NAMES = {"display": ("glass",)}
"""Former names of commands, which existing units and scripts may still use."""

_FILES = {
    "import": "firmware.commands.import_matches",  # no file can be called `import`
    "glass": "firmware.commands.display",
    "arena": "firmware.extensions.robots.arena_command",
    "review": "firmware.extensions.robots.review_command",
    "update": "firmware.extensions.update.command",
    "web": "network.web.command",
    "mqtt": "network.mqtt.command",
    "hub": "network.hub.command",
}
"""The module of a command where it is not the one of its name in `firmware.commands`."""

_ONLY_TEXTS = ("demo", "screens", "print", "update")
"""Commands that take no more than the language from the configuration."""

_CONFIGURED = (
    "run",
    "doctor",
    *RECORDS,
    "support",
    "overlays",
    "display",
    "status",
    "web",
    "table",
    "mqtt",
    "hub",
)
"""Commands that take the configuration."""

_SERVICES = ("run", "web", "mqtt", "hub")
"""Commands that end with whatever ended them."""

_NEEDED = {
    **{name: set[int]() for name in ("run", "display", "glass", "web", "mqtt", "hub")},
    **{name: {0, 1} for name in ("referee", "setup")},
}
"""The standard streams without which a command makes no sense; for others it is the output."""

INSTALLED = Path("/etc/nimmt/nimmt.toml")
"""The configuration of the installed device: the default of every command but `run`."""

INSTALLED_STATE = "/var/lib/nimmt"
"""The folder of the installed device's journal, which systemd passes to the service and to no one else."""

LEVELS = ("easy", "normal", "hard")
"""The levels of robots, as in `companion.robots.levels`, which is not imported for every command."""

PICTURES = ("starting", "stopped", "fault", "back-soon", "restarting", "off", "ended")
"""The pictures of `nimmt display`; "ended" asks systemd whether it was a fault."""


def _for_the_page(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "what",
        nargs="?",
        choices=("pairings",),
        help="pairings: list the phones that may act, instead of serving",
    )
    parser.add_argument("--remove", metavar="ID", help="with pairings: forget this phone")
    parser.add_argument("--listen", metavar="ADDRESS", help="serve on this address instead")
    parser.add_argument("--port", type=int, metavar="N", help="serve on this port instead")
    parser.add_argument("--table", type=Path, metavar="FILE", help="use this socket of a table instead")


def _for_a_broker(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "what", nargs="?", choices=("id",), help="id: print the name of the table, instead of running"
    )
    parser.add_argument(
        "--forget", action="store_true", help="take back what the broker keeps of the table, and end"
    )
    parser.add_argument("--table", type=Path, metavar="FILE", help="use this socket of a table instead")


def _for_a_hub(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "what",
        nargs="?",
        choices=("demo",),
        help="demo: play an evening at simulated tables on this machine, with a broker of its own",
    )
    parser.add_argument("--broker", metavar="HOST[:PORT]", help="connect to this broker instead")
    parser.add_argument("--database", metavar="URL", help="use this database instead")
    parser.add_argument("--listen", metavar="ADDRESS", help="serve on this address instead")
    parser.add_argument("--port", type=int, metavar="N", help="serve on this port instead")
    parser.add_argument(
        "--tables", type=int, default=12, metavar="N", help="with demo: so many tables (default 12)"
    )
    parser.add_argument(
        "--step-s",
        type=float,
        default=1.0,
        metavar="S",
        help="with demo: seconds between the acts at a table",
    )
    parser.add_argument(
        "--rounds",
        type=int,
        default=3,
        metavar="N",
        help="with demo: a tournament of so many rounds and a final (default 3); 0: free matches",
    )
    parser.add_argument("--seed", type=int, default=6, metavar="N", help="with demo: the seed of chance")


def parser(kind: type[argparse.ArgumentParser] = argparse.ArgumentParser) -> argparse.ArgumentParser:
    """The parser of the whole command line, of this kind."""
    top = kind(
        prog="nimmt",
        description=(
            "A referee for 6 nimmt!, 11 nimmt! and Ciao!: it reads the cards, applies the rules and keeps "
            "score."
        ),
        epilog="New here? Type: nimmt run    (then Enter; ? explains a ruling, u undoes, x quits)",
    )
    top.add_argument("--version", action="version", version=f"nimmt {__version__}")
    commands = top.add_subparsers(dest="command", metavar="COMMAND", required=True)
    made = {
        name: commands.add_parser(name, aliases=_OLD_NAMES.get(name, ()), help=text, description=text)
        for name, text in _COMMANDS.items()
    }
    for name in (*_CONFIGURED, *_ONLY_TEXTS):
        made[name].add_argument("--config", type=Path, metavar="FILE", help="the configuration file (TOML)")
        if name != "run":
            made[name].set_defaults(config=INSTALLED if INSTALLED.is_file() else None)
        if name not in ("doctor", "overlays", "display", "status", *_ONLY_TEXTS):
            made[name].add_argument("--journal", type=Path, metavar="FILE", help="use this journal instead")
    _for_play(made)
    _for_setting_up(made)
    _for_looking_on(made)
    _for_the_page(made["web"])
    _for_a_broker(made["mqtt"])
    _for_a_hub(made["hub"])
    add_flashed_options(made)
    add_arena_options(made["arena"])
    add_record_options(made)
    add_print_options(made["print"])
    return top


def _for_play(made: Mapping[str, argparse.ArgumentParser]) -> None:
    """Add the options of the commands that play a match, or read one again."""
    made["run"].add_argument(
        "--safe", action="store_true", help="start in safe mode, without anything that may have failed"
    )
    made["run"].add_argument(
        "--kiosk", action="store_true", help="be a kiosk for strangers, as with `[kiosk] on = true`"
    )
    made["demo"].add_argument("--game", choices=games.GAMES, default=games.first(), help="which game")
    made["demo"].add_argument("--fast", action="store_true", help="no pauses: a whole match in seconds")
    made["demo"].add_argument(
        "--display",
        action="store_true",
        help="on the display of the configuration, not in the terminal; stop the game before",
    )
    made["demo"].add_argument(
        "--seats", type=int, default=4, metavar="N", help="number of players (default 4)"
    )
    made["demo"].add_argument(
        "--seed", type=int, default=6, metavar="N", help="random seed: another seed gives another match"
    )
    made["demo"].add_argument(
        "--level",
        choices=LEVELS,
        help="let robots of this level play, not chance; hard needs numpy for 6 nimmt!",
    )
    made["referee"].add_argument(
        "--journal",
        type=Path,
        metavar="FILE",
        help="save every step in this journal file, and resume matches from it",
    )
    made["replay"].add_argument("file", type=Path, help="JSON lines from `nimmt export`")


def _for_setting_up(made: Mapping[str, argparse.ArgumentParser]) -> None:
    """Add the options of the commands that set a device up and find what is wrong with it."""
    made["doctor"].add_argument("--json", action="store_true", help="the findings as JSON")
    # The guide has no configuration yet: it makes one.
    made["doctor"].add_argument(
        "--guide", action="store_const", const="setup", dest="command", default=argparse.SUPPRESS,
        help="set everything up step by step, like `nimmt setup`",
    )  # fmt: skip
    made["setup"].add_argument(
        "--out", type=Path, metavar="FILE", help="where to write the configuration (default: nimmt.toml)"
    )
    made["setup"].add_argument("--json", type=Path, metavar="FILE", help="the findings as JSON")
    made["config"].add_argument(
        "what", choices=("check", "keys"),
        help="check: list every fault in the file and how to fix it; keys: list every key",
    )  # fmt: skip
    made["config"].add_argument("file", type=Path, nargs="?", help="the file to check, such as table.toml")
    made["overlays"].add_argument(
        "--write", "--apply", action="store_true", help="add what is missing (as root)"
    )
    made["overlays"].add_argument("--tree", type=Path, metavar="FOLDER", help="the device tree of the kernel")
    made["overlays"].add_argument("--boot", type=Path, metavar="FILE", help="use this config.txt instead")
    made["display"].add_argument("notice", choices=PICTURES, help="which picture")
    made["support"].add_argument(
        "file", type=Path, nargs="?", help="the file to write (default: in this folder, named by date)"
    )


def _for_looking_on(made: Mapping[str, argparse.ArgumentParser]) -> None:
    """Add the options of the commands that show a table or the screens from outside."""
    made["table"].add_argument("--once", action="store_true", help="show it as it is now, and end")
    made["table"].add_argument(
        "--table", type=Path, metavar="FILE", help="use this socket of a table instead"
    )
    made["status"].add_argument("--json", action="store_true", help="print everything as JSON")
    made["status"].add_argument("--file", type=Path, metavar="FILE", help="read this status file instead")
    made["screens"].add_argument("folder", type=Path, nargs="?", help="the folder for the pictures")
    made["screens"].add_argument(
        "--animation", type=Path, metavar="FILE", help="write a turn as an animated picture (.gif or .png)"
    )
    made["screens"].add_argument(
        "--letters", action="store_true", help="print how large the letters of every screen are on the panels"
    )


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command; gives the exit status: 0 success, 1 failure, 2 usage error, 130 interrupted."""
    words = sys.argv[1:] if argv is None else argv
    closed = _open_closed_streams()
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):  # a name or a path that the terminal cannot show
            stream.reconfigure(errors="backslashreplace")
    # Before the words are read: a game that is installed is one that can be named in them.
    if words and words[0] in _COMMANDS and words[0] not in _WITHOUT_GAMES:
        _add_installed_games()
    try:
        args = _parsed(words)
    except SystemExit:
        _forget_output()  # of --help and --version, where nobody can read it
        raise
    command: Any = import_module(_FILES.get(args.command, f"firmware.commands.{args.command}"))
    if getattr(args, "config", None) == INSTALLED:
        os.environ.setdefault("STATE_DIRECTORY", INSTALLED_STATE)
    try:
        _refuse_closed(args.command, closed)
        status = int(command.run(args.journal if args.command == "referee" else args))
        sys.stdout.flush()  # while an error can still be told
    except CompanionError as bad:
        print(f"nimmt: {_shown(_whole(bad, _file_of(args)))}", file=sys.stderr)
        status = 1
    except KeyboardInterrupt:
        status = 130
    except BrokenPipeError:
        status = 0
    except OSError as bad:
        if args.command in _SERVICES:  # who started it is to start it again, and the log needs the cause
            raise
        print(f"nimmt: {_shown(_lost(bad, _file_of(args)))}", file=sys.stderr)
        status = 1
    _forget_output()
    return status


class SaysNothing(argparse.ArgumentParser):
    """A parser that raises `HasToSpeak` instead of printing help or a complaint: that needs a language."""

    def print_help(self, file: Any = None) -> NoReturn:  # noqa: ANN401 - as in argparse
        """Raise `HasToSpeak`."""
        raise HasToSpeak

    def error(self, message: str) -> NoReturn:
        """Raise `HasToSpeak`."""
        raise HasToSpeak


class HasToSpeak(Exception):
    """Somebody asked for help, or has mistyped."""


def _parsed(words: Sequence[str]) -> argparse.Namespace:
    """The words of the command line. Raises `SystemExit` after help or a complaint in the reader's language.

    A command that was typed rightly does not wait for a translation.
    """
    try:
        return parser(SaysNothing).parse_args(words)
    except HasToSpeak:
        from firmware.commands.language import spoken
        from firmware.commands.usage import in_language

        with in_language(spoken(_named_file(words))) as kind:
            return parser(kind).parse_args(words)


def _file_of(args: argparse.Namespace) -> Path | None:
    """The configuration that a command reads; `nimmt config check` has it without the option."""
    name = "file" if args.command == "config" else "config"
    file: Path | None = getattr(args, name, None)
    return file


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


def _refuse_closed(command: str, closed: set[int]) -> None:
    """Raise `CompanionError` if a stream is closed that the command needs."""
    if missing := closed & _NEEDED.get(command, {1}):
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


def _add_installed_games() -> None:
    from firmware.plugins import add_installed_games

    for bad in add_installed_games():
        print(f"nimmt: {_whole(bad)}", file=sys.stderr)


def _whole(bad: CompanionError, file: Path | None = None) -> str:
    """What is wrong and what to do; for a configuration, every fault with its own fix.

    In the language of the configuration in `file`, else of the login.
    """
    from firmware.commands.language import spoken
    from firmware.config.problem import ConfigError

    t = spoken(file)
    if isinstance(bad, ConfigError):
        return bad.said(t)
    return f"{t.say(bad.fault_text)}\n  {t.say(bad.fix_text)}"
