"""Who this box is, and how warm."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import TYPE_CHECKING, Final

from companion.text.errors import CompanionError
from companion.text.sentence import say
from companion.values import Value
from firmware.service.machine import Machine
from network.mqtt import topics

if TYPE_CHECKING:
    from network.mqtt.config import MqttOptions

_ID_LENGTH: Final = 12


class Sources(Value):
    """Where a box has its identity: systemd's number of the installation, and the maker's of the board."""

    machine_id: Path = Path("/etc/machine-id")
    serial: Path = Path("/sys/firmware/devicetree/base/serial-number")


class Device(Value):
    """A box: its identity, the name of its table in topics, and what people call the table."""

    id: str
    table: str
    name: str

    @property
    def client(self) -> str:
        return f"nimmt-{self.id}"


def device_id(at: Sources = Sources()) -> str:
    """The identity of this box, the same after every start; a copy of its card in another box has another.

    It tells nothing about the machine-id, which programs are not to give away. Raises `CompanionError`.
    """
    try:
        machine = at.machine_id.read_text(encoding="ascii").strip()
    except (OSError, ValueError) as bad:
        raise CompanionError(
            say("this machine has no identity: {path}", path=at.machine_id),
            say("run systemd-machine-id-setup"),
        ) from bad
    try:
        serial = at.serial.read_text(encoding="ascii").strip("\0\n ")
    except (OSError, ValueError):
        serial = ""  # a computer that is no Raspberry Pi
    return hashlib.sha256(f"nimmt\n{machine}\n{serial}".encode()).hexdigest()[:_ID_LENGTH]


def device_of(options: MqttOptions, at: Sources = Sources()) -> Device:
    """The box with the name that the configuration gives its table. Raises `CompanionError`."""
    number = device_id(at)
    table = options.table or number
    if not topics.is_table_name(table):
        raise CompanionError(
            say("{table} cannot be the name of a table", table=table),
            say("use letters from a to z, digits and hyphens"),
        )
    return Device(number, table, options.name or table)


def temperature_c() -> int | None:
    """The temperature of the processor; None where nothing measures it."""
    return Machine(Path("/")).celsius()
