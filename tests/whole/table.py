"""People at a live device: they go through with their evening, and look at what it shows and keeps."""

from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from firmware.journal.errors import DamagedMatch
from firmware.journal.store import Journal
from tests.patience import PATIENCE_S
from tests.whole import reading
from tests.whole.scripted import STRANGER, Evening, Place, Return, Shown

_WARNING = "DISK-SPACE"
_WARNING_SAYS = ("FREE ON THE DISK", "IS LARGE")  # on its first page and on its second


class Lost(AssertionError):
    """What had been shown is not in the journal, or what is in the journal had never been done."""


class Device(Protocol):
    """What people have before them."""

    newest: Shown
    """The newest picture that was looked at."""

    @property
    def journal(self) -> Path:
        """Its journal; while it is off."""

    def switch_on(self) -> None:
        """Start it; the display is empty."""

    def scan(self, code: str) -> None:
        """Read a code; nobody knows whether it is heard."""

    def new_pictures(self) -> list[Shown]:
        """What the display has shown since it was looked at last; oldest first."""

    def wait_for(self, seen: Callable[[Shown], bool], within_s: float = PATIENCE_S) -> bool:
        """Wait for a new picture of which `seen` is true; False if it is not in time."""

    def wait_listening(self, harmless: str) -> None:
        """Wait until scans are heard: `harmless` is a code that changes no more than a notice."""


@dataclass(frozen=True, slots=True)
class Found:
    """What the journal of a device holds."""

    place: Place
    steps: tuple[dict[str, Any], ...]


def on_disk(path: Path) -> Found:
    if not path.exists():
        return Found(("joined", 0, 0), ())
    with closing(Journal.read(path)) as journal:
        opened, joining, entries = journal.recall("open"), journal.recall("joining"), journal.matches()
        before = [entry for entry in entries if entry.steps and entry.id != opened]
        if not isinstance(opened, int):
            badges = joining["badges"] if isinstance(joining, dict) else ()
            return Found(("joined", len(badges), 0), ())
        try:
            steps = tuple(journal.steps(opened))
        except DamagedMatch as damage:  # the journal itself has found that something is lost
            raise Lost(str(damage)) from damage
    return Found(("played", len(before), len(steps)), steps)


class Table:
    """People who go through with their evening, whatever happens to the device."""

    def __init__(self, device: Device, plan: Evening) -> None:
        self.device = device
        self.plan = plan
        self.at = 0  # the moment that the display has shown
        self.sent = 0  # the moment that the newest code leads to
        self._warned = False  # a warning was seen since the device was switched on

    def sit_down(self) -> None:
        """Switch the device on; it must say hello to the saved match and come back to its question."""
        self.device.switch_on()
        place = self.plan.moments[self.at].place
        back = self.plan.returns[place]
        assert self.device.wait_for(lambda seen: self._is(seen, back.hello)), "it does not say hello"
        if place[0] == "played":
            self.device.wait_listening(STRANGER)
            self._come_back(back, 1)
        else:  # without a saved match hello closes by itself, on a slow machine before an OK
            self._come_back(back, 0)
            self.device.wait_listening("6NC-SWAPV")

    def _come_back(self, back: Return, pages: int) -> None:
        """Wait for the question; so many pages that lie on it are closed by an OK each.

        Those of the warning, which may come to lie on it at any moment, are closed as well. An OK more would
        answer the question, even below a notice: that goes by itself.
        """
        sent = 0
        self._warned = _is_warning(self.device.newest)
        while self.device.newest != back.question:
            closable = pages + (len(_WARNING_SAYS) if self._warned else 0)
            if sent < closable and self.device.newest != back.noticed:
                self.device.scan("6NC-OKB")
                sent += 1
            top = self.device.newest
            answered = self.device.wait_for(lambda seen, top=top: self._leaves(top, seen, back))  # type: ignore[misc]
            assert answered, "the page that lies on the question does not go"

    def play(self, count: int) -> None:
        """Scan the next codes, each when the display has answered the one before."""
        for _ in range(min(count, len(self.plan.codes) - self.at)):
            self.scan()
            while not self._answered():
                self.scan()  # OK came too early, and the notice said so
            self.at = self.sent

    def _answered(self) -> bool:
        """Wait for what the newest code leads to; False if the page has asked to wait a moment with OK."""
        moment, here, there = self.plan.moments[self.at], self.shows(self.at), self.shows(self.sent)
        came = noticed = False

        def ends(seen: Shown) -> bool:
            nonlocal came, noticed
            came = self._is(seen, *there, before=(*here, self.plan.returns[moment.place].noticed))
            asked, noticed = noticed, not seen.heading  # a notice is no heading
            return came or (moment.waits and asked and not noticed)

        assert self.device.wait_for(ends), (
            f"nothing is shown for {self.plan.codes[self.at]} (code {self.sent})"
        )
        return came

    def scan(self) -> None:
        """Scan the next code and do not wait."""
        if self.at < len(self.plan.codes):
            self.device.scan(self.plan.codes[self.at])
            self.sent = self.at + 1

    def look_at_disk(self) -> None:
        """After a kill: the disk holds what the display has shown, and at most the step under way."""
        here, there = self.shows(self.at), self.shows(self.sent)
        if any(seen in there and seen not in here for seen in self.device.new_pictures()):
            self.at = self.sent  # it was shown while the plug came out
        found = on_disk(self.device.journal)
        shown, under_way = (self.plan.moments[moment].place for moment in (self.at, self.sent))
        if found.place not in (shown, under_way):
            raise Lost(f"{shown} was shown, {under_way} was under way, and the disk holds {found.place}")
        kind, number, count = found.place
        if kind == "played" and found.steps != self.plan.records[number][:count]:
            raise Lost(f"the steps of match {number + 1} are not those that were made")
        self.at = self.sent = self.plan.first[found.place]

    def shows(self, moment: int) -> tuple[Shown, Shown]:
        """The page of a moment, and the one after the device was switched on there."""
        here = self.plan.moments[moment]
        return here.live, self.plan.returns[here.place].question

    def _leaves(self, top: Shown, seen: Shown, back: Return) -> bool:
        """Whether the page on top has given way to one of those that may follow."""
        self._is(seen, back.question, back.noticed, back.hello, top)
        self._warned |= _is_warning(seen)
        return seen != top

    @staticmethod
    def _is(seen: Shown, *expected: Shown, before: tuple[Shown, ...] = ()) -> bool:
        """Whether it is one of the expected pictures. It may be one before or a warning, and nothing else."""
        if seen in expected:
            return True
        if seen not in before and not _is_warning(seen):
            says = f"title {seen.heading!r}, text {reading.body(seen.picture)!r}"
            raise Lost(f"the display shows what was never done: {says}")
        return False


def _is_warning(seen: Shown) -> bool:
    """Whether the page warns of the machine below the test, which is not what is tested.

    A notice may be in the place of its title.
    """
    text = reading.body(seen.picture)
    return seen.heading == _WARNING or any(says in text for says in _WARNING_SAYS)
