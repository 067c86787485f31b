"""Robots at a table of Ciao!: they hold the cards, and answer what the referee asks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from companion.core.ask import Answer, Ask, AskKind
from companion.core.cards import Seat
from companion.games.ciao.bots import Dealt
from companion.games.ciao.cards import Card
from companion.games.ciao.table import Stage
from companion.robots.ciao.answers import answer, card_to_play

if TYPE_CHECKING:
    from collections.abc import Sequence

    from companion.core.game import RandomSource
    from companion.games.ciao.table import Table
    from companion.robots.ciao.players import CiaoPlayer


class Group:
    """One robot for each player, by seat; `rng` deals, and says who is the quickest in a challenge."""

    def __init__(self, robots: Sequence[CiaoPlayer], rng: RandomSource) -> None:
        self._robots: Final = robots
        self._rng: Final = rng
        self._dealt: Final = Dealt(rng)

    def answer(self, state: Table, asks: tuple[Ask, ...]) -> Answer:
        """The next answer of one of them."""
        dealt, ask = self._dealt, asks[0]
        dealt.look(state)
        match ask.kind:
            case AskKind.RACE:
                return self._race(state, asks)
            case AskKind.CLAIM:
                return dealt.claim(ask)
            case AskKind.HAND:
                return dealt.count(ask)
            case _:
                seat = state.actor
                found = answer(self._robots[seat], state, asks, seat, dealt.hand(seat))
                assert found is not None  # noqa: S101 - only a challenge may be left without an answer
                self._move_cards(state, found)
                return found

    def _move_cards(self, state: Table, given: Answer) -> None:
        """Cards change hands as an answer says."""
        if given.ask.kind is AskKind.PLAY:
            self._dealt.lay(state.actor, Card(given.text))
        elif state.stage is Stage.WITH:
            self._dealt.swap(state.actor, Seat(int(given.text)))
        elif state.stage is Stage.GIVE:
            self._dealt.give(state, Card(given.text))
        elif state.stage is Stage.TROUBLE:
            self._dealt.discard_trouble(state.actor)

    def _race(self, state: Table, asks: tuple[Ask, ...]) -> Answer:
        able = []
        for seat in asks[0].seats:
            card = card_to_play(self._robots[seat], state, seat, self._dealt.hand(seat))
            if card is not None:
                able.append((seat, card))
        if not able:
            return Answer(asks[1], asks[1].choices[0])
        seat, card = self._rng.choice(able)
        self._dealt.race(seat, card)
        return Answer(asks[0], card, seat)
