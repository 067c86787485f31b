"""`nimmt setup`: the guided set-up in the terminal; its steps are in `firmware.setup`."""

import argparse
import os
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from companion.text.errors import CompanionError
from firmware.commands.declared import Command, path
from firmware.config.keys import ConfigError
from firmware.service import status
from firmware.setup.conclusions import Draft, SetupCheck
from firmware.setup.config_file import NEW_DEVICE, as_toml, not_about_devices, save
from firmware.setup.dialogue import Talk
from firmware.setup.machine import System
from firmware.setup.questions import ask_board, ask_buzzer, ask_display, ask_keys, ask_scanner

_QUESTIONS: Final = (
    ("What is connected to the pins?", ask_board),
    ("The display", ask_display),
    ("The keys", ask_keys),
    ("The scanner", ask_scanner),
    ("The buzzer", ask_buzzer),
)


def run(args: argparse.Namespace) -> int:
    """Ask, and write the result; 0 if written and without faults, else 1. Raises `CompanionError`."""
    if status.of_this_machine(os.environ) is not None:
        raise CompanionError(
            "the service is running and is using the devices",
            "stop it: sudo systemctl stop nimmt-companion; then run nimmt setup again",
        )
    file = args.out or Path("nimmt.toml")
    talk = Talk(sys.stdin.fileno(), sys.stdout)
    return guide(talk, System(), file)


def guide(talk: Talk, machine: System, file: Path) -> int:
    """The whole conversation. Checks first that the file can be written; writes it at the end only."""
    _check_folder(file)
    try:
        draft = _asked(talk, machine)
        talk.tell("\nWhat was found:")
        for check in draft.findings:
            _print_check(talk, check)
        written = _written(talk, draft, file)
    except KeyboardInterrupt:
        talk.tell("\nStopped. No file was changed.")
        raise
    except OSError as error:
        raise CompanionError(
            f"the file cannot be written: {error}", "choose another file with --out"
        ) from error
    return 0 if written and all(check.ok for check in draft.findings) else 1


def _check_folder(file: Path) -> None:
    folder = next(parent for parent in file.absolute().parents if parent.exists())
    if not folder.is_dir() or not os.access(folder, os.W_OK):
        raise CompanionError(
            f"{file} cannot be written: you have no permission to write in {folder}",
            "use sudo, or choose another file with --out",
        )


def _asked(talk: Talk, machine: System) -> Draft:
    talk.tell("Five questions. Enter accepts the answer in [ ]; Ctrl-C quits without changing anything.")
    draft = Draft()
    for number, (title, ask) in enumerate(_QUESTIONS, start=1):
        talk.tell(f"\n{number}. {title}")
        known = len(draft.findings)
        draft = ask(talk, machine, draft)
        for check in draft.findings[known:]:
            _print_check(talk, check)
    return draft


def _print_check(talk: Talk, check: SetupCheck) -> None:
    mark = "ok" if check.ok else "!!"
    name = f"{check.section} ({check.part})" if check.part else check.section
    talk.tell(f"{mark}  {name}: {check.says}")
    if not check.ok:
        talk.tell(f"    fix: {check.fix}")


def _written(talk: Talk, draft: Draft, file: Path) -> bool:
    """Show the configuration, and write it if the person agrees."""
    about = draft.board.about if draft.board else ""
    kept = not_about_devices(file) if file.exists() else NEW_DEVICE
    text = _checked(talk, draft.tables, about, kept)
    talk.tell(f"\n{text}")
    if file.exists():
        may = talk.yes(f"{file} already exists. Replace it, and keep a copy of it?", default=False)
    else:
        may = talk.yes(f"Write it to {file}?")
    if not may:
        talk.tell("Nothing was written.")
        return False
    backup = save(text, file)
    if backup is not None:
        talk.tell(f"The old file was saved as {backup}.")
    talk.tell(f"Written. Play with: nimmt run --config {file}")
    return True


def _checked(
    talk: Talk, made: Mapping[str, object], about: str, kept: Mapping[str, Mapping[str, object]]
) -> str:
    """The text of the file; faulty sections of the old file are left out, with a message."""
    try:
        return as_toml(made, about, kept)
    except ConfigError as bad:
        faulty = {problem.path.partition(".")[0] for problem in bad.problems} & set(kept)
        if not faulty:
            raise
        for problem in bad.problems:
            talk.tell(f"Not copied from the old file: {problem}")
        rest = {name: table for name, table in kept.items() if name not in faulty}
        return as_toml(made, about, rest)


COMMAND = Command(
    help="set up board, display, keys, scanner and buzzer step by step, and write the configuration",
    run=run,
    options=(path("--out", help="where to write the configuration (default: nimmt.toml)"),),
    streams=frozenset({0, 1}),
)
