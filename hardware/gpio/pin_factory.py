"""The one way to GPIO pins: gpiozero over lgpio, for the whole process.

Left to itself gpiozero falls back to RPi.GPIO (which does not work on a Raspberry Pi 5), to pigpio (which
needs a daemon) or to its own (which has no PWM), with no more than a warning. So the factory is made here,
and another one is a fault.
"""

from __future__ import annotations

from typing import Any

from hardware.errors import HardwareError, sentence
from hardware.gpio.lgpio_folder import lgpio_folder


def pin_factory(device: str) -> Any:  # noqa: ANN401 - gpiozero has no types
    """The pin factory of this process, made at the first call. Raises `HardwareError` of `device`."""
    check = sentence("apt install python3-lgpio, and run as a member of the group gpio on a Raspberry Pi")
    with lgpio_folder():
        try:
            from gpiozero import Device
            from gpiozero.pins.lgpio import LGPIOFactory

            if Device.pin_factory is None:
                Device.pin_factory = LGPIOFactory()
        except ImportError as missing:
            raise HardwareError(
                device, sentence("{name} is not installed", name=missing.name), check
            ) from missing
        except Exception as seen:  # lgpio.error is a bare Exception
            raise HardwareError(
                device, sentence("no GPIO access through lgpio: {seen}", seen=seen), check
            ) from seen
        if not isinstance(Device.pin_factory, LGPIOFactory):
            raise HardwareError(
                device,
                sentence(
                    "gpiozero uses {factory} instead of LGPIOFactory",
                    factory=type(Device.pin_factory).__name__,
                ),
                sentence("set GPIOZERO_PIN_FACTORY=lgpio in the environment, or unset it"),
            )
        return Device.pin_factory
