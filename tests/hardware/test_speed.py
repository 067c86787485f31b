"""A scanner on serial wires is understood at any usual speed, and noise is not taken for a code.

The line hears what a UART hears at another speed than the scanner sends at.
"""

from collections.abc import Iterator
from itertools import permutations
from pathlib import Path

import pytest

from companion.core import games
from companion.core.codes import BADGES, ROWS, Control, badge_code, card_code, control_code, row_code
from hardware.drivers.serial_scanner import SerialScanner
from hardware.ports import DeviceFault, DeviceRecovered, Message, Scanned
from hardware.scanner.framing import SILENCE_S, Framer
from hardware.scanner.speed import BAUDS, SURE, SpeedSearch
from hardware.simulation.scanner_line import ScannerLine, SimulatedUsbSerial
from hardware.simulation.uart import heard_at
from tests.hardware.device_setup import SOON_S, HandClock, Letters
from tests.hardware.scanner_setup import Driver, listening

ENDS = (b"\r", b"\r\n", b"\n", b"\t", b"")
CARDS = [card_code("6N", card) for card in range(1, 11)]


@pytest.fixture
def clock() -> HandClock:
    return HandClock()


@pytest.fixture
def module(tmp_path: Path) -> Iterator[ScannerLine]:
    """A GM65 as its maker sells it: the serial output, 9600 baud, and no end of a code that it would name."""
    line = ScannerLine(tmp_path, sends_at=9600, end=b"")
    yield line
    line.close()


@pytest.fixture
def driver(module: ScannerLine, clock: HandClock, letters: Letters) -> Iterator[Driver]:
    with listening(SerialScanner(SerialScanner.Options(port=module.path), clock), letters) as driver:
        yield driver


def scan(module: ScannerLine, clock: HandClock, letters: Letters, text: str) -> list[Message]:
    """Scan a code, and wait until the driver has said something about it; gives what it has said."""
    module.scan(text)
    said: list[Message] = []
    while not said:
        said = letters.until((Scanned, DeviceFault), within_s=0.02)
        clock.s += SILENCE_S
    return said


def texts(messages: list[Message]) -> list[str]:
    return [one.text for one in messages if isinstance(one, Scanned)]


def found(module: ScannerLine, clock: HandClock, letters: Letters) -> int:
    """Scan one card after the other until one is heard; gives how many were not."""
    for lost, card in enumerate(CARDS):
        if heard := texts(scan(module, clock, letters, card)):
            assert heard == [card]
            return lost
    raise AssertionError("no speed was right")


@pytest.mark.slow
def test_at_a_wrong_speed_no_code_of_the_games_looks_like_one() -> None:
    codes = [card_code(games.module(key).CODE, number) for key in games.GAMES for number in range(0, 200, 7)]
    codes += [badge_code(badge) for badge in BADGES]
    codes += [row_code(badge, row) for badge in BADGES for row in ROWS]
    codes += [control_code(control) for control in Control]
    assert min(map(len, codes)) >= SURE
    for sent, read in permutations(BAUDS, 2):
        for code in codes:
            for end in ENDS:
                framer = Framer()
                noise = heard_at(code.encode() + end, sent, read)
                assert all(len(one.text) < SURE for one in framer.feed(noise, 0.0) + framer.silent(1.0))


@pytest.mark.usefixtures("driver")
@pytest.mark.parametrize("end", [b"\r", b""])
@pytest.mark.parametrize("baud", BAUDS)
def test_a_scanner_at_any_usual_speed_is_found_by_scanning(
    module: ScannerLine, clock: HandClock, letters: Letters, baud: int, end: bytes
) -> None:
    module.sends_at, module.end = baud, end
    assert found(module, clock, letters) == BAUDS.index(baud)
    for card in (*CARDS, "55"):
        assert texts(scan(module, clock, letters, card)) == [card]
    assert letters.nothing()


@pytest.mark.usefixtures("driver")
def test_each_speed_that_is_wrong_is_told_with_the_one_that_is_tried_next(
    module: ScannerLine, clock: HandClock, letters: Letters
) -> None:
    module.sends_at = 2400
    for number, baud in enumerate(BAUDS * 2):
        [fault] = scan(module, clock, letters, CARDS[0])
        assert isinstance(fault, DeviceFault)
        assert fault.fault == f"data arrives at {baud} baud, but no readable code"
        if number < len(BAUDS) - 1:
            assert fault.check == f"scan again; now trying {BAUDS[number + 1]} baud"
        else:
            assert "nimmt print scanner" in fault.check
    module.sends_at = 9600
    assert isinstance(scan(module, clock, letters, CARDS[0])[0], DeviceRecovered)


@pytest.mark.parametrize("right", BAUDS)
def test_a_speed_that_was_right_is_tried_between_any_two_others(right: int) -> None:
    search = SpeedSearch()
    while search.baud != right:
        search.move_on()
    assert search.accepts(CARDS[0])
    tried = [search.move_on() for _ in range(2 * len(BAUDS))]
    assert set(tried[1::2]) == {right}
    assert set(tried[::2]) == set(BAUDS) - {right}


def test_a_speed_that_is_configured_is_kept(module: ScannerLine, clock: HandClock, letters: Letters) -> None:
    options = SerialScanner.Options(port=module.path, baud=19_200)
    with listening(SerialScanner(options, clock), letters):
        told: list[Message] = []
        while not told:
            module.scan(CARDS[0])
            told = letters.until(DeviceFault, within_s=0.1)
            clock.s += 2 * SILENCE_S
        assert isinstance(told[0], DeviceFault)
        assert "set baud" in told[0].check
        module.sends_at, module.end = 19_200, b"\r"
        heard: list[str] = []
        while not heard:
            clock.s += 2 * SILENCE_S
            module.scan("55")
            heard = texts(letters.until(Scanned, within_s=0.1))
        assert heard == ["55"]


def test_the_speed_is_known_again_after_the_plug_was_pulled(
    module: ScannerLine, clock: HandClock, letters: Letters, driver: Driver
) -> None:
    module.sends_at, module.end = 57_600, b"\r"
    found(module, clock, letters)
    module.unplug()
    letters.skip_to(DeviceFault)
    module.plug()
    letters.skip_to(DeviceRecovered)
    assert driver.wait_listening(SOON_S)
    assert texts(scan(module, clock, letters, "55")) == ["55"]


def test_a_scanner_with_a_usb_plug_of_its_own_has_no_speed(
    tmp_path: Path, clock: HandClock, letters: Letters
) -> None:
    line = ScannerLine(tmp_path)
    with SimulatedUsbSerial(tmp_path) as usb:
        usb.plug("ttyACM0", line.path, vendor=0x6666, product=0x7777)
        with listening(SerialScanner(SerialScanner.Options(port="usb:6666:7777"), clock), letters):
            line.scan("55")
            assert letters.texts(1) == ["55"]
            while not (told := letters.until(DeviceFault, within_s=0.02)):
                line.write(b"\xf8")
                clock.s += SILENCE_S
            assert isinstance(told[-1], DeviceFault)
            assert "nimmt print scanner" in told[-1].check  # and nothing of a speed
    line.close()
