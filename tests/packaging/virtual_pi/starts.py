"""From the power switch to the first picture and to the first page of the game."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from firmware.display.status_pictures import Notice
from tests.packaging.virtual_pi.machine import NotUp
from tests.systemd.report import Report, spread

if TYPE_CHECKING:
    from tests.packaging.virtual_pi.box import Box
    from tests.packaging.virtual_pi.place import Place

STARTS: Final = 3
UNIT: Final = "nimmt-companion.service"
_IMPORT: Final = "import firmware.cli.main, firmware.commands.run, firmware.play.runtime"


def starts(place: Place, report: Report) -> None:
    """Switch it on a few times and look at the display; then ask systemd where the time went."""
    first, ready = [], []
    said = imports = ""
    for seed in range(STARTS):
        place.look_at_clock()
        with place.box(seed) as (box, plan):
            box.switch_on()
            first.append(box.wait_lit([box.notice(Notice.STARTING)]))
            ready.append(box.wait_lit([plan.returns[plan.moments[0].place].hello]))
            box.wait_up()
            if not said:
                said = _told_by_systemd(box)
                _waits_for_no_network(box)
                imports = _imports(box)
    report.did(f"power to the picture STARTING, {STARTS} times", spread(first))
    report.did("power to the first page of the game", spread(ready))
    report.did("`systemd-analyze`", said)
    report.did("loading the program, of that", imports)
    report.did("what it waits for", "no network: nothing of the kind is before it")


def _told_by_systemd(box: Box) -> str:
    box.machine.run("systemctl", "is-system-running", "--wait")
    said = box.machine.must("systemd-analyze").splitlines()[0]
    slow = box.machine.must("systemd-analyze", "blame", "--no-pager")
    ours = [" ".join(line.split()) for line in slow.splitlines() if "nimmt" in line]
    return f"{said.removeprefix('Startup finished in ')}; {', '.join(ours)}"


def _waits_for_no_network(box: Box) -> None:
    before = box.machine.must("systemctl", "list-dependencies", "--after", "--plain", "--all", UNIT)
    if found := re.search(r"\S*(?:network|ifup|wpa|connman)\S*", before):
        raise NotUp(f"the game waits for {found[0]}")


def _imports(box: Box) -> str:
    """How long Python takes for itself and for the program, by the clock inside."""
    python = "/usr/lib/nimmt-companion/bin/python3"
    timed = "import subprocess, sys, time; b = time.monotonic(); subprocess.run(sys.argv[1:], check=True); "
    timed += "print(time.monotonic() - b)"
    bare, whole = (
        float(box.machine.must("python3", "-c", timed, python, "-I", "-c", what))
        for what in ("pass", _IMPORT)
    )
    return f"{whole:.1f} s, {bare:.1f} s of them Python itself"
