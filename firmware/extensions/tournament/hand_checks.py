"""Whether hands are the right ones, where all tables of a tournament play the same deals.

A hand that was scanned to its last card is checked before play. What is found fits a hand, not a moment:
after an undo, a correction or a power cut the hand that is there now is checked.
"""

from typing import Final

from companion.core.ask import AskKind
from companion.core.cards import Seat
from companion.tournament import deals
from companion.values import Value
from firmware.extensions.tournament.round import RoundLog
from firmware.session.session import Session

_BEFORE_PLAY: Final = frozenset({AskKind.HOLD, AskKind.LAY})


class WholeHand(Value):
    """A hand of which every card is scanned: in which deal (from 1), at which seat, and its cards."""

    deal: int
    seat: Seat
    cards: tuple[str, ...]
    right: bool


class HandChecks:
    """The checks of the hands at this table."""

    def __init__(self) -> None:
        self._known: frozenset[WholeHand] = frozenset()
        self._accepted: set[WholeHand] = set()

    def news(self, session: Session) -> list[WholeHand]:
        """The hands that became whole since this was asked."""
        hands, known = whole_hands(session), self._known
        self._known = frozenset(hands)
        return [hand for hand in hands if hand not in known]

    def wrong(self, session: Session) -> WholeHand | None:
        """The first hand that is not the right one, unless people have said that they play on with it."""
        hands = whole_hands(session)
        return next((hand for hand in hands if not hand.right and hand not in self._accepted), None)

    def play_on(self, hand: WholeHand) -> None:
        """Let people play with a hand that is not the right one."""
        self._accepted.add(hand)


def whole_hands(session: Session) -> tuple[WholeHand, ...]:
    """The hands that can be checked: every card of them is scanned, and nothing is played yet."""
    match, round_ = session.match, RoundLog(session.notes)
    seats = round_.seats
    if match is None or seats is None or not seats.seed or not round_.is_match(session.match_id):
        return ()
    if not match.asks or match.asks[0].kind not in _BEFORE_PLAY:
        return ()
    asked = match.asks[0].seats if match.asks[0].kind is AskKind.HOLD else ()
    number, found = match.position.deal, []
    for seat, planned in enumerate(deals.deal(seats.seed, seats.round, number).hands):
        if seat not in match.players or seat in asked:
            continue
        cards = match.game.hand(match.position.table, Seat(seat))
        if cards and all(map(str.isdecimal, cards)):
            right = tuple(sorted(map(int, cards))) == planned
            found.append(WholeHand(number, Seat(seat), cards, right))
    return tuple(found)
