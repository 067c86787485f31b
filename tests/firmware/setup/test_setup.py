"""The guided set-up: what follows from answers, and whole conversations over a simulated Raspberry Pi."""

import contextlib
import fcntl
import os
import select
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TextIO

import pytest

from companion.text.errors import CompanionError
from firmware.cli.main import main
from firmware.commands.setup import guide
from firmware.config.configuration import Config, load, parse
from firmware.service import status
from firmware.setup.conclusions import (
    BoardSeen,
    Draft,
    KeysSeen,
    contacts,
    differing,
    guess,
    judge_keys,
    listening,
    panels,
)
from firmware.setup.config_file import as_toml, save
from firmware.setup.dialogue import Talk
from firmware.setup.machine import System
from firmware.setup.questions import trial_picture
from hardware.boards import BOARDS, board
from hardware.ports import DeviceFault
from hardware.simulation.buses import SimulatedI2cBus
from hardware.simulation.gpio_chip import GpioChip
from hardware.simulation.keyboard_scanner import KeyboardScanner
from hardware.simulation.panels import SimulatedPanel
from tests.hardware.device_setup import SOON_S
from tests.hardware.gpio_setup import fresh_chip
from tests.patience import PATIENCE_S, comes


class Person:
    """Sits at the terminal, and reads before typing."""

    def __init__(self, folder: Path, file: Path, *, ioctl: Callable[..., Any] = fcntl.ioctl) -> None:
        self.status: int | None = None
        self.failed: BaseException | None = None
        self.read = ""
        self._unread = ""
        self._master, slave = os.openpty()
        self._terminal: TextIO = os.fdopen(slave, "w", encoding="utf-8")
        machine = System(folder, ioctl)
        talk = Talk(slave, self._terminal)

        def run() -> None:
            try:
                self.status = guide(talk, machine, file)
            except BaseException as failed:  # noqa: BLE001 - it is looked at by the test
                self.failed = failed

        self._thread = threading.Thread(target=run, daemon=True)
        self._thread.start()

    def sees(self, text: str) -> str:
        """Read on until the text has come; gives what came before it."""
        until_s = time.monotonic() + PATIENCE_S
        while text not in self._unread:
            assert time.monotonic() < until_s, self.read
            assert self.failed is None, (self.failed, self.read)
            if select.select([self._master], [], [], 0.05)[0]:
                came = os.read(self._master, 65536).decode(errors="replace").replace("\r\n", "\n")
                self.read += came
                self._unread += came
        before, _, self._unread = self._unread.partition(text)
        return before

    def answers(self, question: str, answer: str = "") -> str:
        """Wait for the question and type; nothing is Enter alone."""
        before = self.sees(question)
        self.sees("] ")
        self.types(answer)
        return before

    def types(self, text: str = "") -> None:
        os.write(self._master, f"{text}\n".encode())

    def leaves(self) -> None:
        """Close the terminal in the middle of all."""
        os.write(self._master, b"\x04")  # the end of what is typed

    def ends(self) -> int | None:
        """Wait for the end; its exit status, None where it failed."""
        self._thread.join(PATIENCE_S)
        assert not self._thread.is_alive(), self.read
        return self.status

    def close(self) -> None:
        os.close(self._master)
        self._terminal.close()


MS = 1_000_000
BOTH = (0x3C, 0x3D)
HAND_WIRED = board("hand-wired")

# ------------------------------------------------------------------------------------- what follows


@pytest.mark.parametrize(
    ("answering", "spi", "name"),
    [
        ((0x3C,), False, "adafruit-bonnet"),
        ((0x3C,), True, "adafruit-bonnet"),
        ((0x3D,), True, "hand-wired"),
        ((), True, "waveshare-1.3"),
        ((), False, ""),
    ],
)
def test_the_board_is_guessed_by_who_answers(answering: tuple[int, ...], spi: bool, name: str) -> None:
    likely = guess(BoardSeen(answering, spi))
    assert (likely.name if likely else "") == name


def test_panels_are_tried_where_something_answers_and_with_the_controller_of_the_board_first() -> None:
    tried = [one["chip"] for one in panels(HAND_WIRED, BoardSeen((0x3C,)))]
    assert tried == ["ssd1309", "ssd1306", "sh1106"]
    assert {one["address"] for one in panels(HAND_WIRED, BoardSeen((0x3D,)))} == {0x3D}
    assert {one["address"] for one in panels(HAND_WIRED, BoardSeen(BOTH))} == {0x3C}
    silent = BoardSeen(spi=True)  # a panel that is wired by hand may be one with seven wires
    assert {one["bus"] for one in panels(HAND_WIRED, silent)} == {"spi"}
    assert {one["bus"] for one in panels(board("adafruit-bonnet"), silent)} == {"i2c"}


def of_keys(**seen: Any) -> list[tuple[str, str, str]]:
    """What is found wrong with the keys of a hand-wired table."""
    wanted = contacts(HAND_WIRED.buttons)
    keys = KeysSeen(**{"contacts": wanted, "came": frozenset(one.hears for one in wanted), **seen})
    return [(one.part, str(one.says), str(one.fix)) for one in judge_keys(keys) if not one.ok]


def all_but(*names: str) -> frozenset[str]:
    return frozenset(one.hears for one in contacts(HAND_WIRED.buttons)) - {*names}


def test_what_is_wrong_with_keys_is_named_with_the_pins_to_look_at() -> None:
    assert of_keys() == []
    [(_, says, fix)] = of_keys(came=all_but("turn_right"))
    assert (
        says == "the knob to the right was not detected (GPIO 17, header pin 11 and GPIO 27, header pin 13)"
    )
    assert "3.3 V" in fix
    [(_, says, fix)] = of_keys(came=frozenset())
    assert says == "no key was detected"
    assert "ground" in fix
    stray, *_ = of_keys(came=all_but("ok", "undo"), strays=(20,))
    assert "docs/wiring.md" in stray[2]


def test_a_key_that_was_held_is_told_while_it_is_and_a_noisy_one_also_afterwards() -> None:
    held = DeviceFault("buttons/ok", "GPIO 26: held down since the start", "release it")
    assert of_keys(came=all_but("ok"), troubles={"ok": held}) == [("buttons.pins.ok", held.fault, held.check)]
    assert of_keys(troubles={"ok": held}, over=frozenset({"ok"})) == []
    noisy = DeviceFault("buttons/ok", "GPIO 26: the signal is noisy", "look for a loose wire", noisy=True)
    [(_, says, fix)] = of_keys(troubles={"ok": noisy}, over=frozenset({"ok"}))
    assert "noisy before" in says
    assert fix == noisy.check


@pytest.mark.parametrize("one", BOARDS, ids=lambda one: one.name)
def test_every_free_pin_is_listened_to_and_none_that_has_another_duty(one: Any) -> None:
    config = parse(as_toml({"board": one.name}, "", {}), "")
    options, strays = listening(one.buttons, [config.display.options])
    pins = options["pins"]
    assert len(set(pins.values())) == len(pins)
    assert not set(strays.values()) & {2, 3, 14, 15, *one.buttons["pins"].values()}
    if one.display["bus"] == "spi":
        assert not set(pins.values()) & {8, 10, 11, 24, 25}
    used = {gpio for contact in contacts(one.buttons) for gpio in contact.gpios}
    assert used <= {*pins.values(), options.get("encoder_a"), options.get("encoder_b")}


SCANNERS: list[tuple[str, dict[str, object]]] = [
    ("none", {}),
    ("serial", {"port": "/dev/ttyAMA0"}),
    ("serial", {"port": "usb:6666:7777", "baud": 115_200}),
    ("hid", {"device": "usb:1a2b:3c4d"}),
]


@pytest.mark.parametrize("one", BOARDS, ids=lambda one: one.name)
def test_whatever_was_answered_the_file_passes_config_check_and_says_the_same(one: Any) -> None:
    draft = Draft(tables={"board": one.name})
    for seen in (BoardSeen((0x3D,)), BoardSeen(spi=True)):
        for panel, (scanner, options) in zip([*panels(one, seen), None], SCANNERS, strict=True):
            made = (
                draft if panel is None else draft.added("display", differing("display", "oled", panel, one))
            )
            made = made.added("scanner", differing("scanner", scanner, options, one))
            config = parse(as_toml(made.tables, "a board", {}), "the file")
            assert (config.board, config.scanner.driver) == (one.name, scanner)
            wanted = [(config.scanner.options, options), (config.display.options, panel or one.display)]
            for section, values in wanted:
                assert {name: getattr(section, name) for name in values} == values


def test_no_copy_of_an_older_file_is_lost_to_a_newer_one(tmp_path: Path) -> None:
    file = tmp_path / "nimmt.toml"
    assert save("a = 1\n", file) is None
    assert save("a = 2\n", file) == tmp_path / "nimmt.toml.bak"
    assert save("a = 3\n", file) == tmp_path / "nimmt.toml.bak2"
    assert [one.read_text() for one in sorted(tmp_path.iterdir())] == ["a = 3\n", "a = 1\n", "a = 2\n"]


# ------------------------------------------------------------------------------------- whole conversations


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """Where the simulated machine's file system begins."""
    for place in ("machine/dev/input", "machine/sys/class/input"):
        (tmp_path / place).mkdir(parents=True)
    return tmp_path / "machine"


@pytest.fixture
def out(tmp_path: Path) -> Path:
    return tmp_path / "nimmt.toml"


@pytest.fixture
def begin(root: Path, out: Path) -> Iterator[Callable[..., Person]]:
    begun: list[Person] = []

    def begin(**how: Any) -> Person:
        begun.append(Person(root, **{"file": out, **how}))
        return begun[-1]

    yield begin
    for person in begun:
        person.close()


@pytest.fixture
def chip() -> GpioChip:
    return fresh_chip()


def tap(chip: GpioChip, *gpios: int) -> None:
    """A finger presses these keys one after the other, and for long enough."""
    for gpio in gpios:
        at_ns = time.monotonic_ns()
        chip.press(gpio, at_ns)
        chip.release(gpio, at_ns + 40 * MS)


def turn(chip: GpioChip, first: int, second: int) -> None:
    """One detent of a knob; a contact rests for longer than it bounces."""
    at_ns = time.monotonic_ns()
    for number, (gpio, level) in enumerate(((first, 0), (second, 0), (first, 1), (second, 1))):
        chip.drive(gpio, level, at_ns + 5 * number * MS)


def checked(out: Path) -> Config:
    """What was written, as the device will read it."""
    assert main(["config", "check", str(out)]) == main(["config", "check", "--config", str(out)]) == 0
    return load(out)


@pytest.mark.slow
def test_a_hand_wired_table_is_set_up_with_all_that_is_wrong_with_it(
    chip: GpioChip, root: Path, out: Path, begin: Callable[..., Person]
) -> None:
    panel = SimulatedPanel("ssd1306", address=0x3D)  # sold as an SSD1309
    keyboard = KeyboardScanner(root, "USBKey Module")
    with SimulatedI2cBus(panel), contextlib.closing(keyboard):
        person = begin(ioctl=keyboard.ioctl)
        assert "0x3D" in person.answers("Which one is it?")
        person.answers("the number 1", "no")
        person.sees("ssd1306")
        person.sees("the number 2")
        assert panel.seen().tobytes() == trial_picture(2).tobytes()
        person.types()
        person.answers("Are there keys")
        person.sees("Press each key once")
        assert chip.wait_watched(5, 6, 13, 19, 26, 16, 22, 17, 27, 20, timeout_s=SOON_S)
        for gpio in (5, 6, 19, 26, 16, 22):
            tap(chip, gpio)
            person.sees(f"GPIO {gpio},")
        tap(chip, 20)  # ROW 3 is on the wrong pin
        person.sees("GPIO 20, header pin 38: pressed, but no key is configured there")
        turn(chip, 17, 27)
        person.sees("the knob to the")
        turn(chip, 27, 17)
        person.sees("the knob to the")
        person.types()
        person.answers("Where is the scanner plugged in?")
        person.sees("any scanner on USB; the first code tells which keyboard it is")
        assert "Three tones" in person.answers("Did you hear them?", "again")
        person.answers("Did you hear them?")
        person.sees("!!  buttons (GPIO 20)")
        person.sees("header pin 33 if it is ROW 3, or write buttons.pins.row_3 = 20")
        person.sees("!!  buttons (buttons.pins.row_3): ROW 3 was not detected (GPIO 13, header pin 33)")
        person.answers(f"Write it to {out}?")
        assert person.ends() == 1
    assert panel.complaints == []
    config = checked(out)
    assert (config.board, config.scanner.driver) == ("hand-wired", "auto")
    assert config.display.options.chip == "ssd1306"  # type: ignore[attr-defined]
    assert config.display.options.address == 0x3D  # type: ignore[attr-defined]
    assert "address = 0x3D" in out.read_text(encoding="utf-8")


def test_a_key_that_is_held_and_a_wire_that_flutters_are_told_while_they_do_it(
    chip: GpioChip, begin: Callable[..., Person]
) -> None:
    chip.press(4)  # OK of the bonnet
    with SimulatedI2cBus(SimulatedPanel("ssd1306")):
        person = begin()
        person.answers("Which one is it?")
        person.answers("the number 1")
        person.answers("Are there keys")
        person.sees("GPIO 4: held down since the start")
        assert chip.wait_watched(6, timeout_s=SOON_S)
        chip.noise(6, edges=400)
        person.sees("GPIO 6: the signal is noisy")
        person.types()
        before = person.answers("Where is the scanner plugged in?", "none")
        assert "buttons.pins.ok): GPIO 4: held down" in before
        assert "buttons.pins.undo): GPIO 6: the signal is noisy" in before
        assert "UP was not detected (GPIO 17, header pin 11)" in before
        person.answers("Is a piezo wired", "17")
        person.sees("That pin cannot be used")
        person.answers("Is a piezo wired", "none")
        person.answers("Write it to", "no")
        assert person.ends() == 1


def test_a_buzzer_that_nobody_hears_is_tried_as_the_other_kind(
    chip: GpioChip, out: Path, begin: Callable[..., Person]
) -> None:
    def switched_on() -> int:
        return sum(one.level for one in chip.written if one.gpio == 18)

    few = 10  # more are waves; on a busy machine a tone has few of them
    with SimulatedI2cBus(SimulatedPanel("ssd1306")):
        person = begin()
        person.answers("Which one is it?")
        person.answers("the number 1")
        person.answers("Are there keys", "no")
        person.answers("Where is the scanner plugged in?", "none")
        person.answers("Is a piezo wired", "18")
        assert comes(lambda: switched_on() > few)
        person.answers("Did you hear them?", "no")
        person.sees("Three tones")
        chip.written.clear()  # only now: the first kind may sound until it is closed
        person.answers("Did you hear them?", "again")
        assert comes(lambda: switched_on() > 0)
        person.answers("Did you hear them?", "yes")
        assert switched_on() < few
        person.answers("Write it to")
        assert person.ends() == 0
    config = checked(out)
    assert config.buzzer.options.kind == "active"  # type: ignore[attr-defined]
    assert config.buttons.driver == "none"


def test_a_panel_that_does_not_answer_is_told_with_what_to_do_and_the_rest_goes_on(
    out: Path, begin: Callable[..., Person]
) -> None:
    with SimulatedI2cBus():
        person = begin()
        person.answers("Which one is it?", "2")
        person.sees("The display was not found: no answer at 0x3C")
        person.answers("Are there keys", "no")
        person.answers("Where is the scanner plugged in?", "pins")
        person.answers("Is a piezo wired")
        before = person.answers("Write it to")
    assert "fix: check the wires 3V3, GND, SDA and SCL" in before
    assert "no scanner at /dev/ttyAMA0" in before
    assert person.read.count("The display was not found") == 1  # another controller would not answer either
    assert "display: no answer at 0x3C" in before
    assert person.ends() == 1
    assert load(out).board == "adafruit-bonnet"


def test_a_file_that_is_there_is_replaced_on_somebodys_word_only_and_its_players_stay(
    out: Path, begin: Callable[..., Person]
) -> None:
    old = (
        'board = "adafruit-bonnet"\n[table]\nnames = ["Ana", "Bo"]\n[rules.six]\nend = { deals = 3 }\n'
        "[screen]\ndim = 1\n"
    )
    out.write_text(old, encoding="utf-8")
    person = None
    for answer, replaced in (("", False), ("no", False), ("yes", True)):
        person = begin()
        person.answers("Which one is it?")
        person.answers("Where is the scanner plugged in?")
        person.answers("already exists.", answer)
        assert person.ends() == (0 if replaced else 1)
        assert (out.read_text(encoding="utf-8") != old) is replaced
    assert (out.parent / "nimmt.toml.bak").read_text(encoding="utf-8") == old
    assert person is not None
    config = checked(out)
    assert config.board == ""
    assert config.table.names == ("Ana", "Bo")
    assert config.rules == {"six": {"end": {"deals": 3}}}
    assert config.screen.language == "en"
    assert "Not copied from the old file: screen.dim: is not a known key" in person.read


def test_a_terminal_closed_in_the_middle_changes_nothing(out: Path, begin: Callable[..., Person]) -> None:
    out.write_text("", encoding="utf-8")
    person = begin()
    person.answers("Which one is it?")
    person.sees("Where is the scanner plugged in?")
    person.leaves()
    assert person.ends() is None
    assert isinstance(person.failed, CompanionError)
    assert "nothing was written" in person.failed.fault
    assert out.read_text(encoding="utf-8") == ""


def test_a_box_that_is_running_keeps_its_devices(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("RUNTIME_DIRECTORY", str(tmp_path))
    place = status.place(os.environ)
    assert place is not None
    status.StatusFile(place).write({"pid": os.getpid()}, time.monotonic())
    assert main(["setup"]) == 1
    assert "sudo systemctl stop nimmt-companion" in capsys.readouterr().err


def test_a_place_that_cannot_be_written_to_is_told_before_the_first_question(
    tmp_path: Path, begin: Callable[..., Person]
) -> None:
    (tmp_path / "nimmt.toml").touch()
    person = begin(file=tmp_path / "nimmt.toml" / "of-no-folder.toml")
    assert person.ends() is None
    assert isinstance(person.failed, CompanionError)
    assert "--out" in person.failed.fix
    assert person.read == ""
