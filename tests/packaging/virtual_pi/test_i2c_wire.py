"""The bus of the virtual Pi, asked as QEMU asks it: shared memory, one queue, transfers as descriptors."""

from __future__ import annotations

import array
import mmap
import os
import select
import socket
import struct
import threading
from collections.abc import Iterator
from contextlib import closing
from typing import TYPE_CHECKING

import pytest

from hardware.simulation.panels import SimulatedPanel
from tests.packaging.virtual_pi.i2c_wire import I2cWire

if TYPE_CHECKING:
    from pathlib import Path

SIZE = 1 << 16
USER, GUEST = 0x7F00_0000_0000, 0x1000  # where QEMU and where the machine see the same memory
RING, DESCRIPTORS, AVAILABLE, USED, BUFFERS = 8, 0x0, 0x400, 0x800, 0x1000
PATIENCE_S = 10.0
READS = 2


class Machine:
    """The other end: what QEMU and the kernel in it do with the bus."""

    def __init__(self, wire: I2cWire) -> None:
        self._line = socket.socket(socket.AF_UNIX)
        self._line.connect(str(wire.place))
        self._file = os.memfd_create("memory")
        os.ftruncate(self._file, SIZE)
        self.memory = mmap.mmap(self._file, SIZE)
        self._kick, self._call = os.eventfd(0), os.eventfd(0)
        self._asked = 0
        self.features = self._tell(1, answered=True)
        table = struct.pack("<II", 1, 0) + struct.pack("<QQQQ", GUEST, SIZE, USER, 0)
        self._tell(5, table, [self._file])
        self._tell(8, struct.pack("<II", 0, RING))
        rings = (USER + DESCRIPTORS, USER + USED, USER + AVAILABLE)
        self._tell(9, struct.pack("<IIQQQQ", 0, 0, *rings, 0))
        self._tell(10, struct.pack("<II", 0, 0))
        self._tell(13, struct.pack("<Q", 0), [self._call])
        self._tell(12, struct.pack("<Q", 0), [self._kick])

    def close(self) -> None:
        self._line.close()
        self.memory.close()
        for file in (self._file, self._kick, self._call):
            os.close(file)

    def transfer(self, address: int, payload: bytes, flags: int = 0) -> int:
        """Put one request into the queue and wait for its status."""
        parts = [struct.pack("<HHI", address << 1, 0, flags), payload, b"\xff"]
        at = status = BUFFERS
        for number, part in enumerate(parts):
            last = number == len(parts) - 1
            self.memory[at : at + len(part)] = part
            entry = struct.pack("<QIHH", GUEST + at, len(part), 2 if last else 1, 0 if last else number + 1)
            self.memory[DESCRIPTORS + 16 * number : DESCRIPTORS + 16 * number + 16] = entry
            status, at = at, at + len(part)
        struct.pack_into("<H", self.memory, AVAILABLE + 4 + 2 * (self._asked % RING), 0)
        self._asked += 1
        struct.pack_into("<H", self.memory, AVAILABLE + 2, self._asked & 0xFFFF)
        os.write(self._kick, struct.pack("<Q", 1))
        assert select.select([self._call], [], [], PATIENCE_S)[0], "the bus does not answer"
        os.read(self._call, 8)
        assert struct.unpack_from("<H", self.memory, USED + 2)[0] == self._asked & 0xFFFF
        return self.memory[status]

    def _tell(
        self, request: int, body: bytes = b"", files: list[int] | None = None, *, answered: bool = False
    ) -> bytes:
        needs = 0 if answered else 0x8
        control = [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", files))] if files else []
        self._line.sendmsg([struct.pack("<III", request, 1 | needs, len(body)) + body], control)
        back, _, length = struct.unpack("<III", self._line.recv(12))
        data = self._line.recv(length)
        assert back == request
        if needs:
            assert data == bytes(8), "the bus refuses"
        return data


@pytest.fixture
def panel() -> SimulatedPanel:
    return SimulatedPanel("ssd1309")


@pytest.fixture
def moved() -> threading.Event:
    return threading.Event()


@pytest.fixture
def machine(panel: SimulatedPanel, moved: threading.Event, tmp_path: Path) -> Iterator[Machine]:
    with (
        closing(I2cWire(tmp_path / "i2c.socket", panel, moved.set)) as wire,
        closing(Machine(wire)) as made,
    ):
        yield made


def test_what_the_kernel_writes_arrives_at_the_panel(
    machine: Machine, panel: SimulatedPanel, moved: threading.Event
) -> None:
    before = panel.lit
    assert machine.transfer(0x3C, b"\x00\xaf") == 0
    assert (before, panel.lit) == (False, True)
    assert moved.is_set()


def test_the_queue_can_go_round_many_times(machine: Machine, panel: SimulatedPanel) -> None:
    for level in range(3 * RING):
        assert machine.transfer(0x3C, bytes([0x00, 0x81, level])) == 0
        assert panel.registers.contrast == level


@pytest.mark.parametrize(("address", "flags"), [(0x3D, 0), (0x3C, READS)])
def test_an_address_where_nobody_is_and_a_read_are_errors(
    machine: Machine, panel: SimulatedPanel, address: int, flags: int
) -> None:
    assert machine.transfer(address, b"\x00\xaf", flags) == 1
    assert not panel.lit


def test_a_panel_that_was_unplugged_is_an_error_and_is_noticed(
    machine: Machine, panel: SimulatedPanel, moved: threading.Event
) -> None:
    panel.unplug()
    assert machine.transfer(0x3C, b"\x00\xaf") == 1
    assert moved.is_set()
    panel.plug()
    assert machine.transfer(0x3C, b"\x00\xaf") == 0


def test_wrong_bytes_are_an_error_and_are_kept(machine: Machine, panel: SimulatedPanel) -> None:
    assert machine.transfer(0x3C, b"\x3f\xaf") == 1
    assert panel.complaints
