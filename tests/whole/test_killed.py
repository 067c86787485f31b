"""The plug is pulled again and again during an evening: what was seen stays, and nothing is invented.

Ten times in every run; `NIMMT_EXAMPLES=5` pulls it 50 times in each of five evenings.
"""

import random
from contextlib import closing
from pathlib import Path

import pytest

from companion.match import log
from firmware.journal.store import Journal
from tests.examples import TIMES
from tests.whole.live_device import LiveDevice
from tests.whole.scripted import known_evening
from tests.whole.table import Table

EVENINGS = range(3, 3 + max(1, round(TIMES)))  # seeds
KILLS = max(1, round(10 * TIMES))
"""In each evening."""
BETWEEN = max(3, 900 // KILLS)
"""The most codes between two kills, so that these come all through the evening."""


def live_through(device: LiveDevice, seed: int) -> Table:
    """An evening with so many kills: in the start, in a pause, in a scan."""
    rng = random.Random(seed)
    table = Table(device, known_evening(seed))
    for _ in range(KILLS):
        if rng.random() < 0.2:
            device.switch_on()
            device.kill(after_s=rng.uniform(0.0, 0.4))
        else:
            table.sit_down()
            table.play(rng.randint(0, BETWEEN))
            table.scan()
            device.kill(after_s=rng.uniform(0.0, 0.015))
        table.look_at_disk()
    return table


@pytest.mark.long
@pytest.mark.parametrize("seed", EVENINGS)
def test_power_cuts_lose_nothing_that_was_seen_and_the_evening_ends_as_it_should(
    tmp_path: Path, seed: int
) -> None:
    with LiveDevice(tmp_path) as device:
        table = live_through(device, seed)
        table.sit_down()
        table.play(len(table.plan.codes))
        assert device.stop() == 0
        with closing(Journal.read(device.journal)) as journal:
            played = [entry for entry in journal.matches() if entry.steps]
            steps = [tuple(journal.steps(entry.id)) for entry in played]
        assert steps == list(table.plan.records)
        told = [log.replay([one.header, *records]) for one, records in zip(played, steps, strict=True)]
        assert [match.totals for match in told] == list(table.plan.totals)
        assert all(match.winners for match in told)
