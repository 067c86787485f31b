"""The time of a paired phone becomes that of a box without a clock, if it can be right."""

import os
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from firmware.service.clock import KNOWN_PAST_S, LATEST_S, Clock, take

OFF_S = KNOWN_PAST_S + 1_000_000.0
"""When the box was switched off."""


@dataclass
class Box:
    """A box whose time is in the test's hands."""

    folder: Path
    now_s: float = OFF_S + 40
    up_s: float = 40.0
    set_to: list[float] = field(default_factory=list)

    def __post_init__(self) -> None:
        (self.folder / "offered").mkdir()
        self.saved = self.folder / "clock"
        self.saved.touch()
        os.utime(self.saved, (OFF_S, OFF_S))
        self.clock = Clock(
            self.folder / "rtc",
            self.folder / "synchronized",
            self.folder,
            lambda: self.now_s,
            lambda: self.up_s,
        )

    def take(self) -> str:
        return take(self.clock, self.saved, self.set_to.append)


@pytest.fixture
def box(tmp_path: Path) -> Box:
    return Box(tmp_path)


def test_the_box_takes_the_time_of_a_phone_with_what_has_passed_since_and_asks_no_more(box: Box) -> None:
    assert box.clock.asks()
    box.clock.offer(OFF_S + 86_400)
    box.up_s += 1.5
    assert box.clock.is_offered()
    box.take()
    assert box.set_to == [pytest.approx(OFF_S + 86_401.5)]
    assert not box.clock.is_offered()
    assert box.clock.is_told()
    assert not box.clock.asks()


def test_the_clock_is_never_set_to_a_time_before_the_box_was_switched_off(box: Box) -> None:
    for wrong_s in (0.0, OFF_S - 2, LATEST_S + 1.0, -1e12, float("inf"), float("nan")):
        box.clock.offer(wrong_s)
        box.take()
        assert not box.clock.is_offered()
    assert box.set_to == []
    assert box.clock.asks()
    box.saved.unlink()
    box.clock.offer(KNOWN_PAST_S - 1.0)
    box.take()
    assert box.set_to == []
    box.clock.offer(OFF_S + 1)  # before the clock that has run on since, and not before it was switched off
    box.take()
    assert box.set_to == [pytest.approx(OFF_S + 1)]


@pytest.mark.parametrize("source", ["synchronized", "rtc/rtc0", "told"])
def test_what_a_network_a_battery_or_another_phone_has_told_stays(box: Box, source: str) -> None:
    box.clock.offer(OFF_S + 86_400)
    (box.folder / source).mkdir(parents=True)
    assert not box.clock.asks()
    box.take()
    assert box.set_to == []
    assert not box.clock.is_offered()


def test_an_offer_that_is_old_or_no_offer_at_all_sets_nothing(box: Box) -> None:
    box.take()
    box.clock.offer(OFF_S + 86_400)
    box.up_s += 61
    box.take()
    offer = box.folder / "offered" / "time"
    for content in (b"", b"\xff\xfe", b"1 2 3", b"soon now", b"9" * 5000):
        offer.write_bytes(content)
        box.take()
    os.mkfifo(offer)
    box.take()
    assert box.set_to == []
    assert not offer.exists()
    assert list(offer.parent.iterdir()) == []
