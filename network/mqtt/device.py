"""Who this box is, and how Home Assistant learns of it: by one message about all its parts.

See "MQTT device discovery payload" in https://www.home-assistant.io/integrations/mqtt/. The message is
retained, so Home Assistant has it after each of its starts, and it is taken away by an empty one.
"""

import hashlib
from pathlib import Path
from typing import Final

from companion.text.errors import CompanionError
from companion.text.sentence import Text, say
from companion.values import Value
from firmware import __version__
from firmware.text.translation import translator
from network.mqtt import topics
from network.mqtt.config import MqttOptions
from network.mqtt.payloads import KeyPress, encode

MACHINE_ID: Final = Path("/etc/machine-id")
SERIAL: Final = Path("/sys/firmware/devicetree/base/serial-number")


class TableDevice(Value):
    """A box: its identity, the name of its table in topics, and what people call the table."""

    id: str
    table: str
    name: str

    @property
    def client(self) -> str:
        return f"nimmt-{self.id}"


def device_id(machine_id: Path = MACHINE_ID, serial: Path = SERIAL) -> str:
    """The identity of this box, the same after every start; a copy of its card in another box has another.

    It tells nothing about the machine-id, which programs are not to give away. Raises `CompanionError`.
    """
    try:
        machine = machine_id.read_text(encoding="ascii").strip()
    except (OSError, ValueError) as bad:
        fix = "run systemd-machine-id-setup"
        raise CompanionError(f"this machine has no identity: {machine_id}", fix) from bad
    try:
        board = serial.read_text(encoding="ascii").strip("\0\n ")
    except (OSError, ValueError):
        board = ""  # a computer that is no Raspberry Pi
    return hashlib.sha256(f"nimmt\n{machine}\n{board}".encode()).hexdigest()[:12]


def device_of(options: MqttOptions) -> TableDevice:
    """The box with the name that the configuration gives its table. Raises `CompanionError`."""
    number = device_id()
    table = options.table or number
    return TableDevice(number, table, options.name or table)


def discovery(device: TableDevice, options: MqttOptions, language: str, website: str = "") -> bytes:
    """The message for Home Assistant, in a language, with the page of the table; empty if not wanted."""
    if not options.home_assistant:
        return b""
    t = translator(language, "language")
    parts: dict[str, dict[str, str]] = {}
    for name, (kind, title, more) in _parts(device).items():
        parts[name] = {"p": kind}
        if (
            options.control or kind != "button"
        ):  # a part of which there is no more than its kind is taken back
            parts[name] |= {"name": t.say(title), "unique_id": f"{device.client}-{name}", **more}
    message = {
        "dev": {
            "ids": [device.client],
            "name": device.name,
            "mdl": "nimmt-companion",
            "sw": __version__,
            **({"cu": website} if website else {}),
        },
        "o": {"name": "nimmt-companion", "sw": __version__},
        "state_topic": topics.table_topic(device.table, topics.STATE),
        "availability_topic": topics.table_topic(device.table, topics.ONLINE),
        "availability_template": "{{ 'online' if value_json.online else 'offline' }}",
        "qos": 1,
        "cmps": parts,
    }
    return encode(message)


def _parts(device: TableDevice) -> dict[str, tuple[str, Text, dict[str, str]]]:
    playing = "value_json.match and value_json.running"

    def of_match(field: str, icon: str) -> dict[str, str]:
        # None is "unknown" there.
        template = f"{{{{ value_json.match.{field} if {playing} else None }}}}"
        return {"value_template": template, "icon": icon}

    def on_if(condition: str, **more: str) -> dict[str, str]:
        return {"value_template": f"{{{{ 'ON' if {condition} else 'OFF' }}}}", **more}

    def pressed(key: KeyPress, icon: str) -> dict[str, str]:
        topic = topics.table_topic(device.table, topics.PRESS)
        return {"command_topic": topic, "payload_press": encode(key).decode(), "icon": icon}

    temperature = {
        "value_template": "{{ value_json.temperature_c }}",
        "device_class": "temperature",
        "state_class": "measurement",
        "unit_of_measurement": "°C",
        "entity_category": "diagnostic",
    }
    running = on_if(f"{playing} and not value_json.match.over", icon="mdi:cards-playing")
    problem = on_if(
        "value_json.health | rejectattr('severity', 'eq', 'note') | list "
        "or value_json.faults or not value_json.running",
        device_class="problem",
        entity_category="diagnostic",
        json_attributes_topic=topics.table_topic(device.table, topics.STATE),
        json_attributes_template="{{ {'health': value_json.health | map(attribute='says') | list, "
        "'faults': value_json.faults, 'game_runs': value_json.running} | tojson }}",
    )
    return {  # Home Assistant keeps no more than 255 characters of a state
        "standing": ("sensor", say("Standings"), of_match("standing[:255]", "mdi:podium")),
        "turn": ("sensor", say("Turn"), of_match("turn", "mdi:counter")),
        "waiting": ("sensor", say("Waiting for"), of_match("waiting[:255]", "mdi:account-clock")),
        "running": ("binary_sensor", say("Match running"), running),
        "temperature": ("sensor", say("Processor temperature"), temperature),
        "problem": ("binary_sensor", say("Problem"), problem),
        "undo": ("button", say("Undo"), pressed(KeyPress("undo"), "mdi:undo")),
        "mute": ("button", say("Sound on or off"), pressed(KeyPress("mute"), "mdi:volume-off")),
    }
