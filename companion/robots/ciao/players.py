"""The robots for Ciao!: what they have seen, and what they do; easy, normal, and hard or good.

The hard one deals the cards that nobody has seen again and again, tries each of its choices in these deals
and plays them on for some turns; it takes the choice that leaves it with the fewest points, compared with the
others. A quick way plays on for it, and proposes the choice that the others have to be better than; the
others go on as the normal robot does.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from random import Random
from typing import Final, TypeAlias

from companion.core.ask import Answer, Ask, AskKind
from companion.core.cards import Seat
from companion.core.game import RandomSource
from companion.games.ciao.cards import Card, Symbol, face, kind
from companion.games.ciao.effects import TurnEffect
from companion.games.ciao.legal import not_playable
from companion.games.ciao.table import CiaoTable, Stage
from companion.games.ciao.view import Word
from companion.robots.ciao.deal import (
    CAREFUL,
    KIND,
    NO_FACE,
    PASS,
    PLAIN,
    CiaoPlayout,
    Way,
    cards_of,
    face_of,
    named,
    play_out,
)
from companion.robots.rollouts import best_of, beyond_others, dealt, places, seed_of
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

        def world() -> CiaoPlayout:
            left = unseen.copy()
            chance.shuffle(left)
            hands = dealt(left, self.sizes, self.seat, own)
            moment = (self.step, self.pending, self.turn, list(self.skips), chance)
            return CiaoPlayout(cards, hands, self.face, left, lying.copy(), *moment)

        return world


def seen_by(table: CiaoTable, seat: Seat, hand: Iterable[str]) -> CiaoPlayerView:
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


_SYMBOLS = tuple(symbol.value for symbol in Symbol)


def card_to_play(player: CiaoPlayer, table: CiaoTable, seat: Seat, hand: Sequence[str]) -> Card | None:
    """The card that a player lays in its turn, or in a challenge; None: none.

    `hand` is in the order in which the cards came, the drawn one last.
    """
    of_hand = hand[-1:] if table.stage is Stage.DRAWN else hand
    cards = [Card(card) for card in of_hand if not not_playable(table, seat, Card(card))]
    fitting = {KIND[kind(card).name]: card for card in cards}
    if not fitting:
        return None
    return fitting.get(player.choose(seen_by(table, seat, hand), [*sorted(fitting), PASS]))


def answer(
    player: CiaoPlayer, table: CiaoTable, asks: Sequence[Ask], seat: Seat, hand: Sequence[str]
) -> Answer | None:
    """What the player at a seat, with these cards in the hand, answers; None: it answers no challenge.

    `hand` is in the order in which the cards came, the newest last.
    """
    ask = asks[0]
    if ask.kind is AskKind.RACE:
        card = card_to_play(player, table, seat, hand)
        return None if card is None else Answer(ask, card, seat)
    if ask.kind is AskKind.PLAY:
        card = card_to_play(player, table, seat, hand)
        return Answer(asks[1], asks[1].choices[0], seat) if card is None else Answer(ask, card, seat)
    seen = seen_by(table, seat, hand)
    match table.stage:
        case Stage.GIVE:
            cards = {KIND[kind(card).name]: card for card in hand}
            return Answer(ask, cards[player.choose(seen, sorted(cards))], seat)
        case Stage.TO | Stage.WITH:
            places = {table.players.index(one): one for one in table.players if str(one) in ask.choices}
            return Answer(ask, str(places[player.choose(seen, sorted(places))]), seat)
        case Stage.NAME:
            return Answer(ask, _SYMBOLS[player.choose(seen, range(len(_SYMBOLS)))], seat)
        case Stage.MODE:
            again = player.choose(seen, (1, 0))
            return Answer(ask, (TurnEffect.AGAIN if again else TurnEffect.REVERSE).value, seat)
        case Stage.TROUBLE:
            has_one = any(kind(card).trouble for card in hand)
            return Answer(ask, (Word.GOES if has_one else Word.STAYS).value, seat)
        case _:  # robots always say thank you
            return Answer(ask, ask.choices[0], seat)


CiaoPlayer: TypeAlias = "Easy | Normal | Hard"
"""It chooses a kind of card or `PASS`; a symbol, from 0; the place of a player; 1: yes."""

_OFTEN: Final = 0.9
"""How often the easy robot plays a card that it could play."""

_TURNS: Final = 10
"""After so many turns a deal is counted as it stands: what comes later is chance more than choice."""


class Easy(Value):
    """Chooses by chance, and plays if it can, most of the time; gives trouble cards away first."""

    seed: int = 0

    def choose(self, seen: CiaoPlayerView, choices: Sequence[int]) -> int:
        chance = Random(seed_of(self.seed, seen))
        cards = [choice for choice in choices if choice != PASS]
        if PASS in choices and (not cards or chance.random() > _OFTEN):
            return PASS
        if seen.stage is Stage.GIVE:
            return proposal(CAREFUL, seen.world(chance), seen, choices)
        return chance.choice(cards)


class Normal(Value):
    """Special cards first and jokers last; a bad card, or a swap of hands, for who has the fewest cards."""

    def choose(self, seen: CiaoPlayerView, choices: Sequence[int]) -> int:
        # The rule looks at no card that is hidden, so any deal of them will do.
        return proposal(PLAIN, seen.world(Random(0)), seen, choices)


class Hard(Value):
    """Plays on after each choice, in `worlds` deals for each of them in the mean."""

    seed: int = 0
    worlds: int = 48

    def choose(self, seen: CiaoPlayerView, choices: Sequence[int]) -> int:
        chance = Random(seed_of(self.seed, seen))
        proposed = proposal(CAREFUL, seen.world(chance), seen, choices)
        if len(seen.hand) == 1 and seen.stage in (Stage.TURN, Stage.DRAWN, Stage.RACE):
            return max(choices)  # the last card ends the deal
        ways = [CAREFUL if seat == seen.seat else PLAIN for seat in range(len(seen.sizes))]

        def cost(deal: CiaoPlayout, choice: int) -> float:
            deal = deal.copy()
            carry_out(deal, seen, choice, ways)
            return beyond_others(play_out(deal, ways, _TURNS), seen.seat)

        return best_of(choices, choices.index(proposed), seen.worlds(chance), cost, self.worlds)


def proposal(way: Way, deal: CiaoPlayout, seen: CiaoPlayerView, choices: Sequence[int]) -> int:
    """What a quick way chooses; the first choice where that is none of them."""
    seat, kind, hand = seen.seat, deal.cards.kind, deal.hands[seen.seat]
    match seen.stage:
        case Stage.TURN | Stage.RACE:
            fits = deal.fits() if seen.stage is Stage.TURN else deal.higher()
            found = kind[way.card(deal, seat, fits)] if hand & fits else PASS
        case Stage.NAME:
            found = way.symbol(deal, seat)
        case Stage.MODE:
            found = int(way.again(deal, seat))
        case Stage.TO | Stage.WITH:
            found = deal.fewest(seat)
        case Stage.GIVE:
            found = kind[deal.worst(seat)]
        case _:
            found = max(choices)
    return found if found in choices else choices[0]


def carry_out(deal: CiaoPlayout, seen: CiaoPlayerView, choice: int, ways: Sequence[Way]) -> None:
    seat = seen.seat
    match seen.stage:
        case Stage.TURN if choice == PASS:
            deal.draw_in_turn(seat, ways)
        case Stage.DRAWN if choice == PASS:
            deal.pass_on(seat)
        case Stage.TURN | Stage.DRAWN:
            deal.put(seat, _card(deal, seat, choice), ways)
        case Stage.RACE:
            mine = PASS if choice == PASS else _card(deal, seat, choice)
            deal.race(seen.turn if seen.other is None else seen.other, ways, seat, mine)
        case Stage.NAME:
            deal.face = named(deal.cards.kind[deal.lying[-1]], choice)
            deal.pass_on(seat)
        case Stage.MODE:
            deal.go_on(seat, again=bool(choice))
        case Stage.WITH:
            deal.swap(seat, choice)
        case Stage.TO:
            deal.give(seat, choice, deal.worst(seat))
        case Stage.GIVE:
            other = deal.fewest(seat) if seen.other is None else seen.other
            deal.give(seat, other, _card(deal, seat, choice))
        case _:
            deal.pass_on(seat)


def _card(deal: CiaoPlayout, seat: int, kind: int) -> int:
    return (deal.hands[seat] & deal.cards.of_kind[kind]).bit_length() - 1
