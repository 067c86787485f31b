"""The program is killed and stopped under its own systemd, and the display is looked at."""

from __future__ import annotations

import itertools
import time
from typing import TYPE_CHECKING, Final

from firmware.display.status_pictures import Notice
from tests.packaging.virtual_pi.machine import NotUp
from tests.systemd.report import Report, spread
from tests.whole.table import STRANGER, Table

if TYPE_CHECKING:
    from tests.packaging.virtual_pi.box import Box
    from tests.packaging.virtual_pi.place import Place

CRASHES: Final = 20
SEED: Final = 8
PLAYED: Final = 30
UNIT: Final = "nimmt-companion.service"
_KINDS: Final = ("KILL", "SEGV", "ABRT", "BUS", "ILL", "FPE", "QUIT")
_PAGE_S: Final = 2.0
_BACK_S: Final = 10.0


def crashes(place: Place, report: Report) -> None:
    """Kill it in the middle of a match, again and again; the match must come back each time."""
    with place.box(SEED) as (box, plan):
        table = Table(box, plan)
        table.sit_down()
        table.play(PLAYED)
        told, back = [], []
        for number, kind in zip(range(CRASHES), itertools.cycle(_KINDS)):
            place.look_at_clock()
            if number % 2 == 0:  # three quick deaths would lead to safe mode
                box.machine.must("systemctl", "restart", UNIT)
            question(box, table)
            page_s, ready_s = _crash(box, table, kind)
            told.append(page_s)
            back.append(ready_s)
    report.did(
        f"{CRASHES} crashes ({', '.join(_KINDS)})",
        f"fault page after {spread(told)}, back after {spread(back)}, always at the same match",
    )
    slow = [f"{page_s:.1f}" for page_s in told if page_s > _PAGE_S]
    slow += [f"{ready_s:.1f}" for ready_s in back if ready_s > _BACK_S]
    report.did(
        f"of them slower than {_PAGE_S:.0f} s to the page or {_BACK_S:.0f} s to be back",
        ", ".join(slow) or "none",
    )


def question(box: Box, table: Table) -> None:
    """Wait for the hello to the saved match, and go on to its question; pages that lay on it are gone."""
    place = table.plan.moments[table.at].place
    back = table.plan.returns[place]
    table.at = table.sent = table.plan.first[place]
    if not box.wait_for(lambda seen: seen == back.hello):
        raise NotUp("the saved match is not there")
    box.wait_listening(STRANGER)
    box.machine.scanned(b"6NC-OK\r")
    if not box.wait_for(lambda seen: seen == back.question):
        raise NotUp("the question is not there")


def _crash(box: Box, table: Table, kind: str) -> tuple[float, float]:
    """Seconds until the fault is on the display, and until the saved match is."""
    hello = table.plan.returns[table.plan.moments[table.at].place].hello
    began_s = time.monotonic() - box.machine.on_at_s
    box.machine.must("systemctl", "kill", "--kill-whom=main", f"--signal={kind}", UNIT)
    page_s = box.wait_lit([box.notice(Notice.FAULT)], began_s)
    return page_s - began_s, box.wait_lit([hello], page_s) - began_s
