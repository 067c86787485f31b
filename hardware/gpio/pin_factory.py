"""The one way to GPIO pins: gpiozero over lgpio, or over gpiod where lgpio is not installed.

Left to itself gpiozero falls back to RPi.GPIO (which does not work on a Raspberry Pi 5), to pigpio (which
needs a daemon) or to its own (which has no PWM), with no more than a warning. So the factory is made here,
and another one is a fault.

lgpio comes first because its C thread makes PWM, so a piezo sounds clean. But only Raspberry Pi's own archive
has it, and there is no wheel for Python 3.13: there gpiod serves (`gpiod_pins`).
"""

import contextlib
import os
import shutil
import sys
import tempfile
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from hardware.errors import HardwareError, sentence

_ONE_AT_A_TIME = threading.Lock()


@contextlib.contextmanager
def lgpio_folder() -> Iterator[None]:
    """Import lgpio inside of this, and make what all its users share; other threads wait.

    `LG_WD` is used where it is set; else lgpio gets a private folder, which is deleted afterwards: the FIFO
    is open at both ends by then and needs no name. Afterwards the working directory is the old one again. (In
    between, relative paths of other threads would lead elsewhere; the program uses absolute ones.) Raises
    `OSError` where no temporary folder can be made.
    """
    with _ONE_AT_A_TIME:
        if "lgpio" in sys.modules:
            yield
            return
        configured = os.environ.get("LG_WD")
        folder = configured or tempfile.mkdtemp(prefix="nimmt-lgpio-")
        # By descriptor: the working directory may have been deleted, and has no name then.
        before = os.open(".", os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        try:
            Path(folder).mkdir(parents=True, exist_ok=True)
            os.environ["LG_WD"] = folder
            yield
        finally:
            os.fchdir(before)
            os.close(before)
            if configured is None:
                os.environ.pop("LG_WD", None)
                shutil.rmtree(folder, ignore_errors=True)


_OURS: Final = ("LGPIOFactory", "GpiodFactory")


def pin_factory(device: str) -> Any:  # noqa: ANN401 - gpiozero has no types
    """The pin factory of this process, made at the first call. Raises `HardwareError` of `device`."""
    check = sentence(
        "run as a member of the group gpio on a Raspberry Pi, and check that /dev/gpiochip0 exists"
    )
    with lgpio_folder():
        try:
            from gpiozero import Device

            if Device.pin_factory is None:
                Device.pin_factory = _factory_class()()
        except ImportError as missing:
            raise HardwareError(
                device,
                sentence("{name} is not installed", name=missing.name),
                sentence("pip install gpiod, or apt install python3-lgpio on Raspberry Pi OS"),
            ) from missing
        except Exception as seen:  # lgpio.error is a bare Exception
            raise HardwareError(
                device, sentence("no access to GPIO pins: {seen}", seen=seen), check
            ) from seen
        if type(Device.pin_factory).__name__ not in _OURS:
            raise HardwareError(
                device,
                sentence(
                    "gpiozero uses {factory} instead of {ours}",
                    factory=type(Device.pin_factory).__name__,
                    ours=" / ".join(_OURS),
                ),
                sentence("unset GPIOZERO_PIN_FACTORY in the environment"),
            )
        return Device.pin_factory


def edges_arrive() -> bool:
    """Whether the thread that hands over the edges of all pins is alive.

    Any thread may ask, so nothing is imported for it: where no library is loaded, no thread could die. The
    name of lgpio's thread is private, so an unknown one counts as alive.
    """
    factory = getattr(getattr(sys.modules.get("gpiozero"), "Device", None), "pin_factory", None)
    reader = getattr(factory, "edges", None)
    if reader is not None:
        return bool(reader.alive())
    thread = getattr(sys.modules.get("lgpio"), "_notify_thread", None)
    return bool(getattr(thread, "is_alive", lambda: True)())


def _factory_class() -> Any:  # noqa: ANN401
    try:
        from gpiozero.pins.lgpio import LGPIOFactory
    except ImportError as missing:
        if missing.name != "lgpio":
            raise
        from hardware.gpio.gpiod_pins import GpiodFactory

        return GpiodFactory
    return LGPIOFactory
