"""Whether hands are the right ones, where all tables of a tournament play the same deals.

A hand that was scanned to its last card is checked before play, in a thread of its own: its digest takes as
long on a small board as people notice. What is found fits a hand, not a moment: after an undo, a correction
or a power cut the hand that is there now is looked up, or checked again.
"""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from companion.core.ask import AskKind
from companion.core.cards import Seat
from companion.core.game import KnowsHands
from companion.tournament.deals import digest_of
from companion.values import Value
from firmware.extensions.tournament.round import Round
from hardware.ports import ExtensionMessage

if TYPE_CHECKING:
    from firmware.session.session import Session

_BEFORE_PLAY: Final = frozenset({AskKind.HOLD, AskKind.LAY})
_JOIN_S: Final = 2.0


class HandToCheck(Value):
    """A whole hand: in which deal (from 1), at which seat, its cards, and what its digest should be."""

    deal: int
    seat: Seat
    cards: tuple[str, ...]
    salt: str
    digest: str


class HandChecked(ExtensionMessage, frozen=True):
    """What was found of a hand."""

    hand: HandToCheck
    right: bool


class HandChecks:
    """The checks of the hands at this table. Used by the game thread; `close` also by others.

    Until `start` a hand is checked in the thread that asks: for programs that nobody waits for.
    """

    def __init__(self) -> None:
        self._found: dict[HandToCheck, bool] = {}
        self._asked: set[HandToCheck] = set()
        self._play_on: set[HandToCheck] = set()
        self._post: Callable[[HandChecked], None] | None = None
        self._inbox: Final[queue.SimpleQueue[HandToCheck | None]] = queue.SimpleQueue()
        self._thread: threading.Thread | None = None

    def start(self, post: Callable[[HandChecked], None]) -> None:
        self._post = post

    def close(self) -> None:
        thread, self._thread = self._thread, None
        if thread is not None:
            self._inbox.put(None)
            thread.join(_JOIN_S)

    def look(self, session: Session) -> tuple[HandChecked, ...]:
        """Begin to check the hands that are whole now; gives what was found at once."""
        new = [hand for hand in whole(session) if hand not in self._asked]
        self._asked.update(new)
        if self._post is None:
            return tuple(map(_checked, new))
        for hand in new:
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="hands", daemon=True)
                self._thread.start()
            self._inbox.put(hand)
        return ()

    def hear(self, checked: HandChecked) -> None:
        self._found[checked.hand] = checked.right

    def wrong(self, session: Session) -> HandToCheck | None:
        """The first hand that is not the right one, unless people have said that they play on with it."""
        known = (hand for hand in whole(session) if self._found.get(hand) is False)
        return next((hand for hand in known if hand not in self._play_on), None)

    def play_on(self, hand: HandToCheck) -> None:
        """Let people play with a hand that is not the right one."""
        self._play_on.add(hand)

    def _run(self) -> None:
        while (hand := self._inbox.get()) is not None:
            if self._post is not None:
                self._post(_checked(hand))


def whole(session: Session) -> tuple[HandToCheck, ...]:
    """The hands that can be checked: every card of them is scanned, and nothing is played yet."""
    match, round_ = session.match, Round(session.notes)
    seats = round_.seats
    if match is None or seats is None or seats.hands is None:
        return ()
    if not round_.is_match(session.match_id) or not isinstance(match.game, KnowsHands):
        return ()
    if not match.asks or match.asks[0].kind not in _BEFORE_PLAY:
        return ()
    asked = match.asks[0].seats if match.asks[0].kind is AskKind.HOLD else ()
    deal, found = match.position.deal, []
    for seat in match.players:
        digest = seats.hands.digest(deal, seat)
        cards = match.game.hand(match.position.table, seat) if seat not in asked else ()
        if digest is not None and cards and all(map(str.isdecimal, cards)):
            found.append(HandToCheck(deal, seat, cards, seats.hands.salt, digest))
    return tuple(found)


def _checked(hand: HandToCheck) -> HandChecked:
    digest = digest_of(hand.salt, hand.deal, hand.seat, map(int, hand.cards))
    return HandChecked(hand, digest == hand.digest)
