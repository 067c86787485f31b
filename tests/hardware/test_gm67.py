"""The GM67 family: packets after the published papers, and a module believed with a right sum only."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardware.ports import Scanned
from hardware.scanner import ssi
from hardware.scanner.framing import LONGEST, SILENCE_S
from hardware.scanner.ssi import Broken, Packet, SsiStream, UnframedBytes
from hardware.simulation.gm67_module import SimulatedGm67
from tests.hardware.device_setup import Letters
from tests.hardware.scanner_setup import Driver, ModuleBench, gm67, listening, packet
from tests.patience import PATIENCE_S, comes

Bench = ModuleBench[SimulatedGm67]

ACK = bytes.fromhex("04 D0 00 00 FF 2C")


@pytest.fixture(params=[True, False], ids=["tells its settings", "tells nothing"])
def bench(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Bench]:
    bench = gm67(tmp_path, tells=request.param)
    bench.firmware.repeat_s = PATIENCE_S  # a machine that is busy acknowledges late, too
    yield bench
    bench.close()


@pytest.fixture
def driver(bench: Bench, letters: Letters) -> Iterator[Driver]:
    """A driver that listens to a module which sends packets."""
    bench.firmware.parameters[ssi.PACKETS] = 1
    with listening(bench.driver(), letters) as driver:
        yield driver


# ------------------------------------------------------------------------------------------- the packets


@pytest.mark.parametrize(
    ("made", "printed"),
    [
        (ssi.parameter(ssi.TRIGGER, 0x08), "07 C6 04 08 00 8A 08 FE 95"),
        (ssi.parameter(ssi.TRIGGER, 0x04), "07 C6 04 08 00 8A 04 FE 99"),
        (ssi.parameter(ssi.TRIGGER, 0x09), "07 C6 04 08 00 8A 09 FE 94"),
        (ssi.packet(ssi.REVISION), "04 A3 04 00 FF 55"),
    ],
)
def test_a_command_is_byte_for_byte_as_the_maker_prints_it(made: bytes, printed: str) -> None:
    assert made == bytes.fromhex(printed)


@pytest.mark.parametrize(
    ("printed", "read"),
    [
        ("04 D0 00 00 FF 2C", Packet(ssi.ACK, 0, b"")),
        ("05 D1 00 00 06 FF 24", Packet(ssi.NAK, 0, b"\x06")),
    ],
)
def test_an_answer_is_understood_as_the_maker_prints_it(printed: str, read: Packet) -> None:
    assert SsiStream().feed(bytes.fromhex(printed), 0.0) == [read]


def test_a_packet_with_a_wrong_sum_is_broken() -> None:
    assert SsiStream().feed(packet("42")[:-1] + b"\x00", 0.0) == [Broken()]


def test_a_packet_that_is_cut_short_is_broken_when_the_line_is_silent() -> None:
    stream = SsiStream()
    assert stream.feed(packet("42")[:-1], 0.0) == []
    assert stream.due_s == SILENCE_S
    assert stream.silent(SILENCE_S / 2) == []
    assert stream.silent(SILENCE_S) == [Broken()]
    assert stream.due_s is None


@given(st.lists(st.one_of(st.none(), st.text("6N0123456789Y", max_size=200))), st.lists(st.integers(1, 60)))
def test_however_the_line_is_cut_packets_come_whole_and_in_order(
    texts: list[str | None], cuts: list[int]
) -> None:
    line = b"".join(ACK if text is None else packet(text) for text in texts)
    stream, found = SsiStream(), []
    for cut in [*cuts, len(line)]:
        found += stream.feed(line[:cut], 0.0)
        line = line[cut:]
    assert [one.data for one in found if isinstance(one, Packet)] == [
        b"" if text is None else b"\xf2" + text.encode() for text in texts
    ]
    assert len(found) == len(texts)


@given(st.binary(max_size=60), st.text("0123456789", min_size=1, max_size=8))
def test_after_any_noise_and_a_silence_a_packet_is_understood(noise: bytes, text: str) -> None:
    stream = SsiStream()
    stream.feed(noise, 0.0)
    found = stream.feed(packet(text), 1.0)
    assert found[-1] == Packet(ssi.DECODE_DATA, 0, b"\xf2" + text.encode(), 1.0)


def test_bare_text_is_noticed_and_line_ends_alone_are_not() -> None:
    stream = SsiStream()
    assert stream.feed(b"6N055Y\r\n", 0.0) == [UnframedBytes(text=True)]
    assert stream.feed(b"\r\n\r\n", 0.0) == []
    assert stream.silent(1.0) == []
    assert stream.feed(b"6N0", 2.0) == []
    assert stream.silent(3.0) == [UnframedBytes(text=True)]
    assert stream.feed(b"6N\xff5", 4.0) == []
    assert stream.silent(5.0) == [UnframedBytes(text=False)]


def test_a_very_long_packet_does_not_put_the_stream_out_of_step() -> None:
    text = b"x" * 1000
    body = b"\xff\xf4" + (len(text) + 8).to_bytes(2, "big") + b"\xf4\x00\x00\xf1" + text
    long = body + (0x10000 - sum(body) & 0xFFFF).to_bytes(2, "big")
    first, second = SsiStream().feed(long + packet("42"), 0.0)
    assert isinstance(first, Packet)
    assert ssi.text_of(first) == ""
    assert isinstance(second, Packet)
    assert ssi.text_of(second) == "42"


@pytest.mark.parametrize(
    ("data", "text"),
    [
        (b"\xf26N055Y", "6N055Y"),
        (b"\xf26N055Y\r\n", "6N055Y"),
        (b"\xf2" + b"9" * LONGEST, "9" * LONGEST),
        (b"\xf2" + b"9" * (LONGEST + 1), ""),
        (b"\xf2\x1b55", ""),
        (b"\xf2\xc3\xa4", ""),
        (b"\xf2", ""),
        (b"", ""),
    ],
)
def test_only_short_and_printable_text_is_a_scan(data: bytes, text: str) -> None:
    assert ssi.text_of(Packet(ssi.DECODE_DATA, 0, data)) == text


# ------------------------------------------------------------------------------------------- the module


@pytest.mark.slow
def test_every_scan_is_acknowledged_at_once(bench: Bench, driver: Driver, letters: Letters) -> None:
    for card in range(1, 11):
        bench.scan(str(card))
    assert letters.texts(10) == [str(card) for card in range(1, 11)]
    assert letters.nothing(0.3)
    assert bench.firmware.repeats == 0


@pytest.mark.slow
def test_a_scan_whose_acknowledge_is_lost_is_played_once(
    bench: Bench, driver: Driver, letters: Letters
) -> None:
    bench.firmware.repeat_s = 0.15
    bench.firmware.lose_acks = 2
    bench.scan("6N055Y")
    bench.scan("6N056Y")
    assert letters.texts(2) == ["6N055Y", "6N056Y"]
    assert letters.nothing(0.6)


@pytest.mark.slow
def test_a_scan_that_a_bad_wire_spoils_is_sent_again_and_played_once(
    bench: Bench, driver: Driver, letters: Letters
) -> None:
    bench.firmware.spoil = 2
    bench.scan("6N055Y")
    bench.scan("6N056Y")
    assert letters.texts(2) == ["6N055Y", "6N056Y"]
    assert letters.nothing(0.6)
    assert (bench.firmware.refusals, bench.firmware.repeats) == (2, 0)


@pytest.mark.slow
def test_a_packet_of_before_is_not_played_when_it_is_sent_again(
    bench: Bench, driver: Driver, letters: Letters
) -> None:
    bench.mine.write(packet("13", status=ssi.SENT_AGAIN))
    assert letters.nothing(0.3)
    bench.scan("42")
    assert letters.texts(1) == ["42"]


@pytest.mark.slow
def test_a_module_that_sends_packets_is_not_written_to(
    bench: Bench, driver: Driver, letters: Letters
) -> None:
    bench.scan("42")
    assert letters.texts(1) == ["42"]
    assert letters.nothing(0.3)
    assert bench.firmware.writes == []


@pytest.mark.slow
def test_a_module_as_it_is_sold_is_told_once_to_send_packets(bench: Bench, letters: Letters) -> None:
    for _ in range(2):
        with listening(bench.driver(), letters):
            bench.scan("13")
            assert comes(lambda: bench.firmware.parameters[ssi.PACKETS] == 1)
            bench.scan("42")
            while letters.next(Scanned).text != "42":
                pass
    assert bench.firmware.writes.count((ssi.PACKETS, 1)) == 1


@pytest.mark.slow
def test_bare_text_is_no_scan_because_it_has_no_sum(bench: Bench, driver: Driver, letters: Letters) -> None:
    bench.mine.write(b"13\r\n")
    assert letters.nothing(0.3)


@pytest.mark.slow
def test_the_trigger_is_set_where_it_is_configured(bench: Bench, letters: Letters) -> None:
    with listening(bench.driver(trigger="sensor"), letters):
        pass
    assert (ssi.TRIGGER, 0x09) in bench.firmware.writes


@pytest.mark.slow
def test_a_module_that_sleeps_is_woken(bench: Bench, letters: Letters) -> None:
    bench.firmware.asleep = True
    assert bench.driver().check().startswith("a GM67")


@pytest.mark.slow
def test_the_check_names_the_version_and_what_is_not_set(tmp_path: Path) -> None:
    bench = gm67(tmp_path)
    said = bench.driver(trigger="continuous").check()
    assert said.startswith("a GM67 (V1.3.05) at ")
    assert said.endswith("; still to be set: packets, the trigger")
    bench.firmware.parameters |= {ssi.PACKETS: 1, ssi.TRIGGER: 4}
    assert bench.driver(trigger="continuous").check().endswith("; set up")
    bench.close()
