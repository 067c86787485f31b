"""A whole evening on the virtual Pi: scanner and display are pulled in the middle, and it ends properly."""

from __future__ import annotations

import time
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Final

from companion.core.codes import PREFIX, Control
from companion.match import log
from firmware.display import status_pictures
from firmware.display.status_pictures import Notice
from firmware.journal.store import Journal
from firmware.text.translation import Translator
from hardware.boards.boards import board
from tests.packaging.virtual_pi.machine import NotUp
from tests.systemd.report import Report, spread
from tests.whole.table import STRANGER, Lost, Table

if TYPE_CHECKING:
    from tests.packaging.virtual_pi.box import Box
    from tests.packaging.virtual_pi.place import Place
    from tests.whole.scripted import Evening

SEED: Final = 6
APART: Final = 25
"""So many codes between two things that go wrong."""


def whole_evening(place: Place, report: Report) -> None:
    """Play it to its end, compare every picture, switch off by the key, compare every total."""
    with place.box(SEED) as (box, plan):
        table = Table(box, plan)
        table.sit_down()
        scanner: list[tuple[float, float]] = []
        panel: list[float] = []
        while table.at < len(plan.codes):
            place.look_at_clock()
            table.play(APART)
            if plan.moments[table.at].place[0] == "played" and table.at < len(plan.codes):
                if len(scanner) <= len(panel):
                    scanner.append(_scanner_is_pulled(box, table))
                else:
                    panel.append(_glass_is_pulled(box, table))
        if box.complaints:
            raise Lost(f"the panel was sent wrong bytes: {box.complaints[0]}")
        report.did(
            f"an evening of {len(plan.codes)} scans and keys, two matches",
            "every picture is as it should be",
        )
        told, heard = ([one[at] for one in scanner] for at in (0, 1))
        report.did(
            f"in it the scanner is pulled {len(scanner)} times",
            f"told after {spread(told)}, heard again {spread(heard)} after it is back; no card is lost",
        )
        report.did(
            f"in it the display is pulled {len(panel)} times, and a code read without it",
            f"the new picture {spread(panel)} after it is back",
        )
        _switch_off(box)
        report.did("OK held on the page SWITCH OFF", "the machine is off, the display says SAFE TO UNPLUG")
        box.unplug()
        totals = _totals(box.journal, plan)
        report.did("the journal on the card", f"every step as it was played, totals {totals}")


def _scanner_is_pulled(box: Box, table: Table) -> tuple[float, float]:
    """Seconds until it is told, and from plugging it in until it is heard."""
    began_s = time.monotonic()
    box.machine.unplug_scanner()
    if not box.wait_for(lambda seen: seen.heading.startswith("SCANNER")):
        raise NotUp("nobody is told that the scanner is away")
    told_s = time.monotonic()
    box.machine.plug_scanner()
    if not box.wait_for(lambda seen: seen in table.shows(table.at)):
        raise Lost("the game is not where it was before the scanner was pulled")
    mended_s = time.monotonic()
    box.wait_listening(STRANGER)
    return told_s - began_s, mended_s - told_s


def _glass_is_pulled(box: Box, table: Table) -> float:
    """Seconds from plugging it in until it shows what was read without it."""
    box.unplug_glass()
    table.scan()
    box.plug_glass()
    began_s = time.monotonic()
    if not box.wait_for(lambda seen: seen in table.shows(table.sent)):
        raise Lost("what was scanned without a display is not on it now")
    table.at = table.sent
    return time.monotonic() - began_s


def _switch_off(box: Box) -> None:
    """By the last row of the menu, and OK held to the end."""
    ok = board("hand-wired").buttons["pins"]["ok"]
    box.new_pictures()
    box.machine.press(ok, 1.5)
    box.wait_for(lambda seen: seen.heading == "MENU")
    box.machine.scanned(f"{PREFIX}{Control.MORE.value}\r".encode())
    box.wait_for(lambda seen: seen.heading == "MENU")
    box.machine.press(ok)
    if not box.wait_for(lambda seen: seen.heading == "SWITCH OFF"):
        raise NotUp("the menu has no switch")
    box.machine.press(ok, 6.0)
    box.wait_off()
    if box.seen().tobytes() != status_pictures.picture(Notice.OFF, Translator()).tobytes():
        raise NotUp("the last picture does not say that the plug may be pulled")


def _totals(path: Path, plan: Evening) -> list[tuple[int, ...]]:
    """The totals in the journal. Raises `Lost` where it holds anything else than was played."""
    with closing(Journal.read(path)) as journal:
        played = [entry for entry in journal.matches() if entry.steps]
        steps = tuple(tuple(journal.steps(entry.id)) for entry in played)
    if steps != plan.records:
        raise Lost("the steps on the card are not those that were played")
    totals = [log.replay([one.header, *records]).totals for one, records in zip(played, steps, strict=True)]
    if tuple(totals) != plan.totals:
        raise Lost(f"the totals are {totals}, and should be {plan.totals}")
    return totals
