"""The plug is pulled at any moment, with a card that forgets what it was not told to keep."""

import random
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from typing import Final

from tests.packaging.virtual_pi.box import Box
from tests.packaging.virtual_pi.place import Place
from tests.systemd.trial import Report
from tests.whole.table import Lost, Table

IN_THE_START: Final = 0.2
"""The share of cuts that come while the machine starts."""

EVENINGS: Final = 2
"""So many machines at the same time; an evening has codes enough for a hundred cuts."""

CONTROLS: Final = 6
SEED_OF_CONTROL: Final = 7
_BLOCKS: Final = "blocks"
_PROGRAM: Final = "/usr/lib/nimmt-companion/lib/python3.*/site-packages/firmware/journal/file.py"
_HURT: Final = f"""\
set -e
systemctl stop nimmt-companion
grep -q 'synchronous = FULL' {_PROGRAM}
sed -i 's/synchronous = FULL/synchronous = OFF/' {_PROGRAM}
grep -q 'synchronous = OFF' {_PROGRAM}
sync
"""


def power_cuts(place: Place, report: Report, cuts: int) -> None:
    """So many cuts; after each the card and the next start must agree with what the display had shown."""
    with ThreadPoolExecutor(EVENINGS) as pool:
        told = pool.map(lambda seed: _evening(place, report, seed, cuts // EVENINGS), range(EVENINGS))
        kinds = sum(told, Counter[str]())
    blocks = kinds.pop(_BLOCKS, 0)
    told_kinds = ", ".join(f"{count} {kind}" for kind, count in sorted(kinds.items()))
    report.did(
        f"{kinds.total()} power cuts ({told_kinds})",
        f"{blocks} blocks were unflushed; each time the same question, no step lost, none invented",
    )


def _evening(place: Place, report: Report, seed: int, cuts: int) -> Counter[str]:
    """An evening with so many cuts: how many of each kind, and how many blocks they found unflushed."""
    found: Counter[str] = Counter()
    with place.box(seed) as (box, plan):
        table, rng = Table(box, plan), random.Random(seed)
        try:
            for number in range(1, cuts + 1):
                place.look_at_clock()
                kind = _cut(box, table, rng)
                table.look_at_disk()
                found.update({kind: 1, _BLOCKS: box.lost_blocks})
                report.goes_on(
                    f"evening {seed + 1}, cut {number}, {kind}: code {table.at} of {len(plan.codes)}"
                )
            table.sit_down()
        except AssertionError as failed:  # the other evening may go on for an hour
            report.goes_on(f"evening {seed + 1} has FAILED: {failed}")
            raise
    return found


def _cut(box: Box, table: Table, rng: random.Random) -> str:
    """One of them; says which kind it was."""
    if rng.random() < IN_THE_START:
        box.switch_on()
        return f"in the start, {box.kill(rng.uniform(1, 20)).value} left"
    table.sit_down()
    table.play(rng.randint(0, 9))
    table.scan()
    return f"in play, {box.kill(rng.uniform(0, 0.2)).value} left"


def negative_control(place: Place, report: Report) -> None:
    """The same with a program that does not sync: it must be found out, or the cuts have shown nothing."""
    with place.box(SEED_OF_CONTROL) as (box, plan):
        box.switch_on()
        box.wait_up()
        box.machine.must("sh", "-c", _HURT)
        box.kill()
        table, rng = Table(box, plan), random.Random(SEED_OF_CONTROL)
        for number in range(1, CONTROLS + 1):
            place.look_at_clock()
            table.sit_down()
            table.play(rng.randint(3, 9))
            box.kill()
            try:
                table.look_at_disk()
            except Lost as found:
                report.did("the same with `synchronous = OFF`", f"found out at cut {number}: {found}")
                return
    raise Lost(f"a program that does not sync has stood {CONTROLS} cuts: they cut nothing")
