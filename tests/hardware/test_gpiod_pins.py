"""Pins by libgpiod: what gpiozero asks of them beside the keys, and which chip is the header's."""

from __future__ import annotations

import threading

import pytest

from hardware.errors import HardwareError
from hardware.gpio import pin_factory
from hardware.simulation import gpio_chip
from hardware.simulation.gpio_chip import GpioChip
from tests.hardware.gpio_setup import fresh_chip
from tests.patience import threads_are_again


@pytest.fixture
def chip() -> GpioChip:
    return fresh_chip()


def test_the_chip_of_the_header_is_found_by_its_label(
    chip: GpioChip, monkeypatch: pytest.MonkeyPatch
) -> None:
    import gpiod

    from hardware.gpio.gpiod_pins import header_chip

    assert header_chip() == gpio_chip.PATH
    labels = {"/dev/gpiochip0": "brcmvirt-gpio", "/dev/gpiochip3": "pinctrl-rp1"}

    class Chip(gpiod.Chip):
        def __init__(self, path: str) -> None:
            self.label = labels[path]
            super().__init__(gpio_chip.PATH)

        def get_info(self) -> gpiod.ChipInfo:
            return gpiod.ChipInfo("gpiochip", self.label, 54)

    monkeypatch.setattr(gpiod, "is_gpiochip_device", labels.__contains__)
    monkeypatch.setattr(gpiod, "Chip", Chip)
    assert header_chip() == "/dev/gpiochip3"
    del labels["/dev/gpiochip3"]
    assert header_chip() == "/dev/gpiochip0"
    labels.clear()
    with pytest.raises(OSError, match="no /dev/gpiochip"):
        header_chip()
    assert chip.working


def test_a_machine_without_pins_is_told_so(chip: GpioChip) -> None:
    chip.working = False
    with pytest.raises(HardwareError, match="no access to GPIO pins: there is no /dev/gpiochip"):
        pin_factory("buttons")


def test_a_pin_with_a_resistor_of_its_own_is_not_pulled_the_other_way(chip: GpioChip) -> None:
    from gpiozero import exc

    assert chip.working
    factory = pin_factory("buttons")
    with pytest.raises(exc.PinFixedPull, match="physical pull-up"):
        factory.pin(2).pull = "down"
    pin = factory.pin(4)
    pin.close()
    with pytest.raises(exc.DeviceClosed):
        assert pin.state


def test_a_wave_ends_when_its_pin_is_gone(chip: GpioChip) -> None:
    from hardware.gpio.gpiod_pins import SoftwarePwm

    def write(_level: int) -> None:
        raise OSError("gone")

    before = threading.active_count()
    wave = SoftwarePwm(write, 440.0)
    assert threads_are_again(before)
    wave.stop()
