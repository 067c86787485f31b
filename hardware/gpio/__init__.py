"""Keys and knobs: from the edges of a wire to presses, without bounces and without noise.

Theory of operation
-------------------
*The way of an edge.* The kernel stamps each edge of a pin with the time; one thread reads those of all pins
and hands them over in the order of their stamps (`gpiod_pins`); the driver's thread gives each to the `Wire`
of its pin, which counts edges (`NoiseGuard`) and passes them to its listener: a key (`PressDetector`) or one
contact of a knob (`Knob`). What comes out are messages. All of this is plain computing with times that are
passed in (`wires`): no thread, no clock, no library, so each case is a test with numbers.

*Why the time stamps matter.* Two players press their own keys in the same moment, and the first one wins.
Edges arrive late and not always in order; so what counts is the kernel's stamp, not the moment of arrival.

*Bounce* (`PressDetector`). A contact opens and closes some times before it rests.

- The first edge counts, and for `bounce_s` after it no edge does. The kernel's own debouncing would stamp
  the last bounce: then a key that chatters would lose against one that was pressed after it.
- The level at the end of that time counts again, so a tap that is shorter is not lost.
- A contact that closes again within `bounce_s` of opening chatters, because no finger is that quick: it is
  still the same press.
- A contact that was closed for less than 3 ms was a spark on a long wire, not a finger.

*Kinds of presses.* A short press counts when the key is released, a long one as soon as the key has been held
for `hold_s`; the end of a long press is reported as well. A player's own key counts as soon as it cannot be a
spark any more. Double presses are looked for only where they are wanted: there, a short press has to wait.

*Noise* (`NoiseGuard`). A wire that came loose picks up the mains (100 edges a second) or a radio (as many as
the machine can take). It must neither press keys nor use up the processor. So 150 edges in two seconds switch
the pin off, and the chip is not asked for its edges. After some seconds it is on trial: its edges are counted
and ignored. If it is quiet, it is used again, beginning with the level that it has then.

*Knobs* (`Knob`). The two contacts of an encoder step through a cycle of four; bounces step back and forth
and cancel out. A turn counts at a detent, if at least half of the way to it was made in one direction.

*What may get lost.* An edge can be lost in the kernel's buffer. So before a press counts as long the level is
read, and once a second the levels of all pins.

*The libraries.* Pins are gpiozero's, over gpiod: `pin_factory` makes the one factory of the process. Left to
itself gpiozero looks for lgpio (which has no wheel for Python 3.13), RPi.GPIO (which does not work on a
Raspberry Pi 5), pigpio (which needs a daemon), and uses its own (which has no PWM) with no more than a
warning. So another factory than ours is a fault.
"""

import sys
import threading
from typing import Any, Final

from hardware.errors import HardwareError, sentence

_ONE_AT_A_TIME: Final = threading.Lock()


def pin_factory(device: str) -> Any:  # noqa: ANN401 - gpiozero has no types
    """The pin factory of this process, made at the first call. Raises `HardwareError` of `device`."""
    check = sentence(
        "run as a member of the group gpio on a Raspberry Pi, and check that /dev/gpiochip0 exists"
    )
    with _ONE_AT_A_TIME:
        try:
            from gpiozero import Device

            from hardware.gpio.gpiod_pins import GpiodFactory

            if Device.pin_factory is None:
                Device.pin_factory = GpiodFactory()
        except ImportError as missing:
            raise HardwareError(
                device,
                sentence("{name} is not installed", name=missing.name),
                sentence("install it: {tool} {package}", tool="pip install", package=missing.name),
            ) from missing
        except Exception as seen:  # gpiozero and the kernel have no base in common
            raise HardwareError(
                device, sentence("no access to GPIO pins: {seen}", seen=seen), check
            ) from seen
        if not isinstance(Device.pin_factory, GpiodFactory):
            raise HardwareError(
                device,
                sentence(
                    "gpiozero uses {factory} instead of {ours}",
                    factory=type(Device.pin_factory).__name__,
                    ours=GpiodFactory.__name__,
                ),
                sentence("leave Device.pin_factory of gpiozero as it is"),
            )
        return Device.pin_factory


def edges_arrive() -> bool:
    """Whether the thread that hands over the edges of all pins is alive.

    Any thread may ask, so nothing is imported for it: where no library is loaded, no thread could die.
    """
    factory = getattr(getattr(sys.modules.get("gpiozero"), "Device", None), "pin_factory", None)
    edges = getattr(factory, "edges", None)
    return edges is None or bool(edges.alive())
