"""The I2C bus of the virtual Pi: the requests of QEMU's vhost-user-i2c device, answered.

The kernel in the machine sees an ordinary bus; each transfer arrives here and goes to a simulated panel. Only
what this one device needs of the protocol: one queue, split rings, no feature but transfers without data.
vhost-user: docs/interop/vhost-user.rst of QEMU; the requests: virtio 1.2, section 5.16.
"""

import array
import mmap
import os
import select
import socket
import struct
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from enum import IntEnum
from pathlib import Path
from typing import Final

from hardware.simulation.panels import InvalidBytes, SimulatedPanel
from tests.packaging.virtual_pi.door import Door

_VERSION_1: Final = 1 << 32
_PROTOCOL_FEATURES: Final = 1 << 30
_ZERO_LENGTH: Final = 1
_REPLY_ACK: Final = 1 << 3
_NEEDS_REPLY: Final = 0x8
_IS_REPLY: Final = 0x5  # version 1 and the reply bit
_READS: Final = 1 << 1
_NEXT, _WRITABLE = 1, 2
_OK, _ERROR = 0, 1


class _Request(IntEnum):
    GET_FEATURES = 1
    SET_MEM_TABLE = 5
    SET_VRING_NUM = 8
    SET_VRING_ADDR = 9
    SET_VRING_BASE = 10
    GET_VRING_BASE = 11
    SET_VRING_KICK = 12
    SET_VRING_CALL = 13
    GET_PROTOCOL_FEATURES = 15
    GET_QUEUE_NUM = 17


@dataclass(frozen=True, slots=True)
class _Region:
    """A piece of the machine's memory: where the machine and where QEMU sees it."""

    guest: int
    user: int
    size: int
    offset: int
    memory: mmap.mmap


@dataclass
class _Queue:
    size: int = 0
    next: int = 0
    rings: tuple[int, int, int] | None = None  # descriptors, used, available: addresses as QEMU sees them
    kick: int = -1
    call: int = -1
    regions: list[_Region] = field(default_factory=list)

    def memory(self, address: int, size: int, *, user: bool) -> memoryview:
        for region in self.regions:
            base = region.user if user else region.guest
            if base <= address and address + size <= base + region.size:
                start = address - base + region.offset
                return memoryview(region.memory)[start : start + size]
        raise ValueError(f"the machine has no memory at {address:#x}")

    def forget_memory(self) -> None:
        for region in self.regions:
            with suppress(BufferError):  # a view is still about; it goes with the process
                region.memory.close()
        self.regions = []


class I2cWire:
    """A bus with one panel, for one machine after the other.

    `moved` is called after each write to the panel, in the thread of this bus. Writes only: reading gives an
    error, as this driver never reads.
    """

    def __init__(self, place: Path, panel: SimulatedPanel, moved: Callable[[], None]) -> None:
        self._panel = panel
        self._moved = moved
        self._door = Door(place, self._serve)

    @property
    def place(self) -> Path:
        return self._door.place

    def close(self) -> None:
        """Take it down; the machine on it should be off."""
        self._door.close()

    def _serve(self, line: socket.socket) -> None:
        queue = _Queue()
        try:
            while True:
                self._turn(line, queue)
        finally:
            queue.forget_memory()

    def _turn(self, line: socket.socket, queue: _Queue) -> None:
        watched: list[socket.socket | int] = [line]
        if queue.kick >= 0 and queue.rings:
            watched.append(queue.kick)
        ready, _, _ = select.select(watched, [], [])
        if queue.kick in ready:
            os.read(queue.kick, 8)
            self._transfers(queue)
        if line in ready:
            _message(line, queue)

    def _transfers(self, queue: _Queue) -> None:
        assert queue.rings is not None
        descriptors, used, available = (
            queue.memory(address, size, user=True)
            for address, size in zip(
                queue.rings, (16 * queue.size, 4 + 8 * queue.size, 4 + 2 * queue.size), strict=True
            )
        )
        told = False
        while queue.next != struct.unpack_from("<H", available, 2)[0]:
            (head,) = struct.unpack_from("<H", available, 4 + 2 * (queue.next % queue.size))
            answered = self._transfer(_chain(queue, descriptors, head))
            (at,) = struct.unpack_from("<H", used, 2)
            struct.pack_into("<II", used, 4 + 8 * (at % queue.size), head, answered)
            struct.pack_into("<H", used, 2, (at + 1) & 0xFFFF)
            queue.next = (queue.next + 1) & 0xFFFF
            told = True
        if told and queue.call >= 0:
            os.write(queue.call, struct.pack("<Q", 1))

    def _transfer(self, buffers: list[memoryview]) -> int:
        """Do what the first buffer asks for; the last takes the status. Gives how many bytes came back."""
        address, _, flags = struct.unpack_from("<HHI", buffers[0])
        good = address >> 1 == self._panel.address and not flags & _READS
        if good:
            payload = b"".join(bytes(buffer) for buffer in buffers[1:-1])
            try:
                good = self._panel.take_i2c(payload) == len(payload)
            except InvalidBytes:  # the panel keeps it among its complaints
                good = False
            self._moved()
        buffers[-1][0] = _OK if good else _ERROR
        return 1


def _chain(queue: _Queue, descriptors: memoryview, head: int) -> list[memoryview]:
    found = []
    flags, at = _NEXT, head
    while flags & _NEXT:
        address, length, flags, after = struct.unpack_from("<QIHH", descriptors, 16 * at)
        found.append(queue.memory(address, length, user=False))
        at = after
    return found


def _message(line: socket.socket, queue: _Queue) -> None:
    """Take one message of QEMU and answer it, where it wants an answer. Raises `EOFError`."""
    header, extra, _, _ = line.recvmsg(12, socket.CMSG_SPACE(8 * 4))
    if not header:
        raise EOFError
    files = array.array("i")
    for _, kind, data in extra:
        if kind == socket.SCM_RIGHTS:
            files.frombytes(data[: len(data) // 4 * 4])
    request, flags, size = struct.unpack("<III", header)
    body = b""
    while len(body) < size:
        piece = line.recv(size - len(body))
        if not piece:
            raise EOFError
        body += piece
    answer = _answer(request, body, list(files), queue)
    if answer is None and flags & _NEEDS_REPLY:
        answer = struct.pack("<Q", 0)
    if answer is not None:
        line.sendall(struct.pack("<III", request, _IS_REPLY, len(answer)) + answer)


def _answer(request: int, body: bytes, files: list[int], queue: _Queue) -> bytes | None:
    match request:
        case _Request.GET_FEATURES:
            return struct.pack("<Q", _VERSION_1 | _PROTOCOL_FEATURES | _ZERO_LENGTH)
        case _Request.GET_PROTOCOL_FEATURES:
            return struct.pack("<Q", _REPLY_ACK)
        case _Request.GET_QUEUE_NUM:
            return struct.pack("<Q", 1)
        case _Request.SET_MEM_TABLE:
            queue.forget_memory()
            (count,) = struct.unpack_from("<I", body)
            for number in range(count):
                guest, length, user, offset = struct.unpack_from("<QQQQ", body, 8 + 32 * number)
                memory = mmap.mmap(files[number], length + offset)
                os.close(files[number])
                queue.regions.append(_Region(guest, user, length, offset, memory))
        case _Request.SET_VRING_NUM:
            queue.size = struct.unpack_from("<II", body)[1]
        case _Request.SET_VRING_ADDR:
            _, _, descriptors, used, available, _ = struct.unpack_from("<IIQQQQ", body)
            queue.rings = (descriptors, used, available)
        case _Request.SET_VRING_BASE:
            queue.next = struct.unpack_from("<II", body)[1]
        case _Request.GET_VRING_BASE:
            queue.rings, queue.kick = None, _closed(queue.kick)
            return struct.pack("<II", 0, queue.next)
        case _Request.SET_VRING_KICK:
            queue.kick = (_closed(queue.kick), *files)[-1]
        case _Request.SET_VRING_CALL:
            queue.call = (_closed(queue.call), *files)[-1]
    return None


def _closed(file: int) -> int:
    """Close it, if it is one; gives the number that stands for none."""
    if file >= 0:
        os.close(file)
    return -1
