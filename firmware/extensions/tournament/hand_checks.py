"""Whether hands are the right ones, where all tables of a tournament play the same deals.

A hand that was scanned to its last card is checked before play, in a thread of its own: its digest takes as
long on a small board as people notice. What is found fits a hand, not a moment: after an undo, a correction
or a power cut the hand that is there now is looked up, or checked again.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Final

from companion.core.ask import AskKind
from companion.core.cards import Seat
from companion.core.game import KnowsHands
from companion.tournament.deals import digest_of
from companion.values import Value
from firmware.extensions.tournament.round import Round
from firmware.extensions.worker import Worker
from hardware.ports import ExtensionMessage

if TYPE_CHECKING:
    from firmware.session.session import Session

_BEFORE_PLAY: Final = frozenset({AskKind.HOLD, AskKind.LAY})


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
        self._worker: Final = Worker("hands")

    def start(self, post: Callable[[HandChecked], None]) -> None:
        self._post = post
        self._worker.start()

    def close(self) -> None:
        self._worker.close()

    def look(self, session: Session, found: Callable[[HandChecked], None]) -> None:
        """Begin to check the hands that are whole now; `found` is given what is found at once."""
        for hand in whole(session):
            if hand not in self._asked:
                self._asked.add(hand)
                self._worker.do(partial(_check, hand, self._post or found))

    def hear(self, checked: HandChecked) -> None:
        self._found[checked.hand] = checked.right

    def wrong(self, session: Session) -> HandToCheck | None:
        """The first hand that is not the right one, unless people have said that they play on with it."""
        known = (hand for hand in whole(session) if self._found.get(hand) is False)
        return next((hand for hand in known if hand not in self._play_on), None)

    def play_on(self, hand: HandToCheck) -> None:
        """Let people play with a hand that is not the right one."""
        self._play_on.add(hand)


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


def _check(hand: HandToCheck, found: Callable[[HandChecked], None]) -> None:
    digest = digest_of(hand.salt, hand.deal, hand.seat, map(int, hand.cards))
    found(HandChecked(hand, digest == hand.digest))
