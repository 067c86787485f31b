"""What a player of Ciao! has seen when it is asked something."""

from collections import Counter
from collections.abc import Callable, Iterable

from companion.core.cards import Seat
from companion.core.game import RandomSource
from companion.games.ciao.cards import face, kind
from companion.games.ciao.table import CiaoTable, Stage
from companion.robots.chance import places
from companion.robots.ciao.cards import KIND, NO_FACE, cards_of, face_of
from companion.robots.ciao.deal import CiaoPlayout
from companion.values import Value


class CiaoPlayerView(Value):
    """A deal as the player at place `seat` sees it; places, sizes and lost turns are in the order of seats.

    `stage` is what it is asked, `other` the place of who is meant with it: who began the challenge, or gets
    a bad card. `drawn` is the card that was drawn just now. `deck` are the numbers of each kind in the deal,
    `lying` the cards that were played, the newest last. Cards that others hold are never in it, also not
    those that this player has given away.
    """

    stage: Stage
    seat: int
    hand: tuple[int, ...]
    sizes: tuple[int, ...]
    face: int
    lying: tuple[int, ...]
    deck: tuple[int, ...]
    turn: int
    step: int
    pending: int
    skips: tuple[int, ...]
    other: int | None = None
    drawn: int | None = None
    colours: bool = True

    def world(self, chance: RandomSource) -> CiaoPlayout:
        """The deal with the cards that nobody has seen dealt by chance."""
        return self.worlds(chance)()

    def worlds(self, chance: RandomSource) -> Callable[[], CiaoPlayout]:
        """Each call deals the cards that nobody has seen anew."""
        shown = Counter((*self.hand, *self.lying))
        # After wrong scans more of a kind may have been seen than there are.
        deck = tuple(max(many, shown[card]) for card, many in enumerate(self.deck))
        cards = cards_of(deck, colours=self.colours)
        lying = []
        free = (1 << len(cards.kind)) - 1
        for card in self.lying:
            one = cards.hand((card,), free)
            lying.append(one.bit_length() - 1)
            free &= ~one
        own = cards.hand(self.hand, free)
        unseen = places(free & ~own)

        def dealt() -> CiaoPlayout:
            left = unseen.copy()
            chance.shuffle(left)
            hands = []
            for place, size in enumerate(self.sizes):
                if place == self.seat:
                    hands.append(own)
                    continue
                hand = 0
                for _ in range(min(size, len(left))):
                    hand |= 1 << left.pop()
                hands.append(hand)
            return CiaoPlayout(
                cards, hands, self.face, left, lying, self.step, self.pending, self.turn, self.skips, chance
            )

        return dealt


def seen_by(table: CiaoTable, seat: Seat, hand: Iterable[str]) -> CiaoPlayerView:
    """What the player at a seat has seen, with these cards in the hand."""
    places = {one: place for place, one in enumerate(table.players)}
    held = [_number(card) for card in hand]
    other = table.challenger if table.stage is Stage.RACE else table.other
    shown = face(table.top)
    return CiaoPlayerView(
        table.stage,
        places[seat],
        tuple(sorted(held)),
        tuple(table.hands[one].size for one in table.players),
        NO_FACE if shown is None else face_of(shown.colour, shown.symbol),
        tuple(_number(card) for card in table.discards),
        tuple(table.agreed.many(name) for name in KIND),
        places[table.turn],
        table.dir,
        table.pending,
        tuple(table.skips[one] for one in table.players),
        None if other is None else places[other],
        held[-1] if table.stage is Stage.DRAWN else None,
        table.agreed.colours,
    )


def _number(card: str) -> int:
    return KIND[kind(card).name]
