"""The GM65 family: its language after the maker's manual, and a module that is set up with care."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardware.ports import Scanned
from hardware.scanner.framing import SILENCE_S
from hardware.scanner.gm65 import (
    SAVE,
    Gm65Stream,
    Reply,
    crc,
    read_command,
    settings,
    write_command,
)
from hardware.simulation.gm65_module import SimulatedGm65
from hardware.simulation.scanner_line import SimulatedUsbSerial
from tests.hardware.device_setup import Letters
from tests.hardware.scanner_setup import Driver, ModuleBench, gm65, listening

Bench = ModuleBench[SimulatedGm65]

DONE = bytes.fromhex("02 00 00 01 00 33 31")


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Bench]:
    bench = gm65(tmp_path)
    yield bench
    bench.close()


def used_once(driver: Driver, letters: Letters) -> None:
    with listening(driver, letters):
        pass


# ------------------------------------------------------------------------------------------- the language


@pytest.mark.parametrize(
    ("command", "printed"),
    [
        (read_command(0x000A), "7E 00 07 01 00 0A 01 EE 8A"),  # manual 8.2
        (write_command(0x000A, 0x3E), "7E 00 08 01 00 0A 3E 4C CF"),  # manual 8.3
        (SAVE, "7E 00 09 01 00 00 00 DE C8"),  # manual 8.4
    ],
)
def test_a_command_is_byte_for_byte_as_the_manual_prints_it(command: bytes, printed: str) -> None:
    assert command == bytes.fromhex(printed)


@pytest.mark.parametrize(
    ("printed", "data"),
    [
        ("02 00 00 01 3E E4 AC", b"\x3e"),  # manual 8.2
        ("02 00 00 01 00 33 31", b"\x00"),  # manual 8.3
        ("02 00 00 01 3E 33 31", b"\x3e"),  # a module that sends one CRC for every reply
    ],
)
def test_a_reply_is_understood_as_the_manual_prints_it(printed: str, data: bytes) -> None:
    assert Gm65Stream().feed(bytes.fromhex(printed), 0.0) == [Reply(data)]


def test_a_reply_with_a_wrong_sum_is_none() -> None:
    stream = Gm65Stream()
    assert stream.feed(bytes.fromhex("02 00 00 01 3E E4 AD"), 0.0) == []
    assert stream.rejected == 1
    assert stream.feed(b"42\r", 0.0) == [Scanned("42", 0.0)]


def test_a_reply_that_is_cut_short_is_forgotten_when_the_line_is_silent() -> None:
    stream = Gm65Stream()
    assert stream.feed(DONE[:4], 0.0) == []
    assert stream.due_s == SILENCE_S
    assert stream.feed(b"42\r", SILENCE_S) == [Scanned("42", SILENCE_S)]
    assert stream.rejected == 1


@given(
    st.lists(st.one_of(st.just(DONE), st.integers(1, 104).map(lambda card: b"6N%03dY\r" % card))),
    st.lists(st.integers(1, 40), max_size=20),
)
def test_however_the_line_is_cut_replies_and_codes_come_whole_and_in_order(
    pieces: list[bytes], cuts: list[int]
) -> None:
    stream, line, found = Gm65Stream(), b"".join(pieces), []
    for cut in [*cuts, len(line)]:
        found += stream.feed(line[:cut], 0.0)
        line = line[cut:]
    assert found == [
        Reply(b"\x00") if piece == DONE else Scanned(piece[:-1].decode(), 0.0) for piece in pieces
    ]


@given(st.text("0123456789", min_size=1, max_size=8), st.integers(0, 8))
def test_a_reply_may_stand_anywhere_in_a_code(text: str, place: int) -> None:
    came = f"{text[:place]}".encode() + DONE + f"{text[place:]}\r".encode()
    found = Gm65Stream().feed(came, 0.0)
    assert sorted(found, key=repr) == [Reply(b"\x00"), Scanned(text, 0.0)]


@given(st.binary(max_size=40))
def test_a_setting_leaves_the_other_bits_of_its_register_alone(memory: bytes) -> None:
    for setting in settings(trigger="sensor", same_code_s=0.5, setup_codes=False, over_usb=False):
        for found in memory:
            recovered = setting.corrected(found)
            assert setting.right(recovered)
            assert recovered & ~setting.mask == found & ~setting.mask
            assert not setting.right(found) or recovered == found


def test_no_delay_for_the_same_code_switches_the_delay_off() -> None:
    wanted = settings(trigger="manual", same_code_s=0.0, setup_codes=False, over_usb=False)
    assert {one.register: one.value for one in wanted}[0x0013] == 0x00


def test_the_sum_is_that_of_the_manual() -> None:
    assert crc(bytes.fromhex("00 01 3E")) == bytes.fromhex("E4 AC")


# ------------------------------------------------------------------------------------------- the module


def test_only_what_differs_is_written_and_it_is_saved_once(bench: Bench, letters: Letters) -> None:
    bench.firmware.registers[0x0003] = 0x02
    used_once(bench.driver(trigger="continuous", same_code_s=1.5), letters)
    assert dict(bench.firmware.writes) == {
        0x0000: 0xD6,  # continuous; light, aim and sound stay as they were
        0x0005: 0x01,
        0x000D: 0x00,
        0x0013: 0x8F,
        0x0060: 0x01,
    }
    assert bench.firmware.saves == 1


def test_a_module_that_is_set_up_is_not_written_to_at_the_next_start(bench: Bench, letters: Letters) -> None:
    used_once(bench.driver(), letters)
    bench.firmware.writes.clear()
    bench.unplug()
    bench.plug()
    used_once(bench.driver(), letters)
    assert bench.firmware.writes == []
    assert bench.firmware.saves == 1


def test_a_printed_set_up_code_cannot_change_a_module_that_is_set_up(bench: Bench, letters: Letters) -> None:
    used_once(bench.driver(), letters)
    assert not bench.mine.do(bench.firmware.see_reset_code)
    used_once(bench.driver(setup_codes=True), letters)
    assert bench.mine.do(bench.firmware.see_reset_code)


@pytest.mark.slow
@pytest.mark.parametrize("baud", [9600, 115_200])
def test_the_check_names_the_speed_and_what_is_not_set_and_changes_nothing(
    bench: Bench, letters: Letters, baud: int
) -> None:
    bench.mine.do(lambda: bench.firmware.set_baud(baud))
    said = bench.driver().check()
    assert f"a GM65 (software 0x87) at {bench.mine.path}, {baud} baud; still to be set: the trigger" in said
    assert "the setup codes" in said
    assert bench.firmware.writes == []
    used_once(bench.driver(), letters)
    assert bench.driver().check().endswith("; set up")


@pytest.mark.slow
def test_an_older_module_without_a_same_code_delay_is_set_up_but_for_that(
    tmp_path: Path, letters: Letters
) -> None:
    bench = gm65(tmp_path, knows_delay=False)
    used_once(bench.driver(), letters)
    assert {register for register, _ in bench.firmware.writes} == {0x0000, 0x0003, 0x0005, 0x000D, 0x0060}
    assert bench.firmware.saves == 1
    assert bench.driver().check().endswith("; set up")
    bench.close()


def test_a_module_on_its_usb_plug_keeps_sending_there(tmp_path: Path, letters: Letters) -> None:
    bench = gm65(tmp_path, output_here=0b11)
    bench.firmware.registers[0x000D] = 0b11
    with SimulatedUsbSerial(tmp_path / "machine") as usb:
        usb.plug("ttyACM0", bench.mine.path, vendor=0x6666, product=0x7777)
        with listening(bench.driver(port="usb:6666:7777"), letters):
            bench.scan("42")
            assert letters.texts(1) == ["42"]
            assert bench.firmware.registers[0x000D] == 0b11
    bench.close()


@pytest.mark.slow
def test_a_module_need_not_be_asked_again_and_again(bench: Bench, letters: Letters) -> None:
    with listening(bench.driver(look_every_s=0.0), letters):
        bench.firmware.deaf = True
        assert letters.nothing(0.5)
        bench.scan("42")
        assert letters.texts(1) == ["42"]
