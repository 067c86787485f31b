"""Pins: which chip is the header's, what a machine without one says, and what the kernel drops."""

import pytest

from hardware.errors import HardwareError
from hardware.gpio.pins import OutputPin, header_chip
from hardware.simulation import gpio_chip
from hardware.simulation.gpio_chip import GpioChip
from tests.hardware.gpio_setup import fresh_chip


@pytest.fixture
def chip() -> GpioChip:
    return fresh_chip()


@pytest.mark.usefixtures("chip")
def test_the_chip_of_the_header_is_found_by_its_label(monkeypatch: pytest.MonkeyPatch) -> None:
    import gpiod

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


def test_a_machine_without_pins_is_told_so(chip: GpioChip, monkeypatch: pytest.MonkeyPatch) -> None:
    chip.working = False
    with pytest.raises(HardwareError, match="no access to GPIO pins: there is no /dev/gpiochip"):
        header_chip("buttons")
    chip.working = True
    monkeypatch.setattr(gpio_chip, "PATH", "/dev/gpiochip7")  # it is there and cannot be opened
    monkeypatch.setattr("gpiod.is_gpiochip_device", lambda _path: True)
    with pytest.raises(HardwareError, match=r"no access to GPIO pins: .*No such file") as told:
        header_chip("buttons")
    assert "group gpio" in told.value.check


def test_an_output_begins_with_the_level_that_is_asked_for(chip: GpioChip) -> None:
    pin = OutputPin(gpio_chip.PATH, 4, high=True)
    assert [done.level for done in chip.written] == [1]
    pin.write(high=False)
    assert [done.level for done in chip.written] == [1, 0]
    pin.close()
    assert chip.line(4).holder is None


def test_more_edges_than_the_kernel_keeps_lose_the_oldest(chip: GpioChip) -> None:
    import gpiod
    from gpiod.line import Bias, Direction, Edge

    settings = gpiod.LineSettings(direction=Direction.INPUT, bias=Bias.PULL_UP, edge_detection=Edge.BOTH)
    with gpiod.request_lines(gpio_chip.PATH, {4: settings}) as request:
        chip.chatter(4, 0, edges=20, gap_us=1, at_ns=1)
        events = request.read_edge_events()
    assert [event.timestamp_ns for event in events] == [1 + 1000 * number for number in range(4, 20)]
