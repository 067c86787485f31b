"""A trial tells a slow machine from a broken product."""

from __future__ import annotations

import pytest

from tests.systemd.pace import NOT_DONE, NotDone, Pace, slowness, status


def pace(*measured: float) -> Pace:
    given = iter(measured)
    return Pace(lambda: next(given))


@pytest.mark.parametrize(("measured", "waits_s"), [(0.4, 90.0), (1.0, 90.0), (4.0, 360.0)])
def test_a_trial_waits_as_many_times_longer_as_the_machine_is_slower(measured: float, waits_s: float) -> None:
    here = pace(measured)
    here.calibrate()
    assert here.patient_s(90.0) == waits_s


def test_a_hopelessly_busy_machine_is_told_before_anything_is_started() -> None:
    with pytest.raises(NotDone, match="40 times slower than usual, and up to 15 will do"):
        pace(40.0).calibrate()


@pytest.mark.parametrize(("later", "slowed"), [(4.0, False), (6.0, False), (6.1, True)])
def test_a_machine_that_became_slower_on_the_way_is_noticed(later: float, *, slowed: bool) -> None:
    here = pace(4.0, later)
    here.calibrate()
    assert here.has_slowed() is slowed


def test_what_was_not_done_is_neither_a_failure_nor_a_proof() -> None:
    assert status(failed=False, not_done=False) == 0
    assert status(failed=True, not_done=False) == 1
    assert status(failed=False, not_done=True) == NOT_DONE == 75
    assert status(failed=True, not_done=True) == 1


def test_the_fixed_work_can_be_measured() -> None:
    assert slowness() > 0


@pytest.mark.parametrize(
    ("later", "waits_s"),
    [(1.4, 90.0), (6.1, 549.0), (40.0, 90.0)],
)
def test_a_trial_waits_longer_when_the_machine_has_slowed(later: float, waits_s: float) -> None:
    here = pace(1.0, later)
    here.calibrate()
    assert here.follow() is (waits_s != 90.0)
    assert here.patient_s(90.0) == pytest.approx(waits_s)
