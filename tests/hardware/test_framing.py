"""What becomes of the bytes of a scanner."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardware.ports import Scanned
from hardware.scanner.framing import LONGEST, End, Framer

CODES = st.text(st.characters(min_codepoint=0x20, max_codepoint=0x7E), min_size=1, max_size=LONGEST)


def texts(codes: list[Scanned]) -> list[str]:
    return [code.text for code in codes]


@pytest.mark.parametrize(
    ("end", "data", "codes"),
    [
        ("auto", b"42\n", ["42"]),
        ("auto", b"42\t", ["42"]),
        ("auto", b"42\r17\n\n\t55\r\n", ["42", "17", "55"]),
        ("auto", b"\r\n\t\r", []),
        ("cr", b"42\r\n17\r\n", ["42", "17"]),  # a LF too many does no harm
        ("cr", b"42\n", []),
        ("cr", b"4\n2\r", []),  # inside a code it does
        ("lf", b"4\r2\n", []),
        ("crlf", b"42\r", []),
        ("crlf", b"42\n", []),
        ("crlf", b"4\r2\r\n", []),
        ("tab", b"42\r\n", []),
        ("tab", b"42\t\r\n17\t", ["42", "17"]),
        ("silence", b"42\r", ["42"]),
        ("auto", b" 6N-042\r", [" 6N-042"]),
        ("auto", b"\x026N055Y\x03\x02\x0017\x03\r\n", ["6N055Y", "17"]),
        ("cr", b"\x026N055Y\x03\r\x0042\x1d\r", ["6N055Y", "42"]),
        ("cr", b"\x1b6N055Y\x0c\r\x0b42\x17\r", ["6N055Y", "42"]),
        ("crlf", b"]d2\x1d6N055Y\x04\r\n\x016N055Y\x1e\r\n", ["]d2 6N055Y", "6N055Y"]),
    ],
)
def test_an_end_character_hands_the_code_on_at_once(end: str, data: bytes, codes: list[str]) -> None:
    assert texts(Framer(End(end)).feed(data, 0.0)) == codes


def test_the_time_of_a_code_is_that_of_its_last_byte() -> None:
    framer = Framer()
    framer.feed(b"4", 1.0)
    assert framer.feed(b"2\r", 1.01) == [Scanned("42", 1.01)]


@pytest.mark.parametrize(("length", "codes"), [(LONGEST, 1), (LONGEST + 1, 0), (10_000, 0)])
def test_a_code_has_at_most_128_characters(length: int, codes: int) -> None:
    assert len(Framer().feed(b"7" * length + b"\r", 0.0)) == codes


@given(
    codes=st.lists(CODES, max_size=6),
    end=st.sampled_from([(End.AUTO, b"\r"), (End.AUTO, b"\r\n"), (End.CR, b"\r"), (End.LF, b"\n")])
    | st.sampled_from([(End.CRLF, b"\r\n"), (End.TAB, b"\t"), (End.SILENCE, b"\n"), (End.LF, b"\r\n")]),
    cuts=st.lists(st.integers(0, 1000), max_size=12),
)
def test_how_the_bytes_are_cut_into_reads_makes_no_difference(
    codes: list[str], end: tuple[End, bytes], cuts: list[int]
) -> None:
    data = b"".join(code.encode() + end[1] for code in codes)
    framer = Framer(end[0])
    places = sorted({0, len(data), *(cut % (len(data) + 1) for cut in cuts)})
    found = [code for a, b in pairwise(places) for code in framer.feed(data[a:b], 0.0)]
    assert texts(found) == codes
    assert framer.rejected == 0


@given(
    reads=st.lists(st.tuples(st.binary(max_size=200), st.floats(0.0, 0.3)), max_size=20),
    end=st.sampled_from(list(End)),
)
def test_whatever_comes_a_code_is_printable_and_short(reads: list[tuple[bytes, float]], end: End) -> None:
    framer, now_s = Framer(end), 0.0
    codes = []
    for data, pause_s in reads:
        codes += framer.feed(data, now_s)
        now_s += pause_s
        codes += framer.silent(now_s)
    codes += framer.silent(now_s + 1.0)
    for code in codes:
        assert 1 <= len(code.text) <= LONGEST
        assert code.text.isascii()
        assert code.text.isprintable()
    assert framer.due_s is None
    assert texts(framer.feed(b"x\t" if end is End.TAB else b"x\r\n", now_s + 2.0)) == ["x"]
