"""Pins by libgpiod: which chip is the header's, levels, and edges."""

import threading
from types import SimpleNamespace

import gpiod
import pytest
from gpiod.line import Bias, Direction, Edge
from gpiod.line_request import LineRequest

from hardware.errors import HardwareError
from hardware.gpio import header_chip
from hardware.gpio.pins import EdgeReader, InputPin, OutputPin
from hardware.simulation import gpio_chip
from hardware.simulation.gpio_chip import GpioChip
from tests.hardware.gpio_setup import fresh_chip
from tests.patience import comes, threads_are_again


@pytest.fixture
def chip() -> GpioChip:
    return fresh_chip()


def test_the_chip_of_the_header_is_found_by_its_label(
    chip: GpioChip, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert header_chip("buttons") == gpio_chip.PATH
    labels = {"/dev/gpiochip0": "brcmvirt-gpio", "/dev/gpiochip3": "pinctrl-rp1"}

    class Chip(gpiod.Chip):
        def __init__(self, path: str) -> None:
            self.label = labels[path]
            super().__init__(gpio_chip.PATH)

        def get_info(self) -> gpiod.ChipInfo:
            return gpiod.ChipInfo("gpiochip", self.label, 54)

    monkeypatch.setattr(gpiod, "is_gpiochip_device", labels.__contains__)
    monkeypatch.setattr(gpiod, "Chip", Chip)
    assert header_chip("buttons") == "/dev/gpiochip3"
    del labels["/dev/gpiochip3"]
    assert header_chip("buttons") == "/dev/gpiochip0"
    labels.clear()
    with pytest.raises(HardwareError, match="no access to GPIO pins: there is no /dev/gpiochip"):
        header_chip("buttons")
    assert chip.working


def test_an_output_begins_with_the_level_that_is_asked_for(chip: GpioChip) -> None:
    pin = OutputPin(gpio_chip.PATH, 4, high=True)
    pin.write(high=False)
    assert [done.level for done in chip.written if done.gpio == 4] == [1, 0]
    with pytest.raises(OSError, match="busy"):
        OutputPin(gpio_chip.PATH, 4, high=True)
    pin.close()
    assert chip.line(4).holder is None


def test_edges_of_several_pins_are_told_in_the_order_of_their_times(
    chip: GpioChip, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = threading.active_count()
    now_ns = [0]
    monkeypatch.setattr("hardware.gpio.pins.time", SimpleNamespace(monotonic_ns=lambda: now_ns[0]))
    told: list[tuple[int, bool]] = []
    first, second = (InputPin(gpio_chip.PATH, number, pull_up=True) for number in (4, 5))
    edges = EdgeReader()
    for pin in (first, second):
        edges.add(pin, lambda at_ns, high: told.append((at_ns, high)))
    chip.press(5, at_ns=1000)
    chip.release(5, at_ns=3000)
    chip.press(4, at_ns=2000)
    assert comes(lambda: not any(_kept(pin._request) for pin in (first, second)))
    assert told == []  # an older one of another pin may be on its way
    now_ns[0] = 1_000_000
    assert comes(lambda: told == [(1000, False), (2000, False), (3000, True)])
    edges.remove(first)
    chip.release(4, at_ns=4000)
    assert first.high()
    edges.close()
    first.close()
    second.close()
    assert chip.line(4).holder is None
    assert len(told) == 3
    assert threads_are_again(before)


def test_more_edges_than_the_kernel_keeps_lose_the_oldest(chip: GpioChip) -> None:
    settings = gpiod.LineSettings(direction=Direction.INPUT, bias=Bias.PULL_UP, edge_detection=Edge.BOTH)
    with gpiod.request_lines(gpio_chip.PATH, {4: settings}) as request:
        chip.chatter(4, 0, edges=20, gap_us=1, at_ns=1)
        newest = (1 + 1000 * 19, 4, 1)
        assert comes(lambda: _kept(request)[-1:] == [newest])
        events = request.read_edge_events()
    assert [event.timestamp_ns for event in events] == [1 + 1000 * number for number in range(4, 20)]


def _kept(request: LineRequest) -> list[tuple[int, int, int]]:
    """The edges that the simulated chip keeps until they are read."""
    kept: list[tuple[int, int, int]] = vars(request._req)["_edges"]
    return kept
