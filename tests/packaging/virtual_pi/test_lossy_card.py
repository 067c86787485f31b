"""The card that forgets: read, write, flush and cut over its socket, as QEMU does it."""

from __future__ import annotations

import socket
import struct
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from typing import TYPE_CHECKING

import pytest

from tests.packaging.virtual_pi.lossy_card import BLOCK_BYTES, Cut, LossyCard

if TYPE_CHECKING:
    from pathlib import Path

BLOCKS = 64
READ, WRITE, FLUSH = 0, 1, 3
FUA = 1
OLD, NEW, NEWER = (bytes([letter]) * BLOCK_BYTES for letter in b"onN")


class Reader:
    """What the card is put into: the client's side of NBD, in the old handshake."""

    def __init__(self, card: LossyCard) -> None:
        card.power()
        self._line = socket.socket(socket.AF_UNIX)
        self._line.connect(str(card.place))
        self._exactly(18)
        self._line.sendall(struct.pack(">IQII", 3, 0x49484156454F5054, 1, 0))
        self.size, self.flags = struct.unpack(">QH", self._exactly(10))

    def ask(self, kind: int, offset: int = 0, length: int = 0, data: bytes = b"", flags: int = 0) -> bytes:
        self._line.sendall(
            struct.pack(">IHHQQI", 0x25609513, flags, kind, 7, offset, length or len(data)) + data
        )
        magic, error, handle = struct.unpack(">IIQ", self._exactly(16))
        assert (magic, error, handle) == (0x67446698, 0, 7)
        return self._exactly(length) if kind == READ else b""

    def write(self, block: int, data: bytes, flags: int = 0) -> None:
        self.ask(WRITE, block * BLOCK_BYTES, data=data, flags=flags)

    def read(self, block: int) -> bytes:
        return self.ask(READ, block * BLOCK_BYTES, BLOCK_BYTES)

    def close(self) -> None:
        self._line.close()

    def _exactly(self, count: int) -> bytes:
        data = b""
        while len(data) < count:
            piece = self._line.recv(count - len(data))
            if not piece:
                raise EOFError
            data += piece
        return data


PutIn = Callable[[], Reader]


@pytest.fixture
def card(tmp_path: Path) -> Iterator[LossyCard]:
    image = tmp_path / "card.img"
    image.write_bytes(OLD * BLOCKS)
    with closing(LossyCard(image, tmp_path / "card.socket", seed=1)) as made:
        yield made


@pytest.fixture
def put_in(card: LossyCard) -> Iterator[PutIn]:
    """Puts the card into a machine; after a cut it is put into another one."""
    with ExitStack() as readers:
        yield lambda: readers.enter_context(closing(Reader(card)))


@pytest.mark.parametrize("left", Cut)
def test_what_was_flushed_outlives_every_cut(card: LossyCard, put_in: PutIn, left: Cut) -> None:
    reader = put_in()
    assert (reader.size, reader.flags) == (BLOCKS * BLOCK_BYTES, 0b1101)
    reader.write(3, NEW)
    reader.ask(FLUSH)
    card.cut(left)
    assert put_in().read(3) == NEW


@pytest.mark.parametrize("left", Cut)
def test_a_write_that_asks_for_it_is_as_good_as_flushed(card: LossyCard, put_in: PutIn, left: Cut) -> None:
    reader = put_in()
    reader.write(3, NEW, FUA)
    card.cut(left)
    assert put_in().read(3) == NEW


def test_what_was_not_flushed_is_seen_until_the_cut_and_then_it_is_gone(
    card: LossyCard, put_in: PutIn
) -> None:
    reader = put_in()
    reader.write(3, NEW)
    assert reader.read(3) == NEW
    card.cut(Cut.NOTHING)
    assert put_in().read(3) == OLD


def test_a_cut_in_any_order_keeps_some_blocks_and_loses_others(card: LossyCard, put_in: PutIn) -> None:
    reader = put_in()
    for block in range(BLOCKS):
        reader.write(block, NEW)
    assert card.cut(Cut.ANY).unflushed == BLOCKS
    reader = put_in()
    found = [reader.read(block) for block in range(BLOCKS)]
    assert set(found) == {OLD, NEW}
    assert found != sorted(found)


def test_a_block_is_never_half_old(card: LossyCard, put_in: PutIn) -> None:
    reader = put_in()
    reader.ask(WRITE, BLOCK_BYTES // 2, data=NEW * 8)
    card.cut(Cut.ANY)
    reader = put_in()
    whole = (OLD[:2048] + NEW[:2048], OLD, NEW, NEW[:2048] + OLD[:2048])
    assert all(reader.read(block) in whole for block in range(BLOCKS))


def test_a_flush_does_not_bring_back_an_older_version(card: LossyCard, put_in: PutIn) -> None:
    reader = put_in()
    reader.write(3, NEW)
    reader.write(3, NEWER)
    reader.ask(FLUSH)
    card.cut(Cut.NOTHING)
    assert put_in().read(3) == NEWER


@pytest.mark.parametrize("left", Cut)
@pytest.mark.parametrize("flushed", [True, False])
def test_nor_does_it_after_a_write_that_was_safe_by_itself(
    card: LossyCard, put_in: PutIn, left: Cut, flushed: bool
) -> None:
    reader = put_in()
    reader.write(3, NEW)
    reader.write(3, NEWER, FUA)
    if flushed:
        reader.ask(FLUSH)
    card.cut(left)
    assert put_in().read(3) == NEWER


def test_after_the_cut_the_card_answers_nobody(card: LossyCard, put_in: PutIn) -> None:
    reader = put_in()
    card.cut(Cut.NOTHING)
    with pytest.raises((EOFError, ConnectionError)):
        reader.read(3)


def test_the_image_itself_is_never_changed_and_a_copy_gets_what_is_safe(
    card: LossyCard, put_in: PutIn, tmp_path: Path
) -> None:
    reader = put_in()
    reader.write(3, NEW)
    reader.ask(FLUSH)
    reader.write(4, NEW)
    card.cut(Cut.NOTHING)
    copy = tmp_path / "copy.img"
    copy.write_bytes((tmp_path / "card.img").read_bytes())
    assert copy.read_bytes() == OLD * BLOCKS
    card.write_to(copy)
    assert copy.read_bytes() == OLD * 3 + NEW + OLD * (BLOCKS - 4)
