"""The plug is pulled at any moment, with a card that forgets what it was not told to keep."""

from __future__ import annotations

import random
from collections import Counter
from typing import TYPE_CHECKING, Final

from tests.whole.table import Lost, Table

if TYPE_CHECKING:
    from tests.appliance.report import Report
    from tests.virtual_pi.box import Box
    from tests.virtual_pi.place import Place

IN_THE_START: Final = 0.2
"""The share of cuts that come while the machine starts."""

EVENING_LASTS: Final = 100
"""So many cuts fit into one evening."""

CONTROLS: Final = 6
SEED_OF_CONTROL: Final = 7
_PROGRAM: Final = "/usr/lib/nimmt-companion/lib/python3.*/site-packages/firmware/journal_file.py"
_HURT: Final = f"""\
set -e
systemctl stop nimmt-companion
grep -q 'synchronous = FULL' {_PROGRAM}
sed -i 's/synchronous = FULL/synchronous = OFF/' {_PROGRAM}
grep -q 'synchronous = OFF' {_PROGRAM}
sync
"""


def power_cuts(place: Place, report: Report, cuts: int) -> None:
    """So many cuts; after each the card and the next start must agree with what the glass had shown."""
    kinds: Counter[str] = Counter()
    blocks = 0
    for seed, before in enumerate(range(0, cuts, EVENING_LASTS)):
        with place.box(seed) as (box, plan):
            table, chance = Table(box, plan), random.Random(seed)
            for _ in range(min(EVENING_LASTS, cuts - before)):
                place.look_at_clock()
                kind = _cut(box, table, chance)
                table.look_at_disk()
                kinds[kind] += 1
                blocks += box.lost_blocks
                report.goes_on(
                    f"cut {kinds.total()} {kind}, code {table.at} of {len(plan.codes)}: as it should be"
                )
            table.sit_down()
    told = ", ".join(f"{count} {kind}" for kind, count in sorted(kinds.items()))
    report.did(
        f"{cuts} power cuts ({told})",
        f"{blocks} blocks were unflushed; each time the same question, no step lost, none invented",
    )


def _cut(box: Box, table: Table, chance: random.Random) -> str:
    """One of them; says which kind it was."""
    if chance.random() < IN_THE_START:
        box.switch_on()
        return f"in the start, {box.kill(chance.uniform(1, 20)).value} left"
    table.sit_down()
    table.play(chance.randint(0, 9))
    table.scan()
    return f"in play, {box.kill(chance.uniform(0, 0.5)).value} left"


def negative_control(place: Place, report: Report) -> None:
    """The same with a program that does not sync: it must be found out, or the cuts have shown nothing."""
    with place.box(SEED_OF_CONTROL) as (box, plan):
        box.switch_on()
        box.wait_up()
        box.machine.must("sh", "-c", _HURT)
        box.kill()
        table, chance = Table(box, plan), random.Random(SEED_OF_CONTROL)
        for number in range(1, CONTROLS + 1):
            place.look_at_clock()
            table.sit_down()
            table.play(chance.randint(3, 9))
            box.kill()
            try:
                table.look_at_disk()
            except Lost as found:
                report.did("the same with `synchronous = OFF`", f"found out at cut {number}: {found}")
                return
    raise Lost(f"a program that does not sync has stood {CONTROLS} cuts: they cut nothing")
