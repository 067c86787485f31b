"""The thread that owns a panel, driven by hand: the clock is turned and the work is called by the test."""

from __future__ import annotations

import threading
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import pytest

from hardware.background import LAST_RETRY_S, Background
from hardware.errors import HardwareError
from hardware.ports import DeviceFault, DeviceMended, Light
from tests.hardware.oled_bench import LONG_S, HandClock, Inbox, noise
from tests.patience import comes

if TYPE_CHECKING:
    from PIL.Image import Image

AWAY = HardwareError("display", "no answer", "check the wires")


@dataclass
class Slate:
    """A panel that notes what it is told, and fails as long as `ill` says so."""

    width_px: int = 128
    height_px: int = 64
    ill: Exception | None = None
    ill_at: str = ""  # what fails while it is ill; empty: all
    told: list[str] = field(default_factory=list)
    frames: list[Image] = field(default_factory=list)
    blocked: threading.Event | None = None  # show waits for it
    busy: threading.Event = field(default_factory=threading.Event)

    def _note(self, what: str) -> None:
        self.told.append(what)
        if self.ill is not None and self.ill_at in ("", what):
            raise self.ill

    def open(self) -> None:
        self._note("open")

    def show(self, frame: Image) -> None:
        self.busy.set()
        if self.blocked is not None:
            assert self.blocked.wait(LONG_S)
        self._note("show")
        self.frames.append(frame)

    def light(self, level: Light) -> None:
        self._note(level.value)

    def refresh(self) -> None:
        self._note("refresh")

    def close(self) -> None:
        self.told.append("close")

    def forget(self) -> None:
        self.told = []


@dataclass
class Desk:
    """A background whose thread is the test itself."""

    slate: Slate
    background: Background
    clock: HandClock
    inbox: Inbox

    def work(self) -> float | None:
        return self.background.work(self.inbox.post)


@pytest.fixture
def desk() -> Desk:
    slate, clock, inbox = Slate(), HandClock(), Inbox()
    background = Background("display", slate, refresh_s=60.0, now_s=clock)
    return Desk(slate, background, clock, inbox)


def test_the_picture_is_complete_before_the_panel_is_lit(desk: Desk) -> None:
    desk.background.draw(noise(1))
    desk.work()
    assert desk.slate.told == ["open", "show", "full"]


def test_a_panel_stays_dark_until_something_is_drawn(desk: Desk) -> None:
    desk.work()
    assert desk.slate.told == ["open"]
    desk.background.light(Light.DIM)
    desk.work()
    assert desk.slate.told == ["open"]
    desk.background.draw(noise(1))
    desk.work()
    assert desk.slate.told == ["open", "show", "dim"]


def test_only_the_newest_picture_is_sent(desk: Desk) -> None:
    for seed in range(9):
        desk.background.draw(noise(seed))
    desk.work()
    assert [frame.tobytes() for frame in desk.slate.frames] == [noise(8).tobytes()]


def test_what_did_not_change_is_not_sent_again(desk: Desk) -> None:
    desk.background.draw(noise(1))
    desk.work()
    desk.slate.forget()
    desk.work()
    desk.background.light(Light.FULL)
    desk.work()
    assert desk.slate.told == []


def test_a_fault_is_posted_once_and_its_end_once(desk: Desk) -> None:
    desk.background.draw(noise(1))
    desk.slate.ill = AWAY
    for _ in range(5):
        desk.work()
        desk.clock.s += LAST_RETRY_S
    desk.slate.ill = None
    for _ in range(3):
        desk.work()
        desk.clock.s += LAST_RETRY_S
    assert desk.inbox.all() == [
        DeviceFault("display", "no answer", "check the wires"),
        DeviceMended("display"),
    ]


def test_a_fault_of_another_kind_is_news(desk: Desk) -> None:
    for fault in ("no bus", "no bus", "no answer", "no bus"):
        desk.slate.ill = HardwareError("display", fault, "look")
        desk.work()
        desk.clock.s += LAST_RETRY_S
    posted = [message for message in desk.inbox.all() if isinstance(message, DeviceFault)]
    assert [message.fault for message in posted] == ["no bus", "no answer", "no bus"]


def test_a_panel_that_opens_but_takes_no_picture_is_not_called_mended(desk: Desk) -> None:
    desk.slate.ill = AWAY
    desk.background.draw(noise(1))
    desk.work()
    desk.slate.ill_at = "show"
    desk.clock.s += 1
    desk.work()
    assert desk.slate.told == ["open", "close", "open", "show", "close"]
    assert desk.inbox.all() == [DeviceFault("display", "no answer", "check the wires")]


def test_retries_come_slower_and_slower_but_never_stop(desk: Desk) -> None:
    desk.slate.ill = AWAY
    pauses = []
    for _ in range(6):
        pause_s = desk.work()
        assert pause_s is not None
        pauses.append(pause_s)
        desk.clock.s += pause_s
    assert pauses == [0.25, 0.5, 1.0, 2.0, 2.0, 2.0]
    assert desk.slate.told == ["open", "close"] * 6


def test_nothing_is_tried_before_its_time(desk: Desk) -> None:
    desk.slate.ill = AWAY
    desk.work()
    desk.slate.forget()
    desk.clock.s += 0.1
    assert desk.work() == pytest.approx(0.15)
    assert desk.slate.told == []


def test_after_a_fault_everything_is_said_again(desk: Desk) -> None:
    desk.background.draw(noise(1))
    desk.background.light(Light.DIM)
    desk.work()
    desk.slate.forget()
    desk.slate.ill = AWAY
    desk.background.draw(noise(2))
    desk.work()
    desk.slate.ill = None
    desk.clock.s += 1
    desk.work()
    assert desk.slate.told == ["show", "close", "open", "show", "dim"]


def test_the_first_retry_is_quick_again_after_a_good_spell(desk: Desk) -> None:
    desk.background.draw(noise(1))
    for _ in range(2):
        desk.slate.ill = AWAY
        desk.background.draw(noise(2))
        assert desk.work() == 0.25
        desk.clock.s += 1
        desk.slate.ill = None
        desk.work()


def test_an_idle_panel_is_refreshed_and_a_busy_one_is_not(desk: Desk) -> None:
    desk.background.draw(noise(1))
    assert desk.work() == 60.0
    desk.clock.s += 59.0
    assert desk.work() == 1.0
    desk.clock.s += 1.0
    desk.background.draw(noise(2))
    assert desk.work() == 0.0
    assert "refresh" not in desk.slate.told
    assert desk.work() == 60.0
    assert desk.slate.told[-1] == "refresh"


def test_a_refresh_that_fails_is_a_fault_like_any_other(desk: Desk) -> None:
    desk.background.draw(noise(1))
    desk.work()
    desk.clock.s += 60.0
    desk.slate.ill = AWAY
    desk.work()
    assert isinstance(desk.inbox.next(), DeviceFault)


def test_without_refreshing_an_idle_panel_costs_nothing_at_all() -> None:
    assert Background("display", Slate()).work(Inbox().post) is None


def test_a_bug_in_a_driver_is_a_fault_and_not_a_dead_thread(desk: Desk) -> None:
    desk.background.draw(noise(1))
    desk.slate.ill = ZeroDivisionError("division by zero")
    desk.work()
    fault = desk.inbox.next()
    assert isinstance(fault, DeviceFault)
    assert fault.fault == "unexpected ZeroDivisionError: division by zero"
    desk.slate.ill = None
    desk.clock.s += 1
    desk.work()
    assert desk.inbox.next() == DeviceMended("display")


# ------------------------------------------------------------------------------------ with the thread


def test_drawing_does_not_wait_for_a_panel_that_hangs() -> None:
    slate = Slate(blocked=threading.Event())
    background = Background("display", slate)
    background.start(Inbox().post)
    background.draw(noise(0))
    assert slate.busy.wait(LONG_S)
    for seed in range(1, 50):
        background.draw(noise(seed))
        background.light(Light.DIM)
    assert not background.settle(0)
    assert slate.blocked is not None
    slate.blocked.set()
    assert background.settle(LONG_S)
    assert [frame.tobytes() for frame in slate.frames] == [noise(0).tobytes(), noise(49).tobytes()]
    background.close()
    assert comes(lambda: slate.told[-1] == "close")


def test_settling_does_not_wait_when_nobody_works() -> None:
    background = Background("display", Slate())
    assert background.settle(LONG_S)
    background.draw(noise(1))
    assert not background.settle(LONG_S)


def test_two_starts_are_a_mistake_of_the_program() -> None:
    background = Background("display", Slate())
    background.start(Inbox().post)
    with pytest.raises(RuntimeError, match="already started"):
        background.start(Inbox().post)
    background.close()


def test_closing_is_allowed_from_the_panels_own_thread_and_more_than_once() -> None:
    slate = Slate(ill=AWAY)
    background = Background("display", slate)
    closed = threading.Event()

    def post(message: object) -> None:
        background.close()
        closed.set()

    background.start(post)
    assert closed.wait(LONG_S)
    background.close()
    background.close()
    assert comes(lambda: "panel-display" not in [thread.name for thread in threading.enumerate()])


def test_closing_ends_a_long_pause_at_once() -> None:
    slate, inbox = Slate(ill=AWAY), Inbox()
    background = Background("display", slate, now_s=HandClock())  # no retry will ever be due
    background.start(inbox.post)
    inbox.next()
    background.close()
    assert comes(lambda: slate.told[-1] == "close")
