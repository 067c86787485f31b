"""A small OLED panel that receives the bytes of a bus and shows the picture that they make."""

from __future__ import annotations

import random
import threading

from PIL import Image

from hardware.simulation.controllers import (
    CHIPS,
    COMMAND_LOCK,
    HEIGHT_PX,
    PAGES,
    WIDTH_PX,
    Registers,
    commands_of,
)


class InvalidBytes(ValueError):
    """Bytes that the data sheet does not allow: a bug in a driver."""


class SimulatedPanel:
    """A 128x64 panel with controller `chip` ("ssd1306", "ssd1309" or "sh1106").

    `address` is its I2C address. `seed` is that of the noise in its memory at power-on. All methods may be
    called from any thread.
    """

    def __init__(self, chip: str = "ssd1306", *, address: int = 0x3C, seed: int = 1306) -> None:
        self.chip = CHIPS[chip]
        self.address = address
        self.complaints: list[str] = []  # every InvalidBytes so far, also those that the driver caught
        self._lock = threading.Lock()
        self._rng = random.Random(seed)  # noqa: S311 - noise on a display
        self._plugged = True
        self._acks_left: int | None = None  # payload bytes until the connection fails; None: it does not
        self._unplug_then = False
        self._commands = commands_of(self.chip)
        self._power_on()

    # ------------------------------------------------------------------------- what tests do

    def unplug(self) -> None:
        """Pull the plug: the panel is dark and does not answer."""
        with self._lock:
            self._plugged = False

    def unplug_after(self, byte_count: int) -> None:
        """Pull the plug when `byte_count` more payload bytes have arrived (control bytes count)."""
        with self._lock:
            self._acks_left, self._unplug_then = byte_count, True

    def refuse_after(self, byte_count: int) -> None:
        """Do not acknowledge one byte, when `byte_count` more have arrived; afterwards all works again."""
        with self._lock:
            self._acks_left, self._unplug_then = byte_count, False

    def plug(self) -> None:
        """Plug it in: a power-on reset, with noise in the memory."""
        with self._lock:
            self._acks_left = None
            self._power_on()

    def glitch(self) -> None:
        """The supply voltage drops for too short a time to be noticed, and everything is lost."""
        self.plug()

    # ------------------------------------------------------------------------------------- the wire

    def take_i2c(self, payload: bytes) -> int | None:
        """One I2C write without its address; gives how many bytes were acknowledged.

        None means that the address was not acknowledged either. Raises `InvalidBytes`.
        """
        with self._lock:
            if not self._plugged:
                return None
            accepted = payload if self._acks_left is None else payload[: self._acks_left]
            self._take_controlled(accepted)
            self._count_down(len(payload), len(accepted))
            return len(accepted)

    def take_spi(self, payload: bytes, *, data: bool) -> None:
        """Bytes clocked in while D/C is high (`data`) or low. SPI has no answer. Raises `InvalidBytes`."""
        with self._lock:
            if not self._plugged:
                return
            accepted = payload if self._acks_left is None else payload[: self._acks_left]
            self._take_data(accepted) if data else self._take_commands(accepted)
            self._count_down(len(payload), len(accepted))

    # ------------------------------------------------------------------------- what can be seen

    @property
    def registers(self) -> Registers:
        """The registers at this moment, for reading."""
        return self._registers

    @property
    def lit(self) -> bool:
        """Whether the panel shows anything at all."""
        state = self._registers
        return self._plugged and state.on and (state.pump or not self.chip.dark_without_pump)

    def seen(self) -> Image.Image:
        """What can be seen: the picture of mode "1", or black while the panel is dark."""
        return self.held() if self.lit else Image.new("1", (WIDTH_PX, HEIGHT_PX))

    def held(self) -> Image.Image:
        """What would be seen if the panel were lit.

        The panel is mounted so that columns and rows are both reversed (commands 0xA1 and 0xC8), as on the
        usual modules.
        """
        with self._lock:
            state = self._registers
            pixels = bytearray(WIDTH_PX * HEIGHT_PX)
            for y in range(min(HEIGHT_PX, state.rows_driven)):
                row = y if state.rows_reversed else HEIGHT_PX - 1 - y
                row = (row + state.start_line + state.row_shift) % HEIGHT_PX
                page, bit = self._memory[row // 8], 1 << row % 8
                for x in range(WIDTH_PX):
                    column = x if state.columns_reversed else WIDTH_PX - 1 - x
                    lit = state.all_lit or bool(page[self.chip.first_column + column] & bit)
                    pixels[y * WIDTH_PX + x] = 255 if lit != state.inverted else 0
        return Image.frombytes("L", (WIDTH_PX, HEIGHT_PX), bytes(pixels)).convert(
            "1", dither=Image.Dither.NONE
        )

    # ---------------------------------------------------------------------------------- the chip

    def _power_on(self) -> None:
        self._plugged = True
        self._registers = Registers()
        self._memory = [bytearray(self._rng.randbytes(self.chip.columns)) for _ in range(PAGES)]
        self._pending = b""  # a command that waits for its arguments, and those that came

    def _count_down(self, came: int, accepted: int) -> None:
        if self._acks_left is None:
            return
        self._acks_left -= accepted
        if accepted < came:
            self._acks_left = None
            self._plugged = not self._unplug_then

    def _take_controlled(self, payload: bytes) -> None:
        """Control byte, then one byte (Co = 1) or all the rest (Co = 0); SSD1306 data sheet 8.1.5.2."""
        rest = payload
        while rest:
            control, rest = rest[0], rest[1:]
            if control & 0x3F:
                raise self._complaint(f"the low six bits of control byte 0x{control:02X} are not zero")
            chunk, rest = (rest[:1], rest[1:]) if control & 0x80 else (rest, b"")
            if control & 0x40:
                self._take_data(chunk)
            else:
                self._take_commands(chunk)

    def _take_commands(self, codes: bytes) -> None:
        for code in codes:
            self._pending += bytes((code,))
            opcode = self._pending[0]
            command = self._commands.get(opcode)
            if command is None:
                self._pending = b""
                raise self._complaint(f"0x{opcode:02X} is no command of the {self.chip.name}")
            if len(self._pending) <= command.argument_count:
                continue
            whole, self._pending = self._pending, b""
            if not self._registers.locked or opcode == COMMAND_LOCK:
                try:
                    command.effect(self._registers, whole)
                except ValueError as wrong:
                    raise self._complaint(f"{whole.hex(' ')}: {wrong}") from wrong

    def _take_data(self, cells: bytes) -> None:
        state, columns = self._registers, self.chip.columns
        while cells:
            run, cells = cells[: state.cells_ahead(columns)], cells[state.cells_ahead(columns) :]
            self._memory[state.page][state.column : state.column + len(run)] = run
            state.column += len(run) - 1
            state.step(columns)

    def _complaint(self, about: str) -> InvalidBytes:
        self.complaints.append(about)
        return InvalidBytes(about)
