"""Set-up for devices: an inbox for what they post, the wait for it, and a clock to turn by hand."""

import queue
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import TypeVar

from hardware.ports import DeviceFault, DeviceRecovered, KeyPressed, KeyReleased, Message, Scanned
from tests.patience import PATIENCE_S

SOON_S = PATIENCE_S  # how long a test waits for something that must happen
QUIET_S = 0.15  # how long it waits for something that must not
M = TypeVar("M", KeyPressed, KeyReleased, Scanned, DeviceFault, DeviceRecovered)


class Letters:
    """What a device posted, oldest first; `post` is what the device gets."""

    def __init__(self, post_also: Callable[[Message], object] = lambda _: None) -> None:
        self._letters: queue.Queue[Message] = queue.Queue()
        self._post_also = post_also

    def post(self, message: Message) -> None:
        self._letters.put(message)
        self._post_also(message)

    def next(self, kind: type[M]) -> M:
        """The next message, which must be one of that kind."""
        message = self._letters.get(timeout=SOON_S)
        assert isinstance(message, kind), message
        return message

    def skip_to(self, kind: type[M]) -> M:
        """The next message of that kind, whatever comes before it."""
        while True:
            message = self._letters.get(timeout=SOON_S)
            if isinstance(message, kind):
                return message

    def until(
        self, kind: type[Message] | tuple[type[Message], ...], within_s: float = SOON_S
    ) -> list[Message]:
        """What comes up to the next message of that kind, and without it where it does not come in time."""
        found: list[Message] = []
        with suppress(queue.Empty):
            while not found or not isinstance(found[-1], kind):
                found.append(self._letters.get(timeout=within_s))
        return found

    def texts(self, count: int) -> list[str]:
        return [self.next(Scanned).text for _ in range(count)]

    def nothing(self, within_s: float = QUIET_S) -> bool:
        try:
            message = self._letters.get(timeout=within_s)
        except queue.Empty:
            return True
        raise AssertionError(message)

    def drain(self) -> list[Message]:
        found: list[Message] = []
        with suppress(queue.Empty):
            while True:
                found.append(self._letters.get_nowait())
        return found


@dataclass
class HandClock:
    """A clock that stands still until the test turns it."""

    s: float = 1000.0

    def __call__(self) -> float:
        return self.s
