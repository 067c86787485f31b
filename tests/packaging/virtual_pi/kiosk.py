"""A kiosk: a visitor learns the game and goes, the next one begins a deal, and the plug is pulled."""

from __future__ import annotations

import csv
import json
import time
from collections.abc import Iterable
from contextlib import closing
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, Final

from msgspec.structs import replace

from firmware.extensions.robots.table import RobotsTable
from firmware.extensions.robots.thinking import Robots
from firmware.journal.store import Journal
from firmware.kiosk.counts import FILE
from firmware.kiosk.install import install
from firmware.kiosk.kiosk import PICTURE_S
from firmware.play.runtime import Runtime
from firmware.screens.visitor.visitor import PICTURES
from firmware.scripted.script import perform
from firmware.text.translation import LANGUAGES
from tests.packaging.virtual_pi.box import PATIENCE_S, Box
from tests.packaging.virtual_pi.faults import CONFIGURATION
from tests.packaging.virtual_pi.machine import NotUp
from tests.systemd.pace import PACE
from tests.systemd.report import Report
from tests.whole.scripted import Shown, shown
from tests.whole.table import Lost

if TYPE_CHECKING:
    from tests.packaging.virtual_pi.place import Place

SEED: Final = 16
CARD: Final = "55"
KEYS: Final = ("OK", "R1", "R1", "R1")
"""From the card that was shown: on, English, learn it, 6 nimmt!."""

ANSWERS: Final = ("R3", "R3", "R2", "R4", "R2")
"""The right ones. After each the box goes on by itself."""

_READ: Final = "+1 +10"
"""Longer than a right answer stays."""

TO_THE_DEAL: Final = ("R2", "R1", "R1", "OK")
"""From the menu: play, 6 nimmt!, alone; and a card."""

_TRIES: Final = 20
_HEARD_S: Final = 5.0

_MAKE_KIOSK: Final = f"printf '[kiosk]\\non = true\\n' >>{CONFIGURATION}; sync"


def kiosk(place: Place, report: Report) -> None:
    """Twice: a visitor learns and goes, another one begins a deal, the plug is pulled."""
    with place.box(SEED) as (box, _):
        box.switch_on()
        box.wait_up()
        box.machine.must("sh", "-c", _MAKE_KIOSK)
        box.kill()
        attract, visit = _pictures(box)
        box.known |= attract | set(visit)
        for learned in (1, 2):
            place.look_at_clock()
            box.switch_on()
            ready_s = box.wait_lit(attract)
            end_s = _learn(box, visit)
            box.wait_lit(attract, end_s)
            _begin_deal(box, visit)
            left = box.kill()
            _look_at_card(box, learned)
            report.did(
                "a kiosk: a visitor learns 6 nimmt! and goes, another begins a deal, the plug is pulled",
                f"attract loop {ready_s:.0f} s after the power came; {left.value} left, and the counts",
            )
        box.switch_on()
        report.did("the kiosk after that", f"attract loop {box.wait_lit(attract):.0f} s after the power came")


def _pictures(box: Box) -> tuple[set[Shown], list[Shown]]:
    """The attract loop in all languages; what is seen from the first touch to the end of the lesson."""
    config = replace(box.config, kiosk=replace(box.config.kiosk, on=True))
    with TemporaryDirectory() as folder:
        runtime = Runtime(config, Path(folder) / "journal.sqlite")
        try:
            table = runtime.app.controller
            table.extension(RobotsTable).thinkers = Robots(waits=True)
            install(runtime, rng=Random(SEED))
            attract = set()
            for _ in range(PICTURES * len(LANGUAGES)):
                attract.add(shown(runtime.app.picture()))
                perform(f"+{PICTURE_S:.0f}", table)
            visit = []
            for word in (CARD, *KEYS):
                perform(word, table)
                visit.append(shown(runtime.app.picture()))
            for answer in ANSWERS:
                perform(answer, table)
                visit.append(shown(runtime.app.picture()))
                perform(_READ, table)
                visit.append(shown(runtime.app.picture()))
            return attract, visit
        finally:
            runtime.close()


def _touch(box: Box, visit: list[Shown]) -> float:
    """Show a card until it is answered; when it was: the scanner is heard later than a picture is seen."""
    for _ in range(_TRIES):
        box.machine.scanned(f"{CARD}\r".encode())
        if box.wait_for(lambda seen: seen == visit[0], within_s=_HEARD_S):
            return box.lit()[-1].at_s
    raise NotUp("a card that is shown to the attract loop is not answered")


def _press(box: Box, keys: Iterable[str], expected: Iterable[Shown], at_s: float) -> float:
    """Press keys; after each its picture must come. When the last one has."""
    for key, picture in zip(keys, expected, strict=True):
        box.scan(f"6NC-{key}")
        at_s = box.wait_lit([picture], at_s)
    return at_s


def _learn(box: Box, visit: list[Shown]) -> float:
    """A visitor comes, and answers all questions right; when the end of the lesson was shown."""
    greeted = 1 + len(KEYS)
    at_s = _press(box, KEYS, visit[1:greeted], _touch(box, visit))
    for key, right, next_one in zip(ANSWERS, visit[greeted::2], visit[greeted + 1 :: 2], strict=True):
        at_s = box.wait_lit([next_one], _press(box, [key], [right], at_s))
    return at_s


def _begin_deal(box: Box, visit: list[Shown]) -> None:
    """Nobody knows which cards are dealt, so not the pictures are compared but what the box has counted."""
    to_menu = KEYS[:2]
    _press(box, to_menu, visit[1 : 1 + len(to_menu)], _touch(box, visit))
    for key in TO_THE_DEAL:
        box.new_pictures()
        before = box.newest
        box.scan(f"6NC-{key}")
        if not box.wait_for(lambda seen, before=before: seen != before):  # type: ignore[misc] # bound now
            raise NotUp(f"{key} is not answered on the way to a deal")
    deadline_s = time.monotonic() + PACE.patient_s(PATIENCE_S)
    while _status(box)["kiosk"]["in_all"]["deals_begun"] == 0:
        if time.monotonic() > deadline_s:
            raise NotUp("no deal has begun")


def _status(box: Box) -> dict[str, Any]:
    said: dict[str, Any] = json.loads(box.machine.run("nimmt", "status", "--json")[1])
    return said


def _look_at_card(box: Box, learned: int) -> None:
    """A visitor who has gone is counted; the journal of the household has nothing of it."""
    file = box.journal.with_name(FILE)
    rows = list(csv.DictReader(file.read_text(encoding="utf-8").splitlines()))
    counted = sum(int(row["lessons_finished"]) for row in rows)
    if counted != learned:
        raise Lost(f"{learned} lessons were finished by visitors who have gone, and {counted} are counted")
    if not box.journal.exists():
        return  # it has never played at home
    with closing(Journal.read(box.journal)) as journal:
        if any(entry.steps for entry in journal.matches()):
            raise Lost("the journal of the household has a match of visitors")
