"""Which drivers exist: one line each. Nothing is imported before it is asked for.

A driver of another package is found by an entry point of the group "nimmt.drivers". It is named by its port
and its name, and leads to a class with `Options`, like those below. In that package's pyproject.toml:

```toml
[project.entry-points."nimmt.drivers"]
"display.epaper" = "my_package.epaper:Epaper"
```

`driver = "epaper"` under `[display]` chooses it. Installed packages are only searched for a name that is not
in the table, because that takes some 20 ms on a laptop.
"""

from functools import cache
from importlib import import_module
from typing import Any, Final

from hardware.errors import HardwareError, sentence

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
        "auto": "hardware.drivers.auto_scanner:AutoScanner",
        "serial": "hardware.drivers.serial_scanner:SerialScanner",
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

WITH_KEYBOARD: Final = frozenset({"terminal"})
"""The displays whose keyboard takes the place of keys and scanner."""


def is_driver(port: str, name: str) -> bool:
    """Whether `port` has a driver of that name, here or in another installed package."""
    return name in DRIVERS[port] or f"{port}.{name}" in _installed()


def driver(port: str, name: str) -> type[Any]:
    """The driver class for `port` ("display", "buttons", "scanner", "buzzer"); it has `Options`.

    Raises `KeyError` for a name that `is_driver` denies, and `HardwareError` where the
    library that the driver needs is not installed.
    """
    place = DRIVERS[port].get(name) or _installed()[f"{port}.{name}"]
    module, _, attribute = place.partition(":")
    try:
        found: type[Any] = getattr(import_module(module), attribute)
    except ImportError as missing:
        raise HardwareError(
            port,
            sentence(
                "the driver {name} needs the Python package {package}, which is not installed",
                name=repr(name),
                package=repr(missing.name),
            ),
            sentence("install {name}, or choose another driver for [{port}]", name=missing.name, port=port),
        ) from missing
    return found


@cache
def _installed() -> dict[str, str]:
    """The drivers of other packages: "display.epaper" leads to "my_package.epaper:Epaper"."""
    from importlib.metadata import entry_points

    return {one.name: one.value for one in entry_points(group="nimmt.drivers")}
