"""Safe mode, after three crashes in a row: the devices, the rules, and a journal somewhere.

No file is trusted. Everything that may have been the cause is tried out once before it is used: the
configuration, every driver, the journal, the saved match. What fails, however it fails, is left out, and each
loss is shown on the display. The last resort is an empty journal in memory.

What cannot be tried without danger (a disk that never answers, a library that takes the whole program with
it) shows by crashes in safe mode itself: after two of them the saved matches are not touched at all.
"""

import logging
import shutil
import time
from collections.abc import Mapping
from contextlib import closing, suppress
from pathlib import Path
from typing import Final

from companion.values import Value
from firmware.config.configuration import USUAL, ChosenDriver, Config, choose, load, load_or_last_good, parse
from firmware.journal.store import Journal, wall
from firmware.journal.writes import Note
from firmware.loop.app import App
from firmware.loop.runtime import open_table
from firmware.service.run import suspended_by_fault, what_it_says
from firmware.session.language import translator
from firmware.session.session import Session
from hardware.errors import sentence
from hardware.ports import DeviceFault
from hardware.registry import DRIVERS, driver

_LOG: Final = logging.getLogger(__name__)

STORE: Final = Path("/dev/shm")  # noqa: S108 - a folder of its own is made in it
"""Where the journal in memory goes if the folder of the service cannot be written."""

_LOST: Final = sentence("what is played now is lost at power-off; write down the score, then repair the disk")

_FIX: Final = sentence("run `nimmt support` and report the problem; restart to leave safe mode")


class SafeStart(Value):
    """What safe mode uses, and what could not be used."""

    config: Config
    journal: Path
    faults: tuple[DeviceFault, ...]


def safe_start(  # noqa: PLR0913 - each is a place that it may not trust
    given: Path | None,
    journal: Path | None,
    store: Path,
    spare: Path,
    environ: Mapping[str, str],
    *,
    open_nothing: bool = False,
) -> SafeStart:
    """What can be used of the configuration `given` and of the journal (see `nimmt run`).

    `store` is the last valid configuration. `spare` is in memory: the journal goes there if the disk fails,
    and what is played from then on is lost at power-off. With `open_nothing` the matches on the disk and in
    `spare` are not even opened. Raises nothing but `OSError` where this machine has no place for a file at
    all.
    """
    faults = [
        DeviceFault(
            "safe-mode",
            sentence("the program crashed three times in a row; only the essentials are running"),
            _FIX,
        )
    ]
    config = _config(given, store, faults)
    if open_nothing:
        why = sentence("safe mode crashed as well: the saved matches are not opened")
        faults.append(DeviceFault("journal", why, _LOST))
        set_spare_aside(spare)
    else:
        with suppress(Exception):  # an odd path: the journal in memory serves
            path = journal or config.journal.place(environ)
            return SafeStart(config, _journal(path, spare, config, faults), tuple(faults))
    return SafeStart(config, _empty_journal(spare, config), tuple(faults))


def _config(given: Path | None, store: Path, faults: list[DeviceFault]) -> Config:
    """The devices, codes, journal path and kiosk of the configuration; all else is the default. No buzzer."""
    problem: Exception | None
    try:
        config, problem = (load(None), None) if given is None else load_or_last_good(given, store)
    except Exception as error:  # noqa: BLE001 - see _tried
        config, problem = parse(USUAL, "safe mode"), error
    if problem is not None:
        fix = sentence("`nimmt config check` names every fault")
        faults.append(DeviceFault("configuration", what_it_says(problem), fix))
    return Config(
        display=_tried("display", config.display, faults),
        buttons=_tried("buttons", config.buttons, faults),
        scanner=_tried("scanner", config.scanner, faults),
        buzzer=choose("buzzer", "none"),
        journal=config.journal,
        codes=config.codes,
        kiosk=config.kiosk,
        board=config.board,
        added=config.added,
    )


def _tried(port: str, chosen: ChosenDriver, faults: list[DeviceFault]) -> ChosenDriver:
    """The choice if its driver can be created, else none."""
    try:
        driver(port, chosen.driver)(chosen.options)
    except Exception as error:  # noqa: BLE001 - whatever it is, it must not take the rest along
        faults.append(
            DeviceFault(
                port,
                sentence("not used: {error}", error=error),
                sentence("check [{port}] in the configuration", port=port),
            )
        )
        if "none" in DRIVERS[port]:
            return choose(port, "none")
    return chosen


def _journal(path: Path, spare: Path, config: Config, faults: list[DeviceFault]) -> Path:
    """The journal, or a copy of it in memory, without an open match that cannot be shown."""
    if not spare.exists():  # after a crash in safe mode it continues where it was
        if _is_usable(path, config, faults):
            return path
        _copy(path, spare)
    if _is_usable(spare, config, faults):
        return spare
    set_spare_aside(spare)
    return _empty_journal(spare, config)


def _is_usable(path: Path, config: Config, faults: list[DeviceFault]) -> bool:
    try:
        _rehearse(path, config, faults)
    except Exception as error:  # noqa: BLE001 - see _tried
        _LOG.exception("the journal %s cannot be used", path)
        faults.append(DeviceFault("journal", what_it_says(error), _LOST))
        return False
    return True


def _empty_journal(spare: Path, config: Config) -> Path:
    """A journal without any match, in memory. Raises `OSError` or `JournalError` if there is no place."""
    import tempfile

    with suppress(Exception):
        _rehearse(spare, config, [])
        return spare
    place = Path(tempfile.mkdtemp(prefix="nimmt-", dir=STORE)) / spare.name
    _rehearse(place, config, [])
    return place


def set_spare_aside(spare: Path) -> None:
    """Rename a journal in memory with what belongs to it: the next safe mode begins without one.

    It stays there until the machine is switched off; `nimmt export --journal` reads it.
    """
    for end in ("", "-wal", "-shm"):
        old = spare.with_name(spare.name + end)
        with suppress(OSError):
            old.replace(spare.with_name(f"put-by-{old.name}"))


def _copy(path: Path, spare: Path) -> None:
    """Copy the journal with its log, or nothing of it."""
    try:
        spare.parent.mkdir(parents=True, exist_ok=True)
        for end in ("", "-wal"):
            file = path.with_name(path.name + end)
            if file.is_file():  # nothing else ever ends
                shutil.copyfile(file, spare.with_name(spare.name + end))
    except (OSError, ValueError):
        for end in ("", "-wal"):
            with suppress(OSError):
                spare.with_name(spare.name + end).unlink(missing_ok=True)


def _rehearse(path: Path, config: Config, faults: list[DeviceFault]) -> None:
    """Open the journal, check that it can be written, and draw the page of its open match."""
    journal, report = Journal.open(path)
    if report.fault:  # the next to open it finds it in order, so it has to be told now
        faults.append(DeviceFault("journal", report.fault, report.fix))
    with closing(journal):
        journal.write([Note("safe_mode", wall())])
        session = Session(journal, config, translator(config, journal.recall))
        try:
            if fault := session.resume():
                faults.append(fault)
            nobody = choose("display", "none")
            display = driver("display", nobody.driver)(nobody.options)
            table = open_table(session, config, lambda _signal: None)
            App(table, display, time.monotonic).picture()
        except Exception as error:  # noqa: BLE001 - see _tried
            _LOG.exception("the saved match cannot be shown")
            journal.write([Note("joining", [])])
            if session.match_id is None:  # not even read, or there was none: nothing to resume
                journal.write([Note("open", None)])
                faults.append(
                    DeviceFault(
                        "journal",
                        sentence("the saved match cannot be shown: {error}", error=error),
                        sentence("start a new match"),
                    )
                )
                return
            faults.append(suspended_by_fault(session.match_id, error))
            session.suspend()
