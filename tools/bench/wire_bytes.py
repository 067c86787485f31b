"""What an act at the table sends to the panel, in bytes on the wire.

They are counted, so they are the same on every machine, and they do not depend on how fast people play.
"""

from collections.abc import Iterator
from statistics import fmean
from typing import Final

from firmware.play.app import App
from firmware.scripted.players import Act
from hardware.drivers.luma_oled import Oled, Options
from hardware.panel.partial_update import pack
from tools.bench.figure import Effort, Figure, at_most
from tools.bench.machine import MEMORY
from tools.bench.wired import PATIENCE_S, WiredDevice, players, wired

_LIMIT: Final = 1.45
"""Times the bytes that differ. How many those are depends on the matches that chance deals."""

_FIRST_SEED: Final = 6
_SECONDS_BETWEEN_ACTS: Final = 3  # pages that close by themselves do so in between


def wire_bytes(effort: Effort) -> list[Figure]:
    """An act that changes the picture, on average, beside the bytes in which the two pictures differ."""
    acts = [one for seed in range(_FIRST_SEED, _FIRST_SEED + effort.matches) for one in _match(seed)]
    differing = fmean(differs for _, differs in acts)
    note = f"{len(acts)} acts of {effort.matches} matches; a whole frame is 1033 bytes"
    sent = fmean(sent for sent, _ in acts)
    return [Figure("wire-bytes.act", sent, "bytes", at_most(_LIMIT * differing), floor=differing, note=note)]


def _match(seed: int) -> Iterator[tuple[int, int]]:
    """A match through the product's own loop, second by second of a time that is made here.

    Of each act the bytes that were sent, with addresses, control bytes and commands, and those that differ.
    """
    with wired(MEMORY, real_time=False, still=True) as device:
        table, people = _Table(device), players(seed)
        table.display.start(table.app.post)
        try:
            table.look()
            while (action := people.next(table.app.controller)) is not None:
                for _ in range(_SECONDS_BETWEEN_ACTS):
                    table.now_s += 1
                    table.look()
                before, traffic = device.panel.held(), device.bus.traffic
                table.look(action)
                after = device.panel.held()
                if differs := sum(old != new for old, new in zip(pack(before), pack(after), strict=True)):
                    yield (device.bus.traffic - traffic).bytes_on_wire, differs
        finally:
            table.display.close()


class _Table:
    """A device whose time is in our hands."""

    def __init__(self, device: WiredDevice) -> None:
        self.now_s = 0.0
        # Without the repetition of set-up and picture: it is no answer to anything that people do.
        self.display = Oled(Options(refresh_s=0.0), now_s=lambda: self.now_s)
        self.app = App(device.runtime.app.controller, self.display, lambda: self.now_s)

    def look(self, action: Act | None = None) -> None:
        """Let the loop hear an act, or let it see that time has passed, and wait for the panel."""
        if action is not None:
            self.app.post(action)
        self.app.stop()
        self.app.run()
        if not self.display.settle(PATIENCE_S):
            raise TimeoutError("the picture does not reach the panel")
