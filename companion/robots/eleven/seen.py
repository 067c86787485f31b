"""What a player of 11 nimmt! has seen when it is its turn, and has not begun to move."""

from collections.abc import Iterable

from companion.core.cards import Seat
from companion.core.game import RandomSource
from companion.games.eleven.options import CARDS
from companion.games.eleven.table import ElevenTable
from companion.robots.chance import places
from companion.robots.eleven.deal import ElevenPlayout, bits
from companion.values import Value

_ALL = (1 << CARDS) - 1


class ElevenPlayerView(Value):
    """A deal as the player at place `turn` sees it who has remembered all cards that lay open.

    `sizes` and `bulls` are by place at the table. Cards that others hold are never in it, also not those of
    piles that they have taken: nobody can look whether they still hold them.
    """

    turn: int
    hand: int
    piles: tuple[int, ...]
    tops: tuple[int, ...]
    sizes: tuple[int, ...]
    bulls: tuple[int, ...]
    deck: int

    def unseen(self) -> list[int]:
        """The cards in other hands and in the deck, ascending, from 0."""
        seen = self.hand
        for pile in self.piles:
            seen |= pile
        return places(_ALL & ~seen)

    def world(self, chance: RandomSource) -> ElevenPlayout:
        """The deal with the cards that nobody has seen dealt by chance."""
        cards = self.unseen()
        chance.shuffle(cards)
        hands = []
        for place, size in enumerate(self.sizes):
            if place == self.turn:
                hands.append(self.hand)
                continue
            hand = 0
            for _ in range(size):
                hand |= 1 << cards.pop()
            hands.append(hand)
        return ElevenPlayout(hands, self.piles, self.tops, self.bulls, cards[: self.deck], self.turn)


def seen_by(table: ElevenTable, seat: Seat, hand: Iterable[int]) -> ElevenPlayerView:
    """What the player at a seat, whose turn it is, has seen, with these cards in the hand.

    While a move is in progress, it is what was seen when it began.
    """
    held = bits(hand)
    if table.moving and table.before is not None:
        held |= bits(one.card for one in table.laid)
        table = table.before
    return ElevenPlayerView(
        table.players.index(seat),
        held,
        tuple(bits(pile.cards) for pile in table.piles),
        tuple(pile.top - 1 for pile in table.piles),
        tuple(table.sizes[one] for one in table.players),
        tuple(table.bulls[one] for one in table.players),
        table.deck,
    )
