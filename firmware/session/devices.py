"""Whether the devices of a table work."""

from collections.abc import Iterable
from enum import Enum

from firmware.config.configuration import Config
from hardware.registry import WITH_KEYBOARD


class DeviceState(Enum):
    """Whether a device works."""

    OK = "ok"
    NONE = "none"
    """None is configured."""
    KEYBOARD = "keyboard"
    """None is configured, and the keyboard of the display takes its place."""
    FAULT = "fault"


def state_of(device: str, config: Config, faults: Iterable[str]) -> DeviceState:
    """Whether a device works, such as `display` or `journal`; `faults` are the names of those that do not."""
    if any(fault.partition("/")[0] == device for fault in faults):
        return DeviceState.FAULT
    if getattr(getattr(config, device, None), "driver", "") != "none":
        return DeviceState.OK
    typed = device in ("buttons", "scanner") and config.display.driver in WITH_KEYBOARD
    return DeviceState.KEYBOARD if typed else DeviceState.NONE
