"""Which drivers exist: one line each. Nothing is imported before it is asked for."""

from __future__ import annotations

from importlib import import_module
from typing import Any, Final

from hardware.errors import HardwareError

DRIVERS: Final[dict[str, dict[str, str]]] = {
    "display": {
        "terminal": "hardware.drivers.terminal:Terminal",
        "oled": "hardware.drivers.luma_oled:Oled",
        "png": "hardware.drivers.png_display:PngDisplay",
        "simulated": "hardware.drivers.simulated:SimulatedDisplay",
        "none": "hardware.drivers.simulated:NoDisplay",
    },
    "buttons": {
        "gpio": "hardware.drivers.gpio_buttons:GpioButtons",
        "simulated": "hardware.drivers.simulated:SimulatedButtons",
        "none": "hardware.drivers.simulated:NoButtons",
    },
    "scanner": {
        "serial": "hardware.drivers.serial_scanner:SerialScanner",
        "gm65": "hardware.drivers.gm65_scanner:Gm65Scanner",
        "gm67": "hardware.drivers.gm67_scanner:Gm67Scanner",
        "hid": "hardware.drivers.hid_scanner:HidScanner",
        "simulated": "hardware.drivers.simulated:SimulatedScanner",
        "none": "hardware.drivers.simulated:NoScanner",
    },
    "buzzer": {
        "gpio": "hardware.drivers.gpio_buzzer:GpioBuzzer",
        "simulated": "hardware.drivers.simulated:SimulatedBuzzer",
        "none": "hardware.drivers.simulated:NoBuzzer",
    },
}


def driver(port: str, name: str) -> type[Any]:
    """The driver class for `port` ("display", "buttons", "scanner", "buzzer"); it has `Options`.

    Raises `KeyError` for a name that is not in the table, and `HardwareError` where the
    library that the driver stands on is not installed.
    """
    module, _, attribute = DRIVERS[port][name].partition(":")
    try:
        found: type[Any] = getattr(import_module(module), attribute)
    except ImportError as missing:
        raise HardwareError(
            port,
            f"the driver {name!r} needs the Python package {missing.name!r}, which is not installed",
            f"install {missing.name}, or choose another driver for [{port}]",
        ) from missing
    return found
