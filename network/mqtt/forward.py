"""What a table sends next, so that a hub gets every step, whole and once.

A step is published with QoS 1 as soon as it is played. The hub publishes how many steps of each match it has
stored (`network.mqtt.payloads.Have`). On each new connection, and whenever it has fewer steps than before,
repeats a number or asks for it, every step above that number is sent again. So is the last step that it has,
by which it notices a different history of the match.

This module uses no network, clock or file: its caller passes in what is there.
"""

from collections.abc import Callable, Sequence

from msgspec import Struct

from network.mqtt.payloads import Fault, Have, MatchEvent
from network.mqtt.records import PublishedMatch


class _Match(Struct):
    known: PublishedMatch
    sent: int
    """The last step that was handed over, or that the hub has."""
    header_sent: MatchEvent | None = None
    sent_before: int = 0
    """What `sent` was when the hub spoke last."""
    stored: int = -1
    """The steps that the hub has; -1: it does not know the match."""
    damaged: int = 0
    """The first step that cannot be read; 0: there is none."""

    def start_over(self) -> None:
        """Send again what the hub does not have, the header, and the last step that it has."""
        self.sent, self.header_sent = max(0, min(self.stored, self.known.steps) - 1), None


class Forward:
    """What was handed to the broker and what the hub has, and so what is next. One thread uses it."""

    def __init__(self) -> None:
        self._matches: dict[str, _Match] = {}  # the newest first
        self._looked = False
        self._have: Have | None = None
        """What the hub has said last on this connection; None: nothing."""

    def connected(self) -> None:
        """A new connection is there: the broker may have lost what it had."""
        self._have = None

    def start_over(self) -> None:
        """Send again what the hub does not have, if there is one: something has happened to what was sent."""
        for match in self._matches.values() if self._have is not None else ():
            match.start_over()

    def journal(self, known: Sequence[PublishedMatch]) -> None:
        """Take what the journal has, the newest match first.

        What was played before the first time waits until a hub says what it has.
        """
        before, self._matches = self._matches, {}
        for found in known:
            match = before.get(found.uid)
            if match is None:
                match = _Match(found, 0 if self._looked else found.steps)
                if self._have is not None:
                    match.stored = self._have.matches.get(found.uid, -1)
                    match.start_over()
            if found.steps != match.known.steps:
                match.sent, match.damaged = min(match.sent, found.steps), 0
            match.known = found
            self._matches[found.uid] = match
        self._looked = True

    def have(self, have: Have) -> None:
        """Take how many steps the hub has."""
        is_asked = self._have is None or have.again != self._have.again
        is_stuck = have == self._have  # it says the same again, after a while: nothing has come since
        self._have = have
        for uid, match in self._matches.items():
            before, match.stored = match.stored, have.matches.get(uid, -1)
            is_lost = is_stuck and match.stored < match.sent_before
            if is_asked or is_lost or match.stored < before:
                match.start_over()
            match.sent_before = match.sent

    def send(
        self, read: Callable[[str, int], Sequence[MatchEvent]], publish: Callable[[MatchEvent], bool]
    ) -> bool:
        """Hand over all that is due; False if `publish` takes no more for now.

        `read` returns the steps of a match after one, up to the first that cannot be read.
        """
        for uid, match in self._matches.items():
            steps, header = match.known.steps, match.known.header
            is_due = match.sent < steps and not match.damaged
            is_new = match.stored < 0 and self._have is not None
            if header != match.header_sent and (is_due or is_new or match.header_sent is not None):
                if not publish(header):
                    return False
                match.header_sent = header
            for event in read(uid, match.sent) if is_due else ():
                if not publish(event):
                    return False
                match.sent = event.number
            if is_due and match.sent < steps:
                match.damaged = match.sent + 1
        return True

    @property
    def faults(self) -> tuple[Fault, ...]:
        matches = self._matches.items()
        return tuple(Fault("damaged", uid, match.damaged) for uid, match in matches if match.damaged)
