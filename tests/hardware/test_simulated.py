"""The devices without hardware."""

from pathlib import Path

import pytest

from hardware.drivers.gpio_buttons import GpioButtons
from hardware.drivers.gpio_buzzer import GpioBuzzer
from hardware.drivers.serial_scanner import SerialScanner
from hardware.drivers.simulated import (
    NoButtons,
    NoBuzzer,
    NoDisplay,
    NoScanner,
    SimulatedButtons,
    SimulatedBuzzer,
    SimulatedDisplay,
    SimulatedScanner,
)
from hardware.drivers.terminal import Terminal
from hardware.ports import (
    Device,
    DeviceFault,
    DeviceRecovered,
    Display,
    Key,
    KeyPressed,
    Press,
    Scanned,
    Speaker,
)
from hardware.registry import DRIVERS, driver
from tests.hardware.device_setup import Letters


@pytest.mark.parametrize("port", list(DRIVERS))
@pytest.mark.parametrize("name", ["none", "simulated"])
def test_every_device_may_be_absent_or_simulated(port: str, name: str) -> None:
    kind = driver(port, name)
    device = kind(kind.Options())
    device.start(Letters().post)
    assert device.check()
    device.close()
    device.close()


def test_every_driver_here_fits_its_port(tmp_path: Path) -> None:
    """Mypy does the comparing."""
    displays: list[Display] = [NoDisplay(), SimulatedDisplay(), Terminal(Terminal.Options())]
    speakers: list[Speaker] = [NoBuzzer(), SimulatedBuzzer(), GpioBuzzer(GpioBuzzer.Options(pin=18))]
    devices: list[Device] = [*displays, *speakers, NoButtons(), SimulatedButtons(), NoScanner()]
    devices += [SimulatedScanner(), GpioButtons(GpioButtons.Options())]
    devices += [SerialScanner(SerialScanner.Options(port=str(tmp_path / "none")))]
    for device in devices:
        device.close()  # before any start


def test_simulated_keys_press_and_a_simulated_scanner_scans() -> None:
    letters = Letters()
    buttons = SimulatedButtons(now_s=lambda: 7.0)
    scanner = SimulatedScanner(now_s=lambda: 8.0)
    buttons.press(Key.OK)  # nobody listens yet
    for device in (buttons, scanner):
        device.start(letters.post)
    buttons.press(Key.UNDO, Press.LONG)
    scanner.scan("104")
    assert letters.next(KeyPressed) == KeyPressed(Key.UNDO, Press.LONG, 7.0)
    assert letters.next(Scanned) == Scanned("104", 8.0)
    for text in ("", "ü", "1\r"):
        with pytest.raises(ValueError, match="scanner sends"):
            scanner.scan(text)


def test_a_simulated_scanner_without_its_plug_reads_nothing() -> None:
    letters = Letters()
    scanner = SimulatedScanner()
    scanner.start(letters.post)
    scanner.unplug()
    scanner.unplug()
    scanner.scan("1")
    scanner.plug()
    scanner.plug()
    scanner.scan("2")
    letters.next(DeviceFault)
    letters.next(DeviceRecovered)
    assert letters.next(Scanned).text == "2"
    assert letters.drain() == []
