"""A small OLED with an SSD1306, SH1106 or one of their kin on I2C or SPI, by luma.oled.

The controllers' setup sequences, their commands and the bus come from luma. The way of a frame is our own:
luma sends every frame as a whole, which takes 93 ms at 100 kHz; this driver sends only the changed bytes.

Luma is imported when the panel is opened, in the display's thread: it takes a tenth of a second on a Zero 2
W, and a device with another display need not have it.
"""

import errno
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Annotated, Any, Final

from msgspec import Struct
from msgspec.structs import replace
from PIL.Image import Image

from hardware.errors import HardwareError, Sentence, sentence
from hardware.gpio import pin_factory
from hardware.options import option
from hardware.panel.display import Panel, PanelDisplay
from hardware.panel.partial_update import ADDRESSING, SH1106_OFFSET, changed, everything, pack
from hardware.ports import Light

_DEVICE: Final = "display"
_WIDTH_PX: Final = 128
_HEIGHT_PX: Final = 64
_NO_OPERATION: Final = 0xE3  # SSD1306 data sheet 9, table 9-1; SH1106 data sheet command 21
_FLUSH: Final = (_NO_OPERATION, _NO_OPERATION)
"""A command that was cut off still waits for up to two arguments, and would take whatever comes next."""

_I2C_ADDRESSES: Final = (0x3C, 0x3D)  # what the address jumper of these panels can choose

_OF_I2C: Final = ("port", "address")
_OF_SPI: Final = ("spi_port", "spi_device", "spi_speed_hz", "pin_dc")
_SPI_RESET: Final = 25
_RESET_S: Final = 0.001  # 3 us would do (SSD1306 data sheet 8.9), but not on long wires

_SPI_SPEEDS_HZ: Final = tuple(  # those that luma's spi accepts
    int(mhz * 1_000_000) for mhz in (0.5, 1, 2, 4, 8, 16, 20, 24, 28, 32, 36, 40, 44, 48, 50, 52)
)


class Options(Struct, frozen=True):
    """How the panel is wired and how bright it is. Pins are BCM numbers."""

    chip: Annotated[
        str,
        option(
            "the display controller; the shop's description names it, the board does not",
            among=("ssd1306", "ssd1309", "sh1106", "ssd1305", "ssd1315", "ch1115"),
        ),
    ] = "ssd1306"
    bus: Annotated[str, option("the bus: i2c has four pins, spi has seven", among=("i2c", "spi"))] = "i2c"
    port: Annotated[int, option("I2C bus number: /dev/i2c-<port>", low=0, high=99)] = 1
    address: Annotated[int, option("I2C address, 0x3C or 0x3D", low=0x08, high=0x77)] = 0x3C
    spi_port: Annotated[int, option("SPI bus number: /dev/spidev<port>.<device>", low=0, high=9)] = 0
    spi_device: Annotated[
        int, option("SPI chip select: 0 is CE0 (pin 24), 1 is CE1 (pin 26)", low=0, high=9)
    ] = 0
    spi_speed_hz: Annotated[int, option("SPI clock in Hz", among=_SPI_SPEEDS_HZ)] = 8_000_000
    pin_dc: Annotated[int, option("GPIO of the D/C line of an SPI panel", low=2, high=27)] = 24
    pin_reset: Annotated[
        int | None, option("GPIO of the RES line; if not set, 25 on SPI and none on I2C", low=2, high=27)
    ] = None
    column_offset: Annotated[
        int, option("first memory column that an SH1106 or CH1115 shows; on some panels 0", low=0, high=4)
    ] = SH1106_OFFSET
    rotate: Annotated[
        int,
        option(
            "clockwise quarter turns of the picture, for a panel that is mounted rotated", among=(0, 1, 2, 3)
        ),
    ] = 0
    contrast_full: Annotated[int, option("contrast during play, 0 to 255", low=0, high=255)] = 0xCF
    contrast_dim: Annotated[int, option("contrast while dimmed, 0 to 255", low=0, high=255)] = 0x10
    refresh_s: Annotated[
        float,
        option(
            "seconds between two repetitions of setup and picture, which restore a panel that briefly lost "
            "power; ten times as long during play if the panel has never failed; 0 means never",
            low=0.0,
            high=86_400.0,
        ),
    ] = 60.0

    def __post_init__(self) -> None:
        if ADDRESSING[self.chip].tall and self.column_offset != SH1106_OFFSET:
            raise ValueError(f'column_offset has no effect with chip = "{self.chip}"')
        defaults = dict(zip(self.__struct_fields__, self.__struct_defaults__, strict=True))
        for name in _OF_SPI if self.bus == "i2c" else _OF_I2C:
            if getattr(self, name) != defaults[name]:
                raise ValueError(f'{name} has no effect with bus = "{self.bus}"')


class Oled(PanelDisplay):
    """A small OLED panel with 128x64 pixels on I2C or SPI.

    Wiring on I2C: VCC to 3.3 V (pin 1), GND to ground (pin 9), SDA to GPIO 2 (pin 3), SCL to GPIO 3 (pin 5).
    On SPI: CLK to GPIO 11 (pin 23), DIN to GPIO 10 (pin 19), CS to GPIO 8 (pin 24), D/C to GPIO 24 (pin 18),
    RES to GPIO 25 (pin 22).

    ```toml
    [display]
    driver = "oled"
    chip = "ssd1309"
    bus = "i2c"
    ```

    ```python
    from PIL import Image
    from hardware.drivers.luma_oled import Oled, Options

    oled = Oled(Options(chip="ssd1309"))
    print(oled.check())  # ssd1309 (128x64) answers at 0x3C on I2C bus 1
    oled.start(print)
    oled.draw(Image.new("1", (128, 64), 1))
    oled.settle(1.0)
    oled.close()
    ```

    When the display is closed, or the program ends, the last frame stays on the panel: it may be the one
    that says that the power may be switched off.
    """

    def __init__(self, options: Options, *, now_s: Callable[[], float] = time.monotonic) -> None:
        super().__init__(LumaPanel(options), refresh_s=options.refresh_s, sparing=True, now_s=now_s)


class LumaPanel(Panel):
    """The panel: a luma device that is kept, over a bus that is opened again after each fault.

    Luma's device object is made once, because each one registers a function for the end of the program. After
    a fault only the bus below it is opened again, and the setup is sent again.
    """

    def __init__(self, options: Options) -> None:
        upright = options.rotate % 2 == 0
        self.width_px = _WIDTH_PX if upright else _HEIGHT_PX
        self.height_px = _HEIGHT_PX if upright else _WIDTH_PX
        self._options = options
        self._place = (
            _i2c_address(options.port, options.address)
            if options.bus == "i2c"
            else _spi_address(options.spi_port, options.spi_device)
        )
        self._bus = _Bus()
        self._device: Any = None
        self._set_up: tuple[int, ...] = ()  # luma's initialisation; its first command switches the panel off
        self._level = Light.OFF
        self._frame: Image | None = None

    def open(self) -> None:
        """Open the bus and initialise the panel, which stays dark; its memory counts as unknown."""
        with self._bus_faults():
            if self._device is None:
                made = _device_class(self._options.chip, self._options.column_offset)
                self._device = made(self._bus, rotate=self._options.rotate)
                self._set_up = self._bus.recorded[0]
            self._bus.connect(self._options)
            self._device.forget()
            self._frame, self._level = None, Light.OFF
            self._device.command(*_FLUSH, *self._set_up)

    def show(self, frame: Image) -> None:
        """Send what differs from the last frame; all of it if that is not known to have arrived."""
        with self._bus_faults():
            self._device.display(frame)
        self._frame = frame

    def light(self, level: Light) -> None:
        """Set the contrast and switch the panel on or off."""
        with self._bus_faults():
            self._send_light(level)
        self._level = level

    def refresh(self) -> None:
        """Send setup, contrast, frame and switch again; on a panel that has kept them, nothing can be seen.

        A panel whose supply voltage dropped for a moment has lost all four, and on SPI there is no error.
        """
        with self._bus_faults():
            self._device.command(*_FLUSH, *self._set_up[1:])  # without "off": it would blink
            self._device.forget()
            if self._frame is not None:
                self._device.display(self._frame)
            self._send_light(self._level)

    def close(self) -> None:
        self._bus.cleanup()

    def check(self) -> str:
        """One line about the panel that answered; raises `HardwareError`.

        Over I2C without a RES line the picture is not touched. Pulling RES leaves the panel dark.
        """
        try:
            with self._bus_faults():
                self._bus.connect(self._options)
                self._bus.command(_NO_OPERATION)
        except HardwareError as no_answer:
            neighbour = self._answering_neighbour()
            if neighbour is None:
                raise
            fault = f"{no_answer.fault}, but something answers at 0x{neighbour:02X}"
            fix = f"set address = 0x{neighbour:02X} in [display]"
            raise HardwareError(_DEVICE, fault, fix) from no_answer
        finally:
            self.close()
        panel = f"{self._options.chip} ({self.width_px}x{self.height_px})"
        if self._options.bus == "i2c":
            return f"{panel} answers at {self._place.name}"
        return f"{self._place.name} is open for {panel}; SPI panels do not answer"

    def _send_light(self, level: Light) -> None:
        if level is Light.OFF:
            self._device.hide()
            return
        self._device.contrast(
            self._options.contrast_full if level is Light.FULL else self._options.contrast_dim
        )
        self._device.show()

    def _answering_neighbour(self) -> int | None:
        """The other address that the jumper can choose, if something answers there."""
        if self._options.bus != "i2c":
            return None
        for address in _I2C_ADDRESSES:
            if address == self._options.address:
                continue
            try:
                self._bus.connect(replace(self._options, address=address))
                self._bus.command(_NO_OPERATION)
            except Exception:  # noqa: BLE001, S112 - no answer there either; the first error says it all
                continue
            return address
        return None

    @contextmanager
    def _bus_faults(self) -> Iterator[None]:
        """Turn what luma, smbus2 and spidev raise into a `HardwareError` that says what to do.

        Luma's errors are not `OSError`, and not every error is luma's: its command() translates kernel
        errors, its data() does not (https://github.com/rm-hull/luma.oled/issues/273).
        """
        try:
            yield
        except HardwareError:
            raise
        except ImportError as missing:
            raise _missing_package(missing) from missing
        except Exception as seen:
            if not isinstance(seen, OSError) and not type(seen).__module__.startswith("luma."):
                raise  # a bug of ours
            raise _bus_fault(seen, self._place) from seen


class _Bus:
    """The bus that the luma device is given. The real bus behind it can be closed and replaced.

    While there is none, commands are recorded, so that the device can be made with no panel present.
    """

    def __init__(self) -> None:
        self.recorded: list[tuple[int, ...]] = []
        self._real: Any = None
        self._pins: _Pins | None = None

    def connect(self, options: Options) -> None:
        """Open the real bus; errors of luma, the kernel and gpiozero are passed through."""
        from luma.core.interface import serial

        self.cleanup()
        self._pins = _Pins()
        try:
            if options.bus == "i2c":
                self._pins.reset(options.pin_reset)
                self._real = serial.i2c(port=options.port, address=options.address)
                return
            self._real = serial.spi(
                gpio=self._pins,
                port=options.spi_port,
                device=options.spi_device,
                bus_speed_hz=options.spi_speed_hz,
                gpio_DC=options.pin_dc,
                gpio_RST=_SPI_RESET if options.pin_reset is None else options.pin_reset,
                reset_hold_time=_RESET_S,
                reset_release_time=_RESET_S,
            )
        except BaseException:
            self.cleanup()
            raise

    def command(self, *codes: int) -> None:
        if self._real is None:
            self.recorded.append(codes)
        else:
            self._real.command(*codes)

    def data(self, cells: list[int]) -> None:
        self._real.data(cells)

    def cleanup(self) -> None:
        """Free the bus and the pins. Luma also calls it when the program ends."""
        bus, self._real = self._real, None
        pins, self._pins = self._pins, None
        if bus is not None:
            bus.cleanup()
        if pins is not None:
            pins.cleanup()


class _Pins:
    """The few functions of RPi.GPIO that luma's spi calls, by gpiozero: RPi.GPIO fails on a Raspberry Pi 5.

    The pin factory is the one of the process, which the buttons use as well.
    """

    OUT: Final = 0
    LOW: Final = 0
    HIGH: Final = 1

    def __init__(self) -> None:
        self._outputs: dict[int, Any] = {}

    def setup(self, pin: int, direction: int) -> None:
        from gpiozero import Device, OutputDevice

        if Device.pin_factory is None:
            pin_factory(_DEVICE)
        try:
            self._outputs[pin] = OutputDevice(
                pin, initial_value=True
            )  # RES is high when idle; D/C may have any level
        except ImportError:
            raise
        except Exception as seen:  # of gpiozero and its library: they have no base in common
            raise HardwareError(
                _DEVICE,
                sentence("GPIO{pin} cannot be used: {seen}", pin=pin, seen=seen),
                sentence("check pin_dc and pin_reset in [display]; nothing else may use these two pins"),
            ) from seen

    def output(self, pin: int, level: int) -> None:
        self._outputs[pin].value = level

    def reset(self, pin: int | None) -> None:
        """Pull the RES line if there is one, and leave it high; luma does so on SPI alone."""
        if pin is not None:
            self.setup(pin, self.OUT)
            for level in (self.LOW, self.HIGH):
                self.output(pin, level)
                time.sleep(_RESET_S)  # noqa: TID251 - the panel says nothing

    def cleanup(self) -> None:
        for output in self._outputs.values():
            output.close()
        self._outputs.clear()


def _device_class(chip: str, column_offset: int) -> Any:  # noqa: ANN401 - luma has no types
    """The luma device class of `chip`, changed so that it sends only what differs."""
    import luma.oled.device

    base: Any = getattr(luma.oled.device, chip)
    addressing = ADDRESSING[chip]

    class PartialDevice(base):  # type: ignore[misc]
        """A luma device that remembers what the panel's memory holds, and sends only what differs."""

        _sent: bytes | None = None  # None: unknown

        def __init__(self, bus: _Bus, *, rotate: int) -> None:
            super().__init__(bus, _WIDTH_PX, _HEIGHT_PX, rotate)
            self.persist = True  # else luma clears the panel when the program ends

        def clear(self) -> None:
            """Do nothing. Luma's constructor clears the panel, but the panel may be absent then."""

        def forget(self) -> None:
            """The panel's memory counts as unknown: the next frame is sent as a whole."""
            self._sent = None

        def display(self, image: Image) -> None:
            pages = pack(self.preprocess(image))
            known, self._sent = self._sent, None  # unknown, should a write fail half way
            windows = (
                everything(_WIDTH_PX, _HEIGHT_PX, addressing)
                if known is None
                else changed(known, pages, _WIDTH_PX, addressing)
            )
            for window in windows:
                self.command(*addressing.commands(window, column_offset))
                self.data(list(window.cut(pages, _WIDTH_PX)))
            self._sent = pages

    return PartialDevice


# ---------------------------------------------- what an error of a bus means, in words for people

_PACKAGES: Final = {"spidev": "python3-spidev", "luma": "luma.oled"}


class _BusAddress(Struct, frozen=True):
    """Where a device is on the Pi: its name for people, its device file and group, and where to look."""

    name: str
    node: str
    group: str
    switch: str  # of raspi-config
    look: Sentence


def _i2c_address(port: int, address: int) -> _BusAddress:
    return _BusAddress(
        name=f"0x{address:02X} on I2C bus {port}",
        node=f"/dev/i2c-{port}",
        group="i2c",
        switch="do_i2c",
        look=sentence(
            "check the wires 3V3, GND, SDA and SCL; list the devices with i2cdetect -y {port}", port=port
        ),
    )


def _spi_address(port: int, device: int) -> _BusAddress:
    """The device at chip select `device` of SPI bus `port`."""
    return _BusAddress(
        name=f"SPI {port}.{device}",
        node=f"/dev/spidev{port}.{device}",
        group="spi",
        switch="do_spi",
        look=sentence("check the wires 3V3, GND, CLK, MOSI, CE, D/C and RES"),
    )


def _bus_fault(seen: Exception, place: _BusAddress) -> HardwareError:
    """The fault behind an `OSError`, or behind a library's own error that was raised because of one.

    Luma raises its own error in place of the kernel's, without `from`; Python keeps that one as the context.
    """
    kernel = seen if isinstance(seen, OSError) else seen.__context__
    match kernel.errno if isinstance(kernel, OSError) else None:
        case errno.ENOENT:
            fault = sentence("{node} does not exist", node=place.node)
            check = sentence("enable it: sudo raspi-config nonint {switch} 0", switch=place.switch)
        case errno.EACCES | errno.EPERM:
            fault = sentence("no permission to use {node}", node=place.node)
            check = sentence("add the user to its group: sudo usermod -aG {group} <user>", group=place.group)
        case errno.EREMOTEIO | errno.EIO | errno.ENXIO:
            fault, check = sentence("no answer at {name}", name=place.name), place.look
        case errno.ETIMEDOUT | errno.EAGAIN | errno.EBUSY:
            fault = sentence("the bus of {name} is stuck or busy", name=place.name)
            check = sentence("check the wires for a short circuit, then switch the device off and on")
        case _:
            fault, check = (
                sentence("{name}: {seen}", name=place.name, seen=seen),
                sentence("{look}; check the configuration of this device", look=place.look),
            )
    return HardwareError(_DEVICE, fault, check)


def _missing_package(missing: ImportError) -> HardwareError:
    """The fault behind a failed import, with the command that installs the package."""
    name = (missing.name or "?").partition(".")[0]
    package = _PACKAGES.get(name, name)
    tool = "sudo apt install" if package.startswith("python3-") else "pip install"
    return HardwareError(
        _DEVICE,
        sentence("the Python package {name} is not installed", name=repr(name)),
        sentence("install it: {tool} {package}", tool=tool, package=package),
    )
