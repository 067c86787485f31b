"""The boards fit their drivers; what docs/wiring.md says and draws of every wire is what both say."""

import re
import tomllib
import xml.etree.ElementTree as ET
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import pytest

from hardware.boards import BOARDS, BoardPreset, board
from hardware.drivers.gpio_buttons import GpioButtons
from hardware.drivers.gpio_buzzer import GpioBuzzer
from hardware.drivers.luma_oled import Options as OledOptions
from hardware.ports import Key

DOCS: Final = Path(__file__).parents[2] / "docs"
HAND_WIRED: Final = "hand-wired"
HEADINGS: Final = {
    "waveshare-1.3": 'Waveshare 1.3" OLED HAT',
    "adafruit-bonnet": "Adafruit 128x64 OLED bonnet",
    "hand-wired": "The hand-wired table",
}
# The header as it is printed on https://raspi.muth.org/pins.html, from pin 1, two columns as they lie.
HEADER: Final = """
    3V3 5V   2 5V     3 GND   4 14   GND 15   17 18   27 GND   22 23   3V3 24   10 GND
    9 25     11 8     GND 7   0 1    5 GND    6 12    13 GND   19 16   26 20    GND 21
""".split()  # noqa: SIM905 - a list would not look like the header
BUS: Final = {"i2c": {2, 3}, "spi": {8, 10, 11}}
SERIAL: Final = {"/dev/ttyAMA0": {14, 15}}
SUPPLIES: Final = {"3V3": "3.3 V", "5V": "5 V", "GND": "ground"}
SVG: Final = "{http://www.w3.org/2000/svg}"
LABEL_PX: Final = 79
"""From the middle of a pin of a drawing to the middle of the label beside it."""

each_board = pytest.mark.parametrize("chosen", BOARDS, ids=lambda one: one.name)


@dataclass(frozen=True)
class Row:
    """A wire: a row of a table of the page, or a line of a drawing."""

    part: str
    contact: str
    pin: int
    leads_to: str
    key: str


def section(heading: str) -> str:
    text = (DOCS / "wiring.md").read_text(encoding="utf-8")
    found = re.search(rf"^## {re.escape(heading)}\n(.*?)(?=^## |\Z)", text, re.MULTILINE | re.DOTALL)
    assert found, heading
    return found.group(1)


def rows(name: str) -> list[Row]:
    found = []
    for line in section(HEADINGS[name]).splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if line.startswith("|") and len(cells) == 5 and cells[2].isdigit():
            found.append(Row(cells[0], cells[1], int(cells[2]), cells[3], cells[4].strip("`")))
    return found


def drawing(name: str) -> ET.Element:
    return ET.parse(DOCS / "pictures" / f"wiring-{name}.svg").getroot()  # noqa: S314 - our own


def words_at(root: ET.Element) -> dict[tuple[float, float], str]:
    return {
        (float(one.attrib["x"]), float(one.attrib["y"])): one.text or "" for one in root.iter(f"{SVG}text")
    }


def drawn_pins(root: ET.Element) -> dict[tuple[float, float], int]:
    """The number of each pin by the place of its middle."""
    return {(x, y - 4): int(words) for (x, y), words in words_at(root).items() if words.isdigit()}


def drawn_wires(name: str) -> Iterator[Row]:
    """The wires of a drawing: each begins in the middle of a pin, whose label says what it leads to."""
    root = drawing(name)
    words, pins = words_at(root), drawn_pins(root)
    for group in (root, *root.iterfind(f"{SVG}g[@data-part]")):
        for wire in group.iterfind(f"{SVG}g[@class='wire']"):
            line, contact = wire.find(f"{SVG}line"), wire.find(f"{SVG}text")
            assert line is not None
            assert contact is not None
            x, y, end_x = (float(line.attrib[at]) for at in ("x1", "y1", "x2"))
            label = words[x + (LABEL_PX if end_x > x else -LABEL_PX), y + 4]
            key = wire.get("data-key", "")
            yield Row(group.get("data-part", ""), contact.text or "", pins[x, y], label, key)


def pins_of_preset(chosen: BoardPreset) -> dict[str, set[int]]:
    """Each key of the configuration that takes a GPIO, by the preset and by the scanners' defaults."""
    taken = {f"buttons.pins.{key}": {gpio} for key, gpio in chosen.buttons["pins"].items()}
    taken |= {f"buttons.also_pins.{key}": {gpio} for key, gpio in chosen.buttons.get("also_pins", {}).items()}
    taken |= {f"buttons.{key}": {chosen.buttons[key]} for key in chosen.buttons if key.startswith("encoder_")}
    taken |= {f"display.{key}": {gpio} for key, gpio in chosen.display.items() if key.startswith("pin_")}
    taken["display.bus"] = BUS[chosen.display["bus"]]
    if chosen.buzzer:
        taken["buzzer.pin"] = {chosen.buzzer["pin"]}
    if chosen.name == HAND_WIRED:
        taken["scanner.port"] = SERIAL[example_of_scanner()["port"]]
    return taken


def example_of_scanner() -> dict[str, str]:
    [example] = re.findall(r"```toml\n(.*?)```", section("The scanner"), re.DOTALL)
    scanner: dict[str, str] = tomllib.loads(example)["scanner"]
    return scanner


@each_board
def test_each_gpio_of_the_page_is_the_one_of_the_preset(chosen: BoardPreset) -> None:
    written: dict[str, set[int]] = {}
    for row in rows(chosen.name):
        if row.key:
            written.setdefault(row.key, set()).add(int(row.leads_to.removeprefix("GPIO ")))
    assert written == pins_of_preset(chosen)


@each_board
def test_each_pin_of_the_page_is_where_the_header_has_it(chosen: BoardPreset) -> None:
    for row in rows(chosen.name):
        there = HEADER[row.pin - 1]
        assert row.leads_to == SUPPLIES.get(there, f"GPIO {there}"), row
        assert bool(row.key) == row.leads_to.startswith("GPIO "), row


def test_every_part_wired_by_hand_has_a_ground_and_what_needs_power_has_it() -> None:
    of_part: dict[str, set[str]] = {}
    for row in rows(HAND_WIRED):
        of_part.setdefault(row.part, set()).add(row.leads_to)
    assert all("ground" in leads for leads in of_part.values())
    assert "3.3 V" in of_part["display"]
    assert "5 V" in of_part["scanner"]
    assert [row.part for row in rows(HAND_WIRED) if row.leads_to == "5 V"] == ["scanner"]


def test_what_the_scanner_sends_the_raspberry_pi_receives() -> None:
    serial = {row.contact: row.leads_to for row in rows(HAND_WIRED) if row.key == "scanner.port"}
    assert serial == {"RX": "GPIO 14", "TX": "GPIO 15"}  # GPIO 14 is TXD, GPIO 15 RXD


@each_board
def test_the_drawing_shows_the_wires_of_the_page(chosen: BoardPreset) -> None:
    def ends(wires: Iterable[Row]) -> set[tuple[int, str, str]]:
        return {(wire.pin, wire.leads_to, wire.key) for wire in wires}

    assert ends(drawn_wires(chosen.name)) == ends(rows(chosen.name))
    assert f"(pictures/wiring-{chosen.name}.svg)" in section(HEADINGS[chosen.name])


@each_board
def test_every_pin_of_a_drawing_is_labelled_as_the_header_is(chosen: BoardPreset) -> None:
    root = drawing(chosen.name)
    words, pins = words_at(root), drawn_pins(root)
    assert sorted(pins.values()) == list(range(1, 41))
    for (x, y), pin in pins.items():
        there = HEADER[pin - 1]
        label = words[x + (-LABEL_PX if pin % 2 else LABEL_PX), y + 4]
        assert label == SUPPLIES.get(there, f"GPIO {there}")


# ------------------------------------------------------------------------------------------- the boards


@each_board
def test_a_board_is_what_its_drivers_understand(chosen: BoardPreset) -> None:
    OledOptions(**chosen.display)
    GpioButtons(GpioButtons.Options(**chosen.buttons))
    if chosen.buzzer:
        GpioBuzzer(GpioBuzzer.Options(**chosen.buzzer))
    assert "http" in chosen.source
    assert board(chosen.name) is chosen


@each_board
def test_every_board_can_say_yes_take_back_ask_why_and_choose_a_row(chosen: BoardPreset) -> None:
    keys = {Key(name) for name in chosen.buttons["pins"]}
    assert {Key.OK, Key.UNDO, Key.WHY} <= keys
    assert {Key.ROW_1, Key.ROW_2, Key.ROW_3, Key.ROW_4} <= keys or {Key.UP, Key.DOWN} <= keys
