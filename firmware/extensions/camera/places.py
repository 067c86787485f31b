"""Whose card it is, by its place: a card that is opened where a player lays cards is that player's.

A place is learned from a card whose player a badge or an answer has named. While none is known, players open
cards in the order of the seats, and all places are learned from a turn whose cards came one by one.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Final, NamedTuple

from companion.core.ask import Ask, AskKind
from companion.core.cards import Seat
from companion.match.match import Match
from companion.values import replace
from firmware.extensions.camera.rows import Point
from firmware.extensions.camera.seen import Seen, centre
from firmware.play.clocks import ANNOUNCED_S
from firmware.play.table import Table
from firmware.session.session import Session

_NOTE: Final = "camera-places"
"""The note in the journal that keeps the places of one match, in pixels of the picture."""


class _Opened(NamedTuple):
    """Where a card was opened, whose it is by a badge, and whether it was laid alone."""

    card: Seen
    seat: Seat | None
    alone: bool


class Places:
    """The places of the match in play. Game thread only."""

    def __init__(self) -> None:
        self._opened: dict[str, _Opened] = {}
        """Cards where they were last opened, by name, in order."""

    def open(self, card: str, ask: Ask, seen: Seen | None, table: Table, *, alone: bool) -> None:
        """Note a card of the turn, and where it was seen: it counts as that of the player of that place."""
        self._opened.pop(card, None)
        if seen is None:
            return
        turn = table.state.turn.tick(table.now_s)  # without what a place said of a card that was refused
        clear = alone or turn.announced is None  # of several cards nobody knows which one a badge meant
        seat = None if clear and turn.announced is not None else _owner(_known_places(table.session), seen)
        if clear:
            self._opened[card] = _Opened(seen, turn.announced, alone)
        turn = turn if clear else replace(turn, announced=None)
        if seat in ask.seats:  # unlike a badge it holds for this card alone
            turn = turn.announce(seat, table.now_s - ANNOUNCED_S)
        table.update(turn=turn)

    def learn(self, match: Match, table: Table) -> bool:
        """Learn places from a turn whose cards are all there; whether these have said whose a card was."""
        session, ask = table.session, next(iter(match.asks), None)
        turn = match.board.placing or [line.card for line in match.board.newest]
        opened = {card: at for card, at in self._opened.items() if card in turn}
        seats = {card: at.seat for card, at in opened.items() if at.seat is not None}
        for event in match.newest.events if match.newest else ():
            card, seat = str(getattr(event, "card", "")), getattr(event, "seat", None)
            if card in opened and seat is not None:
                seats[card] = seat
        places = _known_places(session)
        left = [card for card in opened if card not in seats]
        free = [at for at in match.players if at not in seats.values() and not session.is_robot(at)]
        if not places and len(left) == len(free) and all(opened[card].alone for card in left):
            seats.update(zip(left, free, strict=True))
        there = {card: _owner(places, opened[card].card) for card in seats}
        seats = {card: seat for card, seat in seats.items() if there[card] != seat}
        if seats:  # who was at such a place before has left it
            places = {seat: at for seat, at in places.items() if seat not in map(there.get, seats)}
            places |= {seat: centre(opened[card].card.corners) for card, seat in seats.items()}
            noted = {"match": session.match_id, "at": [[seat, *at] for seat, at in places.items()]}
            session.notes.remember(_NOTE, noted)
        undone = match.newest is None or match.newest.number != match.steps  # it may have been the answer
        if undone or ask is None or ask.kind is not AskKind.CLAIM or ask.card not in opened:
            return False
        seat = _owner(places, opened[ask.card].card)
        return str(seat) in ask.choices and table.answer(ask, seat, str(seat))

    def next_in_order(self, ask: Ask, session: Session) -> Seat | None:
        """Who opens the next card, so that places are learned; None where the order does not matter."""
        left = [self._opened[card] for card in ask.have if card in self._opened]
        left = [opened for opened in left if opened.alone and opened.seat is None]
        free = [seat for seat in ask.seats if not session.is_robot(seat)]
        in_order = len(left) == len(ask.have) - (ask.need - len(ask.seats)) < len(free)
        return free[len(left)] if in_order and not _known_places(session) else None


def _known_places(session: Session) -> dict[Seat, Point]:
    """The places that are known, by seat."""
    noted = session.notes.recall(_NOTE)
    at = noted["at"] if isinstance(noted, dict) and noted["match"] == session.match_id else ()
    return {Seat(seat): (x, y) for seat, x, y in at}


def _owner(places: Mapping[Seat, Point], card: Seen) -> Seat | None:
    """Whose place a card lies at; None where it lies at none, or between two."""
    near = sorted((math.dist(at, centre(card.corners)), seat) for seat, at in places.items())
    alike = [seat for off, seat in near if off <= 2 * near[0][0]]
    return alike[0] if len(alike) == 1 and near[0][0] < card.height_px else None
