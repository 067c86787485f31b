"""A deal between visitors and robots: who is to answer, what there is to tell.

The device deals, so it knows every hand. A visitor's page shows only the own one, and a robot is given only
its own one. The referee rules as at a table, on a match that lives in memory and is dropped at the end.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from companion.core import games
from companion.core.ask import Ask, Gives
from companion.core.board import Board, PlacedCard, Stack
from companion.core.cards import Seat
from companion.core.game import RandomSource
from companion.core.ruling import Refused
from companion.match.dealer import Dealer
from companion.match.lesson import options_for_strangers
from companion.match.match import Match, Terms, begin
from companion.robots.coach import PlayAdvice
from companion.robots.levels import Decision, Level, nearest
from companion.text.sentence import Text
from companion.values import replace
from firmware.extensions.robots.thinking import Robots

SEATS: Final = 4
"""Visitors and robots together."""


class VisitorChoice(NamedTuple):
    """What a visitor can answer: a card of the hand, or another thing with its label."""

    ask: Ask
    text: str
    label: Text | None = None

    @property
    def is_card(self) -> bool:
        return self.label is None


class PlayedCard(NamedTuple):
    """A card that was placed, and who played it."""

    line: PlacedCard
    seat: Seat
    on: str = ""
    """The card that it was laid on, where people know a pile by it and not by its name."""
    rows: tuple[Stack, ...] = ()
    """The stacks just before."""


class VisitorDeal:
    """One deal of a game. `visitors` sit at the first seats, robots of `level` at the others.

    `robots` think; `rng` deals. Where no robot of this level can play, those of the next easier one do.
    """

    def __init__(self, game: str, visitors: int, level: str, robots: Robots, rng: RandomSource) -> None:
        self.game: Final = game
        self.visitors: Final = visitors
        self.placement_s = 0.0
        """For how long a card that is placed is shown."""
        self.match: Match = begin(Terms(game, SEATS, options_for_strangers(game)))
        self.told: list[PlayedCard] = []
        """The cards that were placed and are still to be told."""
        self.asked: Seat | None = None
        """The visitor who is asked."""
        self.shown_to: Seat | None = Seat(0) if visitors == 1 else None
        """Which visitor has the box in hand."""
        self.knows_keys = False
        """Whether a visitor has found the keys that go through the cards."""
        self.told_result = False
        self._robots: Final = robots
        self._level = nearest(game, Level(level))
        self._seed: Final = rng.randrange(1_000_000)
        self._dealer: Final = Dealer(rng)
        self._dealer.update(self.match)
        self._lines: tuple[PlacedCard, ...] = ()
        self.dealt: Final = {seat: self._dealer.hand(seat) for seat in self.match.players[:visitors]}
        """The cards that visitors were dealt."""

    @property
    def over(self) -> bool:
        return bool(self.match.position.score_sheet.deals)

    @property
    def board(self) -> Board:
        position = self.match.position
        return self.match.game.board(position.finished if self.over else position.table)

    @property
    def points(self) -> tuple[int, ...]:
        return self.match.position.score_sheet.deals[0]

    @property
    def worst(self) -> PlayAdvice | None:
        """The choice of a visitor that another one was certainly better than: see `Robots.costliest`."""
        return self._robots.costliest(self.match, self.dealt) if self.dealt else None

    def hand(self, seat: Seat) -> tuple[str, ...]:
        order = games.module(self.game).DECK.index
        return tuple(sorted(self._dealer.hand(seat), key=order))

    def is_visitor(self, seat: Seat | None) -> bool:
        return seat is not None and seat < self.visitors

    def options(self, seat: Seat) -> tuple[VisitorChoice, ...]:
        """All that a visitor can answer now: cards of the hand first, then other things."""
        found: list[VisitorChoice] = []
        for ask in self.match.asks:
            if seat not in ask.seats:
                continue
            if ask.kind.gives is Gives.CARD and not ask.choices:
                found += [VisitorChoice(ask, card) for card in self.hand(seat)]
            else:
                labels = ask.labels or tuple(ask.says for _ in ask.choices)
                found += [VisitorChoice(ask, *pair) for pair in zip(ask.choices, labels, strict=False)]
        return tuple(found)

    def fits(self, option: VisitorChoice, seat: Seat) -> bool:
        return isinstance(self.match.play(option.text, seat, option.ask.kind), Match)

    def advance(self) -> None:
        """Let the robots answer until there is something to tell or to ask, or one of them thinks."""
        self.asked = None
        while not (self.told or self.over):
            if (given := self._dealer.without_choice(self.match)) is not None:
                self.answer(VisitorChoice(given.ask, given.text), given.seat)
                continue
            seat = self._dealer.asked(self.match)[0]  # of several who play together, visitors first
            if self.is_visitor(seat):
                self.asked = seat
                return
            held, seed = self._dealer.hand(seat), self._seed + seat
            thinks, given = self._robots.answer(Decision(self.match, seat, held, self._level, seed))
            if thinks:
                return
            if given is None:
                option = next(choice for choice in self.options(seat) if self.fits(choice, seat))
            else:
                option = VisitorChoice(given.ask, given.text)
            self.answer(option, seat)

    def answer(self, option: VisitorChoice, seat: Seat | None) -> Refused | None:
        """Let a visitor or a robot answer; the refusal if it is not allowed, and then nothing has changed."""
        before, after = self.match, self.match.play(option.text, seat, option.ask.kind)
        if isinstance(after, Refused):
            return after
        self.match = after
        self._dealer.update(after)
        lines, old = self.board.newest, self._lines
        self._lines, rows = lines, before.board.stacks
        for line in lines[len(old) :] if lines[: len(old)] == old else lines:
            owner = self._dealer.owner(line.card)
            if owner is None:
                owner = seat if line.taker is None else line.taker
            if owner is not None:
                on = "" if line.taker is not None or any(stack.room for stack in rows) else line.place
                self.told.append(PlayedCard(line, owner, on, rows))
            rows = tuple(
                replace(stack, cards=(*(() if line.takes else stack.cards), line.card))
                if stack.name == line.place
                else stack
                for stack in rows
            )
        return None
