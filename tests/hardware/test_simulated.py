"""The devices without hardware."""

import pytest

from hardware.drivers.simulated import SimulatedButtons, SimulatedScanner
from hardware.ports import Key, KeyPressed, Press, Scanned
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
