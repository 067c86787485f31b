"""Safe mode, after three crashes in a row: the devices, the rules, and a journal somewhere.

Everything that may have been the cause is tried out once before it is used: the configuration, every driver,
the journal, the saved match. What fails is left out, and each loss is shown on the display.
"""

from __future__ import annotations

import logging
import time
from contextlib import closing, suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from companion.errors import CompanionError
from firmware.config.configuration import (
    USUAL,
    Chosen,
    Config,
    ConfigError,
    choose,
    load,
    load_or_last_good,
    parse,
)
from firmware.journal.store import Journal
from firmware.play.app import App
from firmware.play.controller import TableController
from firmware.play.runtime import wall
from firmware.session.session import Session
from firmware.translation import Translator
from hardware.ports import DeviceFault
from hardware.registry import DRIVERS, driver

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

_LOG: Final = logging.getLogger(__name__)

_FIX: Final = "run `nimmt support` and report the problem; restart to leave safe mode"


@dataclass(frozen=True, slots=True)
class SafeStart:
    """What safe mode uses, and what could not be used."""

    config: Config
    journal: Path
    faults: tuple[DeviceFault, ...]


def safe_start(
    given: Path | None, journal: Path | None, store: Path, spare: Path, environ: Mapping[str, str]
) -> SafeStart:
    """What can be used of the configuration `given` and of the journal (see `nimmt run`).

    `store` is the last valid configuration. `spare` is in memory: the journal goes there if the disk fails,
    and what is played from then on is lost at power-off.
    """
    faults = [
        DeviceFault(
            "safe-mode", "the program crashed three times in a row; only the essentials are running", _FIX
        )
    ]
    config = _config(given, store, faults)
    path = journal or config.journal.place(environ)
    return SafeStart(config, _journal(path, spare, config, faults), tuple(faults))


def set_spare_aside(spare: Path) -> None:
    """Rename the journal of an earlier safe mode, so that the next one starts with the newest match.

    It stays there until the machine is switched off; `nimmt export --journal` reads it.
    """
    for end in ("", "-wal", "-shm"):
        with suppress(OSError):
            spare.with_name(spare.name + end).replace(spare.with_name(f"put-by-{spare.name}{end}"))


def _config(given: Path | None, store: Path, faults: list[DeviceFault]) -> Config:
    """The devices and the journal path of the configuration; all else is the default. No buzzer."""
    try:
        config, problem = (load(None), None) if given is None else load_or_last_good(given, store)
    except ConfigError as error:
        config, problem = parse(USUAL, "safe mode"), error
    if problem is not None:
        faults.append(DeviceFault("configuration", problem.fault, problem.fix))
    return Config(
        display=_tried("display", config.display, faults),
        buttons=_tried("buttons", config.buttons, faults),
        scanner=_tried("scanner", config.scanner, faults),
        buzzer=choose("buzzer", "none"),
        journal=config.journal,
        board=config.board,
    )


def _tried(port: str, chosen: Chosen, faults: list[DeviceFault]) -> Chosen:
    """The choice if its driver can be created, else none."""
    try:
        driver(port, chosen.driver)(chosen.options)
    except Exception as error:  # noqa: BLE001 - whatever it is, it must not take the rest along
        faults.append(DeviceFault(port, f"not used: {error}", f"check [{port}] in the configuration"))
        if "none" in DRIVERS[port]:
            return choose(port, "none")
    return chosen


def _journal(path: Path, spare: Path, config: Config, faults: list[DeviceFault]) -> Path:
    """The journal, or a copy of it in memory, without an open match that cannot be shown."""
    if not spare.exists():  # after a crash in safe mode it continues where it was
        try:
            _rehearse(path, config, faults)
        except Exception as error:  # noqa: BLE001 - see _tried
            _LOG.exception("the journal %s cannot be used", path)
            why = error.fault if isinstance(error, CompanionError) else str(error)
            fix = "what is played now is lost at power-off; write down the score, then repair the disk"
            faults.append(DeviceFault("journal", why, fix))
            _copy(path, spare)
        else:
            return path
    _rehearse(spare, config, faults)
    return spare


def _copy(path: Path, spare: Path) -> None:
    import shutil

    spare.parent.mkdir(parents=True, exist_ok=True)
    for end in ("", "-wal"):
        with suppress(OSError):
            shutil.copyfile(path.with_name(path.name + end), spare.with_name(spare.name + end))


def _rehearse(path: Path, config: Config, faults: list[DeviceFault]) -> None:
    """Open the journal, check that it can be written, and draw the page of its open match."""
    journal, _ = Journal.open(path, wall=wall)
    with closing(journal):
        journal.remember("safe_mode", wall())
        try:
            session = Session(journal, config, Translator(config.screen.language))
            session.resume()
            nobody = choose("display", "none")
            display = driver("display", nobody.driver)(nobody.options)
            controller = TableController(session, config, lambda _signal: None)
            App(controller, display, time.monotonic).picture()
        except Exception as error:  # noqa: BLE001 - see _tried
            _LOG.exception("the saved match cannot be shown")
            journal.remember("open", None)
            journal.remember("joining", [])
            faults.append(
                DeviceFault("journal", f"the saved match cannot be shown: {error}", "start a new match")
            )
