"""What a whole evening of four players sends to the panel, beside whole frames for the same pictures."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import pairwise
from typing import TYPE_CHECKING, Final

from bench import machine
from bench.figure import Figure, Limit, at_most
from bench.stock_luma import stock_luma
from bench.wired import PATIENCE_S, Wired, players, wired
from firmware.play.app import App
from hardware.drivers.luma_oled import Oled, Options
from hardware.panel.partial_update import pack

if TYPE_CHECKING:
    from PIL.Image import Image

    from bench.effort import Effort
    from firmware.scripted.players import Players
    from hardware.ports import KeyPressed, Scanned

LIMIT_PERCENT: Final = 25.0
_FIRST_SEED: Final = 6
# With some eight scans and keys a turn takes 25 seconds, all the thinking in it. Few tables are so fast; at a
# slower one more pictures differ by the dot only, and the share is smaller.
_SECONDS_BETWEEN_ACTS: Final = 3


@dataclass(frozen=True, slots=True)
class Counts:
    """An evening, or a part of one; the bytes include addresses, control bytes and commands."""

    pictures: int = 0
    sent: int = 0
    whole: int = 0
    changed: int = 0

    def __add__(self, other: Counts) -> Counts:
        return Counts(
            self.pictures + other.pictures,
            self.sent + other.sent,
            self.whole + other.whole,
            self.changed + other.changed,
        )


def measure(effort: Effort) -> list[Figure]:
    """The evening as it is, and for comparison without the dot that beats every second."""
    beating, still = _evening(effort.matches, still=False), _evening(1, still=True)
    return [
        _figure("evening", "an evening of 4 players", beating, at_most(LIMIT_PERCENT)),
        _figure("without-heartbeat", "one match without the dot that blinks every second", still, None),
    ]


def _figure(name: str, about: str, counts: Counts, limit: Limit | None) -> Figure:
    return Figure(
        name=f"wire-bytes.{name}",
        about=f"bytes to the panel in percent of whole frames for the same pictures by luma: {about}",
        measured=100 * counts.sent / counts.whole,
        unit="%",
        limit=limit,
        floor=100 * counts.changed / counts.whole,
        floor_is="the bytes that differ from picture to picture, without any address",
        note=f"{about}: {counts.pictures} pictures, {counts.sent} bytes for {counts.whole}",
        detail={
            "pictures": counts.pictures,
            "sent_bytes": counts.sent,
            "whole_frames_bytes": counts.whole,
            "changed_bytes": counts.changed,
        },
    )


def _evening(matches: int, *, still: bool) -> Counts:
    place = machine.MEMORY if machine.MEMORY.is_dir() else machine.DISK
    counts = Counts()
    for seed in range(_FIRST_SEED, _FIRST_SEED + matches):
        with wired(place, real_time=False, still=still) as device:
            counts += _match(device, players(seed))
    return counts


def _match(device: Wired, people: Players) -> Counts:
    """A match through the product's own loop, second by second of a time that is made here."""
    table = _Table(device)
    table.display.start(table.app.post)
    try:
        table.look()
        while (action := people.next(table.app.controller)) is not None:
            for _ in range(_SECONDS_BETWEEN_ACTS):
                table.now_s += 1
                table.look()
            table.look(action)
    finally:
        table.display.close()
    sent = device.bus.traffic.bytes_on_wire
    return Counts(pictures=len(table.shown), sent=sent) + _by_whole_frames(table.shown)


@dataclass(slots=True)
class _Table:
    """A device whose time is in our hands, and every picture that came to its display."""

    device: Wired
    now_s: float = 0.0
    shown: list[Image] = field(default_factory=list)
    display: Oled = field(init=False)
    app: App = field(init=False)

    def __post_init__(self) -> None:
        self.display = Oled(Options(), now_s=lambda: self.now_s)
        self.app = App(self.device.runtime.app.controller, self.display, lambda: self.now_s)

    def look(self, action: KeyPressed | Scanned | None = None) -> None:
        """Let the loop hear an act, or let it see that time has passed, and wait for the panel."""
        before = self.device.panel.held()
        if action is not None:
            self.app.post(action)
        self.app.stop()
        self.app.run()
        # The panel's thread waits by the real clock for its silent repetition; this lets it look at ours.
        self.display.light(self.app.controller.light)
        if not self.display.settle(PATIENCE_S):
            raise TimeoutError("the picture does not reach the panel")
        after = self.device.panel.held()
        if after.tobytes() != before.tobytes():
            self.shown.append(after)


def _by_whole_frames(pictures: list[Image]) -> Counts:
    """The same pictures by luma's own `display()`, and how many of their bytes are new."""
    with stock_luma(real_time=False) as (bus, display):
        before = bus.traffic
        for picture in pictures:
            display(picture)
        whole = (bus.traffic - before).bytes_on_wire
    pages = [pack(picture) for picture in pictures]
    changed = len(pages[0]) + sum(
        sum(old != new for old, new in zip(one, other, strict=True)) for one, other in pairwise(pages)
    )
    return Counts(whole=whole, changed=changed)
