"""How the runs of the virtual Pi end: what failed, and what could not be found out."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.packaging.virtual_pi.__main__ import End, ended
from tests.packaging.virtual_pi.machine import NotStarted, NotUp, PressedTooLong
from tests.packaging.virtual_pi.place import TimeIsUp
from tests.systemd.pace import PACE
from tests.systemd.report import Report
from tests.whole.table import Lost


@pytest.fixture(autouse=True)
def usual_pace() -> Iterator[None]:
    """The pace of the process as it was."""
    before = PACE.measure, PACE.factor
    yield
    PACE.measure, PACE.factor = before


@pytest.mark.parametrize(
    ("seen", "slowness", "end"),
    [
        (None, 1.0, End.GOOD),
        (NotUp("no hello"), 1.0, End.FAILED),
        (NotUp("no hello"), 9.0, End.NOT_DONE),
        (Lost("a card"), 9.0, End.FAILED),
        (AssertionError("the panel"), 9.0, End.FAILED),
        (NotStarted("no kernel"), 1.0, End.NOT_DONE),
        (PressedTooLong("a key was down for 1.1 s"), 1.0, End.NOT_DONE),
        (TimeIsUp(), 1.0, End.NOT_DONE),
    ],
)
def test_only_what_the_product_did_is_a_failure(seen: Exception | None, slowness: float, end: End) -> None:
    PACE.factor, PACE.measure = 1.0, lambda: slowness

    def run() -> None:
        if seen is not None:
            raise seen

    report = Report()
    assert ended("crash", run, report) is end
    told = [("crash", result.partition(":")[0]) for _, result in report.rows]
    assert told == ([] if end is End.GOOD else [("crash", end.value)])
