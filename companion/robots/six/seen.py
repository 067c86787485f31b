"""What a player of 6 nimmt! has seen: all that a robot may know, and what a robot does with it.

At a table nobody notes who has played a card, unless it takes a row. So it is often not known: then the
cards of that turn are seen, but they tell nothing about anybody's way of playing.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Protocol

from companion.core.cards import HIGHEST, Card, Seat
from companion.games.six.table import SixTable
from companion.match.match import Match
from companion.values import Value

CardRows = tuple[tuple[int, ...], ...]


class TurnCards(Value):
    """A turn of a deal: the rows before it, and the card of every player in the order of seats."""

    rows: CardRows
    cards: tuple[int, ...]


class SixPlayerView(Value):
    """A deal as the player at place `seat` of `seats` sees it, before a card is chosen, or a row.

    `hand` is the own one, ascending. `turns` are those of this deal that are placed, with their owners, and
    `earlier` those of the deals before: every hand of these is known, for all of it was played. `totals` are
    the points of the finished deals and `heads` those of this one. A match ends at `target` points (0: nobody
    knows), or with this deal, if it is the `last`. `shown` is empty while a card is chosen; while a row is
    chosen for the lowest card, these are the cards of the turn, and `hand` is without the own one. `gone` are
    all cards that were face up, also in turns where nobody knows who played which card.
    """

    seats: int
    seat: int
    rows: CardRows
    hand: tuple[int, ...]
    turns: tuple[TurnCards, ...] = ()
    earlier: tuple[tuple[TurnCards, ...], ...] = ()
    totals: tuple[int, ...] = ()
    heads: tuple[int, ...] = ()
    target: int = 0
    last: bool = False
    deck: int = HIGHEST
    shown: tuple[int, ...] = ()
    gone: frozenset[int] = frozenset()

    @property
    def known(self) -> tuple[TurnCards, ...]:
        """The turns whose cards are known, with the one that is being placed."""
        return (*self.turns, TurnCards(self.rows, self.shown)) if self.shown else self.turns

    def unseen(self) -> list[int]:
        """The cards that may be in other hands or not in the deal, ascending."""
        seen = {*self.hand, *self.shown, *self.gone}
        for rows in (self.rows, *(turn.rows for turn in self.turns)):
            seen.update(*rows)
        for turn in self.turns:
            seen.update(turn.cards)
        return [card for card in range(1, self.deck + 1) if card not in seen]


class SixPlayer(Protocol):
    """A player of 6 nimmt!, which knows only what it is given with each question."""

    def card(self, seen: SixPlayerView) -> int:
        """The card to play: one of `seen.hand`."""

    def row(self, seen: SixPlayerView) -> int:
        """The row to take, from 0, for the own card, the lowest of `seen.shown`, which fits nowhere."""


def seen_by(match: Match, seat: Seat, hand: Iterable[int]) -> SixPlayerView:
    """What the player at a seat has seen, with these cards in the hand, when a card or a row is chosen.

    While a row is chosen for the own card, that card is no more in the hand.
    """
    table: SixTable = match.position.table
    if table.shown and not table.placing:  # who chooses a card has not seen those of this turn
        table = _begin(table)
    players, end = table.players, match.game.end
    *earlier, deal = finished_turns(match)
    turns = [_turn(turn) for turn in deal]
    return SixPlayerView(
        len(players),
        players.index(seat),
        _numbers(_begin(table).rows if table.shown else table.rows),
        tuple(sorted(hand)),
        tuple(turn for turn in turns if turn is not None),
        tuple(known for turn in earlier if (known := _whole(turn, players))),
        tuple(match.totals[player] for player in players),
        tuple(match.points[player] for player in players),
        end.target,
        match.position.deal in (end.deals, match.position.score_sheet.last),
        table.deck,
        _in_some_order(table.newest, players) if table.placing else (),
        frozenset(int(card) for at in (*deal, table) for card in _open_cards(at)),
    )


def finished_turns(match: Match) -> list[list[SixTable]]:
    """The table after every finished turn, by deal, the deal in progress last."""
    found: dict[int, dict[int, SixTable]] = {match.position.deal: {}}
    at: Match | None = match
    while at is not None:
        now, ended = at.position, len(at.position.score_sheet.deals)
        for deal, table in ((now.deal, now.table), (ended, now.finished)):
            if table is not None and table.placed and not table.shown:
                found.setdefault(deal, {}).setdefault(table.turn, table)
        at = at.before
    last = found.pop(match.position.deal)
    deals = [[turns[number] for number in sorted(turns)] for _, turns in sorted(found.items())]
    return [*deals, [last[number] for number in sorted(last) if number <= match.position.table.turn]]


def _begin(table: SixTable) -> SixTable:
    return table if table.before is None else table.before


def _numbers(rows: Iterable[Sequence[Card]]) -> CardRows:
    return tuple(tuple(map(int, row)) for row in rows)


def _open_cards(table: SixTable) -> Iterable[Card]:
    """The cards that lie on the table, or lay there when the newest turn began."""
    for row in (*_begin(table).rows, *table.rows):
        yield from row
    yield from (card for card, _ in table.newest)


def _turn(table: SixTable) -> TurnCards | None:
    """The turn that ended so; None if the cards of several players are not known."""
    cards = table.newest
    owners = [owner for _, owner in cards if owner is not None]
    if len(cards) != len(table.players) or len(set(owners)) < len(cards) - 1:
        return None
    return TurnCards(_numbers(_begin(table).rows), _in_some_order(cards, table.players))


def _whole(turns: Sequence[SixTable], players: tuple[Seat, ...]) -> tuple[TurnCards, ...]:
    """The turns of a finished deal of the same players; none if the owners of some cards are not known."""
    known = [_turn(turn) for turn in turns if turn.players == players]
    whole = tuple(turn for turn in known if turn is not None)
    return whole if len(whole) == len(turns) else ()


def _in_some_order(cards: Sequence[tuple[Card, Seat | None]], players: tuple[Seat, ...]) -> tuple[int, ...]:
    """The cards of a turn by the places of their owners; those without one fill the places that are left."""
    of = {owner: int(card) for card, owner in cards if owner is not None}
    left = iter(sorted(int(card) for card, owner in cards if owner is None))
    return tuple(of[seat] if seat in of else next(left) for seat in players)
