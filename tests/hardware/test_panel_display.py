"""The thread that owns a panel, driven by hand: the clock is turned and the work is called by the test."""

import threading
from dataclasses import dataclass, field

import pytest
from PIL.Image import Image

from hardware.errors import HardwareError
from hardware.panel.display import LAST_RETRY_S, Panel, PanelDisplay
from hardware.ports import DeviceFault, DeviceRecovered, Light
from tests.hardware.device_setup import SOON_S, HandClock, Letters
from tests.hardware.oled_setup import noise
from tests.patience import comes

AWAY = HardwareError("display", "no answer", "check the wires")


@dataclass
class Slate(Panel):
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
            assert self.blocked.wait(SOON_S)
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
class Controller:
    slate: Slate
    display: PanelDisplay
    clock: HandClock
    letters: Letters

    def work(self) -> float | None:
        return self.display.work(self.letters.post)


@pytest.fixture
def controller() -> Controller:
    slate, clock, letters = Slate(), HandClock(), Letters()
    display = PanelDisplay(slate, refresh_s=60.0, now_s=clock)
    return Controller(slate, display, clock, letters)


def test_a_panel_stays_dark_until_something_is_drawn(controller: Controller) -> None:
    controller.work()
    assert controller.slate.told == ["open"]
    controller.display.light(Light.DIM)
    controller.work()
    assert controller.slate.told == ["open"]
    controller.display.draw(noise(1))
    controller.work()
    assert controller.slate.told == ["open", "show", "dim"]


def test_a_fault_is_posted_once_and_its_end_once(controller: Controller) -> None:
    controller.display.draw(noise(1))
    controller.slate.ill = AWAY
    for _ in range(5):
        controller.work()
        controller.clock.s += LAST_RETRY_S
    controller.slate.ill = None
    for _ in range(3):
        controller.work()
        controller.clock.s += LAST_RETRY_S
    assert controller.letters.drain() == [
        DeviceFault("display", "no answer", "check the wires"),
        DeviceRecovered("display"),
    ]


def test_a_fault_of_another_kind_is_news(controller: Controller) -> None:
    for fault in ("no bus", "no bus", "no answer", "no bus"):
        controller.slate.ill = HardwareError("display", fault, "look")
        controller.work()
        controller.clock.s += LAST_RETRY_S
    posted = [message for message in controller.letters.drain() if isinstance(message, DeviceFault)]
    assert [message.fault for message in posted] == ["no bus", "no answer", "no bus"]


def test_a_panel_that_opens_but_takes_no_picture_is_not_called_recovered(controller: Controller) -> None:
    controller.slate.ill = AWAY
    controller.display.draw(noise(1))
    controller.work()
    controller.slate.ill_at = "show"
    controller.clock.s += 1
    controller.work()
    assert controller.slate.told == ["open", "close", "open", "show", "close"]
    assert controller.letters.drain() == [DeviceFault("display", "no answer", "check the wires")]


def test_retries_come_slower_and_slower_but_never_stop(controller: Controller) -> None:
    controller.slate.ill = AWAY
    pauses = []
    for _ in range(6):
        pause_s = controller.work()
        assert pause_s is not None
        pauses.append(pause_s)
        controller.clock.s += pause_s
    assert pauses == [0.25, 0.5, 1.0, 2.0, 2.0, 2.0]
    assert controller.slate.told == ["open", "close"] * 6


def test_an_idle_panel_is_refreshed_and_a_busy_one_is_not(controller: Controller) -> None:
    controller.display.draw(noise(1))
    assert controller.work() == 60.0
    controller.clock.s += 59.0
    assert controller.work() == 1.0
    controller.clock.s += 1.0
    controller.display.draw(noise(2))
    assert controller.work() == 0.0
    assert "refresh" not in controller.slate.told
    assert controller.work() == 60.0
    assert controller.slate.told[-1] == "refresh"


def test_a_sound_panel_at_which_people_play_is_hardly_ever_refreshed() -> None:
    slate, clock, letters = Slate(), HandClock(), Letters()
    display = PanelDisplay(slate, refresh_s=60.0, sparing=True, now_s=clock)

    def minutes(count: int) -> int:
        slate.forget()
        for _ in range(count):
            clock.s += 60.0
            display.work(letters.post)
        return slate.told.count("refresh")

    display.draw(noise(1))
    display.work(letters.post)
    assert minutes(9) == 0
    assert minutes(1) == 1
    assert minutes(19) == 1
    display.light(Light.DIM)
    display.work(letters.post)
    assert minutes(3) == 3
    display.light(Light.FULL)
    display.work(letters.post)
    assert minutes(3) == 0
    slate.ill = AWAY
    display.draw(noise(2))
    display.work(letters.post)
    slate.ill = None
    assert minutes(3) == 2  # the first minute opens it


def test_a_bug_in_a_driver_is_a_fault_and_not_a_dead_thread(controller: Controller) -> None:
    controller.display.draw(noise(1))
    controller.slate.ill = ZeroDivisionError("division by zero")
    controller.work()
    fault = controller.letters.next(DeviceFault)
    assert fault.fault == "unexpected ZeroDivisionError: division by zero"
    controller.slate.ill = None
    controller.clock.s += 1
    controller.work()
    assert controller.letters.next(DeviceRecovered) == DeviceRecovered("display")


# ------------------------------------------------------------------------------------ with the thread


def test_drawing_does_not_wait_for_a_panel_that_hangs() -> None:
    slate = Slate(blocked=threading.Event())
    display = PanelDisplay(slate)
    display.start(Letters().post)
    display.draw(noise(0))
    assert slate.busy.wait(SOON_S)
    for seed in range(1, 50):
        display.draw(noise(seed))
        display.light(Light.DIM)
    assert not display.settle(0)
    assert slate.blocked is not None
    slate.blocked.set()
    assert display.settle(SOON_S)
    assert [frame.tobytes() for frame in slate.frames] == [noise(0).tobytes(), noise(49).tobytes()]
    display.close()
    assert comes(lambda: slate.told[-1] == "close")


def test_closing_is_allowed_from_the_panels_own_thread_and_more_than_once() -> None:
    slate = Slate(ill=AWAY)
    display = PanelDisplay(slate)
    closed = threading.Event()

    def post(message: object) -> None:
        display.close()
        closed.set()

    display.start(post)
    assert closed.wait(SOON_S)
    display.close()
    display.close()
    assert comes(lambda: "display" not in [thread.name for thread in threading.enumerate()])


def test_closing_ends_a_long_pause_at_once() -> None:
    slate, letters = Slate(ill=AWAY), Letters()
    display = PanelDisplay(slate, now_s=HandClock())  # no retry will ever be due
    display.start(letters.post)
    letters.next(DeviceFault)
    display.close()
    assert comes(lambda: slate.told[-1] == "close")
