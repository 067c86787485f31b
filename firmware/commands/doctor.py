"""`nimmt doctor`: open every configured device once and report it; then report the machine."""

from __future__ import annotations

import json
import os
import time
from contextlib import closing
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

from firmware.config.configuration import load
from firmware.journal.store import Journal, JournalError
from firmware.service import overlays, status
from firmware.service.health import PAGE, Severity
from firmware.service.machine import Machine
from firmware.session.names import not_drawn
from hardware.errors import HardwareError
from hardware.registry import driver

if TYPE_CHECKING:
    import argparse
    from collections.abc import Mapping

    from firmware.config.configuration import Config
    from firmware.service.status import ReadStatus


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One finding; `link` is where it is explained, `driver` the driver that was used."""

    device: str
    ok: bool
    says: str
    fix: str = ""
    link: str = ""
    driver: str = ""


def run(args: argparse.Namespace) -> int:
    """One line per finding; 0 if there are no problems, 1 otherwise."""
    found = findings(load(args.config))
    if args.json:
        print(as_json(found))
    else:
        for one in found:
            print(f"{one.device:17} {'ok' if one.ok else '!!'}  {one.says}")
            if one.fix:
                print(f"{'':21} fix: {one.fix}" + (f"; see {one.link}" if one.link else ""))
    return 0 if all(one.ok for one in found) else 1


def as_json(found: list[Finding]) -> str:
    """The findings for other programs."""
    return json.dumps([asdict(one) for one in found], indent=2)


def findings(config: Config) -> list[Finding]:
    """The devices, the journal, config.txt of the Raspberry Pi, and the state of the machine.

    While the service is running it uses the devices: then its own report is shown, and no device is opened.
    """
    seen = status.of_this_machine(os.environ)
    if seen is None:
        found = [_device(config, port) for port in ("display", "buttons", "scanner", "buzzer")]
    else:
        found = [_running(seen), *(_issue(issue) for issue in seen.said["issues"])]
    found += [_journal(config), _overlays(config)]
    found += [Finding(device="names", ok=True, says=said) for said in not_drawn(config.table.names)]
    if seen is None:
        path = config.journal.place(os.environ)
        machine = Machine(next(folder for folder in path.parents if folder.exists()))
        found += [_issue(issue.as_json()) for issue in machine.look(time.monotonic())]
    return found


def _device(config: Config, port: str) -> Finding:
    chosen = getattr(config, port)
    try:
        says = driver(port, chosen.driver)(chosen.options).check()
    except HardwareError as bad:
        return Finding(
            device=port, ok=False, says=bad.fault, fix=bad.check, link=f"{PAGE}#{port}", driver=chosen.driver
        )
    return Finding(device=port, ok=True, says=says, driver=chosen.driver)


def _running(seen: ReadStatus) -> Finding:
    says = f"the service is running (process {seen.said['pid']}) and is using the devices; it reports:"
    if seen.hangs:
        says = f"the service is running, but has not reported anything for {seen.age_s:.0f} s"
    return Finding(device="service", ok=not seen.hangs, says=says)


def _issue(issue: Mapping[str, str]) -> Finding:
    device = f"{issue['id']}/{issue['part']}" if issue["part"] else issue["id"]
    ok = issue["severity"] == Severity.NOTE.value
    return Finding(device=device, ok=ok, says=issue["says"], fix=issue["fix"], link=issue["link"])


def _overlays(config: Config) -> Finding:
    file, link = overlays.found(), f"{PAGE}#overlays"
    if file is None:
        return Finding(device="config.txt", ok=True, says="none: this is not a Raspberry Pi")
    try:
        lacking = overlays.missing(overlays.wanted(config), overlays.text_of(file))
    except (OSError, UnicodeDecodeError) as error:
        return Finding(
            device="config.txt", ok=False, says=f"{file} cannot be read: {error}", fix="run it as root"
        )
    if not lacking:
        return Finding(device="config.txt", ok=True, says=f"{file} has everything that the devices need")
    lines = ", ".join(need.line for need in lacking)
    fix = "run sudo nimmt overlays --write, then reboot"
    return Finding(device="config.txt", ok=False, says=f"{file} lacks {lines}", fix=fix, link=link)


def _journal(config: Config) -> Finding:
    path, link = config.journal.place(os.environ), f"{PAGE}#journal"
    try:
        if not path.exists():
            return Finding(
                device="journal", ok=True, says=f"{path} will be created when the first match begins"
            )
        with closing(Journal.read(path)) as journal:
            says = f"{path} holds {len(journal.matches())} matches"
    except JournalError as bad:
        return Finding(device="journal", ok=False, says=bad.fault, fix=bad.fix, link=link)
    except PermissionError as bad:
        return Finding(device="journal", ok=False, says=str(bad), fix="run it as root", link=link)
    return Finding(device="journal", ok=True, says=says, driver="sqlite")
