"""How Home Assistant learns of a table: one message that describes the box and everything about it.

See "MQTT device discovery payload" in https://www.home-assistant.io/integrations/mqtt/. The message is
retained, sent again when Home Assistant starts, and taken away by an empty one.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Final, Protocol

from firmware import __version__
from firmware.text.translation import translator
from network.mqtt import topics
from network.mqtt.payloads import Press, encode
from network.mqtt.state import ENTITIES

if TYPE_CHECKING:
    from network.mqtt.device import Device

_OF_MATCH: Final = "{{{{ value_json.match.{field} if value_json.match else None }}}}"
"""A field of the match in play; None is "unknown" there."""

_LONGEST_STATE: Final = 255
"""Characters that Home Assistant keeps of a state."""

_ONLINE: Final = "{{ 'online' if value_json.online else 'offline' }}"


class _Part(Protocol):
    """Makes a part of the message, with its name and identity."""

    def __call__(self, kind: str, name: str, **more: str) -> dict[str, str]: ...


def discovery(device: Device, language: str, *, control: bool) -> bytes:
    """The message for Home Assistant, in a language; with keys to press if they may be pressed."""
    told = translator(language, "language")

    def part(kind: str, name: str, **more: str) -> dict[str, str]:
        return {"p": kind, "name": told.say(ENTITIES[name]), "unique_id": f"{device.client}-{name}", **more}

    message = {
        "dev": {
            "ids": [device.client],
            "name": device.name,
            "mf": "nimmt-companion",
            "mdl": "nimmt-companion",
            "sw": __version__,
        },
        "o": {"name": "nimmt-companion", "sw": __version__},
        "state_topic": topics.table_topic(device.table, topics.STATE),
        "availability_topic": topics.table_topic(device.table, topics.ONLINE),
        "availability_template": _ONLINE,
        "qos": 1,
        "cmps": {**_of_match(part), **_of_box(part, device), **_keys(part, device, control=control)},
    }
    return json.dumps(message, ensure_ascii=False, separators=(",", ":")).encode()


def _of_match(part: _Part) -> dict[str, dict[str, str]]:
    """What is told of the match in play."""

    def text(field: str) -> str:
        return f"{{{{ value_json.match.{field}[:{_LONGEST_STATE}] if value_json.match else None }}}}"

    return {
        "standing": part("sensor", "standing", value_template=text("standing"), icon="mdi:podium"),
        "turn": part("sensor", "turn", value_template=_OF_MATCH.format(field="turn"), icon="mdi:counter"),
        "waiting": part("sensor", "waiting", value_template=text("waiting"), icon="mdi:account-clock"),
        "running": part(
            "binary_sensor",
            "running",
            value_template="{{ 'ON' if value_json.running and value_json.match and not value_json.match.over "
            "else 'OFF' }}",
            icon="mdi:cards-playing",
        ),
    }


def _of_box(part: _Part, device: Device) -> dict[str, dict[str, str]]:
    """What is told of the box itself."""
    return {
        "temperature": part(
            "sensor",
            "temperature",
            value_template="{{ value_json.temperature_c }}",
            device_class="temperature",
            state_class="measurement",
            unit_of_measurement="°C",
            entity_category="diagnostic",
        ),
        "problem": part(
            "binary_sensor",
            "problem",
            value_template="{{ 'ON' if value_json.health or value_json.faults or not value_json.running "
            "else 'OFF' }}",
            device_class="problem",
            entity_category="diagnostic",
            json_attributes_topic=topics.table_topic(device.table, topics.STATE),
            json_attributes_template="{{ {'health': value_json.health | map(attribute='says') | list, "
            "'faults': value_json.faults} | tojson }}",
        ),
    }


def _keys(part: _Part, device: Device, *, control: bool) -> dict[str, dict[str, str]]:
    """The keys that can be pressed from there; those that may not be pressed are taken away."""
    parts = {}
    for key, icon in (("undo", "mdi:undo"), ("mute", "mdi:volume-off")):
        # A part without anything but its kind is one that was there and is no more.
        parts[key] = (
            part(
                "button",
                key,
                command_topic=topics.table_topic(device.table, topics.PRESS),
                payload_press=encode(Press(key)).decode(),
                icon=icon,
            )
            if control
            else {"p": "button"}
        )
    return parts
