"""The first start over simulated buses and pins: a person who can read the panel presses a key."""

import contextlib
import os
import queue
import select
import tomllib
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from firmware.card import first_start, light, settings
from firmware.card.first_start import FirstStart, answered, ask_for_ok, question
from firmware.commands import card as command
from firmware.config.configuration import parse
from firmware.setup.machine import System
from hardware.ports import Message
from hardware.simulation.buses import SimulatedI2cBus, SimulatedSpiBus
from hardware.simulation.gpio_chip import GpioChip
from hardware.simulation.panels import SimulatedPanel
from hardware.simulation.scanner_line import ScannerLine
from tests.firmware.flashed.flashed_card import FlashedCard
from tests.firmware.setup.test_setup import tap
from tests.hardware.gpio_setup import fresh_chip
from tests.patience import PATIENCE_S, comes


@pytest.fixture
def chip() -> GpioChip:
    return fresh_chip()


@dataclass
class Person:
    """Presses one key when the first sentence can be read on the panel, and OK's at the second one."""

    chip: GpioChip
    panel: SimulatedPanel
    key: int
    ok: int | None = None
    turned: int = 0
    """By how many degrees the panel is mounted the other way up."""
    asked: int = 0
    read: list[str] = field(default_factory=list)

    def wait(self, inbox: queue.SimpleQueue[Message], for_s: float) -> bool:
        """Time passes while nobody presses anything."""
        assert for_s == first_start.SHOW_S
        self.asked += 1
        wanted = {question().tobytes(): "first", ask_for_ok().tobytes(): "second"}
        told = wanted.get(self.panel.seen().rotate(self.turned).tobytes())
        if told is None:
            return False
        self.read.append(told)
        pin = self.key if told == "first" else self.ok
        if pin is None:
            return False
        assert comes(lambda: self.chip.watched(pin))
        tap(self.chip, pin)
        return answered(inbox, PATIENCE_S)


class Box:
    """A flashed card with the files of a new one, and its root."""

    def __init__(self, folder: Path) -> None:
        self.flashed = FlashedCard(folder)
        self.root = folder / "root"
        self.file = self.root / settings.INSTALLED
        self.file.parent.mkdir(parents=True)
        self.on_card = self.flashed.boot / "nimmt.toml"
        for file in (self.file, self.on_card):
            file.write_text('# mine\n[scanner]\ndriver = "serial"\n')

    def start(self, person: Person) -> int:
        trying = FirstStart(System(), person.wait, partial(command.asks, self.root))
        return command.first_start(self.flashed.card, self.root, trying)


@pytest.fixture
def box(tmp_path: Path) -> Box:
    return Box(tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("key", "ok", "board", "driven_as"),
    [
        (23, None, "adafruit-bonnet", "ssd1306"),
        (26, None, "hand-wired", "ssd1309"),
        (5, 4, "adafruit-bonnet", "ssd1306"),  # both boards have a key at 5
        (5, 26, "hand-wired", "ssd1309"),
        (5, None, "", "ssd1306"),
    ],
)
def test_a_panel_on_i2c_is_found_by_the_person_who_reads_it_and_the_board_by_the_key(
    chip: GpioChip, box: Box, *, key: int, ok: int | None, board: str, driven_as: str
) -> None:
    panel = SimulatedPanel("ssd1306")
    with SimulatedI2cBus(panel):
        box.start(Person(chip, panel, key, ok))
    for file in (box.file, box.on_card):
        config = parse(file.read_text(), str(file))
        assert config.board == board
        assert (config.display.options.chip, config.display.options.address) == (driven_as, 0x3C)  # type: ignore[attr-defined]
        assert config.scanner.driver == "serial"
        assert "# mine" in file.read_text()
    assert box.flashed.mounted == ["rw", "ro"]


def test_a_panel_of_another_kind_is_found_though_first_tries_show_rubbish(chip: GpioChip, box: Box) -> None:
    panel = SimulatedPanel("sh1106", address=0x3D)
    person = Person(chip, panel, 26)
    with SimulatedI2cBus(panel):
        box.start(person)
    assert person.read == ["first"]
    said = tomllib.loads(box.on_card.read_text())
    assert said["board"] == "hand-wired"
    assert said["display"] == {"chip": "sh1106", "address": 0x3D}


@pytest.mark.parametrize(
    ("kind", "turned", "key", "board", "display"),
    [
        ("sh1106", 180, 21, "waveshare-1.3", None),
        ("ssd1306", 0, 21, "waveshare-1.3", {"chip": "ssd1306", "rotate": 0}),
    ],
)
def test_a_panel_on_spi_that_never_answers_is_found_by_whoever_reads_it(
    chip: GpioChip, box: Box, *, kind: str, turned: int, key: int, board: str, display: dict[str, Any] | None
) -> None:
    panel = SimulatedPanel(kind)
    person = Person(chip, panel, key, turned=turned)
    with SimulatedSpiBus(panel, data_line=lambda: bool(chip.read(24))):
        box.start(person)
    assert person.read == ["first"]
    assert panel.complaints == []
    said = tomllib.loads(box.on_card.read_text())
    assert (said["board"], said.get("display")) == (board, display)
    assert parse(box.on_card.read_text(), "it").display.options.bus == "spi"  # type: ignore[attr-defined]


def test_whoever_has_no_keys_answers_with_the_scanner_that_the_configuration_names(
    chip: GpioChip, box: Box, tmp_path: Path
) -> None:
    panel = SimulatedPanel("ssd1306")
    with contextlib.closing(ScannerLine(tmp_path, "ttyAMA0")) as line, SimulatedI2cBus(panel):
        for file in (box.file, box.on_card):
            file.write_text(f'[scanner]\ndriver = "serial"\nport = "{line.path}"\n')

        def scans(inbox: queue.SimpleQueue[Message], _: float) -> bool:
            # What is scanned before the port is open is lost: people scan again.
            for _ in range(round(PATIENCE_S)):
                line.scan("6NC-OKB")
                if answered(inbox, 1.0):
                    return True
            return False

        command.first_start(box.flashed.card, box.root, FirstStart(System(), scans))
    assert "display" in tomllib.loads(box.on_card.read_text())


def test_nothing_answers_and_the_usual_panel_is_used_until_the_next_start(chip: GpioChip, box: Box) -> None:
    before = box.on_card.read_text()
    person = Person(chip, SimulatedPanel(), 26)
    box.start(person)
    assert person.asked == 0  # on a machine without buses nothing can be shown
    assert parse(box.file.read_text(), "it").display.driver == "oled"
    assert box.file.stat().st_mode & 0o777 == 0o644  # the game is another user
    assert box.on_card.read_text() == before


def test_a_panel_that_nobody_reads_is_shown_three_times(chip: GpioChip, box: Box) -> None:
    before, asked = box.on_card.read_text(), list[float]()

    def nobody(_: queue.SimpleQueue[Message], for_s: float) -> bool:
        asked.append(for_s)
        return False

    with SimulatedI2cBus(SimulatedPanel("ssd1306")):
        trying = FirstStart(System(), nobody)
        command.first_start(box.flashed.card, box.root, trying)
    assert len(asked) == 2 * first_start.ROUNDS  # as an SSD1306 and as an SH1106
    assert box.on_card.read_text() == before


@pytest.mark.parametrize("panel", [SimulatedPanel("ssd1306"), None])
def test_whoever_waits_for_the_first_picture_of_a_new_card_is_told_when_it_stands_or_none_will(
    chip: GpioChip, box: Box, panel: SimulatedPanel | None
) -> None:
    pipe = box.root / command.NEW_CARD
    pipe.parent.mkdir(parents=True)
    os.mkfifo(pipe)
    waits = select.poll()
    waits.register(os.open(pipe, os.O_RDONLY | os.O_NONBLOCK))
    told: list[int] = []

    class Nobody(Person):
        def wait(self, _: queue.SimpleQueue[Message], for_s: float) -> bool:
            told.extend(event for _, event in waits.poll(0))
            return False

    person = Nobody(chip, panel or SimulatedPanel(), 26)
    assert waits.poll(0) == []
    with SimulatedI2cBus(panel) if panel else contextlib.nullcontext():
        box.start(person)
    assert set(told) == ({select.POLLHUP} if panel else set())
    assert [event for _, event in waits.poll(0)] == [select.POLLHUP]


@pytest.mark.parametrize("toml", ['board = "hand-wired"', '[display]\ndriver = "none"', "[display\n"])
def test_a_configuration_that_names_a_display_is_left_alone(chip: GpioChip, box: Box, toml: str) -> None:
    box.file.write_text(toml)
    person = Person(chip, SimulatedPanel(), 26)
    with SimulatedI2cBus(person.panel):
        assert box.start(person) == 0
    assert person.asked == 0
    assert box.file.read_text() == toml


# ------------------------------------------------------------------------------------------- the light


def status(*ids: str) -> dict[str, list[dict[str, str]]]:
    return {"issues": [{"id": one} for one in ids]}


@pytest.mark.parametrize(
    ("said", "code"),
    [
        (None, 0),
        (status(), 0),
        (status("scanner"), 0),
        (status("display"), 2),
        (status("configuration", "scanner"), 3),
        (status("journal"), 4),
        (status("journal", "display"), 2),
    ],
)
def test_the_light_blinks_what_hinders_most(said: dict[str, list[dict[str, str]]] | None, code: int) -> None:
    assert light.code_of(said) == code


def test_the_light_is_the_kernels_again_when_nothing_is_wrong(tmp_path: Path) -> None:
    folder = tmp_path / "led0"
    folder.mkdir()
    for name, content in {
        "trigger": "none timer [mmc0] cpu",
        "max_brightness": "255",
        "brightness": "0",
    }.items():
        (folder / name).write_text(content)
    seen: list[tuple[str, float]] = []
    lit = light.BoardLed(folder)
    lit.blink(3, lambda for_s: seen.append(((folder / "brightness").read_text(), for_s)))
    assert seen == [("255", light.ON_S), ("0", light.OFF_S)] * 3 + [("0", light.PAUSE_S)]
    assert (folder / "trigger").read_text() == "none"
    lit.blink(0, lambda for_s: seen.append(("", for_s)))
    assert (folder / "trigger").read_text() == "mmc0"
