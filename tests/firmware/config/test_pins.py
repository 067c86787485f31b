"""A pin has one duty: what the configuration says of a pin that is given twice."""

import re
from pathlib import Path
from typing import Any

import pytest

from firmware.config import configuration
from firmware.config.keys import ConfigError, keys_of
from firmware.config.pins import claims
from hardware.registry import DRIVERS

DOCS = Path(__file__).parents[3] / "docs"


OLED = 'display = { driver = "oled", bus = "i2c" }'
SPI = 'display = { driver = "oled", bus = "spi" }'
SERIAL = 'scanner = { driver = "serial", port = "/dev/ttyAMA0" }'


@pytest.mark.parametrize(
    ("other", "keys", "pin", "gpio", "wire"),
    [
        (OLED, "ok = 3", "buttons.pins.ok", 3, "display.bus (I2C clock)"),
        (SPI, "ok = 24", "buttons.pins.ok", 24, "display.pin_dc"),
        (SPI, "ok = 8", "buttons.pins.ok", 8, "display.bus (SPI chip select)"),
        (SERIAL, "ok = 15", "buttons.pins.ok", 15, "scanner.port (serial RXD)"),
        ("", "ok = 26, undo = 26", "buttons.pins.undo", 26, "buttons.pins.ok"),
        ('buzzer = { driver = "gpio", pin = 16 }', "undo = 16", "buzzer.pin", 16, "buttons.pins.undo"),
    ],
)
def test_a_pin_that_is_used_already_is_refused(other: str, keys: str, pin: str, gpio: int, wire: str) -> None:
    with pytest.raises(ConfigError) as caught:
        configuration.parse(f'{other}\nbuttons = {{ driver = "gpio", pins = {{ {keys} }} }}', "nimmt.toml")
    (problem,) = caught.value.problems
    assert (problem.path, problem.came) == (pin, str(gpio))
    assert problem.fault == f"GPIO{gpio} is already used by {wire}"
    one = "it" if "(" in wire else "one of the two"
    assert problem.fix == f"move {one} to a free GPIO"


def test_a_panel_on_spi_leaves_the_pins_of_i2c_alone() -> None:
    configuration.parse(f'{SPI}\nbuttons = {{ driver = "gpio", pins = {{ ok = 3 }} }}', "nimmt.toml")


EVERY_DRIVER = [(port, name) for port, names in DRIVERS.items() for name in names]


@pytest.mark.parametrize(("port", "name"), EVERY_DRIVER)
def test_every_option_that_is_a_pin_is_looked_at(port: str, name: str) -> None:
    options = configuration.options_of(port, name)
    keys = {key.name: key for key in keys_of(options)}
    says_pin = re.compile(r"(\w+ ){0,2}(GPIO|pin)\b")
    pins = [key for key in keys.values() if key.item is int and says_pin.match(key.about)]
    given: dict[str, Any] = {key.name: {"ok": 21} if key.shape is dict else 21 for key in pins}
    if "bus" in keys:
        given["bus"] = "spi"  # on I2C the pins of the other bus stay free
    given |= {key.name: "somewhere" for key in keys.values() if key.required and key.name not in given}
    taken = {claim.path.split(".")[1] for claim in claims(port, options(**given)) if claim.gpio == 21}
    assert taken == {key.name for key in pins}
