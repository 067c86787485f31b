"""What lies on a table, for drawing and for the check that no card is lost. No game is known here."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.text.sentence import NOTHING, Text
from companion.values import Value

if TYPE_CHECKING:
    from companion.core.cards import Seat
    from companion.core.ruling import Because


class Stack(Value):
    """A row or a pile: cards in order, newest last; `room` cards at most (0 = no limit).

    `name` is what people call it, up to 3 columns: its number, or its last card. `choice` is the answer that
    names it in a question. `fits` says in up to 14 columns which cards go on it; empty where the board's hint
    is enough, or none does now. `covered`: nobody may see more than the last card or know how many there are.
    """

    cards: tuple[str, ...]
    room: int
    heads: int
    name: str
    choice: str
    fits: Text = NOTHING
    covered: bool = False


class PlacedCard(Value):
    """One card of the latest turn and where it went, in the order of play.

    `outcome` is short enough for the display beside the number: up to 14 columns, English.
    `taker` is the seat that took cards with it, `takes` those cards, `heads` what they cost.
    `place` is the name that the stack it went to had before, up to 3 columns; empty where it began one, or
    there are no stacks.
    `covered`: while the deal is played, nobody may know what was taken but the taker: neither the cards
    nor how many or how dear they are. `card` is the one that everybody saw. `gets` says in up to 21 columns
    which card the taker takes besides.
    """

    card: str
    outcome: Text
    because: Because
    taker: Seat | None = None
    takes: tuple[str, ...] = ()
    heads: int = 0
    place: str = ""
    covered: bool = False
    gets: Text = NOTHING

    @property
    def took(self) -> bool:
        """Whether cards were taken with it, also where nobody knows by whom."""
        return self.taker is not None or bool(self.takes)


class Sign(Value):
    """A card as a picture: a symbol, which is a private character that the display draws, and a word for it.

    Without a symbol the word alone is shown, up to 8 columns. `mark` says in up to 14 columns what else is on
    the card.
    """

    symbol: str
    word: Text
    mark: Text = NOTHING


class Tally(Value):
    """A number that every player has, by seat: bull cards, turns to lose. The label has up to 5 columns."""

    label: Text
    numbers: tuple[int, ...]


class Board(Value):
    """The table, for drawing.

    `turn` counts from 1 to `turns` (0 = the game has no fixed number). `hint` is one line of at most 21
    columns; `facts` are further lines of the same width, the most important first. `hands` is the number of
    cards in every hand by seat; empty where the game does not follow them. `revealed` says that the newest
    lines are cards that were revealed together, and that players place them in this order. `top` is the card
    on which the next one is played, and `beats` what may be, up to four of them, in games with symbols on
    their cards. `placing` are all cards of a turn that waits for an answer before it is placed. `direction`
    is 1 while play goes clockwise, -1 the other way round, 0 if it never changes.
    """

    stacks: tuple[Stack, ...]
    turn: int
    turns: int
    hint: Text
    newest: tuple[PlacedCard, ...]
    facts: tuple[Text, ...] = ()
    hands: tuple[int, ...] = ()
    tallies: tuple[Tally, ...] = ()
    revealed: bool = False
    top: Sign | None = None
    beats: tuple[Sign, ...] = ()
    placing: tuple[str, ...] = ()
    direction: int = 0


class Audit(Value):
    """The conservation check of a deal: cards seen against cards due.

    `says` is what was counted, in up to 21 columns. `faults` name what does not add up.
    """

    cards: int
    cards_due: int
    says: Text
    faults: tuple[Text, ...] = ()

    @property
    def sound(self) -> bool:
        """Whether no card is missing and no card exists twice."""
        return self.cards == self.cards_due and not self.faults
