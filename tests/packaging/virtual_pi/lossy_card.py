"""A memory card with a cache that forgets: a network block device that says what is left after a power cut.

What a disk promises, and what is modelled: a write is safe once a flush has been answered that was asked for
after the write had been answered, or if the write itself asked for it (FUA). Until then every piece of it may
be lost or kept, in any order. Killing a virtual machine is no power cut: the memory of the machine beneath it
keeps what was never flushed. Speaks the fixed newstyle handshake of NBD on a Unix socket.
"""

import mmap
import random
import socket
import struct
import threading
from contextlib import suppress
from dataclasses import dataclass, field
from enum import Enum
from pathlib import Path
from typing import Final

from tests.packaging.virtual_pi.door import Door

BLOCK_BYTES: Final = 4096
"""What is kept or lost as a whole: the block of ext4, and no less than any card writes at once."""

_MAGIC: Final = 0x4E42444D41474943
_OPTION_MAGIC: Final = 0x49484156454F5054
_REPLY_MAGIC: Final = 0x3E889045565A9
_REQUEST_MAGIC: Final = 0x25609513
_ANSWER_MAGIC: Final = 0x67446698
_HAS_FLAGS, _SEND_FLUSH, _SEND_FUA = 1, 1 << 2, 1 << 3
_READ, _WRITE, _HANG_UP, _FLUSH = range(4)
_EXPORT_NAME, _ABORT, _INFO, _GO = 1, 2, 6, 7
_ACK, _INFO_REPLY, _UNSUPPORTED = 1, 3, 0x80000001
_INVALID: Final = 22  # EINVAL


class Cut(Enum):
    """What a power cut leaves of what was written since the last flush."""

    NOTHING = "nothing"
    """A cache in the order of writing, lost as a whole."""

    ANY = "any"
    """Each block by chance, the later ones as likely as the earlier ones."""


@dataclass
class _Blocks:
    """Blocks by number over the bytes of a file."""

    under: mmap.mmap
    over: dict[int, bytes] = field(default_factory=dict)

    def read(self, offset: int, count: int) -> bytes:
        first, last = offset // BLOCK_BYTES, (offset + count - 1) // BLOCK_BYTES
        pieces = [self.block(number) for number in range(first, last + 1)]
        start = offset - first * BLOCK_BYTES
        return b"".join(pieces)[start : start + count]

    def block(self, number: int) -> bytes:
        return self.over.get(number) or self.under[number * BLOCK_BYTES : (number + 1) * BLOCK_BYTES]

    def changed(self, offset: int, data: bytes) -> dict[int, bytes]:
        """The blocks as they are when these bytes are written; nothing is."""
        found = {}
        at = 0
        while at < len(data):
            number, start = divmod(offset + at, BLOCK_BYTES)
            piece = data[at : at + BLOCK_BYTES - start]
            old = self.block(number)
            found[number] = old[:start] + piece + old[start + len(piece) :]
            at += len(piece)
        return found


class LossyCard:
    """A card over an image file, which is never changed. What is written lives in this process.

    `seed` decides what a cut leaves. The methods may be called from any thread; one machine at a time.
    """

    def __init__(self, image: Path, place: Path, seed: int) -> None:
        with image.open("rb") as file:
            self._image = mmap.mmap(file.fileno(), 0, prot=mmap.PROT_READ)
        if len(self._image) % BLOCK_BYTES:
            raise ValueError(f"{image} has {len(self._image)} bytes, which is no whole number of blocks")
        self._rng = random.Random(seed)
        self._safe = _Blocks(self._image)  # what a flush has confirmed
        self._seen = _Blocks(self._image)  # what reads give
        self._unflushed: list[dict[int, bytes]] = []
        self._lock = threading.Lock()
        self._powered = False
        self._line: socket.socket | None = None
        self._door = Door(place, self._serve)

    @property
    def place(self) -> Path:
        return self._door.place

    def power(self) -> None:
        """Put it into a machine that is switched on; only now it answers."""
        with self._lock:
            self._powered = True

    def cut(self, left: Cut) -> int:
        """The mains go: from now on nothing is answered, and of what was not flushed only some is left.

        Gives how many blocks were not flushed.
        """
        with self._lock:
            self._powered = False
            if self._line is not None:
                with suppress(OSError):  # the machine was faster
                    self._line.shutdown(socket.SHUT_RDWR)
            unflushed = sum(len(blocks) for blocks in self._unflushed)
            if left is Cut.ANY:
                for blocks in self._unflushed:
                    kept = {number: data for number, data in blocks.items() if self._rng.random() < 0.5}
                    self._safe.over.update(kept)
            self._unflushed = []
            self._seen.over = dict(self._safe.over)
            return unflushed

    def write_to(self, image: Path) -> None:
        """Write what is safe into a copy of the image: what the next start finds. Only while it is off."""
        with self._lock, image.open("r+b") as file:
            for number, data in sorted(self._safe.over.items()):
                file.seek(number * BLOCK_BYTES)
                file.write(data)

    def close(self) -> None:
        self._door.close()

    # ---------------------------------------------------------------------------------- the wire: NBD

    def _serve(self, line: socket.socket) -> None:
        self._line = line
        if self._handshake(line):
            self._answer(line)

    def _handshake(self, line: socket.socket) -> bool:
        line.sendall(struct.pack(">QQH", _MAGIC, _OPTION_MAGIC, 3))
        terse = struct.unpack(">I", _exactly(line, 4))[0] & 2
        while True:
            _, option, length = struct.unpack(">QII", _exactly(line, 16))
            _exactly(line, length)
            told = struct.pack(">QH", len(self._image), _HAS_FLAGS | _SEND_FLUSH | _SEND_FUA)
            if option == _EXPORT_NAME:
                line.sendall(told + (b"" if terse else bytes(124)))
                return True
            if option in (_INFO, _GO):
                self._reply(line, option, _INFO_REPLY, bytes(2) + told)
                self._reply(line, option, _ACK)
            else:
                self._reply(line, option, _ACK if option == _ABORT else _UNSUPPORTED)
            if option in (_GO, _ABORT):
                return bool(option == _GO)

    @staticmethod
    def _reply(line: socket.socket, option: int, kind: int, data: bytes = b"") -> None:
        line.sendall(struct.pack(">QIII", _REPLY_MAGIC, option, kind, len(data)) + data)

    def _answer(self, line: socket.socket) -> None:
        while True:
            magic, flags, kind, handle, offset, length = struct.unpack(">IHHQQI", _exactly(line, 28))
            if magic != _REQUEST_MAGIC:
                raise EOFError
            data = _exactly(line, length) if kind == _WRITE else b""
            if kind == _HANG_UP:
                return
            with self._lock:
                if not self._powered:
                    return
                found = self._read_or_write(kind, offset, length, data, safe=bool(flags & 1))
            error = 0 if kind in (_READ, _WRITE, _FLUSH) else _INVALID
            line.sendall(struct.pack(">IIQ", _ANSWER_MAGIC, error, handle) + found)

    def _read_or_write(self, kind: int, offset: int, length: int, data: bytes, *, safe: bool) -> bytes:
        if kind == _READ:
            return self._seen.read(offset, length)
        if kind == _WRITE:
            blocks = self._seen.changed(offset, data)
            self._seen.over.update(blocks)
            if safe:
                self._safe.over.update(blocks)
                for older in self._unflushed:  # or the next flush would bring it back
                    for number in blocks:
                        older.pop(number, None)
            else:
                self._unflushed.append(blocks)
        elif kind == _FLUSH:
            for blocks in self._unflushed:
                self._safe.over.update(blocks)
            self._unflushed = []
        return b""


def _exactly(line: socket.socket, count: int) -> bytes:
    """So many bytes. Raises `EOFError` when the other end hangs up."""
    data = bytearray()
    while len(data) < count:
        piece = line.recv(count - len(data))
        if not piece:
            raise EOFError
        data += piece
    return bytes(data)
