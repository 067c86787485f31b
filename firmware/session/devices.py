"""Whether the devices of a table work."""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from firmware.config.configuration import Config


class DeviceState(Enum):
    """Whether a device works."""

    OK = "ok"
    NONE = "none"
    """None is configured."""
    FAULT = "fault"


def state_of(device: str, config: Config, faults: Iterable[str]) -> DeviceState:
    """Whether a device works, such as `display` or `journal`; `faults` are the names of those that do not."""
    if any(fault.partition("/")[0] == device for fault in faults):
        return DeviceState.FAULT
    driver = getattr(getattr(config, device, None), "driver", "")
    return DeviceState.NONE if driver == "none" else DeviceState.OK
