"""Boards that can be bought or wired, as options for the drivers; and the header that they are wired to.

A board is data: options for the drivers of display, buttons and buzzer, by the names that the configuration
uses. `board = "hand-wired"` in a configuration fills them in, and keys in the file replace them one by one.
So a board has no code, and a board of your own is a configuration file. Tests compare the tables and
the drawings of docs/wiring.md with it.

Pins are BCM numbers, as the drivers take them; pins of the header are counted from 1, as on the board. The
`source` of each board names where its pins were found: a wrong pin may damage a Raspberry Pi.

The two boards that can be bought have no keys for the rows: their joystick chooses a row. Pressing it is OK,
and the key nearest to the thumb is UNDO.
"""

from collections.abc import Mapping
from typing import Any, Final

from msgspec import Struct

from hardware.errors import sentence


class BoardPreset(Struct, frozen=True):
    """A board with its options: `display` for the driver "oled", `buttons` and `buzzer` for "gpio".

    People read `about` in their language (`hardware.errors.sentence`).

    An empty mapping means that the board has no such device.
    """

    name: str
    about: str
    source: str
    display: Mapping[str, Any]
    buttons: Mapping[str, Any]
    buzzer: Mapping[str, Any]


BOARDS: Final[tuple[BoardPreset, ...]] = (
    BoardPreset(
        name="waveshare-1.3",
        about=sentence(
            'Waveshare 1.3" OLED HAT: a joystick on one side of the panel, three keys on the other'
        ),
        # "PIN CONFIGURATION": KEY1 21, KEY2 20, KEY3 16, joystick up 6, down 19, left 5, right 26, press 13,
        # DC 24, CS 8 (CE0), RST 25; SPI with four wires as it is sold. The maker's demo for luma draws with
        # rotate=2; up and down of the joystick go with that.
        source="Waveshare, 1.3inch OLED HAT User Manual V1.0 of 16 October 2017, "
        "https://cdn.shopify.com/s/files/1/0252/6615/9704/files/1.3inch_OLED_HAT_User_Manual.pdf; "
        "the same pins in https://github.com/sinkthemall/OLED_display_Pi_Zero, config.py",
        display={
            "chip": "sh1106",
            "bus": "spi",
            "spi_port": 0,
            "spi_device": 0,
            "spi_speed_hz": 8_000_000,
            "pin_dc": 24,
            "pin_reset": 25,
            "rotate": 2,
        },
        buttons={
            "pins": {"up": 6, "down": 19, "left": 5, "right": 26, "ok": 13, "undo": 20, "why": 16},
            "also_pins": {"ok": 21},
        },
        buzzer={},
    ),
    BoardPreset(
        name="adafruit-bonnet",
        about=sentence(
            'Adafruit 128x64 OLED Bonnet (1.3"): a joystick on one side, keys A and B on the other'
        ),
        # button_U D17, button_D D22, button_L D27, button_R D23, button_C D4, button_A D5, button_B D6.
        source="Adafruit, https://github.com/adafruit/Adafruit_CircuitPython_SSD1306, "
        "examples/ssd1306_bonnet_buttons.py; https://www.adafruit.com/product/3531",
        display={"chip": "ssd1306", "bus": "i2c", "port": 1, "address": 0x3C, "rotate": 0},
        buttons={"pins": {"up": 17, "down": 22, "left": 27, "right": 23, "ok": 4, "undo": 6, "why": 5}},
        buzzer={},
    ),
    BoardPreset(
        name="hand-wired",
        about=sentence('a 2.42" SSD1309 on I2C, four row keys, OK, UNDO, a knob and a piezo'),
        # Without the pins that have another use: 2 and 3 are I2C, 14 and 15 the serial port (a scanner may
        # need it), 0 and 1 the EEPROM of a HAT, 7 to 11 SPI. Each part is on one side of the header, beside a
        # ground pin of its own; docs/wiring.md has and draws them all.
        source="the wiring plan of this project, for the header as in https://raspi.muth.org/pins.html",
        display={"chip": "ssd1309", "bus": "i2c", "port": 1, "address": 0x3C, "rotate": 0},
        buttons={
            "pins": {"row_1": 5, "row_2": 6, "row_3": 13, "row_4": 19, "ok": 26, "undo": 16, "why": 22},
            "encoder_a": 17,
            "encoder_b": 27,
        },
        buzzer={"pin": 18, "kind": "tonal"},
    ),
)


def board(name: str) -> BoardPreset:
    """The board of that name. Raises `KeyError`."""
    return {one.name: one for one in BOARDS}[name]


# https://raspi.muth.org/pins.html: the same on every Raspberry Pi with 40 pins.
HEADER: Final[Mapping[int, int]] = {
    3: 2, 5: 3, 7: 4, 8: 14, 10: 15, 11: 17, 12: 18, 13: 27, 15: 22, 16: 23, 18: 24, 19: 10, 21: 9, 22: 25,
    23: 11, 24: 8, 26: 7, 27: 0, 28: 1, 29: 5, 31: 6, 32: 12, 33: 13, 35: 19, 36: 16, 37: 26, 38: 20, 40: 21,
}  # fmt: skip
"""The GPIO (BCM number) of each pin of the header that has one."""

PIN_OF: Final[Mapping[int, int]] = {gpio: pin for pin, gpio in HEADER.items()}
"""The header's pin of each GPIO."""
