"""What an act at the table and a change of the page send to the panel, in bytes on the wire.

Both are counted, so they are the same on every machine, and they do not depend on how fast people play.
"""

from dataclasses import dataclass, field
from statistics import fmean
from typing import Final

from companion.values import Value
from firmware.play.app import App
from firmware.scripted.players import Act
from hardware.drivers.luma_oled import Oled, Options
from hardware.panel.partial_update import pack
from tools.bench.figure import Effort, Figure, at_most
from tools.bench.machine import MEMORY
from tools.bench.wired import PATIENCE_S, WiredDevice, players, wired

_ACT_LIMIT: Final = 1.45
"""Times the bytes that differ. How many those are depends on the matches that chance deals."""

_PAGE_LIMIT_BYTES: Final = 820.0
_PAGE_CHANGES: Final = (
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


class Sent(Value):
    """A picture that replaced another one: the pages in front, and what went over the bus."""

    pages: tuple[str, str]
    act: bool
    """Whether somebody did something; else the page has changed by itself."""

    sent_bytes: int
    """With addresses, control bytes and commands."""

    differing_bytes: int


def wire_bytes(effort: Effort) -> list[Figure]:
    """An act on average, and the six changes of the page that happen most."""
    sent = [one for seed in range(_FIRST_SEED, _FIRST_SEED + effort.matches) for one in _match(seed)]
    acts = [one for one in sent if one.act]
    changes = [[one for one in sent if one.pages == pages] for pages in _PAGE_CHANGES]
    missing = [" to ".join(pages) for pages, found in zip(_PAGE_CHANGES, changes, strict=True) if not found]
    if missing:
        raise RuntimeError(f"the scripted players never changed the page from {', from '.join(missing)}")
    page_bytes = [fmean(one.sent_bytes for one in found) for found in changes]
    differing_bytes = fmean(one.differing_bytes for one in acts)
    return [
        Figure(
            "wire-bytes.act",
            fmean(one.sent_bytes for one in acts),
            "bytes",
            at_most(_ACT_LIMIT * differing_bytes),
            floor=differing_bytes,
            note=f"{len(acts)} acts of {effort.matches} matches; a whole frame is 1033 bytes",
        ),
        Figure(
            "wire-bytes.page-change",
            fmean(page_bytes),
            "bytes",
            at_most(_PAGE_LIMIT_BYTES),
            floor=fmean(fmean(one.differing_bytes for one in found) for found in changes),
            note="each of the six counts the same",
            detail={" to ".join(pages): sent for pages, sent in zip(_PAGE_CHANGES, page_bytes, strict=True)},
        ),
    ]


def _match(seed: int) -> list[Sent]:
    """A match through the product's own loop, second by second of a time that is made here."""
    with wired(MEMORY, real_time=False, still=True) as device:
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

    device: WiredDevice
    now_s: float = 0.0
    sent: list[Sent] = field(default_factory=list)
    display: Oled = field(init=False)
    app: App = field(init=False)

    def __post_init__(self) -> None:
        # Without the repetition of set-up and picture: it is no answer to anything that people do.
        self.display = Oled(Options(refresh_s=0.0), now_s=lambda: self.now_s)
        self.app = App(self.device.runtime.app.controller, self.display, lambda: self.now_s)

    def look(self, action: Act | None = None) -> None:
        """Let the loop hear an act, or let it see that time has passed, and wait for the panel."""
        page, before = self.app.controller.front.NAME, self.device.panel.held()
        sent_before = self.device.bus.traffic
        if action is not None:
            self.app.post(action)
        self.app.stop()
        self.app.run()
        if not self.display.settle(PATIENCE_S):
            raise TimeoutError("the picture does not reach the panel")
        after = self.device.panel.held()
        if after.tobytes() != before.tobytes():
            pages = (page, self.app.controller.front.NAME)
            traffic = self.device.bus.traffic - sent_before
            differing = sum(old != new for old, new in zip(pack(before), pack(after), strict=True))
            self.sent.append(Sent(pages, action is not None, traffic.bytes_on_wire, differing))
