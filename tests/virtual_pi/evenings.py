"""A whole evening on the virtual Pi, with scanner and glass pulled in the middle of it, and a proper end."""

from __future__ import annotations

from contextlib import closing
from typing import TYPE_CHECKING, Final

from PIL import Image

from companion import log
from companion.codes import PREFIX, Verb
from firmware import notices
from firmware.journal import Journal
from firmware.notices import Notice
from firmware.words import Words
from hardware.boards import board
from tests.virtual_pi.machine import NotUp
from tests.whole import reading
from tests.whole.scripted import NOTICE_Y_PX
from tests.whole.table import STRANGER, Lost, Table

if TYPE_CHECKING:
    from pathlib import Path

    from tests.appliance.report import Report
    from tests.virtual_pi.box import Box
    from tests.virtual_pi.place import Place
    from tests.whole.scripted import Evening

SEED: Final = 6
APART: Final = 25
"""So many codes between two things that go wrong."""


def whole_evening(place: Place, report: Report) -> None:
    """Play it to its end, compare every picture, switch off by the key, compare every total."""
    with place.box(SEED) as (box, plan):
        table = Table(box, plan)
        table.sit_down()
        pulled = {_scanner_is_pulled: 0, _glass_is_pulled: 0}
        wrong = tuple(pulled)
        while table.at < len(plan.codes):
            place.look_at_clock()
            table.play(APART)
            if plan.moments[table.at].place[0] == "played" and table.at < len(plan.codes):
                happens = wrong[sum(pulled.values()) % 2]
                happens(box, table)
                pulled[happens] += 1
        if box.complaints:
            raise Lost(f"the panel was sent wrong bytes: {box.complaints[0]}")
        report.did(
            f"an evening of {len(plan.codes)} scans and keys, two matches",
            f"every picture as it should be; scanner pulled {pulled[_scanner_is_pulled]} times, "
            f"glass {pulled[_glass_is_pulled]} times: each told, no card lost",
        )
        _switch_off(box)
        report.did("OK held on the page SWITCH OFF", "the machine is off, the glass says SAFE TO UNPLUG")
        box.unplug()
        totals = _totals(box.journal, plan)
        report.did("the journal on the card", f"every step as it was played, totals {totals}")


def _scanner_is_pulled(box: Box, table: Table) -> None:
    box.machine.unplug_scanner()
    if not box.wait_for(lambda seen: _title(seen).startswith("SCANNER")):
        raise NotUp("nobody is told that the scanner is away")
    box.machine.plug_scanner()
    if not box.wait_for(lambda seen: seen in table.shows(table.at)):
        raise Lost("the game is not where it was before the scanner was pulled")
    box.wait_listening(STRANGER)


def _glass_is_pulled(box: Box, table: Table) -> None:
    box.unplug_glass()
    table.scan()
    box.plug_glass()
    if not box.wait_for(lambda seen: seen in table.shows(table.sent)):
        raise Lost("what was scanned without a glass is not on it now")
    table.at = table.sent


def _title(seen: bytes) -> str:
    return reading.title(Image.frombytes("1", (128, NOTICE_Y_PX), seen))


def _switch_off(box: Box) -> None:
    """By the last row of the menu, and OK held to the end."""
    ok = board("hand-wired").buttons["pins"]["ok"]
    box.new_pictures()
    box.machine.press(ok, 1.5)
    box.wait_for(lambda seen: _title(seen) == "MENU")
    box.machine.scanned(f"{PREFIX}{Verb.MORE.value}\r".encode())
    box.wait_for(lambda seen: _title(seen) == "MENU")
    box.machine.press(ok)
    if not box.wait_for(lambda seen: _title(seen) == "SWITCH OFF"):
        raise NotUp("the menu has no switch")
    box.machine.press(ok, 6.0)
    box.wait_off()
    if box.seen().tobytes() != notices.picture(Notice.OFF, Words()).tobytes():
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
