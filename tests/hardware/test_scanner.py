"""The scanner's driver: real pyserial on a real tty, with a simulated scanner at its other end."""

from __future__ import annotations

import random
import threading
import time
from typing import TYPE_CHECKING, Any

import pytest

from hardware.drivers.serial_scanner import SerialScanner
from hardware.errors import HardwareError
from hardware.ports import DeviceFault, DeviceRecovered, Scanned
from hardware.scanner.framing import SILENCE_S
from hardware.scanner.source import LAST_RETRY_S
from hardware.simulation.scanner_line import ScannerLine
from tests.hardware.device_setup import SOON_S, Letters

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from hardware.ports import Message


@pytest.fixture
def line(tmp_path: Path) -> Iterator[ScannerLine]:
    line = ScannerLine(tmp_path)
    yield line
    line.close()


def options(line: ScannerLine, **others: Any) -> SerialScanner.Options:
    return SerialScanner.Options(port=line.path, **others)


@pytest.fixture
def letters() -> Letters:
    return Letters()


@pytest.fixture
def scanner(line: ScannerLine, letters: Letters) -> Iterator[SerialScanner]:
    scanner = SerialScanner(options(line))
    scanner.start(letters.post)
    assert scanner.wait_listening(SOON_S)
    yield scanner
    scanner.close()


def test_a_scanned_card_is_posted_with_the_time_of_its_last_byte(
    line: ScannerLine, scanner: SerialScanner, letters: Letters
) -> None:
    before = time.monotonic()
    line.scan("6N055K")
    scanned = letters.next(Scanned)
    assert scanned.text == "6N055K"
    assert before <= scanned.at_s <= time.monotonic()


@pytest.mark.parametrize("end", [b"\r", b"\n", b"\r\n", b"\t"])
def test_whatever_the_scanner_sends_after_a_code_every_code_comes_once(
    line: ScannerLine, scanner: SerialScanner, letters: Letters, end: bytes
) -> None:
    for card in ("1", "42", "104"):
        line.scan(card, end)
    assert letters.texts(3) == ["1", "42", "104"]
    assert letters.nothing()


def test_a_code_does_not_wait_for_a_silence_when_it_has_an_end(
    line: ScannerLine, scanner: SerialScanner, letters: Letters
) -> None:
    late_s = []
    for _ in range(20):
        sent_s = time.monotonic()
        line.scan("42")
        letters.next(Scanned)
        late_s.append(time.monotonic() - sent_s)
    assert sorted(late_s)[10] < SILENCE_S / 4


def test_a_scanner_that_sends_no_end_is_understood_by_its_silence(
    line: ScannerLine, scanner: SerialScanner, letters: Letters
) -> None:
    line.scan("42", b"")
    assert letters.texts(1) == ["42"]


def test_a_torn_line_is_no_card(line: ScannerLine, scanner: SerialScanner, letters: Letters) -> None:
    line.scan("42")
    assert letters.texts(1) == ["42"]
    line.write(b"10")
    assert letters.nothing(2 * SILENCE_S)
    line.scan("4")
    assert letters.texts(1) == ["4"]


def test_a_pulled_plug_in_mid_line_is_a_fault_once_and_the_scanner_comes_back(
    line: ScannerLine, scanner: SerialScanner, letters: Letters
) -> None:
    line.write(b"10")
    line.unplug()
    fault = letters.next(DeviceFault)
    assert (fault.device, fault.fault) == ("scanner", f"no scanner at {line.path}")
    assert not scanner.wait_listening(0.0)
    assert letters.nothing()
    line.plug()
    assert letters.next(DeviceRecovered).device == "scanner"
    line.scan("4")
    assert letters.texts(1) == ["4"]
    assert letters.nothing()


def test_a_scanner_may_be_plugged_in_after_the_program_was_started(
    line: ScannerLine, letters: Letters
) -> None:
    line.unplug()
    scanner = SerialScanner(options(line))
    scanner.start(letters.post)
    assert letters.next(DeviceFault).fault == f"no scanner at {line.path}"
    line.plug()
    letters.next(DeviceRecovered)
    line.scan("42")
    assert letters.texts(1) == ["42"]
    scanner.close()


def test_what_was_scanned_while_nobody_listened_is_not_played_later(
    line: ScannerLine, letters: Letters
) -> None:
    line.scan("1")
    scanner = SerialScanner(options(line))
    scanner.start(letters.post)
    line.scan("2")
    assert scanner.wait_listening(SOON_S)
    line.scan("3")
    assert letters.texts(1) == ["3"]
    scanner.close()


def test_a_port_of_another_program_is_named_as_busy_and_taken_when_it_is_free(
    line: ScannerLine, scanner: SerialScanner
) -> None:
    second, its_letters = SerialScanner(options(line)), Letters()
    second.start(its_letters.post)
    assert its_letters.next(DeviceFault).fault == f"another program uses {line.path}"
    with pytest.raises(HardwareError, match="another program uses"):
        second.check()
    scanner.close()
    its_letters.next(DeviceRecovered)
    line.scan("42")
    assert its_letters.texts(1) == ["42"]
    second.close()


def test_a_post_that_raises_does_not_stop_the_scanner(line: ScannerLine) -> None:
    def unwilling(message: Message) -> None:
        if message == Scanned("13", getattr(message, "at_s", 0.0)):
            raise RuntimeError("no")

    letters = Letters(unwilling)
    scanner = SerialScanner(options(line))
    scanner.start(letters.post)
    assert scanner.wait_listening(SOON_S)
    line.scan("13")
    line.scan("42")
    assert letters.texts(2) == ["13", "42"]
    assert scanner.alive()
    scanner.close()


def test_a_megabyte_of_noise_is_no_card_and_the_next_scan_is_heard(
    line: ScannerLine, scanner: SerialScanner, letters: Letters
) -> None:
    line.write(random.Random(104).randbytes(1_000_000))
    assert letters.nothing(2 * SILENCE_S)
    line.scan("42")
    assert letters.texts(1) == ["42"]


def test_a_wrong_baud_rate_is_a_fault_after_three_scans_and_over_with_the_first_good_one(
    line: ScannerLine, scanner: SerialScanner, letters: Letters
) -> None:
    for _ in range(2):
        line.write(b"\xf8\x00\x80")
        assert letters.nothing(1.5 * SILENCE_S)
    line.write(b"\xf8\x00\x80")
    assert "baud" in letters.next(DeviceFault).check
    assert letters.nothing(1.5 * SILENCE_S)
    line.scan("42")
    letters.next(DeviceRecovered)
    assert letters.texts(1) == ["42"]


def test_what_is_no_serial_port_is_called_so(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(HardwareError, match="is not a serial port"):
        SerialScanner(SerialScanner.Options(port=str(tmp_path / "file"))).check()
    with pytest.raises(HardwareError, match="no scanner at"):
        SerialScanner(SerialScanner.Options(port=str(tmp_path / "nothing"))).check()


def test_the_check_opens_the_port_and_leaves_it_free(line: ScannerLine) -> None:
    scanner = SerialScanner(options(line))
    assert line.path in scanner.check()
    assert line.path in scanner.check()


def test_closing_ends_the_thread_at_once_and_may_be_done_twice(line: ScannerLine, letters: Letters) -> None:
    before = threading.active_count()
    scanner = SerialScanner(options(line))
    scanner.start(letters.post)
    assert scanner.wait_listening(SOON_S)
    began_s = time.monotonic()
    scanner.close()
    scanner.close()
    assert time.monotonic() - began_s < LAST_RETRY_S
    assert threading.active_count() == before
    scanner.start(letters.post)
    assert scanner.wait_listening(SOON_S)
    line.scan("42")
    assert letters.texts(1) == ["42"]
    scanner.close()


def test_a_start_does_not_wait_for_the_port(line: ScannerLine, letters: Letters) -> None:
    scanner = SerialScanner(options(line))
    began_s = time.monotonic()
    scanner.start(letters.post)
    assert time.monotonic() - began_s < 0.25  # 0.05 on a machine that does nothing else
    with pytest.raises(RuntimeError):
        scanner.start(letters.post)
    scanner.close()
