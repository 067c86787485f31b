"""Ciao! as a `Game`: it delegates every method to the module that implements it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from companion.errors import NotInThisGame
from companion.game import Hides
from companion.games.ciao import asking, rules, views
from companion.games.ciao.box import TITLE
from companion.games.ciao.cards import Card
from companion.games.ciao.commands import COMMANDS, Adopt, Command, Correct
from companion.games.ciao.events import EVENTS, Event
from companion.games.ciao.explain import in_capitals, label
from companion.games.ciao.judge import judge
from companion.games.ciao.table import Table, apply, dealt
from companion.lifecycle import EndDeal, Join, Leave

if TYPE_CHECKING:
    from collections.abc import Mapping

    from companion.ask import Ask
    from companion.board import Audit, Board
    from companion.cards import Seat
    from companion.games.ciao.agreement import Agreement
    from companion.ruling import Allowed, Refused, Rule
    from companion.score_sheet import EndRule
    from companion.text import Text


@dataclass(frozen=True, slots=True)
class Ciao:
    """Ciao! with its agreements."""

    agreement: Agreement

    @property
    def end(self) -> EndRule:
        """When a match ends."""
        return self.agreement.end

    @property
    def key(self) -> str:
        """The name in logs and the protocol."""
        return "ciao"

    @property
    def title(self) -> str:
        """The name on the box."""
        return TITLE

    @property
    def commands(self) -> tuple[type[Command], ...]:
        """The commands it accepts."""
        return COMMANDS

    @property
    def events(self) -> tuple[type[Event], ...]:
        """The events it makes."""
        return EVENTS

    @property
    def rules(self) -> Mapping[str, Rule]:
        """Its rules by key."""
        return rules.RULES

    def options(self) -> Mapping[str, Any]:
        """The options that make this game again."""
        return self.agreement.options()

    def start(self, seats: int, players: tuple[Seat, ...], first: Seat) -> Table:
        """A new deal, seven cards each."""
        return dealt(seats, players, first, self.agreement)

    def starter(self, deal: int, first: Seat, finished: Table) -> Seat:
        """The winner of the deal; if it ended early, the seat with the fewest points, clockwise on a tie."""
        if finished.out is not None and finished.out in finished.players:
            return finished.out
        points, begins = finished.points(), finished.players.index(finished.first)
        order = (*finished.players[begins:], *finished.players[:begins])
        return min(order, key=lambda seat: points[seat])

    def players(self, state: Table) -> tuple[Seat, ...]:
        """The seats that play."""
        return state.players

    def asks(self, state: Table) -> tuple[Ask, ...]:
        """The open questions; none when the deal is over."""
        return asking.asks(state)

    def read(self, ask: Ask, seat: Seat | None, text: str) -> Command:
        """An answer as a command."""
        return asking.read(self.agreement, ask, seat, text)

    def cards(self, state: Table) -> tuple[str, ...]:
        """Every kind in the deck."""
        return self.agreement.kinds()

    def card(self, state: Table, text: str) -> str:
        """A card of the box; a joker on top is known by the symbol it was named."""
        card = asking.read_card(self.agreement, text)[0]
        return state.top if state.discards[-1:] == (card,) else card

    def label(self, card: str) -> Text:
        """The symbol's picture, the colour's letter and the icon's mark."""
        return label(card)

    def named(self, card: str) -> Text:
        """Colour, symbol and the icon's mark."""
        return in_capitals(card)

    def judge(self, state: Table, command: Command) -> Allowed[Event] | Refused:
        """Decide."""
        return judge(state, command)

    def apply(self, state: Table, event: Event) -> Table:
        """Apply an event."""
        return apply(state, event)

    def points(self, state: Table) -> tuple[int, ...]:
        """The points of the hands that are counted."""
        return state.points()

    def over(self, state: Table) -> bool:
        """Whether the deal has ended and every hand is counted."""
        return state.over

    def view(self, state: Table) -> dict[str, Any]:
        """The top card, the hands, the piles, and the state of play."""
        return views.view(state)

    def board(self, state: Table) -> Board:
        """The top card and what beats it."""
        return views.board(state)

    def audit(self, state: Table) -> Audit:
        """Cards in hands, pile and discards against those of the deal."""
        return views.audit(state)

    def swap(self, seats: tuple[Seat, Seat]) -> Command:
        """The owner of a card is known from the turn; there is nothing to swap."""
        raise NotInThisGame(
            "in Ciao! a card belongs to the player whose turn it is", "undo, then say who played it"
        )

    def correct(self, remove: tuple[str, ...], add: tuple[str, ...]) -> Command:
        """Replace the latest card."""
        read = asking.read_card
        gone = tuple(Card(text) if "=" in text else read(self.agreement, text)[0] for text in remove)
        return Correct(gone, tuple(read(self.agreement, text)[0] for text in add))

    def adopt(self, stacks: tuple[tuple[str, ...], ...], turn: int) -> Command:
        """Set up the top card; hands and turn stay as they are."""
        if not stacks or not stacks[0]:
            return Adopt()
        card, name = asking.read_card(self.agreement, stacks[0][-1])
        return Adopt(top=card if name is None else f"{card.partition('#')[0]}={name}")

    def leave(self, seat: Seat) -> Command:
        """A player leaves."""
        return Leave(seat)

    def join(self, seat: Seat) -> Command:
        """A player joins."""
        return Join(seat)

    def end_deal(self) -> Command:
        """End the deal now."""
        return EndDeal()

    @property
    def hidden(self) -> Mapping[str, Hides]:
        """Nobody sees another hand, the draw pile, or the card that was drawn."""
        return {"hands": Hides.ALL, "pile": Hides.ALL, "drawn": Hides.ALL}
