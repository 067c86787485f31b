"""Scanners that act as keyboards: which it is, what its keys mean, and that nobody else gets them."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardware.drivers.hid_scanner import HidScanner
from hardware.errors import HardwareError
from hardware.scanner.input_devices import NO_CHARACTER, SYN, SYN_DROPPED, SYN_REPORT, UsKeyboard, keyboard_at
from hardware.simulation.keyboard_scanner import KeyboardScanner
from tests.hardware.device_setup import Letters
from tests.hardware.scanner_setup import Driver, HidBench, listening, use

PRINTABLE = st.characters(min_codepoint=0x20, max_codepoint=0x7E)


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[HidBench]:
    bench = HidBench(tmp_path)
    yield bench
    bench.close()


@pytest.fixture
def driver(bench: HidBench, letters: Letters) -> Iterator[Driver]:
    with listening(bench.driver(), letters) as driver:
        yield driver


# ------------------------------------------------------------------------------------------- the keys


def typed(*strokes: int) -> bytes:
    """What the keys type; a negative number lets the key go."""
    keyboard = UsKeyboard()
    return b"".join(keyboard.key(abs(code), int(code > 0)) for code in strokes)


@pytest.mark.parametrize(
    ("strokes", "text"),
    [
        ((7, -7), b"6"),
        ((42, 49, -49, -42), b"N"),
        ((54, 49, -49, -54, 49, -49), b"Nn"),
        ((42, 12, -12, -42), b"_"),
        ((12, -12), b"-"),
        ((58, -58, 49, -49, 7, -7, 58, -58, 49, -49), b"N6n"),  # Caps Lock is for letters
        ((58, -58, 42, 49, -49, -42), b"n"),
        ((71, -71, 82, -82, 96, -96), b"70\r"),  # the digits of the pad, with Num Lock or without
        ((69, -69, 70, -70), b""),
        ((28, -28, 15, -15), b"\r\t"),
        ((29, 27, -27, -29), b"\x1d"),  # Ctrl-]: the group separator of a shop's code
        ((97, 50, -50, -97, 29, 36, -36, -29, 29, 7, -7, -29), b"\r\n" + NO_CHARACTER),  # Ctrl-M, -J, -6
        ((56, 82, -82, 76, -76, 75, -75, -56), b"6"),  # Alt and 054 on the pad, as some scanners are set
        ((100, 79, -79, 81, -81, -100), b"\r"),
        ((56, 73, -73, 73, -73, 73, -73, -56), NO_CHARACTER),
        ((59, -59), NO_CHARACTER),
        ((400, -400), NO_CHARACTER),
    ],
)
def test_a_key_is_what_a_us_keyboard_bears(strokes: tuple[int, ...], text: bytes) -> None:
    assert typed(*strokes) == text


def test_every_printable_character_comes_as_it_was_printed(
    bench: HidBench, driver: Driver, letters: Letters
) -> None:
    @given(text=st.text(PRINTABLE.filter(lambda char: char != " "), min_size=1, max_size=60))
    def comes(text: str) -> None:
        bench.scan(text)
        assert letters.texts(1) == [text]

    comes()


# ------------------------------------------------------------------------------------------- the keyboard


def test_a_scan_is_not_typed_into_the_console(bench: HidBench, driver: Driver, letters: Letters) -> None:
    bench.scan("rm -rf")
    assert letters.texts(1) == ["rm -rf"]
    assert bench.mine.console == ""
    driver.close()
    bench.scan("42")
    assert bench.mine.console == "42\r"


def test_the_scanner_is_found_among_the_keyboards(tmp_path: Path) -> None:
    controller = KeyboardScanner(tmp_path, "Logitech K120", usb="046d:c31c", number=3)
    scanner = KeyboardScanner(tmp_path, "TMS HIDKeyBoard", usb="0581:011c", number=4)
    for device in ("name:hidkey", "usb:0581:011C", str(scanner.node)):
        assert keyboard_at(device, tmp_path).path == str(scanner.node)
    with pytest.raises(HardwareError, match="the scanner that acts as a keyboard is not connected") as caught:
        keyboard_at("auto", tmp_path)
    assert "Logitech K120 is usb:046d:c31c; TMS HIDKeyBoard is usb:0581:011c" in caught.value.check
    named = KeyboardScanner(tmp_path, "Symbol Bar Code Scanner", usb="05e0:1200", number=5)
    assert keyboard_at("auto", tmp_path).name == "Symbol Bar Code Scanner"
    other = KeyboardScanner(tmp_path, "USB Barcode Reader", usb="1a2b:3c4d", number=6)
    with pytest.raises(HardwareError, match="several keyboards could be the scanner"):
        keyboard_at("auto", tmp_path)
    for one in (controller, scanner, named, other):
        one.close()


def test_what_cannot_type_a_code_is_no_scanner(tmp_path: Path) -> None:
    buttons = KeyboardScanner(tmp_path, "Scanner power button", number=3)
    keys = tmp_path / "sys/class/input/event3/device/capabilities/key"
    keys.write_text("10000000000000 0\n")
    with pytest.raises(HardwareError, match="not connected"):
        keyboard_at("auto", tmp_path)
    buttons.close()


@pytest.mark.parametrize("device", ["", "usb", "usb:12:34", "usb:1234:wxyz", "name:", "event3", "any"])
def test_a_device_that_cannot_be_meant_is_told_before_anything_is_opened(device: str) -> None:
    with pytest.raises(ValueError, match="device"):
        HidScanner.Options(device=device)


def test_the_check_names_the_keyboard(bench: HidBench, tmp_path: Path) -> None:
    assert bench.driver().check().startswith(f"USB Barcode Scanner at {bench.mine.node}; ")
    (tmp_path / "file").touch()
    with pytest.raises(HardwareError, match="is not a keyboard"):
        bench.driver(device=str(tmp_path / "file")).check()
    with pytest.raises(HardwareError, match="the scanner that acts as a keyboard is not connected"):
        bench.driver(device=str(tmp_path / "absent")).check()


def test_after_events_were_lost_the_code_is_no_card_and_the_next_is(
    bench: HidBench, driver: Driver, letters: Letters
) -> None:
    bench.mine.press("1")
    bench.mine.event(SYN, SYN_DROPPED, 0)
    bench.mine.event(0x01, 42, 1)  # a fragment of what was lost: Shift, of which nobody will hear the end
    bench.mine.event(SYN, SYN_REPORT, 0)
    bench.scan("4")
    assert use(bench, letters) == []
