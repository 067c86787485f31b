"""A pin has one duty: what the configuration says of a pin that is given twice."""

import re
from pathlib import Path
from typing import Any

import pytest

from firmware.config import configuration
from firmware.config.keys import ConfigError, Problem, keys_of
from firmware.config.pins import claims
from hardware.registry import DRIVERS

DOCS = Path(__file__).parents[3] / "docs"


def only_problem_of(text: str) -> Problem:
    with pytest.raises(ConfigError) as caught:
        configuration.parse(text, "nimmt.toml")
    (problem,) = caught.value.problems
    return problem


def test_a_key_on_the_wires_of_the_display_is_refused() -> None:
    problem = only_problem_of(
        """
        [display]
        driver = "oled"
        bus = "i2c"
        [buttons]
        driver = "gpio"
        pins = { ok = 3 }
        """
    )
    assert (problem.path, problem.came) == ("buttons.pins.ok", "3")
    assert problem.fault == "GPIO3 is already used by display.bus (I2C clock)"


def test_a_buzzer_on_the_pin_of_a_key_is_refused() -> None:
    problem = only_problem_of(
        """
        [buttons]
        driver = "gpio"
        pins = { ok = 26, undo = 16 }
        [buzzer]
        driver = "gpio"
        pin = 16
        """
    )
    assert (problem.path, problem.fault) == ("buzzer.pin", "GPIO16 is already used by buttons.pins.undo")


def test_two_keys_on_one_pin_are_refused() -> None:
    problem = only_problem_of('[buttons]\ndriver = "gpio"\npins = { ok = 26, undo = 26 }')
    assert (problem.path, problem.fault) == (
        "buttons.pins.undo",
        "GPIO26 is already used by buttons.pins.ok",
    )


def test_a_panel_on_spi_leaves_the_pins_of_i2c_alone() -> None:
    text = '[display]\ndriver = "oled"\nbus = "spi"\n[buttons]\ndriver = "gpio"\npins = {{ ok = {} }}'
    configuration.parse(text.format(3), "nimmt.toml")
    for gpio, wire in ((24, "display.pin_dc"), (8, "display.bus (SPI chip select)")):
        assert only_problem_of(text.format(gpio)).fault == f"GPIO{gpio} is already used by {wire}"


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


def test_a_key_on_the_wires_of_a_scanner_module_is_refused() -> None:
    problem = only_problem_of(
        """
        [buttons]
        driver = "gpio"
        pins = { ok = 15 }
        [scanner]
        driver = "serial"
        port = "/dev/ttyAMA0"
        """
    )
    assert problem.path == "buttons.pins.ok"
    assert problem.fault == "GPIO15 is already used by scanner.port (serial RXD)"
    assert problem.fix == "move it to a free GPIO"
