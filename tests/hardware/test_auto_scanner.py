"""A scanner as it is sold is found whatever it acts as, and the keyboard of a person stays theirs."""

import itertools
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from companion.core import codes, games
from companion.core.codes import UnknownCode, badge_code, card_code
from firmware.session.actions import BadgeAction, action_of
from hardware.drivers.auto_scanner import AutoScanner
from hardware.errors import HardwareError
from hardware.ports import DeviceFault, DeviceRecovered, Message, Scanned
from hardware.scanner.input_devices import EVENT, on_other_keyboards
from hardware.scanner.keyboard_watch import MOST_S, FastTyping
from hardware.simulation.keyboard_scanner import KeyboardScanner
from hardware.simulation.scanner_line import ScannerLine, SimulatedUsbSerial
from tests.hardware.device_setup import SOON_S, HandClock, Letters
from tests.hardware.scanner_setup import Driver, auto
from tests.patience import PATIENCE_S

BY_HAND_S = 0.12
"""For a key: a person who types fast."""
NAME = "TMS HIDKeyBoard"
"""Of a scanner, whose name does not say so."""


@contextmanager
def running(folder: Path, letters: Letters, *there: KeyboardScanner) -> Iterator[Driver]:
    """The driver, started on a machine with these keyboards."""

    def ioctl(file: int, request: int, argument: int) -> int:
        for one in there[:-1]:
            try:
                return one.ioctl(file, request, argument)
            except OSError:
                continue
        return there[-1].ioctl(file, request, argument) if there else 0

    driver = auto(folder, HandClock(), ioctl)
    driver.start(letters.post)
    try:
        yield driver
    finally:
        driver.close()
        for one in there:
            one.close()


def told(letters: Letters, words: str) -> None:
    """Wait until this is the fault."""
    while words not in letters.skip_to(DeviceFault).fault:
        pass


def test_a_keyboard_becomes_the_scanner_with_the_first_code_that_it_types(
    tmp_path: Path, letters: Letters
) -> None:
    scanner = KeyboardScanner(tmp_path, NAME)
    with running(tmp_path, letters, scanner) as driver:
        told(letters, "may be the scanner")
        assert driver.wait_listening(SOON_S)
        scanner.scan("6N055Y")
        letters.next(DeviceRecovered)
        assert letters.texts(1) == ["6N055Y"]
        assert scanner.console == "6N055Y\r"  # it was nobody's yet
        until_taken(scanner, letters)
        scanner.scan("6N")  # now any code counts
        told_scan(letters, "6N")
        assert not scanner.console


def told_scan(letters: Letters, text: str) -> None:
    """Wait until this is read."""
    while letters.skip_to(Scanned).text != text:
        pass


def until_taken(scanner: KeyboardScanner, letters: Letters) -> None:
    """Scan until the driver has it for itself, and hears it."""
    heard: list[Message] = []
    while scanner.console or not any(isinstance(one, Scanned) for one in heard):
        scanner.console = ""
        scanner.scan("6N104X")
        heard = letters.until(Scanned, within_s=0.1)


def test_the_keyboard_of_a_person_is_listened_to_and_never_taken(tmp_path: Path, letters: Letters) -> None:
    keys, scanner = KeyboardScanner(tmp_path, "Logitech K120", number=3), KeyboardScanner(tmp_path, NAME)
    with running(tmp_path, letters, keys, scanner) as driver:
        told(letters, "may be the scanner")
        assert driver.wait_listening(SOON_S)
        keys.press(*"sudo reboot\r", each_s=BY_HAND_S)
        scanner.scan("6N055Y")
        assert letters.skip_to(Scanned).text == "6N055Y"  # and nothing before it
        until_taken(scanner, letters)
        keys.press(*"more\r", each_s=BY_HAND_S)
        assert keys.console == "sudo reboot\rmore\r"
        scanner.scan("6N017A")
        told_scan(letters, "6N017A")


def test_a_keyboard_on_which_a_person_types_is_given_back(tmp_path: Path, letters: Letters) -> None:
    keys, clock = KeyboardScanner(tmp_path, "Logitech K120"), HandClock()
    driver = auto(tmp_path, clock, keys.ioctl)
    driver.start(letters.post)
    told(letters, "may be the scanner")
    assert driver.wait_listening(SOON_S)
    keys.scan("qwertz")  # all fingers at once, and Enter
    letters.skip_to(Scanned)
    until_s = time.monotonic() + PATIENCE_S
    for taken in (True, False):  # then what is typed goes to the console again
        keys.console = "" if not taken else "?"
        while bool(keys.console) is taken:
            assert time.monotonic() < until_s
            keys.console = ""
            keys.press("x", each_s=BY_HAND_S)
            letters.until(DeviceFault, within_s=0.1)
            clock.s += BY_HAND_S
    driver.close()
    keys.close()


@pytest.mark.parametrize("text", ["6N055Y", "6NC-P03Z", "4006381333931"])
def test_only_the_speed_of_a_scanner_makes_a_code_of_what_is_typed(tmp_path: Path, text: str) -> None:
    for each_s, found in (
        ((0.002,), [text]),
        ((0.9 * MOST_S, 0.6 * MOST_S), [text]),
        ((1.5 * MOST_S, 1.7 * MOST_S), [text]),  # as even as no person types
        ((1.2 * MOST_S, 1.6 * MOST_S), []),
        ((0.2,), []),
    ):
        typing = FastTyping()
        keyboard = Recorded(tmp_path, *each_s)
        assert [code for code, _ in typing.codes(keyboard.events(f"{text}\r"))] == found
        # What went before, in whatever tempo, makes no difference.
        before = keyboard.events("hello") + Recorded(tmp_path, 10).events("x")
        assert typing.codes(before) == []
        keyboard.close()


def test_a_keyboard_is_taken_only_when_its_last_key_is_up_again(tmp_path: Path) -> None:
    typing, events = FastTyping(), Recorded(tmp_path, 0.002).events("6N055Y\r")
    held = events[: -3 * EVENT.size]  # Enter is let go in the last three
    assert typing.codes(held) == []
    assert [code for code, _ in typing.codes(events[len(held) :])] == ["6N055Y"]


class Recorded:
    """A keyboard of which only the events matter; `each_s` are the times of its keys, over and over."""

    def __init__(self, folder: Path, *each_s: float) -> None:
        self._events = b""
        self._each_s = each_s
        self._keyboard = KeyboardScanner(folder / str(id(self)))
        self._keyboard.write = self._hear  # type: ignore[method-assign]

    def _hear(self, data: bytes) -> None:
        self._events += data

    def events(self, text: str) -> bytes:
        self._events = b""
        for char, each_s in zip(text, itertools.cycle(self._each_s)):
            self._keyboard.press(char, each_s=each_s)
        return self._events

    def close(self) -> None:
        self._keyboard.close()


def test_what_is_plugged_in_later_is_found_though_a_keyboard_is_there(
    tmp_path: Path, letters: Letters
) -> None:
    keys = KeyboardScanner(tmp_path, "Logitech K120", number=3)
    with running(tmp_path, letters, keys):
        told(letters, "may be the scanner")
        line = ScannerLine(tmp_path / "dev")
        read: list[str] = []
        while not read:
            line.scan("6N055Y")
            read = [one.text for one in letters.until(Scanned, within_s=0.1) if isinstance(one, Scanned)]
        assert set(read) == {"6N055Y"}
    line.unplug()


def test_a_keyboard_that_is_gone_does_not_end_the_others(tmp_path: Path, letters: Letters) -> None:
    keys, scanner = KeyboardScanner(tmp_path, "Logitech K120", number=3), KeyboardScanner(tmp_path, NAME)
    with running(tmp_path, letters, keys, scanner) as driver:
        told(letters, "may be the scanner")
        assert driver.wait_listening(SOON_S)
        keys.unplug()
        scanner.scan("6N055Y")
        assert letters.skip_to(Scanned).text == "6N055Y"


def test_the_doctor_says_what_is_missing(tmp_path: Path) -> None:
    with pytest.raises(HardwareError, match="no scanner is plugged in"):
        auto(tmp_path, HandClock()).check()
    keys = KeyboardScanner(tmp_path, "Logitech K120")
    with pytest.raises(HardwareError, match="may be the scanner") as caught:
        auto(tmp_path, HandClock()).check()
    assert "scan a code" in caught.value.check
    keys.close()


CODES = [*(card_code(games.module(key).CODE, card) for key in games.GAMES for card in range(1, 105))]
CODES += [codes.row_code(badge, row) for badge in codes.BADGES for row in codes.ROWS]
CODES += [*map(badge_code, codes.BADGES), *map(codes.control_code, codes.Control)]


DVORAK = "BNCIDHEDFYGUHJIGJCKVLPNLOSPRQXROS:TKUFV>W<XBYTZ?"
TURKISH_F = "AFB<CVDYEDFQGWHOIRJZKJMKNIOTQ{RUSMTHUAVCW}X|Y:ZN"


@pytest.mark.parametrize("hyphen", "-/=6'")
@pytest.mark.parametrize("digits", ["", "1!2@3#4$5%6^7&8*9(0)", "0`"])  # the last is Hungarian
@pytest.mark.parametrize("keys", ["", "YZZY", "AQQAWZZWM:", DVORAK, TURKISH_F])
def test_a_code_has_one_meaning_on_the_keyboard_of_any_country(keys: str, digits: str, hyphen: str) -> None:
    pairs = keys + digits + "-" + hyphen
    for text in CODES:
        came = text.translate(str.maketrans(pairs[::2], pairs[1::2]))
        ways = (came, *(other for _, other in on_other_keyboards(came)))
        found = {action_of(Scanned(way), plain_numbers=False)[0] for way in ways}
        meant, _ = action_of(Scanned(text), plain_numbers=False)
        assert {one for one in found if not isinstance(one, UnknownCode)} == {meant}


def test_a_scanner_that_is_set_to_the_keyboard_of_its_country_works_as_it_is(
    tmp_path: Path, letters: Letters
) -> None:
    scanner = KeyboardScanner(tmp_path)
    with running(tmp_path, letters, scanner) as driver:
        assert driver.wait_listening(SOON_S)
        scanner.scan("^NC6P)#W")  # as in France
        read = letters.next(Scanned)
        assert action_of(read, plain_numbers=False) == (BadgeAction(3), "AZERTY")
        assert read.scanner == "USB Barcode Scanner 1a2b:3c4d"


def test_a_serial_device_that_is_no_scanner_leaves_the_turn_to_one_that_is(tmp_path: Path) -> None:
    scanner, line = KeyboardScanner(tmp_path), ScannerLine(tmp_path)
    with SimulatedUsbSerial(tmp_path) as usb:
        stick = usb.plug("ttyUSB0", line.path, vendor=0x10C4, product=0xEA60, text="Sonoff Zigbee 3.0")
        driver = AutoScanner(AutoScanner.Options(), HandClock(), root=tmp_path, ioctl=scanner.ioctl)
        assert str(scanner.node) in driver.check()
        scanner.close()
        assert driver.check().startswith(stick)
    line.close()
