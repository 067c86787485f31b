"""The seals of steps: each is over all steps of the match before it, so a history is known by its last seal.

They are not those of the journal: those are over hidden cards as well, and a checksum over one of 104 cards
tells which one it is.
"""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from network.mqtt.payloads import Event

LENGTH: Final = 16
"""Characters of a seal, 64 bits: against mistakes. Against forgers there is the broker."""


def first_seal(match: str) -> str:
    """What the seals of the match of this identity begin with."""
    return _hash(match)


def next_seal(before: str, number: int, at: str, record: Mapping[str, Any]) -> str:
    """The seal of a step after the one with the seal `before`."""
    return _hash(before, str(number), at, json.dumps(record, sort_keys=True, separators=(",", ":")))


def header_seal(match: str, record: Mapping[str, Any]) -> str:
    """The seal of a header. It is in no chain: players who join or leave change the header."""
    return next_seal(first_seal(match), 0, "", record)


def follows(before: str, event: Event) -> bool:
    """Whether a step is the one after the step with the seal `before`."""
    return event.seal == next_seal(before, event.number, event.at, event.record)


def is_whole(event: Event) -> bool:
    """Whether a header is as it was sent."""
    return event.number == 0 and event.seal == header_seal(event.match, event.record)


def _hash(*parts: str) -> str:
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()[:LENGTH]
