"""The first start: one panel after the other is tried, until somebody answers that they can read it.

An SSD1306 and an SH1106 at the same address cannot be told apart by a program, and a panel on SPI never
answers at all. People can: each try shows a sentence, and a person who can read it presses a key. The key
also tells which board it is, by its pin. Where two boards have a key at this pin, a second sentence asks for
the key OK.
"""

from __future__ import annotations

import queue
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any, Final

from companion.text.errors import CompanionError
from companion.text.sentence import Text, say
from companion.values import Value
from firmware.config.keys import plain
from firmware.display.canvas import Canvas
from firmware.display.glyphs import NARROW, SMALL
from firmware.display.layout import wrap
from firmware.setup.conclusions import differing
from firmware.text.translation import LANGUAGES, Translator
from hardware.boards import BOARDS, BoardPreset
from hardware.errors import HardwareError
from hardware.ports import DeviceFault, DeviceRecovered, Display, Key, KeyPressed, Light, Message

if TYPE_CHECKING:
    from PIL.Image import Image

    from firmware.setup.machine import System

SHOW_S: Final = 7.0
"""How long a sentence stands there: time to read it and to find a key."""
ROUNDS: Final = 3
_LINE_PX: Final = 10
_SETTLE_S: Final = 30.0
_LOOK_S: Final = 0.1

_KEY_NAMES: Final = tuple(key.value for key in Key if key not in (Key.TURN_LEFT, Key.TURN_RIGHT))
"""Names for pins while it matters only which one was pressed."""

PANELS: Final[tuple[Mapping[str, Any], ...]] = (
    {"chip": "ssd1306", "bus": "i2c", "address": 0x3C, "rotate": 0},
    {"chip": "sh1106", "bus": "i2c", "address": 0x3C, "rotate": 0},
    {"chip": "ssd1306", "bus": "i2c", "address": 0x3D, "rotate": 0},
    {"chip": "sh1106", "bus": "i2c", "address": 0x3D, "rotate": 0},
    {"chip": "sh1106", "bus": "spi", "pin_dc": 24, "pin_reset": 25, "rotate": 2},
    {"chip": "ssd1306", "bus": "spi", "pin_dc": 24, "pin_reset": 25, "rotate": 0},
)
"""The panels that are tried, in this order. An SSD1309 shows what an SSD1306 does."""


class PanelFound(Value):
    """The panel that somebody can read; `board` if the key that was pressed belongs to one."""

    panel: Mapping[str, Any]
    board: BoardPreset | None = None

    def added_to(self, toml: str) -> str:
        """A configuration that names no display, with this one."""
        panel = dict(self.panel)
        if self.board is not None:
            toml = f'board = "{self.board.name}"\n\n{toml.lstrip()}'
            if (panel["chip"], self.board.display["chip"]) == ("ssd1306", "ssd1309"):
                panel["chip"] = "ssd1309"  # it shows the same pictures when it is told the same
        settings = differing("display", "oled", panel, self.board)
        rows = [f"{name} = {plain(value)}" for name, value in settings.items()]
        return "\n".join((toml.rstrip(), "", "[display]", *rows, "")) if rows else toml


def names_a_display(tables: Mapping[str, object]) -> bool:
    """Whether a configuration says what the display is: then nothing is tried."""
    return bool(tables.get("board")) or "display" in tables


def question(width_px: int = 128, height_px: int = 64) -> Image:
    """The sentence in every language, for nobody has chosen one yet."""
    return _picture(say("PRESS ANY KEY IF YOU CAN READ THIS"), width_px, height_px)


def ask_for_ok(width_px: int = 128, height_px: int = 64) -> Image:
    """The second sentence in every language."""
    return _picture(say("NOW PRESS THE OK KEY"), width_px, height_px)


def _picture(said: Text, width_px: int, height_px: int) -> Image:
    canvas = Canvas(width_px, height_px)
    texts = (Translator(key).say(said) for key, language in LANGUAGES.items() if language.complete)
    lines = [line for text in texts for line in wrap(text, width_px - 4, (SMALL, NARROW))]
    if canvas.strict and _LINE_PX * len(lines) > height_px:
        raise ValueError(f"{lines} have no room in {height_px} px")
    top_px = (height_px - _LINE_PX * len(lines)) // 2
    for row, line in enumerate(lines):
        font = SMALL if SMALL.width_px(line) <= width_px - 2 else NARROW
        canvas.text_centre(width_px // 2, top_px + _LINE_PX * row, line, font)
    return canvas.image()


def answered(inbox: queue.SimpleQueue[Message], for_s: float) -> bool:
    """Wait for an act of somebody; faults of devices are none."""
    try:
        message = inbox.get(timeout=for_s)
        while isinstance(message, DeviceFault | DeviceRecovered):
            message = inbox.get(timeout=for_s)
    except queue.Empty:
        return False
    return True


class FirstStart:
    """The conversation with the person at the box. `wait` waits for an act, up to a number of seconds.

    `log` is told where a question stands.
    """

    def __init__(
        self,
        machine: System,
        wait: Callable[[queue.SimpleQueue[Message], float], bool] = answered,
        log: Callable[[str], object] = print,
    ) -> None:
        self._machine = machine
        self._wait = wait
        self._log = log
        self._scanner: tuple[str, Mapping[str, Any]] = ("", {})
        self.tried = 0
        """How many panels answered at all in the newest round."""

    def find(self, scanner: Mapping[str, Any], rounds: int = ROUNDS) -> PanelFound | None:
        """The panel that somebody can read; None if nobody has answered, or none is there.

        `scanner` is the table of the configuration: whoever has no keys answers with it.
        """
        options = dict(scanner)
        self._scanner = (str(options.pop("driver", "auto")), options)
        for _ in range(rounds):
            self.tried = 0
            for panel in PANELS:
                if isinstance(self._machine.check("display", "oled", panel), DeviceFault):
                    continue
                self.tried += 1
                found = self._try(panel)
                if found is not None:
                    return found
            if not self.tried:
                return None
        return None

    def _try(self, panel: Mapping[str, Any]) -> PanelFound | None:
        boards = tuple(board for board in BOARDS if board.display["bus"] == panel["bus"])
        with ExitStack() as stack:
            try:
                display = self._machine.make("display", "oled", panel)
                stack.callback(display.close)
                faults: list[Message] = []
                display.start(faults.append)
                display.light(Light.FULL)
                display.draw(question(display.width_px, display.height_px))
                if not _is_shown(display, faults):
                    return None
            except (HardwareError, CompanionError):
                return None
            self._log(f"asks on {dict(panel)}")
            inbox: queue.SimpleQueue[Message] = queue.SimpleQueue()
            with ExitStack() as devices:
                self._start(devices, "scanner", *self._scanner, inbox.put)
                of = self._pressed(devices, _by_pin(boards), inbox)
            if of is None:
                return None
            if len(of) > 1:
                display.draw(ask_for_ok(display.width_px, display.height_px))
                _is_shown(display, faults)
                with ExitStack() as devices:
                    of = self._pressed(devices, {one.buttons["pins"]["ok"]: (one,) for one in of}, inbox)
            return PanelFound(panel, of[0] if of else None)

    def _pressed(
        self,
        devices: ExitStack,
        boards: Mapping[int, tuple[BoardPreset, ...]],
        inbox: queue.SimpleQueue[Message],
    ) -> tuple[BoardPreset, ...] | None:
        """Listen to the keys on the pins of these boards; gives the boards with the first that is pressed.

        None if nobody does anything, no board if it is something else.
        """
        pins = dict(zip(_KEY_NAMES, boards, strict=False))
        pressed: list[int] = []

        def hear(message: Message) -> None:
            if isinstance(message, KeyPressed):
                pressed.append(pins[message.key.value])
            inbox.put(message)

        self._start(devices, "buttons", "gpio", {"pins": pins}, hear)
        if not self._wait(inbox, SHOW_S):
            return None
        return boards[pressed[0]] if pressed else ()

    def _start(
        self,
        devices: ExitStack,
        port: str,
        name: str,
        options: Mapping[str, Any],
        hear: Callable[[Message], None],
    ) -> None:
        try:
            device = self._machine.make(port, name, options)
        except (HardwareError, CompanionError):
            return  # a library is not there, say: the others may do
        devices.callback(device.close)
        device.start(hear)


def _by_pin(boards: Sequence[BoardPreset]) -> dict[int, tuple[BoardPreset, ...]]:
    """The pins of the keys of these boards, each with the boards that have a key there."""
    found: dict[int, tuple[BoardPreset, ...]] = {}
    for board in boards:
        for pin in {*board.buttons["pins"].values(), *board.buttons.get("also_pins", {}).values()}:
            found[pin] = (*found.get(pin, ()), board)
    return found


def _is_shown(display: Display, faults: Sequence[Message]) -> bool:
    """Whether the panel has taken the picture. Not if it faults first, or needs more than `_SETTLE_S`."""
    ends = time.monotonic() + _SETTLE_S
    while not display.settle(_LOOK_S):
        if faults or time.monotonic() > ends:
            return False
    return True
