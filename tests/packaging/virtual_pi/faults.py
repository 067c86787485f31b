"""Things that go wrong on a real machine, one after the other in one match: how soon told and repaired."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from tests.packaging.virtual_pi.crashes import UNIT, question
from tests.packaging.virtual_pi.machine import NotUp
from tests.systemd.report import Report
from tests.whole.table import STRANGER, Lost, Table

if TYPE_CHECKING:
    from tests.packaging.virtual_pi.box import Box
    from tests.packaging.virtual_pi.place import Place

SEED: Final = 9
BEFORE: Final = 30
AFTER: Final = 4
"""So many codes are played before the first fault, and after each."""

NOISE_BYTES: Final = 1_000_000
CONFIGURATION: Final = "/etc/nimmt/nimmt.toml"
JOURNAL: Final = "/var/lib/nimmt/journal.sqlite"
_LOCK: Final = """\
echo u >/proc/sysrq-trigger
until grep -q '^/dev/vda / ext4 ro' /proc/mounts; do sleep 0.1; done
"""
"""What else would need a disk without a single file open for writing; until the kernel has done it."""

_OK: Final = b"6NC-OK\r"


def faults(place: Place, report: Report) -> None:
    """Let each of them happen; after each the game must go on where it was."""
    with place.box(SEED) as (box, plan):
        table = Table(box, plan)
        table.sit_down()
        table.play(BEFORE)
        happens: dict[str, Callable[[Box, Table], str]] = {
            "the program hangs (SIGSTOP)": _hang,
            "the file system is locked against writing, and unlocked": _locked,
            "the clock jumps to 1999 and to 2099": _clock,
            f"{NOISE_BYTES // 1_000_000} MB of noise from the scanner": _noise,
            "the configuration is broken, and the machine starts": _configuration,
        }
        for what, happen in happens.items():
            place.look_at_clock()
            report.did(what, happen(box, table))
            table.play(AFTER)
        report.did("the journal is overwritten in its middle, and the machine starts", _journal(box))


def _hang(box: Box, table: Table) -> str:
    began_s = _now_s(box)
    box.machine.must("systemctl", "kill", "--kill-whom=main", "--signal=STOP", UNIT)
    hello = table.plan.returns[table.plan.moments[table.at].place].hello
    back_s = box.wait_lit([hello], began_s) - began_s
    question(box, table)
    return f"watchdog; back at the same match after {back_s:.1f} s"


def _locked(box: Box, table: Table) -> str:
    moments = table.plan.moments
    while moments[table.at + 1].place == moments[table.at].place:  # the next code is to be a step
        table.play(1)
    box.machine.must("sh", "-c", _LOCK)
    before = moments[table.at].place
    began_s = _now_s(box)
    table.scan()
    told_s, told = _told(box, table, began_s)
    box.machine.must("mount", "-o", "remount,rw", "/")
    _until_said(box, "no problems")
    _acknowledge(box, table)
    if moments[table.at].place != before:
        raise Lost("a step was taken that no disk has")
    return (
        f"the step is refused and told after {told_s:.1f} s ({told}), and taken when it can be written again"
    )


def _clock(box: Box, table: Table) -> str:
    for year in (1999, 2099):
        box.machine.must("date", "--set", f"{year}-01-01 12:00")
        table.play(AFTER)
    return "nobody notices"


def _noise(box: Box, table: Table) -> str:
    noise = random.Random(SEED).randbytes(NOISE_BYTES)
    began_s = _now_s(box)
    for at in range(0, NOISE_BYTES, 10_000):
        box.machine.scanned(noise[at : at + 10_000])
    sent_s = _now_s(box)
    box.wait_listening(STRANGER)
    heard_s = _now_s(box)
    _acknowledge(box, table)
    return f"sent in {sent_s - began_s:.1f} s; a code heard {heard_s - sent_s:.1f} s later; no card made up"


def _configuration(box: Box, table: Table) -> str:
    box.machine.must("sh", "-c", f"cp {CONFIGURATION} /root; echo 'board = ' >>{CONFIGURATION}; sync")
    box.kill()
    table.look_at_disk()
    box.switch_on()
    told_s, told = _told(box, table, 0.0)
    _acknowledge(box, table)
    box.wait_listening(STRANGER)
    box.wait_up()
    _until_said(box, "configuration")
    box.machine.must("cp", f"/root/{CONFIGURATION.rpartition('/')[2]}", CONFIGURATION)
    return f"told {told_s:.1f} s after the power came ({told}); the last good one is used, at the same match"


def _journal(box: Box) -> str:
    damage = f"dd if=/dev/urandom of={JOURNAL} bs=4096 seek=1 count=8 conv=notrunc status=none"
    box.machine.must("sh", "-c", f"systemctl stop {UNIT}; {damage}; rm -f {JOURNAL}-wal; sync")
    box.kill()
    box.switch_on()
    box.wait_up()
    _until_said(box, "journal")
    kept = box.machine.must("sh", "-c", f"ls {JOURNAL}*").split()
    if len([name for name in kept if name.removeprefix(JOURNAL) not in ("", "-wal", "-shm")]) < 1:
        raise Lost("the damaged journal was not kept")
    return "told; the old one is kept under another name, a new one is begun"


def _told(box: Box, table: Table, since_s: float) -> tuple[float, str]:
    """Wait for a page that is not of the game; how long after `since_s` it was there, and its title."""
    calm = {*table.shows(table.at), *table.shows(table.sent)}
    deadline_s = time.monotonic() + 60
    while time.monotonic() < deadline_s:
        for one in box.lit():
            if one.at_s > since_s and one.picture not in calm | box.known:
                return one.at_s - since_s, one.picture.heading
        box.wait_for(lambda _: True, 0.1)
    raise NotUp("nobody is told")


def _until_said(box: Box, words: str) -> None:
    """Wait until `nimmt status` says it."""
    deadline_s = time.monotonic() + 60
    while words not in (said := box.machine.run("nimmt", "status")[1]):
        if time.monotonic() > deadline_s:
            raise NotUp(f"it never says {words!r}, but:\n{said}")


def _acknowledge(box: Box, table: Table) -> None:
    """Press OK on what is told, and on pages of the game that lie on the question, until that is back.

    It is the question of before, or the one after the step that was under way.
    """
    first, moments = table.plan.first, table.plan.moments
    here, there = (first[moments[moment].place] for moment in (table.at, table.sent))
    deadline_s = time.monotonic() + 60
    while box.newest not in (*table.shows(here), *table.shows(there)):
        if time.monotonic() > deadline_s:
            raise Lost("the game is not where it was")
        box.machine.scanned(_OK)
        box.wait_for(lambda _: True, 3.0)
    table.at = table.sent = here if box.newest in table.shows(here) else there


def _now_s(box: Box) -> float:
    """Seconds since the power came."""
    return time.monotonic() - box.machine.on_at_s
