"""A match of Ciao! in a test, with its orders as methods."""

from collections.abc import Sequence
from typing import Any

from companion.core.cards import Seat
from companion.games.ciao.cards import Card
from companion.games.ciao.records import Adopt, Draw, Play, Race
from companion.match.match import Step
from tests.companion.one_match import OneMatch
from tests.companion.told import told


def cards(*names: str) -> tuple[Card, ...]:
    return tuple(map(Card, names))


class CiaoMatch(OneMatch):
    """With the orders of Ciao!."""

    COUNTS = True

    def __init__(self, seats: int = 3, first: int = 0, **options: Any) -> None:
        super().__init__("ciao", seats, first, **options)

    @property
    def asked(self) -> list[str]:
        return [ask.kind.value for ask in self.match.asks]

    @property
    def view(self) -> dict[str, Any]:
        view: dict[str, Any] = self.game.view(self.table)
        return view

    def set_up(self, top: str | None = None, hands: Sequence[Sequence[str]] = (), **more: Any) -> Step:
        """A table that is set up, with hands by seat."""
        known = tuple(cards(*hand) for hand in hands) if hands else None
        for name in ("pile", "discards"):
            if name in more:
                more[name] = cards(*more[name])
        return self.do(Adopt(top, hands=known, **more))

    def play(self, card: str, seat: int | None = None, **more: Any) -> Step:
        return self.do(Play(Card(card), None if seat is None else Seat(seat), **more))

    def race(self, card: str, seat: int | None = None, **more: Any) -> Step:
        return self.do(Race(Card(card), None if seat is None else Seat(seat), **more))

    def draw(self) -> Step:
        return self.do(Draw())

    def answer(self, text: str, seat: int | None = None, place: int = 0) -> Step:
        """An answer to an open question, as people give it."""
        ask = self.match.asks[place]
        return self.do(self.game.read(ask, None if seat is None else Seat(seat), text))


def sentences(step: Step) -> list[tuple[str, str]]:
    """The reasons of a step."""
    return list(told(step))


def kinds(step: Step) -> list[str]:
    """The kinds of its facts."""
    return [event.KIND for event in step.events]
