"""What to send next, so that a hub gets every step, whole and once: store and forward without a second store.

The journal is the store. A hub says how far it has come with each match, and everything above that is sent,
in order, as much at a time as the window allows. What the hub does not have after a while is sent again,
with growing pauses. A step that has just been played is sent at once, whatever else is missing: who looks on
sees it, and a hub that cannot use it yet gets it again in its place.

Before anything is sent in order, the last step that the hub has must be one of ours: the same number with the
same seal. A box with an older journal, or with another history of the match, sends nothing in order and is
named (`faults`); the hub decides, by saying that it has less.

This knows neither a network nor a clock nor a file: it is told what is there and what time it is.
"""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Final

from msgspec import Struct

from companion.values import field
from network.mqtt.payloads import SEAL_LENGTH, Fault, Had
from network.mqtt.records import PublishedMatch

WINDOW: Final = 200
"""So many steps are sent before the hub has said that it has them."""

AGAIN_S: Final = 2.0
"""What the hub does not have after so long is sent again; each time in vain doubles it."""

LONGEST_PAUSE_S: Final = 60.0

LIVE: Final = 20
"""A match that has so many new steps at once was not played just now: it was imported, or restored."""

Number = tuple[str, int]
"""A step: the identity of its match and its number, 0 for the header."""


class _Match(Struct):
    """What is known of one match, here and there."""

    steps: int
    header: str
    had: Had = field(default_factory=lambda: Had(0))
    sent: int = 0
    """The last step that was sent in order, or that the hub has."""
    header_sent: str = ""
    """The seal of the header that was sent last on this connection."""
    tries: int = 0
    """How often it was sent again in vain."""
    checked: Had | None = None
    """What the hub had when it was compared with ours."""
    fault: Fault | None = None
    readable: int | None = None
    """So many steps can be read; None: all of them."""

    @property
    def there(self) -> int:
        return self.steps if self.readable is None else min(self.steps, self.readable)

    @property
    def is_checked(self) -> bool:
        return self.checked == self.had

    @property
    def may_go(self) -> bool:
        return self.is_checked and self.fault is None


class Forward:
    """What was sent to the hub, what it has, and so what is next. One thread; times are monotonic seconds."""

    def __init__(self) -> None:
        self._matches: dict[str, _Match] = {}  # the newest first
        self._looked = False
        self._hub = False
        """Whether a hub has said on this connection how far it has come."""
        self._connected = False
        self._live: list[Number] = []
        self._pause_s = AGAIN_S
        self._again_s = 0.0

    # ------------------------------------------------------------------------------- what is told

    def connected(self, now_s: float) -> None:
        """A connection is there: what was on its way over another one may be lost."""
        self._connected, self._hub = True, False
        self._live.clear()
        self._start_over(now_s)
        for match in self._matches.values():
            match.sent, match.header_sent, match.tries = min(match.had.steps, match.steps), "", 0

    def disconnected(self) -> None:
        self._connected = False
        self._live.clear()

    def journal(self, known: Sequence[PublishedMatch]) -> None:
        """What the journal has, the newest match first."""
        before, self._matches = self._matches, {}
        for one in known:
            match = before.get(one.uid) or _Match(0 if self._looked else one.steps, one.header)
            if self._connected and match.steps < one.steps <= match.steps + LIVE:
                self._live += [(one.uid, number) for number in range(match.steps + 1, one.steps + 1)]
            if match.fault is not None and one.steps != match.steps:
                match.checked = None
            if one.steps < match.steps:  # an older journal
                match.checked, match.sent = None, min(match.sent, one.steps)
            if one.steps != match.steps:
                match.readable = None
            match.steps, match.header = one.steps, one.header
            self._matches[one.uid] = match
        self._looked = True

    def have(self, matches: Mapping[str, Had] | None, now_s: float) -> None:
        """How far the hub has come; None: there is none."""
        self._hub = matches is not None
        for uid, match in self._matches.items():
            had = (matches or {}).get(uid, Had(0))
            if had.steps > match.had.steps or had.header != match.had.header:
                match.tries = 0
                self._start_over(now_s)
            if had.steps < match.had.steps:  # the hub was told to take this match again, or has lost it
                match.sent = had.steps
            match.sent = max(match.sent, min(had.steps, match.steps))
            match.had = had

    # ------------------------------------------------------------------------------- what is to be done

    def check_one(self, seal_of: Callable[[str, int], str | None]) -> bool:
        """Compare one match, the newest first, with what the hub has of it; False if none is left.

        `seal_of` gives the seal of a step of ours, by match and number; None where it cannot be read.
        """
        if not self._hub:
            return False
        for uid, match in self._matches.items():
            if not match.is_checked:
                match.fault = _difference(uid, match, seal_of)
                match.checked = match.had
                return True
        return False

    def take(self, now_s: float, most: int = WINDOW) -> list[Number]:
        """What to send now, in this order, at most so much; it counts as sent."""
        if not self._connected:
            return []
        if self._on_the_way() and now_s >= self._again_s:
            self._send_again(now_s)
        taken = list(islice(self._next(), most))
        if taken:
            self._again_s = max(self._again_s, now_s + self._pause_s)
        return taken

    def look_again_s(self, now_s: float) -> float:
        """In how many seconds something is to be sent again; infinite: never, unless something changes."""
        return max(0.0, self._again_s - now_s) if self._connected and self._on_the_way() else math.inf

    def unreadable(self, uid: str, number: int) -> None:
        """Step `number` of a match cannot be read: nothing from there on is sent."""
        match = self._matches[uid]
        match.readable = min(match.there, number - 1)
        match.sent = min(match.sent, match.readable)

    @property
    def faults(self) -> tuple[Fault, ...]:
        found: list[Fault] = []
        for uid, match in self._matches.items():
            if match.readable is not None:
                found.append(Fault("damaged", uid, match.readable + 1))
            if match.fault is not None:
                found.append(match.fault)
        return tuple(found)

    # ------------------------------------------------------------------------------- parts of it

    def _next(self) -> Iterator[Number]:
        """What is to be sent; each is noted as sent when it is taken."""
        while self._live:
            uid, number = self._live.pop(0)
            match = self._matches.get(uid)
            if match is None or number > match.there:
                continue
            if match.header_sent != match.header:
                match.header_sent = match.header
                yield uid, 0
            if match.sent == number - 1:
                match.sent = number
            yield uid, number
        if not self._hub:
            return
        room = WINDOW - sum(max(0, one.sent - one.had.steps) for one in self._matches.values() if one.may_go)
        for uid, match in sorted(self._matches.items(), key=lambda one: one[1].tries):
            if not match.may_go:
                continue
            if match.had.header != match.header != match.header_sent:
                match.header_sent = match.header
                yield uid, 0
            while match.sent < match.there and room > 0:
                match.sent += 1
                room -= 1
                yield uid, match.sent

    def _on_the_way(self) -> bool:
        """Whether the hub has not yet said that it has all that was sent."""
        return self._hub and any(
            one.may_go and (one.sent > one.had.steps or (one.header_sent and one.had.header != one.header))
            for one in self._matches.values()
        )

    def _send_again(self, now_s: float) -> None:
        for match in self._matches.values():
            if match.may_go:
                match.tries += match.sent > match.had.steps
                match.sent, match.header_sent = match.had.steps, ""
        self._pause_s = min(2 * self._pause_s, LONGEST_PAUSE_S)
        self._again_s = now_s + self._pause_s

    def _start_over(self, now_s: float) -> None:
        """Something has moved: pauses are short again."""
        self._pause_s = AGAIN_S
        self._again_s = now_s + self._pause_s


def _difference(uid: str, match: _Match, seal_of: Callable[[str, int], str | None]) -> Fault | None:
    """What is wrong between our history of a match and that of the hub."""
    had = match.had
    if had.steps > match.steps:
        return Fault("behind", uid, match.steps, str(had.steps))
    ours = seal_of(uid, had.steps) if had.steps else had.seal
    if ours is None or ours == had.seal:  # what cannot be read is told when it is to be sent
        return None
    return Fault("differs", uid, had.steps, had.seal[:SEAL_LENGTH])
