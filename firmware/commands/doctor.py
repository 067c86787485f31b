"""`nimmt doctor`: open every configured device once and report it; then report the machine."""

import argparse
import json
import os
import time
from collections.abc import Iterator, Mapping
from contextlib import closing
from functools import partial
from typing import Any

from msgspec.structs import asdict

from companion.values import Value
from firmware.commands.declared import Command, counted, flag
from firmware.config.configuration import Config, load
from firmware.display.names import not_drawn
from firmware.journal.errors import JournalError
from firmware.journal.store import Journal
from firmware.plugins import parts
from firmware.service import overlays, status
from firmware.service.health import PAGE, Severity
from firmware.service.machine import Machine
from firmware.service.overlays import DeviceTree
from firmware.service.status import ReadStatus
from firmware.session.table_notes import LAYOUTS
from firmware.text.os_errors import reason_of
from hardware.errors import HardwareError
from hardware.registry import driver


class Finding(Value, kw_only=True):
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
        for finding in found:
            mark = ("note" if finding.fix else "ok") if finding.ok else "!!"
            print(f"{finding.device:17} {mark:4}  {finding.says}")
            if finding.fix:
                print(f"{'':23} fix: {finding.fix}{'; see ' if finding.link else ''}{finding.link}")
    return 0 if all(finding.ok for finding in found) else 1


def as_json(found: list[Finding]) -> str:
    return json.dumps([asdict(finding) for finding in found], indent=2)


def findings(config: Config) -> list[Finding]:
    """The devices, the journal, config.txt of the Raspberry Pi, and the state of the machine.

    While the service is running it uses the devices: then its own report is shown, and no device is opened.
    """
    seen = status.of_this_machine(os.environ)
    if seen is None:
        found = [_device(config, port) for port in ("display", "buttons", "scanner", "buzzer")]
    else:
        found = [_running(seen), *(_issue(issue) for issue in seen.said["issues"])]
    found += [*_journal(config), _overlays(config)]
    for _, check in parts("check"):
        found += check(config)
    if "GPIOZERO_PIN_FACTORY" in os.environ:
        says = "GPIOZERO_PIN_FACTORY is not used: pins are always read by libgpiod"
        fix = 'to try keys without pins, set driver = "simulated", or type in a terminal'
        found.append(Finding(device="buttons", ok=True, says=says, fix=fix))
    found += [Finding(device="names", ok=True, says=str(said)) for said in not_drawn(config.table.names)]
    if seen is None:
        path = config.journal.place(os.environ)
        machine = Machine(next(folder for folder in path.parents if folder.exists()))
        found += [_issue(issue.as_json()) for issue in machine.look(time.monotonic())]
    return found


def _device(config: Config, port: str) -> Finding:
    chosen = getattr(config, port)
    found = partial(Finding, device=port, driver=chosen.driver)
    try:
        says = driver(port, chosen.driver)(chosen.options).check()
    except HardwareError as bad:
        return found(ok=False, says=bad.fault, fix=bad.check, link=f"{PAGE}#{port}")
    return found(ok=True, says=says)


def _running(seen: ReadStatus) -> Finding:
    says = f"the service is running (process {seen.said['pid']}) and is using the devices; it reports:"
    if seen.hangs:
        says = f"the service is running, but has not reported anything for {round(seen.age_s)} s"
    return Finding(device="service", ok=not seen.hangs, says=says)


def _issue(issue: Mapping[str, Any]) -> Finding:
    device = f"{issue['id']}/{issue['part']}" if issue["part"] else issue["id"]
    ok = issue["severity"] == Severity.NOTE.value
    return Finding(device=device, ok=ok, says=issue["says"], fix=issue["fix"], link=issue["link"])


def _overlays(config: Config) -> Finding:
    file, found = overlays.found(), partial(Finding, device="config.txt")
    if file is None:
        return found(ok=True, says="none: this is not a Raspberry Pi")
    try:
        tree = DeviceTree()
        states = overlays.states(overlays.wanted(config), overlays.text_of(file), tree)
    except (OSError, UnicodeDecodeError) as error:
        why = reason_of(error) if isinstance(error, OSError) else str(error)
        says = f"{file} cannot be read: {why}"
        return found(ok=False, says=says, fix="run it as root")
    if all(state is overlays.State.ON for _, state in states):
        return found(ok=True, says=f"{file} has everything that the devices need")
    parameters, link = tree.has_parameters, f"{PAGE}#overlays"
    lacking = [need for need, state in states if state is overlays.State.MISSING]
    if not lacking:
        off = ", ".join(need.name for need, state in states if state is overlays.State.RESTART)
        says = f"{file} has everything, but these are not on yet: {off}"
        return found(ok=False, says=says, fix="start the box again", link=link)
    lines = dict.fromkeys(need.line(parameters=parameters) for need in lacking)
    says = f"{file} lacks {', '.join(lines)}"
    return found(ok=False, says=says, fix="run sudo nimmt overlays --write, then reboot", link=link)


def _journal(config: Config) -> list[Finding]:
    """The journal, and to which keyboards the scanners are set that it knows."""
    path, link = config.journal.place(os.environ), f"{PAGE}#journal"
    found = partial(Finding, device="journal")
    try:
        if not path.exists():
            return [found(ok=True, says=f"{path} will be created when the first match begins")]
        with closing(Journal.read(path)) as journal:
            held, layouts = len(journal.matches()), journal.recall(LAYOUTS)
    except JournalError as bad:
        return [found(ok=False, says=bad.fault, fix=bad.fix, link=link)]
    except PermissionError as bad:
        return [found(ok=False, says=str(bad), fix="run it as root", link=link)]
    says = f"{path} holds {counted(held, 'match', 'matches')}"
    return [found(ok=True, says=says, driver="sqlite"), *_layouts(layouts)]


def _layouts(noted: object) -> Iterator[Finding]:
    for scanner, layout in noted.items() if isinstance(noted, dict) else ():
        if layout:
            says = f"{scanner} sends {layout} keys; codes with a check letter are read all the same"
            fix = "set it to a US keyboard, with a code in its manual: see the sheet of `nimmt print scanner`"
            yield Finding(device="scanner", ok=True, says=says, fix=fix, link=f"{PAGE}#scanner")


COMMAND = Command(
    help="check every configured device and the machine, and report what was found",
    run=run,
    options=(flag("--json", help="the findings as JSON"),),
    config=True,
)
