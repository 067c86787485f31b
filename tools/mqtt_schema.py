"""Writes docs/mqtt.schema.json: the form of every message of `network.mqtt.payloads`. A test compares."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Final

from network.mqtt.payloads import OF_TOPIC, schema

SCHEMA: Final = Path(__file__).parents[1] / "docs" / "mqtt.schema.json"


def schema_text() -> str:
    """The schema as it is written: one definition for each topic, by its last word."""
    whole = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "the messages of nimmt-companion over MQTT, version 1, by the last word of the topic",
        "$defs": {name: schema(kind) for name, kind in OF_TOPIC.items()},
    }
    return json.dumps(whole, indent=1) + "\n"


if __name__ == "__main__":
    SCHEMA.write_text(schema_text(), encoding="utf-8")
