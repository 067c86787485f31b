"""The scanner's driver: real pyserial on a real tty, with a simulated scanner at its other end."""

import random
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from hardware.drivers.serial_scanner import SerialScanner
from hardware.errors import HardwareError
from hardware.ports import Message, Scanned
from hardware.scanner.framing import SILENCE_S
from hardware.simulation.scanner_line import ScannerLine
from tests.hardware.device_setup import SOON_S, HandClock, Letters
from tests.hardware.scanner_setup import Driver, listening


@pytest.fixture
def clock() -> HandClock:
    """The clock of the driver: no silence passes on its line but that of the test."""
    return HandClock()


def options(line: ScannerLine, **others: Any) -> SerialScanner.Options:
    return SerialScanner.Options(port=line.path, baud=9600, **others)


@pytest.fixture
def scanner(line: ScannerLine, letters: Letters, clock: HandClock) -> Iterator[Driver]:
    with listening(SerialScanner(options(line), clock), letters) as scanner:
        yield scanner


def test_a_megabyte_of_noise_is_no_card_and_the_next_scan_is_heard(
    line: ScannerLine, scanner: Driver, letters: Letters, clock: HandClock
) -> None:
    line.write(random.Random(104).randbytes(1_000_000))
    assert letters.nothing()
    heard: list[Message] = []
    while not heard:  # what comes before all the noise was read is a part of it
        clock.s += SILENCE_S
        line.scan("42")
        heard = letters.until(Scanned, within_s=0.1)
    assert [one.text for one in heard if isinstance(one, Scanned)] == ["42"]


def test_what_is_no_serial_port_is_called_so(tmp_path: Path) -> None:
    with pytest.raises(HardwareError, match="is not a serial port"):
        SerialScanner(SerialScanner.Options(port="/dev/null")).check()
    with pytest.raises(HardwareError, match="no scanner at"):
        SerialScanner(SerialScanner.Options(port=str(tmp_path / "nothing"))).check()


def test_a_start_does_not_wait_for_the_port(line: ScannerLine, letters: Letters) -> None:
    opened = threading.Event()

    def clock() -> float:
        opened.wait(SOON_S)
        return time.monotonic()

    scanner = SerialScanner(options(line), clock)
    scanner.start(letters.post)  # its thread waits for the clock, this one must not
    assert not scanner.wait_listening(0.0)
    opened.set()
    assert scanner.wait_listening(SOON_S)
    with pytest.raises(RuntimeError):
        scanner.start(letters.post)
    scanner.close()
