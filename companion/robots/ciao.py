"""The robots for Ciao!: easy, normal and hard, and the deals that they play in their thoughts.

A deal is plain Python, quick enough to play one to its end some thousand times a second; the tests hold it
equal to the referee. It explains nothing and refuses nothing. Nobody makes a mistake in it, everybody says
thank you, and the quickest of those who answer a challenge is anybody.

A card is its place, from 0, among all cards of the deal; a hand has a bit for each of its cards. The places
are in the order in which cards are kept: first jokers, then cards without an icon, then those with one, each
by its worth. So the best card of a hand that fits is its highest bit that fits. Quick policies stand
below the deal: they look at the own hand, the card on top and the sizes of the other hands.

The hard robot deals the cards that nobody has seen again and again, tries each of its choices in these deals
and plays them on for some turns; it takes the choice that leaves it with the fewest points, compared with the
others. A quick policy plays on for it, and proposes the choice that the others have to be better than; the
others go on as the normal robot does.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from random import Random
from typing import Final, NamedTuple, TypeAlias

from msgspec import Struct

from companion.core.ask import Answer, Ask, AskKind
from companion.core.cards import Seat
from companion.core.game import RandomSource
from companion.games.ciao.cards import KINDS, Card, Colour, Icon, Symbol, face, higher, kind
from companion.games.ciao.effects import TurnEffect
from companion.games.ciao.game import Word
from companion.games.ciao.options import PENALTY
from companion.games.ciao.play import is_playable
from companion.games.ciao.table import CiaoTable, Stage
from companion.robots.rollouts import best_of, beyond_others, copy, dealt, places, seed_of
from companion.values import Value

_KINDS: Final = tuple(KINDS.values())
_SYMBOLS: Final = tuple(Symbol)
_COLOURS: Final = tuple(Colour)

KIND: Final = {name: number for number, name in enumerate(KINDS)}
"""The number of a kind by its name."""

NO_FACE: Final = -1
"""Nothing lies on top yet: any card opens."""


def face_of(card: str) -> int:
    """The number of what a card shows on the table."""
    shown = face(card)
    if shown is None:
        return NO_FACE
    return _SYMBOLS.index(shown.symbol) * len(_COLOURS) + _COLOURS.index(shown.colour)


def named(joker: int, symbol: int) -> int:
    """What a joker, given by its kind, shows for which this symbol was named."""
    colour = _KINDS[joker].colour
    return symbol * len(_COLOURS) + (0 if colour is None else _COLOURS.index(colour))


class Cards:
    """All cards of a deal with these numbers of each kind: what each is by its place, and sets of them.

    Without `colours` only the symbol counts. `fits` and `answers` are by what lies on top, `NO_FACE` last:
    the cards that are higher, and those of them that answer a +3. `of_worth` begins with the cards that cost
    most.
    """

    def __init__(self, deck: tuple[int, ...], *, colours: bool = True) -> None:
        kinds = [kind for kind, many in enumerate(deck) for _ in range(many)]
        order = [(not of.joker, of.icon is not None, of.worth, -place) for place, of in enumerate(_KINDS)]
        kinds.sort(key=order.__getitem__)

        def those(wanted: Iterable[bool]) -> int:
            of_kind = tuple(wanted)
            return sum(1 << place for place, kind in enumerate(kinds) if of_kind[kind])

        tops = [colour.value + symbol.value for symbol in _SYMBOLS for colour in _COLOURS]
        worths = sorted({kind.worth for kind in _KINDS}, reverse=True)
        self.kind: Final = tuple(kinds)
        self.face: Final = tuple(face_of(_KINDS[kind].name) for kind in kinds)
        self.icon: Final = tuple(_KINDS[kind].icon for kind in kinds)
        self.of_kind: Final = tuple(those(kind is of for kind in _KINDS) for of in _KINDS)
        self.of_icon: Final = {icon: those(kind.icon is icon for kind in _KINDS) for icon in (*Icon, None)}
        self.of_symbol: Final = tuple(those(kind.symbol is symbol for kind in _KINDS) for symbol in _SYMBOLS)
        self.of_worth: Final = tuple(
            (worth, those(kind.worth == worth for kind in _KINDS)) for worth in worths
        )
        self.jokers: Final = those(kind.joker for kind in _KINDS)
        self.troubles: Final = those(kind.trouble for kind in _KINDS)
        self.fits: Final = tuple(
            those(higher(kind.name, top, colours=colours) is not None for kind in _KINDS)
            for top in (*tops, "")
        )
        answers = self.jokers | self.of_icon[Icon.PLUS_THREE]
        self.answers: Final = tuple(fitting & answers for fitting in self.fits)

    def worth(self, hand: int) -> int:
        return sum([worth * (hand & cards).bit_count() for worth, cards in self.of_worth])

    def hand(self, kinds: Iterable[int], of: int = -1) -> int:
        """Some of the cards `of` (all, if nothing is said), given by their kinds."""
        found = 0
        for number in kinds:
            left = self.of_kind[number] & of & ~found
            found |= left & -left
        return found


cards_of: Final = lru_cache(maxsize=4)(Cards)


PASS: Final = -1
"""Instead of a card: none is played."""


class QuickPolicy(NamedTuple):
    """A quick policy: each choice by the deal and the seat, which looks at its own hand only.

    `card` is one of the cards of the hand that are in a set, which has at least one of them; `symbol` is
    named for a joker, from 0; `again`: whether to play again, else the direction changes.
    """

    card: Callable[[CiaoPlayout, int, int], int]
    symbol: Callable[[CiaoPlayout, int], int]
    again: Callable[[CiaoPlayout, int], bool]


class CiaoPlayout(Struct):
    """A deal in progress; `pile` is drawn from its end, the newest card of `lying` is the last."""

    cards: Cards
    hands: list[int]
    face: int
    pile: list[int]
    lying: list[int]
    step: int
    pending: int
    turn: int
    skips: list[int]
    chance: RandomSource

    def fits(self) -> int:
        """The cards that may be played in a turn now."""
        return self.cards.answers[self.face] if self.pending else self.cards.fits[self.face]

    def higher(self) -> int:
        return self.cards.fits[self.face]

    def draw(self, seat: int, many: int) -> None:
        """A seat draws; if the pile is too small, the cards under the top one are shuffled."""
        if len(self.pile) < many and len(self.lying) > 1:
            under, self.lying = self.lying[:-1], self.lying[-1:]
            self.chance.shuffle(under)
            self.pile = under + self.pile
        for _ in range(min(many, len(self.pile))):
            self.hands[seat] |= 1 << self.pile.pop()

    def pass_on(self, after: int) -> None:
        """It is the turn of the next one after a seat, who has no turn to lose."""
        many = len(self.hands)
        seat = (after + self.step) % many
        while self.skips[seat]:
            self.skips[seat] -= 1
            seat = (seat + self.step) % many
        self.turn = seat

    def draw_in_turn(self, seat: int, policies: Sequence[QuickPolicy]) -> None:
        """The seat plays no card: it draws, and may play the card that it has drawn."""
        if self.pending:
            self.draw(seat, self.pending)
            self.pending = 0
            self.pass_on(seat)
            return
        before = self.hands[seat]
        self.draw(seat, 1)
        drawn = self.hands[seat] & ~before
        if drawn & self.higher():
            self.put(seat, drawn.bit_length() - 1, policies)
        else:
            self.pass_on(seat)

    def put(self, seat: int, card: int, policies: Sequence[QuickPolicy]) -> None:
        self.hands[seat] ^= 1 << card
        self.lying.append(card)
        cards, more = self.cards, self.pending
        self.face = cards.face[card]
        self.pending = 0
        if not self.hands[seat]:
            return
        if cards.jokers >> card & 1:
            self.face = named(cards.kind[card], policies[seat].symbol(self, seat))
            self.pass_on(seat)
            return
        match cards.icon[card]:
            case None:
                self.pass_on(seat)
            case Icon.AGAIN_OR_REVERSE:
                self.go_on(seat, again=policies[seat].again(self, seat))
            case Icon.PLUS_THREE:
                self.pending = more + PENALTY
                self.pass_on(seat)
            case Icon.SWAP:
                self.swap(seat, self.fewest(seat))
            case Icon.BAD_CARD:
                self.give(seat, self.fewest(seat), self.worst(seat))
            case _:
                self.race(seat, policies)

    def go_on(self, seat: int, *, again: bool) -> None:
        if again:
            self.turn = seat
        else:
            self.step = -self.step
            self.pass_on(seat)

    def swap(self, seat: int, other: int) -> None:
        self.hands[seat], self.hands[other] = self.hands[other], self.hands[seat]
        self.pass_on(seat)

    def give(self, seat: int, other: int, card: int) -> None:
        self.hands[seat] ^= 1 << card
        self.hands[other] |= 1 << card
        if self.hands[seat]:
            self.pass_on(seat)

    def race(self, challenger: int, policies: Sequence[QuickPolicy], me: int = -1, mine: int = PASS) -> None:
        """Everybody else may answer a challenge; `me`, if it is a seat, with the card `mine` and no other."""
        fits, able = self.higher(), []
        for seat, hand in enumerate(self.hands):
            if seat == me and mine != PASS:
                able.append((seat, mine))
            elif seat not in (me, challenger) and hand & fits:
                able.append((seat, policies[seat].card(self, seat, fits)))
        if able:
            seat, card = self.chance.choice(able)
            self.put(seat, card, policies)
        else:
            self.pass_on(challenger)

    def fewest(self, seat: int) -> int:
        """Who else has the fewest cards."""
        return min([(hand.bit_count(), other) for other, hand in enumerate(self.hands) if other != seat])[1]

    def worst(self, seat: int) -> int:
        """A trouble card, or the card that costs most."""
        hand, cards = self.hands[seat], self.cards
        found = hand & cards.troubles
        for _, of_worth in cards.of_worth:
            found = found or hand & of_worth
        return (found & -found).bit_length() - 1


def play_out(deal: CiaoPlayout, policies: Sequence[QuickPolicy], turns: int) -> list[int]:
    """The points in every hand when one is empty, or after so many turns; each seat has its policy."""
    hands = deal.hands
    for _ in range(turns):
        if 0 in hands:
            break
        seat = deal.turn
        fits = deal.fits()
        if hands[seat] & fits:
            deal.put(seat, policies[seat].card(deal, seat, fits), policies)
        else:
            deal.draw_in_turn(seat, policies)
    return [deal.cards.worth(hand) for hand in hands]


def _special_first(deal: CiaoPlayout, seat: int, fits: int) -> int:
    """Special cards first and jokers last; of each the one that costs most."""
    return (deal.hands[seat] & fits).bit_length() - 1


PLAIN: Final = QuickPolicy(_special_first, symbol=lambda _deal, _seat: 0, again=lambda _deal, _seat: True)
"""Discard as much as possible; aim every attack at the player with the fewest cards."""

_SWAP_GAINS: Final = 2
"""A swap of hands is worth more than any other card from this difference in cards on."""

_FEW: Final = 3


def _careful(deal: CiaoPlayout, seat: int, fits: int) -> int:
    hand, cards = deal.hands[seat], deal.cards
    able = hand & fits
    if not able & (able - 1):
        return able.bit_length() - 1
    swaps = able & cards.of_icon[Icon.SWAP]
    if swaps:
        least = deal.hands[deal.fewest(seat)].bit_count()
        if hand.bit_count() - 1 - least >= _SWAP_GAINS:
            return swaps.bit_length() - 1
    jokers = able & cards.jokers
    if jokers and hand.bit_count() < _FEW and deal.hands[deal.fewest(seat)].bit_count() < _FEW:
        return jokers.bit_length() - 1
    for icon in (Icon.BAD_CARD, Icon.PLUS_THREE):
        if found := able & cards.of_icon[icon]:
            return found.bit_length() - 1
    again = able & cards.of_icon[Icon.AGAIN_OR_REVERSE]
    while again:
        card = again.bit_length() - 1
        if hand & ~(1 << card) & cards.fits[cards.face[card]]:
            return card
        again ^= 1 << card
    rest = able & ~swaps & ~jokers
    return (rest or swaps or jokers).bit_length() - 1


def _own_symbol(deal: CiaoPlayout, seat: int) -> int:
    """The symbol that most of the own cards are higher than."""
    hand = deal.hands[seat]
    of_symbol = [(hand & cards).bit_count() for cards in deal.cards.of_symbol]
    beats = of_symbol[1:] + of_symbol[:1]  # the next symbol is higher than each
    return beats.index(max(beats))


CAREFUL: Final = QuickPolicy(
    _careful, symbol=_own_symbol, again=lambda deal, seat: bool(deal.hands[seat] & deal.higher())
)
"""First what harms others, then what lets it play again; hands are swapped only with who has fewer cards."""


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

    def worlds(self, chance: RandomSource) -> Callable[[], CiaoPlayout]:
        """Each call deals the unseen cards again."""
        shown = Counter((*self.hand, *self.lying))
        # After wrong scans more of a kind may have been seen than there are.
        deck = tuple(max(many, shown[card]) for card, many in enumerate(self.deck))
        cards = cards_of(deck, colours=self.colours)
        lying = []
        free = (1 << len(cards.kind)) - 1
        for card in self.lying:
            bit = cards.hand((card,), free)
            lying.append(bit.bit_length() - 1)
            free &= ~bit
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
    places = {player: place for place, player in enumerate(table.players)}
    held = [_number(card) for card in hand]
    other = table.challenger if table.stage is Stage.RACE else table.other
    return CiaoPlayerView(
        table.stage,
        places[seat],
        tuple(sorted(held)),
        tuple(table.hands[player].size for player in table.players),
        face_of(table.top),
        tuple(_number(card) for card in table.discards),
        tuple(table.agreed.many(name) for name in KIND),
        places[table.turn],
        table.dir,
        table.pending,
        tuple(table.skips[player] for player in table.players),
        None if other is None else places[other],
        held[-1] if table.stage is Stage.DRAWN else None,
        table.agreed.colours,
    )


def _number(card: str) -> int:
    return KIND[kind(card).name]


def answer(
    player: CiaoPlayer, table: CiaoTable, asks: Sequence[Ask], seat: Seat, hand: Sequence[str]
) -> Answer | None:
    """What the player at a seat, with these cards in the hand, answers; None: it answers no challenge.

    `hand` is in the order in which the cards came, the newest last.
    """
    ask = asks[0]
    if ask.kind in (AskKind.PLAY, AskKind.RACE):
        of_hand = hand[-1:] if table.stage is Stage.DRAWN else hand
        fitting = {_number(card): card for card in of_hand if is_playable(table, seat, Card(card))}
        choices = [*sorted(fitting), PASS]
        card = fitting.get(player.choose(seen_by(table, seat, hand), choices)) if fitting else None
        if card is None and ask.kind is AskKind.PLAY:
            return Answer(asks[1], asks[1].choices[0], seat)
        return None if card is None else Answer(ask, card, seat)
    seen = seen_by(table, seat, hand)
    match table.stage:
        case Stage.GIVE:
            cards = {_number(card): card for card in hand}
            return Answer(ask, cards[player.choose(seen, sorted(cards))], seat)
        case Stage.TO | Stage.WITH:
            places = {place: other for place, other in enumerate(table.players) if str(other) in ask.choices}
            return Answer(ask, str(places[player.choose(seen, sorted(places))]), seat)
        case Stage.NAME:
            return Answer(ask, _SYMBOLS[player.choose(seen, range(len(_SYMBOLS)))].value, seat)
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
"""A deal is counted as it stands after this many turns: later turns depend more on chance than on choice."""


class Easy(Value):
    """Chooses by chance, and plays if it can, most of the time; gives trouble cards away first."""

    seed: int = 0

    def choose(self, seen: CiaoPlayerView, choices: Sequence[int]) -> int:
        chance = Random(seed_of(self.seed, seen))
        cards = [choice for choice in choices if choice != PASS]
        if PASS in choices and (not cards or chance.random() > _OFTEN):
            return PASS
        if seen.stage is Stage.GIVE:
            return proposal(CAREFUL, seen.worlds(chance)(), seen, choices)
        return chance.choice(cards)


class Normal(Value):
    """Special cards first and jokers last; a bad card, or a swap of hands, for who has the fewest cards."""

    def choose(self, seen: CiaoPlayerView, choices: Sequence[int]) -> int:
        # The rule looks at no card that is hidden, so any deal of them will do.
        return proposal(PLAIN, seen.worlds(Random(0))(), seen, choices)


class Hard(Value):
    """Plays on after each choice, in `worlds` deals for each of them in the mean."""

    seed: int = 0
    worlds: int = 48

    def choose(self, seen: CiaoPlayerView, choices: Sequence[int]) -> int:
        chance = Random(seed_of(self.seed, seen))
        proposed = proposal(CAREFUL, seen.worlds(chance)(), seen, choices)
        if len(seen.hand) == 1 and seen.stage in (Stage.TURN, Stage.DRAWN, Stage.RACE):
            return max(choices)  # the last card ends the deal
        policies = [CAREFUL if seat == seen.seat else PLAIN for seat in range(len(seen.sizes))]

        def cost(deal: CiaoPlayout, choice: int) -> float:
            deal = copy(deal)
            carry_out(deal, seen, choice, policies)
            return beyond_others(play_out(deal, policies, _TURNS), seen.seat)

        return best_of(choices, choices.index(proposed), seen.worlds(chance), cost, self.worlds)


def proposal(policy: QuickPolicy, deal: CiaoPlayout, seen: CiaoPlayerView, choices: Sequence[int]) -> int:
    """What a quick policy chooses; the first choice where that is none of them."""
    seat, kind, hand = seen.seat, deal.cards.kind, deal.hands[seen.seat]
    match seen.stage:
        case Stage.TURN | Stage.RACE:
            fits = deal.fits() if seen.stage is Stage.TURN else deal.higher()
            found = kind[policy.card(deal, seat, fits)] if hand & fits else PASS
        case Stage.NAME:
            found = policy.symbol(deal, seat)
        case Stage.MODE:
            found = int(policy.again(deal, seat))
        case Stage.TO | Stage.WITH:
            found = deal.fewest(seat)
        case Stage.GIVE:
            found = kind[deal.worst(seat)]
        case _:
            found = max(choices)
    return found if found in choices else choices[0]


def carry_out(deal: CiaoPlayout, seen: CiaoPlayerView, choice: int, policies: Sequence[QuickPolicy]) -> None:
    seat = seen.seat
    match seen.stage:
        case Stage.TURN if choice == PASS:
            deal.draw_in_turn(seat, policies)
        case Stage.DRAWN if choice == PASS:
            deal.pass_on(seat)
        case Stage.TURN | Stage.DRAWN:
            deal.put(seat, _card(deal, seat, choice), policies)
        case Stage.RACE:
            mine = PASS if choice == PASS else _card(deal, seat, choice)
            deal.race(seen.turn if seen.other is None else seen.other, policies, seat, mine)
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
