"""The ports: what each kind of device can do, and the messages that devices send, whatever they are made of.

Input devices post messages; output devices have methods to call. `post` is the only thing that a device may
call from its threads: it puts the message into a queue and returns at once.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum
from typing import TYPE_CHECKING, ClassVar, Protocol

from msgspec import Struct

if TYPE_CHECKING:
    from PIL.Image import Image


class Key(Enum):
    """A key by its meaning. A board need not have all of them."""

    ROW_1 = "row_1"
    ROW_2 = "row_2"
    ROW_3 = "row_3"
    ROW_4 = "row_4"
    OK = "ok"
    UNDO = "undo"
    WHY = "why"
    UP = "up"
    DOWN = "down"
    LEFT = "left"
    RIGHT = "right"
    TURN_LEFT = "turn_left"  # one detent of a rotary encoder, counter-clockwise
    TURN_RIGHT = "turn_right"
    # A player's own key, by the number of the badge. It acts when it is pressed, not when it is released.
    SEAT_1 = "seat_1"
    SEAT_2 = "seat_2"
    SEAT_3 = "seat_3"
    SEAT_4 = "seat_4"
    SEAT_5 = "seat_5"
    SEAT_6 = "seat_6"
    SEAT_7 = "seat_7"
    SEAT_8 = "seat_8"
    SEAT_9 = "seat_9"
    SEAT_10 = "seat_10"


OWN_KEYS = tuple(key for key in Key if key.value.startswith("seat_"))
"""The players' own keys, in the order of their badges, which count from 1."""


class Press(Enum):
    """How a key was pressed."""

    SHORT = "short"
    LONG = "long"
    DOUBLE = "double"


class Signal(Enum):
    """What a sound, or the same signal on the display, means."""

    ACCEPTED = "accepted"
    DUPLICATE = "duplicate"
    REFUSED = "refused"
    TAKING = "taking"
    LAST_CARD = "last card"
    WON = "won"


class Light(Enum):
    """How bright a panel is."""

    FULL = "full"
    DIM = "dim"
    OFF = "off"


class KeyPressed(Struct, frozen=True):
    """A key was pressed; `at_s` is the monotonic time of the decisive edge, in seconds."""

    key: Key
    press: Press = Press.SHORT
    at_s: float = 0.0


class KeyReleased(Struct, frozen=True):
    """A key was released whose long press was posted; `at_s` is the monotonic time of that edge, in seconds.

    For actions that need a key to be held for longer. Other presses have no message of their own for the end.
    """

    key: Key
    at_s: float = 0.0


class Scanned(Struct, frozen=True):
    """A complete code was read, or typed by hand; `at_s` is the monotonic time of its last byte, in seconds.

    `text` holds printable ASCII only (0x20 to 0x7E), at least one character, no line end. `otherwise` is what
    the same keys are on other keyboards, by layout, to which `scanner` may be set that acts as a keyboard.
    """

    text: str
    at_s: float = 0.0
    typed: bool = False
    otherwise: tuple[tuple[str, str], ...] = ()
    scanner: str = ""


class NameTyped(Struct, frozen=True):
    """A player gave a badge (1 to 10) a name on a device with a keyboard of its own; any script.

    An empty name takes the one away that was given before.
    """

    badge: int
    name: str


class ChoiceMade(Struct, frozen=True):
    """A player chose an answer to the open question by its name on a device that shows them all."""

    choice: str


class ExtensionMessage(Struct, frozen=True):
    """A message that no device sends: an optional part of the program puts it into the queue for itself.

    It derives from this class.
    """

    IS_INPUT: ClassVar[bool] = False
    """Whether somebody has done it, as with a key; while strangers play at a kiosk, it is dropped there."""


class DeviceFault(Struct, frozen=True):
    """A device is absent or does not work. The same `device` may post several; the newest one counts.

    `device` is a stable id such as "scanner", "display" or "buttons/ok". `noisy`: it works, but its signal is
    disturbed.
    """

    device: str
    fault: str
    check: str
    noisy: bool = False


class DeviceRecovered(Struct, frozen=True):
    """`device` has recovered from its fault."""

    device: str


Message = (
    KeyPressed
    | KeyReleased
    | Scanned
    | NameTyped
    | ChoiceMade
    | ExtensionMessage
    | DeviceFault
    | DeviceRecovered
)


class Device(Protocol):
    """What all devices have in common: they are started, checked and closed."""

    def start(self, post: Callable[[Message], None]) -> None:
        """Begin. Returns within 50 ms. An absent device is a `DeviceFault`, and is tried again for ever."""

    def check(self) -> str:
        """Open the device once, look at it and close it again; not while it is started.

        Gives one line for people about what answered. Raises `HardwareError` if nothing useful did.
        May block for two seconds.
        """

    def close(self) -> None:
        """Stop the threads and free the device. Any thread, any time, more than once."""


class Display(Device, Protocol):
    """A monochrome panel of `width_px` x `height_px`. `draw` and `light` do not wait for the bus."""

    width_px: int
    height_px: int

    def draw(self, frame: Image) -> None:
        """Show a picture of mode "1" and the panel's size. The newest one counts; older ones may be skipped.

        The caller must not change the picture afterwards.
        """

    def light(self, level: Light) -> None:
        """Set the brightness; `Light.OFF` hides the picture and keeps it."""

    def settle(self, timeout_s: float) -> bool:
        """Wait until everything drawn so far is on the panel; False if it is not in time."""


class Speaker(Device, Protocol):
    """Gives the signals."""

    def give(self, signal: Signal) -> None:
        """Sound it, and return at once; a signal that is still sounding is cut off."""
