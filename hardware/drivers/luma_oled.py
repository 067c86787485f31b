"""A small OLED with an SSD1306, SSD1309 or SH1106 on I2C or SPI; when to draw and what, others decide.

The controllers' set-up sequences, their commands and the bus come from luma.oled. Our own is how a
frame travels: luma sends every frame whole, 93 ms at 100 kHz; here only the changed bytes do.

Luma is imported when the panel is opened, in the panel's own thread: it costs a tenth of a second on a
Zero 2 W, and a person who has another display need not have it.
"""

from __future__ import annotations

import time
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

from hardware.errors import HardwareError
from hardware.options import option
from hardware.panel.background import Background
from hardware.panel.bus_faults import i2c_place, missing_package, named, spi_place
from hardware.panel.partial_update import ADDRESSING, changed, everything, pack
from hardware.ports import Light

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from PIL.Image import Image

    from hardware.ports import Message

_GLASS_WIDTH_PX: Final = 128
_GLASS_HEIGHT_PX: Final = 64
_NO_OPERATION: Final = 0xE3  # SSD1306 data sheet 9, table 9-1; SH1106 data sheet command 21
_FLUSH: Final = (_NO_OPERATION, _NO_OPERATION)
"""A command that was cut off still waits for up to two arguments, and would eat whatever comes next."""

_I2C_ADDRESSES: Final = (0x3C, 0x3D)  # what the address jumper of these panels can choose

_SPI_SPEEDS_HZ: Final = tuple(  # those that luma's spi accepts
    int(mhz * 1_000_000) for mhz in (0.5, 1, 2, 4, 8, 16, 20, 24, 28, 32, 36, 40, 44, 48, 50, 52)
)


@dataclass(frozen=True, slots=True)
class Options:
    """How the panel is wired and how bright it shall be. Pins are BCM numbers."""

    chip: str = option(
        "the display controller; the shop's description names it, the board does not",
        "ssd1306",
        among=("ssd1306", "ssd1309", "sh1106"),
    )
    bus: str = option("the bus: i2c has four pins, spi has seven", "i2c", among=("i2c", "spi"))
    port: int = option("I2C bus number: /dev/i2c-<port>", 1, low=0, high=99)
    address: int = option("I2C address, 0x3C or 0x3D", 0x3C, low=0x08, high=0x77)
    spi_port: int = option("SPI bus number: /dev/spidev<port>.<device>", 0, low=0, high=9)
    spi_device: int = option("SPI chip select: 0 is CE0 (pin 24), 1 is CE1 (pin 26)", 0, low=0, high=9)
    spi_speed_hz: int = option("SPI clock in Hz", 8_000_000, among=_SPI_SPEEDS_HZ)
    pin_dc: int = option("GPIO of the D/C line of an SPI panel", 24, low=2, high=27)
    pin_reset: int = option("GPIO of the RES line of an SPI panel", 25, low=2, high=27)
    rotate: int = option(
        "clockwise quarter turns of the picture, for a panel that is mounted rotated", 0, among=(0, 1, 2, 3)
    )
    contrast_full: int = option("contrast during play, 0 to 255", 0xCF, low=0, high=255)
    contrast_dim: int = option("contrast while dimmed, 0 to 255", 0x10, low=0, high=255)
    refresh_s: float = option(
        (
            "seconds between two repetitions of setup and picture, which restore a panel that briefly lost "
            "power; 0 means never"
        ),
        60.0,
        low=0.0,
        high=86_400.0,
    )


class Oled:
    """The display port over an OLED panel; see `hardware.ports.Display`.

    Draws in a thread of its own. When the panel is closed, or the program ends, the last frame stays
    on the glass: it may be the one that says that the plug may be pulled.
    """

    def __init__(self, options: Options, *, now_s: Callable[[], float] = time.monotonic) -> None:
        self._panel = LumaPanel(options)
        self._background = Background("display", self._panel, refresh_s=options.refresh_s, now_s=now_s)
        self.width_px = self._panel.width_px
        self.height_px = self._panel.height_px

    def start(self, post: Callable[[Message], None]) -> None:
        """Begin; a panel that is not there is a fault, tried again every two seconds."""
        self._background.start(post)

    def draw(self, frame: Image) -> None:
        """Show a picture; `ValueError` if it is not of mode "1" and the panel's size."""
        self._background.draw(frame)

    def light(self, level: Light) -> None:
        """Set the brightness."""
        self._background.light(level)

    def settle(self, timeout_s: float) -> bool:
        """Wait until everything drawn so far is on the panel; False if it is not in time."""
        return self._background.settle(timeout_s)

    def check(self) -> str:
        """Ask the panel for a sign of life; over I2C its picture is not touched."""
        return self._panel.check()

    def close(self) -> None:
        """Stop; the picture stays."""
        self._background.close()


class LumaPanel:
    """The blocking panel (see `hardware.panel.background.Panel`): a living luma device over a mortal bus.

    Luma's device object is made once and kept, because each one made leaves a hook for the end of the
    program; after a fault only the bus beneath it is opened again and the set-up is sent anew.
    """

    def __init__(self, options: Options) -> None:
        upright = options.rotate % 2 == 0
        self.width_px = _GLASS_WIDTH_PX if upright else _GLASS_HEIGHT_PX
        self.height_px = _GLASS_HEIGHT_PX if upright else _GLASS_WIDTH_PX
        self._options = options
        self._place = (
            i2c_place(options.port, options.address)
            if options.bus == "i2c"
            else spi_place(options.spi_port, options.spi_device)
        )
        self._wire = _Wire()
        self._glass: Any = None
        self._set_up: tuple[int, ...] = ()  # luma's initialisation; its first command switches the panel off
        self._level = Light.OFF
        self._frame: Image | None = None

    def open(self) -> None:
        """Open the bus and initialise the panel, which stays dark; its memory counts as unknown."""
        with self._named_faults():
            if self._glass is None:
                self._glass = _glass_class(self._options.chip)(self._wire, rotate=self._options.rotate)
                self._set_up = self._wire.noted[0]
            self._wire.connect(self._options)
            self._glass.forget()
            self._frame, self._level = None, Light.OFF
            self._glass.command(*_FLUSH, *self._set_up)

    def show(self, frame: Image) -> None:
        """Send what differs from the last frame; all of it if that is not known to have arrived."""
        with self._named_faults():
            self._glass.display(frame)
        self._frame = frame

    def light(self, level: Light) -> None:
        """Set the contrast and switch the panel on or off."""
        with self._named_faults():
            self._send_light(level)
        self._level = level

    def refresh(self) -> None:
        """Repeat set-up, contrast, frame and switch; a healthy panel shows nothing of it.

        A panel whose supply dipped has lost all four, and on SPI nothing would ever tell.
        """
        with self._named_faults():
            self._glass.command(*_FLUSH, *self._set_up[1:])  # without "off": it would blink
            self._glass.forget()
            if self._frame is not None:
                self._glass.display(self._frame)
            self._send_light(self._level)

    def close(self) -> None:
        """Free the bus; nothing is sent."""
        self._wire.cleanup()

    def check(self) -> str:
        """One line about what answered; raises `HardwareError`.

        Over I2C the picture is not touched. Opening SPI pulls RES, which leaves the panel dark.
        """
        chip, width, height = self._options.chip, self.width_px, self.height_px
        try:
            with self._named_faults():
                self._wire.connect(self._options)
                self._wire.command(_NO_OPERATION)
        except HardwareError as silence:
            neighbour = self._answering_neighbour()
            if neighbour is None:
                raise
            raise HardwareError(
                silence.device,
                f"{silence.fault}, but something answers at 0x{neighbour:02X}",
                f"set address = 0x{neighbour:02X} in [display]",
            ) from silence
        finally:
            self.close()
        if self._options.bus == "i2c":
            return f"an {chip} ({width}x{height}) answers at {self._place.name}"
        return f"{self._place.name} is open for an {chip} ({width}x{height}); SPI panels do not answer"

    def _send_light(self, level: Light) -> None:
        if level is Light.OFF:
            self._glass.hide()
            return
        self._glass.contrast(
            self._options.contrast_full if level is Light.FULL else self._options.contrast_dim
        )
        self._glass.show()

    def _answering_neighbour(self) -> int | None:
        """The other address of the panels' jumper, if somebody answers there."""
        if self._options.bus != "i2c":
            return None
        for address in _I2C_ADDRESSES:
            if address == self._options.address:
                continue
            try:
                self._wire.connect(replace(self._options, address=address))
                self._wire.command(_NO_OPERATION)
            except Exception:  # noqa: BLE001, S112 - silence there as well; the first error says all
                continue
            return address
        return None

    @contextmanager
    def _named_faults(self) -> Iterator[None]:
        """Turn what luma, smbus2 and spidev raise into a `HardwareError` that says what to do.

        Luma's errors are no `OSError`, and not every error is luma's: its command() translates what the
        kernel says, its data() lets it through (https://github.com/rm-hull/luma.oled/issues/273).
        """
        try:
            yield
        except HardwareError:
            raise
        except ImportError as missing:
            raise missing_package("display", missing) from missing
        except Exception as seen:
            if not isinstance(seen, OSError) and not type(seen).__module__.startswith("luma."):
                raise  # a mistake of ours
            raise named("display", seen, self._place) from seen


class _Wire:
    """What a luma device takes for its bus; the real one behind it may die and be replaced.

    While there is none, commands are noted, so that the device can be made with no panel present.
    """

    def __init__(self) -> None:
        self.noted: list[tuple[int, ...]] = []
        self._bus: Any = None
        self._pins: _Pins | None = None

    def connect(self, options: Options) -> None:
        """Open the real bus; luma's, the kernel's and gpiozero's errors pass through."""
        from luma.core.interface import serial

        self.cleanup()
        if options.bus == "i2c":
            self._bus = serial.i2c(port=options.port, address=options.address)
            return
        self._pins = _Pins()
        try:
            self._bus = serial.spi(
                gpio=self._pins,
                port=options.spi_port,
                device=options.spi_device,
                bus_speed_hz=options.spi_speed_hz,
                gpio_DC=options.pin_dc,
                gpio_RST=options.pin_reset,
                reset_hold_time=0.001,  # 3 us would do (SSD1306 data sheet 8.9), but not on long wires
                reset_release_time=0.001,
            )
        except BaseException:
            self.cleanup()
            raise

    def command(self, *codes: int) -> None:
        if self._bus is None:
            self.noted.append(codes)
        else:
            self._bus.command(*codes)

    def data(self, cells: list[int]) -> None:
        self._bus.data(cells)

    def cleanup(self) -> None:
        """Free the bus and the pins. Luma calls it as well when the program ends."""
        bus, self._bus = self._bus, None
        pins, self._pins = self._pins, None
        if bus is not None:
            bus.cleanup()
        if pins is not None:
            pins.cleanup()


class _Pins:
    """The few calls of RPi.GPIO that luma's spi makes, by gpiozero: RPi.GPIO is dead on a Raspberry Pi 5.

    The pin factory is the one of the process (`GPIOZERO_PIN_FACTORY`), which the buttons use as well.
    """

    OUT: Final = 0
    LOW: Final = 0
    HIGH: Final = 1

    def __init__(self) -> None:
        self._outputs: dict[int, Any] = {}

    def setup(self, pin: int, direction: int) -> None:
        from gpiozero import OutputDevice

        try:
            self._outputs[pin] = OutputDevice(pin, initial_value=True)  # RES rests high; D/C rests anywhere
        except ImportError:
            raise
        except Exception as seen:  # gpiozero's and lgpio's errors have no standard ancestor
            raise HardwareError(
                "display",
                f"GPIO{pin} cannot be used: {seen}",
                "check pin_dc and pin_reset in [display]; nothing else may use these two pins",
            ) from seen

    def output(self, pin: int, level: int) -> None:
        self._outputs[pin].value = level

    def cleanup(self) -> None:
        for output in self._outputs.values():
            output.close()
        self._outputs.clear()


def _glass_class(chip: str) -> Any:  # noqa: ANN401 - luma has no annotations; this is where that ends
    """The luma device class of `chip`, changed so that it sends only what changed."""
    import luma.oled.device

    base: Any = getattr(luma.oled.device, chip)
    addressing = ADDRESSING[chip]

    class Glass(base):  # type: ignore[misc]
        """A luma device that remembers what the panel's memory holds."""

        _sent: bytes | None = None  # None: not known

        def __init__(self, wire: _Wire, *, rotate: int) -> None:
            super().__init__(wire, rotate=rotate)
            self.persist = True  # else luma wipes the glass when the program ends

        def clear(self) -> None:
            """Do nothing. Luma's constructor clears the panel, and no panel need be there."""

        def forget(self) -> None:
            """Take the panel's memory for unknown; the next frame is sent whole."""
            self._sent = None

        def display(self, image: Image) -> None:
            pages = pack(self.preprocess(image))
            known, self._sent = self._sent, None  # a write that breaks half way leaves the memory unknown
            windows = (
                everything(_GLASS_WIDTH_PX, _GLASS_HEIGHT_PX, addressing)
                if known is None
                else changed(known, pages, _GLASS_WIDTH_PX, addressing)
            )
            for window in windows:
                self.command(*addressing.commands(window))
                self.data(list(window.cut(pages, _GLASS_WIDTH_PX)))
            self._sent = pages

    return Glass
