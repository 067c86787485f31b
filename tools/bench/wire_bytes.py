"""What an act at the table and a change of the page send to the panel, in bytes and in time on the wire.

Both are counted, so they are the same on every machine, and they do not depend on how fast people play.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from firmware.play.app import App
from hardware.drivers.luma_oled import Oled, Options
from hardware.panel.partial_update import pack
from tools.bench import machine
from tools.bench.figure import Figure, at_most
from tools.bench.wired import BUS_HZ, PATIENCE_S, Wired, least_wire_s, players, wired

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PIL.Image import Image

    from hardware.ports import KeyPressed, Scanned
    from hardware.simulation.traffic import Traffic
    from tools.bench.effort import Effort

ACT_LIMIT_BYTES: Final = 540.0
PAGE_LIMIT_BYTES: Final = 820.0
"""An act and a page take 521 and 804.

Digits of 24 px and names of 14 px, to be read across the table, change most bytes of a page: 574 on average.
Unchanged bytes between two windows are sent where one window more would take the processor longer.
"""
PAGE_CHANGES: Final = (
    ("home", "collecting"),
    ("collecting", "choose_stack"),
    ("choose_stack", "choose_player"),
    ("choose_player", "taken"),
    ("taken", "ruling"),
    ("ruling", "home"),
)
"""By the names of the pages: the way around a turn in which somebody chooses a row."""

_FIRST_SEED: Final = 6
_SECONDS_BETWEEN_ACTS: Final = 3  # pages that close by themselves do so in between


@dataclass(frozen=True, slots=True)
class Sent:
    """A picture that replaced another one: the pages in front, and what went over the bus."""

    pages: tuple[str, str]
    act: bool
    """Whether somebody did something; else the page has changed by itself."""

    sent_bytes: int
    """With addresses, control bytes and commands."""

    wire_ms: float
    differing_bytes: int
    least_ms: float
    """How long the bytes in which the two pictures differ are on the wire."""


def measure(effort: Effort) -> list[Figure]:
    """An act on average, and the six changes of the page that happen most."""
    sent = [one for seed in range(_FIRST_SEED, _FIRST_SEED + effort.matches) for one in _match(seed)]
    acts = [one for one in sent if one.act]
    changes = [[one for one in sent if one.pages == pages] for pages in PAGE_CHANGES]
    missing = [" to ".join(pages) for pages, found in zip(PAGE_CHANGES, changes, strict=True) if not found]
    if missing:
        raise RuntimeError(f"the scripted players never changed the page from {', from '.join(missing)}")
    return [
        Figure(
            name="wire-bytes.act",
            about="bytes to the panel for a scan or a key, on average over whole matches of 4 players",
            measured=_mean([one.sent_bytes for one in acts]),
            unit="bytes",
            limit=at_most(ACT_LIMIT_BYTES),
            floor=_mean([one.differing_bytes for one in acts]),
            floor_is="the bytes that differ from picture to picture, without any address",
            note=f"{len(acts)} acts of {effort.matches} matches; a whole frame is 1033 bytes",
            detail={"acts": len(acts)},
        ),
        Figure(
            name="wire-bytes.page-change",
            about="bytes to the panel for a change of the page, on average over the six below",
            measured=_mean([_mean([one.sent_bytes for one in found]) for found in changes]),
            unit="bytes",
            limit=at_most(PAGE_LIMIT_BYTES),
            floor=_mean([_mean([one.differing_bytes for one in found]) for found in changes]),
            floor_is="the bytes that differ",
            note="each of the six counts the same",
        ),
        *(_change(pages, found) for pages, found in zip(PAGE_CHANGES, changes, strict=True)),
    ]


def _change(pages: tuple[str, str], found: Sequence[Sent]) -> Figure:
    name = "-to-".join(page.replace("_", "-") for page in pages)
    sent, differing = _mean([one.sent_bytes for one in found]), _mean([one.differing_bytes for one in found])
    return Figure(
        name=f"wire-bytes.{name}",
        about=f"time on the wire at 400 kHz from the page {pages[0]} to {pages[1]}",
        measured=_mean([one.wire_ms for one in found]),
        unit="ms",
        floor=_mean([one.least_ms for one in found]),
        floor_is="the wire for the bytes that differ",
        note=f"{sent:.0f} bytes, {differing:.0f} differ; {len(found)} times",
        detail={"bytes": sent, "differing_bytes": differing, "times": len(found)},
    )


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)


def _match(seed: int) -> list[Sent]:
    """A match through the product's own loop, second by second of a time that is made here."""
    place = machine.MEMORY if machine.MEMORY.is_dir() else machine.DISK
    with wired(place, real_time=False, still=True) as device:
        table, people = _Table(device), players(seed)
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
    return table.sent


@dataclass(slots=True)
class _Table:
    """A device whose time is in our hands, and what was sent for every picture that came to its display."""

    device: Wired
    now_s: float = 0.0
    sent: list[Sent] = field(default_factory=list)
    display: Oled = field(init=False)
    app: App = field(init=False)

    def __post_init__(self) -> None:
        # Without the repetition of set-up and picture: it is no answer to anything that people do.
        self.display = Oled(Options(refresh_s=0.0), now_s=lambda: self.now_s)
        self.app = App(self.device.runtime.app.controller, self.display, lambda: self.now_s)

    def look(self, action: KeyPressed | Scanned | None = None) -> None:
        """Let the loop hear an act, or let it see that time has passed, and wait for the panel."""
        page, before, traffic = self.app.controller.front.NAME, self.device.panel.held(), self._traffic
        if action is not None:
            self.app.post(action)
        self.app.stop()
        self.app.run()
        if not self.display.settle(PATIENCE_S):
            raise TimeoutError("the picture does not reach the panel")
        after = self.device.panel.held()
        if after.tobytes() != before.tobytes():
            pages = (page, self.app.controller.front.NAME)
            self.sent.append(_sent(pages, before, after, self._traffic - traffic, act=action is not None))

    @property
    def _traffic(self) -> Traffic:
        return self.device.bus.traffic


def _sent(pages: tuple[str, str], before: Image, after: Image, traffic: Traffic, *, act: bool) -> Sent:
    differing = sum(old != new for old, new in zip(pack(before), pack(after), strict=True))
    return Sent(
        pages,
        act,
        traffic.bytes_on_wire,
        1000 * traffic.wire_s(BUS_HZ),
        differing,
        1000 * least_wire_s(before, after),
    )
