"""`nimmt support`: collect everything a bug report needs in one file, without names or secrets."""

import argparse
import json
import os
import platform
import re
import sys
import time
from collections.abc import Iterator
from contextlib import closing
from importlib import metadata
from pathlib import Path

from companion.match import log
from companion.text.errors import CompanionError
from firmware import __version__
from firmware.commands.declared import Command, path
from firmware.commands.doctor import as_json, findings
from firmware.commands.records import place
from firmware.config.configuration import Config, load
from firmware.history.players import NOTE, named
from firmware.journal.errors import JournalError
from firmware.journal.store import Journal
from firmware.service import status, support_bundle
from firmware.text.os_errors import unwritable

_NAMES = re.compile(r"(?ms)^[ \t]*names\s*=.*?(?:\]|\Z)")
_QUOTED = re.compile(r"[\"']([^\"'\n]+)[\"']")


def run(args: argparse.Namespace) -> int:
    """Write the bundle and print its path. Raises `CompanionError` if it cannot be written."""
    now_s = int(time.time())
    target = args.file or Path(f"nimmt-support-{time.strftime('%Y%m%d-%H%M%S', time.gmtime(now_s))}.tar.gz")
    config: Config | None
    try:
        config, complaint = load(args.config), ""
    except CompanionError as bad:
        config, complaint = None, f"{bad.fault}\n{bad.fix}\n"
    configured = config.table.names if config else _names(args.config)
    players = named(configured, _given(args, config))
    others = (platform.node(), os.environ.get("SUDO_USER", ""), *(set(configured) - set(players)))
    redaction = support_bundle.Redaction(
        players=players, others=tuple(name for name in others if len(name) > 1)
    )
    try:
        support_bundle.bundle(_texts(args, config, complaint), redaction, target, now_s)
    except OSError as error:
        raise unwritable(target, error, "choose another file") from error
    print(f"{target} was written. Names, addresses and secrets were removed; check it before you send it.")
    if os.geteuid():
        print(
            "parts of the log may be missing, because only root can read all of it. Try: sudo nimmt support"
        )
    return 0


def _texts(args: argparse.Namespace, config: Config | None, complaint: str) -> Iterator[tuple[str, str]]:
    yield "versions.txt", _versions()
    seen = status.of_this_machine(os.environ)
    yield "status.json", json.dumps(None if seen is None else seen.said, indent=2)
    if config is None:
        yield "configuration-fault.txt", complaint
    else:
        yield "doctor.json", as_json(findings(config))
        yield "match.txt", _match(args, config)
    if args.config is not None:
        # Without the list of names, also where it is not valid TOML.
        yield "nimmt.toml", _NAMES.sub("names = []", support_bundle.read(args.config))
    for name, file in support_bundle.FILES.items():
        yield name, support_bundle.read(Path(file))
    for name, command in support_bundle.COMMANDS.items():
        yield name, support_bundle.asked(command.split())


def _versions() -> str:
    ours = f"nimmt {__version__} on Python {sys.version}\n{platform.platform()}\n"
    installed = sorted({f"{each.name}=={each.version}" for each in metadata.distributions()}, key=str.lower)
    return ours + "\n".join(installed) + "\n"


def _match(args: argparse.Namespace, config: Config) -> str:
    """The newest match as JSON lines, as `nimmt replay` reads them; or the reason if there is none."""
    try:
        with closing(Journal.read(place(args, config))) as journal:
            newest = journal.latest()
            if newest is None:
                return "no matches yet\n"
            steps = map(log.with_sentences, journal.steps(newest))
            return "".join(f"{line}\n" for line in log.to_lines([journal.entry(newest).header, *steps]))
    except JournalError as bad:
        return f"{bad.fault}\n{bad.fix}\n"


def _given(args: argparse.Namespace, config: Config | None) -> object:
    """The note of the journal with the names that were given at the table, as far as it can be read."""
    file = args.journal or (place(args, config) if config else None)
    if file is None:
        return None
    try:
        with closing(Journal.read(file)) as journal:
            return journal.recall(NOTE)
    except JournalError:
        return None


def _names(file: Path | None) -> tuple[str, ...]:
    """The names in a configuration that cannot be parsed: its error messages may quote them."""
    block = _NAMES.search(support_bundle.read(file)) if file else None
    return tuple(name for name in _QUOTED.findall(block.group() if block else "") if name.strip())


COMMAND = Command(
    help="collect everything a bug report needs in one file, without names or secrets",
    run=run,
    options=(path("file", nargs="?", help="the file to write (default: in this folder, named by date)"),),
    config=True,
    journal=True,
)
