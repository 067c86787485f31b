"""The JSON Schema of the protocol: the form of every message that is sent, and of every one that is read."""

from __future__ import annotations

from typing import Any, Final

from msgspec import defstruct
from msgspec.json import schema_components

from firmware.play.extension import installed
from firmware.table_socket.acts import ACTS, SettingsRequest, SnapshotRequest
from firmware.table_socket.messages import SENT, Event, Snapshot

_AT: Final = "#/$defs/"


def schema() -> dict[str, Any]:
    """The schema (2020-12); `sent` and `read` are what the table sends and reads, with what parts add."""
    parts = installed()
    state = [(name, form) for part in parts for name, form in part.STATE.items()]
    whole = defstruct("Snapshot", state, bases=(Snapshot,), tag="snapshot")
    sent = [whole if one is Snapshot else one for one in SENT]
    sent += [
        defstruct(f"{name.title()}Event", [(name, form)], bases=(Event,), tag=name) for name, form in state
    ]
    read = [SnapshotRequest, SettingsRequest, *ACTS, *(act for part in parts for act in part.ACTS)]
    found, defined = schema_components([*sent, *read], ref_template=_AT + "{name}")
    # A step either says what it voids, or what happened.
    defined["PublicStep"]["oneOf"] = [{"required": ["voids"]}, {"required": ["events", "because"]}]
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "the table's socket of nimmt-companion, protocol 1",
        "$defs": {
            "sent": {"anyOf": list(found[: len(sent)])},
            "read": {"anyOf": list(found[len(sent) :])},
            **_closed(defined),
        },
        "anyOf": [{"$ref": f"{_AT}sent"}, {"$ref": f"{_AT}read"}],
    }


def _closed(value: Any) -> Any:  # noqa: ANN401 - any part of a schema
    """A schema in which objects have no other keys; readers are more patient, for later versions."""
    if isinstance(value, list):
        return [_closed(one) for one in value]
    if not isinstance(value, dict):
        return value
    closed = {name: _closed(one) for name, one in value.items() if name != "default"}
    return {**closed, "additionalProperties": False} if "properties" in value else closed
