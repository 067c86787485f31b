"""A small OLED panel that receives the bytes of a bus and shows the picture that they make.

The registers of its controller, and what each command does to them, are written from the data sheets (SSD1306
rev 1.1, SSD1309 rev 1.1, SH1106 v2.3) and not from any driver: so a driver that is wrong about them shows a
wrong picture. What no driver needs (scrolling, inverse pictures, the command lock) is a complaint, not a
picture.
"""

import random
import threading
from collections.abc import Callable
from typing import Final

from msgspec import Struct
from PIL import Image

WIDTH_PX: Final = 128
HEIGHT_PX: Final = 64
PAGES: Final = HEIGHT_PX // 8
_COMMANDS_FOLLOW, _DATA_FOLLOWS = 0x00, 0x40


class PanelController(Struct, frozen=True):
    """The differences between the controllers."""

    name: str
    columns: int = WIDTH_PX  # of the memory; the panel shows 128 of them
    first_column: int = 0  # the memory column at the left edge of the panel
    windows: bool = True  # has addressing modes and windows; else page addressing only
    dark_without_pump: bool = False  # its charge pump must be switched on by command 0x8D


CHIPS: Final = {
    chip.name: chip
    for chip in (
        PanelController("ssd1306", dark_without_pump=True),
        PanelController("ssd1309"),
        PanelController("ssd1305"),
        PanelController("ssd1315", dark_without_pump=True),
        PanelController("sh1106", columns=132, first_column=2, windows=False),
        PanelController("ch1115", columns=132, first_column=2, windows=False),
    )
}


class Registers(Struct):
    """The controller's state except its memory; the defaults are those after power-on."""

    on: bool = False
    contrast: int = 0x7F
    pump: bool = False
    columns_reversed: bool = False
    rows_reversed: bool = False
    by_page: bool = True  # data stays on its page; else it fills the window, row by row
    column: int = 0
    page: int = 0
    first_column: int = 0
    last_column: int = WIDTH_PX - 1
    first_page: int = 0
    last_page: int = PAGES - 1
    times_switched_off: int = 0

    def cells_ahead(self, columns: int) -> int:
        """So many bytes of data go side by side from here on, before the page or the left edge is next."""
        last = columns - 1 if self.by_page or self.column > self.last_column else self.last_column
        return last - self.column + 1

    def step(self, cells: int, columns: int) -> None:
        """Move on after so many bytes of data, at most `cells_ahead`; SSD1306 data sheet 10.1.3."""
        self.column += cells
        if self.by_page:
            self.column %= columns
        elif self.column == self.last_column + 1:
            self.column = self.first_column
            self.page = self.first_page if self.page == self.last_page else (self.page + 1) % PAGES
        else:
            self.column %= columns


Effect = Callable[[Registers, bytes], None]
"""Changes the registers; the bytes are the whole command, the opcode first."""


class Opcode(Struct, frozen=True):
    """One opcode: how many argument bytes follow it and what it does."""

    argument_count: int
    effect: Effect


def commands_of(chip: PanelController) -> dict[int, Opcode]:
    """The command set of `chip` by opcode."""
    table = {opcode: Opcode(count, effect) for opcodes, count, effect in _SHARED for opcode in opcodes}
    own = _WINDOWED if chip.windows else _PAGED
    return table | {opcode: Opcode(count, effect) for opcodes, count, effect in own for opcode in opcodes}


def _nothing(state: Registers, code: bytes) -> None:
    """Set voltages or clocks, which cannot be seen in a picture."""


def _field(name: str, place: int, mask: int) -> Effect:
    """Sets a register to some bits of one byte of the command; a single bit is a switch."""

    def effect(state: Registers, code: bytes) -> None:
        bits = code[place] & mask
        setattr(state, name, bool(bits) if mask.bit_count() == 1 else bits)

    return effect


def _low_column(state: Registers, code: bytes) -> None:
    state.column = (state.column & 0xF0) | (code[0] & 0x0F)


def _high_column(state: Registers, code: bytes) -> None:
    state.column = (state.column & 0x0F) | (code[0] & 0x0F) << 4


def _only(argument: int) -> Effect:
    """Takes the one value that leaves the picture as it is."""

    def effect(_state: Registers, code: bytes) -> None:
        if code[1] != argument:
            raise ValueError(f"only {argument:02x} is simulated")

    return effect


def _switch(state: Registers, code: bytes) -> None:
    on = bool(code[0] & 1)
    state.times_switched_off += state.on and not on
    state.on = on


def _mode(state: Registers, code: bytes) -> None:
    if code[1] & 0x01:
        raise ValueError("is invalid, or fills column by column, which is not simulated")
    state.by_page = bool(code[1] & 0x02)


def _column_window(state: Registers, code: bytes) -> None:
    state.first_column, state.last_column = code[1] & 0x7F, code[2] & 0x7F
    state.column = state.first_column


def _page_window(state: Registers, code: bytes) -> None:
    state.first_page, state.last_page = code[1] & 0x07, code[2] & 0x07
    state.page = state.first_page


_SHARED: Final[tuple[tuple[range | tuple[int, ...], int, Effect], ...]] = (
    (range(0x10), 0, _low_column),
    (range(0x10, 0x20), 0, _high_column),
    ((0x40,), 0, _nothing),  # the first row is row 0
    ((0x81,), 1, _field("contrast", 1, 0xFF)),
    ((0xA0, 0xA1), 0, _field("columns_reversed", 0, 0x01)),
    ((0xA4, 0xA6), 0, _nothing),  # show the memory, and not inverted
    ((0xA8,), 1, _only(HEIGHT_PX - 1)),  # rows that are driven
    ((0xAE, 0xAF), 0, _switch),
    (range(0xB0, 0xB8), 0, _field("page", 0, 0x07)),
    ((0xC0, 0xC8), 0, _field("rows_reversed", 0, 0x08)),
    ((0xD3,), 1, _only(0)),  # rows that the picture is shifted by
    ((0xD5, 0xD9, 0xDA, 0xDB), 1, _nothing),  # clock, pre-charge, COM pins, VCOMH level
    ((0xE3,), 0, _nothing),  # the no-operation
)
_WINDOWED: Final[tuple[tuple[range | tuple[int, ...], int, Effect], ...]] = (
    ((0x20,), 1, _mode),
    ((0x21,), 2, _column_window),
    ((0x22,), 2, _page_window),
    # The SSD1305 and SSD1309 have no pump; drivers send it all the same, and the chip ignores it.
    ((0x8D,), 1, _field("pump", 1, 0x04)),
    ((0x2E,), 0, _nothing),  # stop scrolling
)
_PAGED: Final[tuple[tuple[range | tuple[int, ...], int, Effect], ...]] = (
    (range(0x30, 0x34), 0, _nothing),  # pump voltage
    ((0xAD,), 1, _nothing),  # pump on or off; on after power-on
    # In no data sheet, but every driver derived from the SSD1306 sends them, and the chip ignores them:
    ((0x20, 0x8D), 0, _nothing),
)


class InvalidBytes(ValueError):
    """Bytes that the data sheet does not allow: a bug in a driver."""


class SimulatedPanel:
    """A 128x64 panel with controller `chip`, as in `CHIPS`.

    `address` is its I2C address. All methods may be called from any thread.
    """

    def __init__(self, chip: str = "ssd1306", *, address: int = 0x3C) -> None:
        self.chip = CHIPS[chip]
        self.address = address
        self.complaints: list[str] = []  # every InvalidBytes so far, also those that the driver caught
        self._lock = threading.Lock()
        self._rng = random.Random(1306)  # noqa: S311 - the noise in its memory at power-on
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
        return self._registers

    @property
    def lit(self) -> bool:
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
            for y in range(HEIGHT_PX):
                row = y if state.rows_reversed else HEIGHT_PX - 1 - y
                page, bit = self._memory[row // 8], 1 << row % 8
                for x in range(WIDTH_PX):
                    column = x if state.columns_reversed else WIDTH_PX - 1 - x
                    pixels[y * WIDTH_PX + x] = 255 if page[self.chip.first_column + column] & bit else 0
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
        """Control byte, then commands or data to the end of the write; SSD1306 data sheet 8.1.5.2."""
        if not payload:
            return
        if payload[0] not in (_COMMANDS_FOLLOW, _DATA_FOLLOWS):
            raise self._complaint(f"control byte 0x{payload[0]:02X} is not simulated")
        take = self._take_data if payload[0] == _DATA_FOLLOWS else self._take_commands
        take(payload[1:])

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
            try:
                command.effect(self._registers, whole)
            except ValueError as wrong:
                raise self._complaint(f"{whole.hex(' ')}: {wrong}") from wrong

    def _take_data(self, cells: bytes) -> None:
        state, columns = self._registers, self.chip.columns
        while cells:
            run, cells = cells[: state.cells_ahead(columns)], cells[state.cells_ahead(columns) :]
            self._memory[state.page][state.column : state.column + len(run)] = run
            state.step(len(run), columns)

    def _complaint(self, about: str) -> InvalidBytes:
        self.complaints.append(about)
        return InvalidBytes(about)
