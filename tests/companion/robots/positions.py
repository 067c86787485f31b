"""Moments and deals of 6 nimmt! that were played by chance or by robots."""

from collections.abc import Sequence
from random import Random

from hypothesis import strategies as st

from companion.core.ask import AskKind
from companion.core.cards import HIGHEST, ROWS, TURNS
from companion.match.dealer import players_by_chance
from companion.match.match import Match, Terms, begin
from companion.robots.levels import Decision, Level, answer
from companion.robots.rollouts import seed_of
from companion.robots.six.plain import place, row_for
from companion.robots.six.seen import SixPlayer, SixPlayerView, TurnCards
from companion.values import replace
from tests.companion.one_match import after


def moment(seed: int, seats: int, turns: int, *, earlier: int = 0, target: int = 0) -> list[SixPlayerView]:
    """What every seat has seen after so many turns of a deal, and so many deals before it."""
    random = Random(seed)
    before = tuple(tuple(_played(seed, part, seats, TURNS, random)[0]) for part in range(earlier))
    played, rows, hands = _played(seed, earlier, seats, turns, random)
    totals = tuple(random.randrange(70) for _ in range(seats)) if target else (0,) * seats
    return [
        SixPlayerView(seats, seat, rows, hands[seat], tuple(played), before, totals, (0,) * seats, target)
        for seat in range(seats)
    ]


def _played(
    seed: int, part: int, seats: int, turns: int, random: Random
) -> tuple[list[TurnCards], tuple[tuple[int, ...], ...], list[tuple[int, ...]]]:
    rows, hands = _dealt(seed, part, seats)
    played = []
    for _ in range(turns):
        cards = tuple(hand.pop(random.randrange(len(hand))) for hand in hands)
        played.append(TurnCards(tuple(map(tuple, rows)), cards))
        place(rows, cards)
    return played, tuple(map(tuple, rows)), [tuple(hand) for hand in hands]


def _dealt(seed: int, part: int, seats: int) -> tuple[list[list[int]], list[list[int]]]:
    """The rows and hands of a deal of the match with this seed."""
    deck = list(range(1, HIGHEST + 1))
    Random(seed_of(seed, 0, part)).shuffle(deck)
    hands = [sorted(deck[ROWS + TURNS * seat : ROWS + TURNS * (seat + 1)]) for seat in range(seats)]
    return [[card] for card in deck[:ROWS]], hands


def forced(seen: Sequence[SixPlayerView], random: Random) -> SixPlayerView | None:
    """What the seat sees that must take a row, if cards are played by chance; None: nobody has to."""
    cards = tuple(random.choice(one.hand) for one in seen)
    seat = cards.index(min(cards))
    if row_for(seen[seat].rows, cards[seat]) is not None:
        return None
    one = seen[seat]
    hand = tuple(card for card in one.hand if card != cards[seat])
    return replace(one, hand=hand, shown=cards)


@st.composite
def moments(draw: st.DrawFn, most_seats: int = 10) -> list[SixPlayerView]:
    """A moment of any deal."""
    return moment(
        draw(st.integers(0, 10**6)),
        draw(st.integers(2, most_seats)),
        draw(st.integers(0, TURNS - 1)),
        earlier=draw(st.sampled_from((0, 0, 1, 3))),
        target=draw(st.sampled_from((0, 66))),
    )


def played_by(players: Sequence[SixPlayer], seed: int) -> tuple[TurnCards, ...]:
    """The turns of one deal; a row is the cheapest one."""
    rows, hands = _dealt(seed, 0, len(players))
    turns: tuple[TurnCards, ...] = ()
    for _ in range(TURNS):
        now = tuple(map(tuple, rows))
        cards = tuple(
            player.card(SixPlayerView(len(players), seat, now, tuple(hands[seat]), turns))
            for seat, player in enumerate(players)
        )
        for hand, card in zip(hands, cards, strict=True):
            hand.remove(card)
        turns = (*turns, TurnCards(now, cards))
        place(rows, cards)
    return turns


def drafted_match(levels: Sequence[Level], deals: int, badges: Sequence[int] = ()) -> Match:
    """The match when it is over; every seat plays on its level, and picks by chance."""
    options = {"deck": "known", "draft": True, "end": {"deals": deals}}
    match = begin(Terms("six", len(levels), options, badges=tuple(badges)))
    players = players_by_chance("six", Random(4))
    while match.asks:
        ask = match.asks[0]
        given = None
        if ask.kind in (AskKind.PLAY, AskKind.CHOOSE):
            seat = ask.seats[0]
            hand = tuple(map(str, sorted(match.position.table.hands[seat])))
            given = answer(Decision(match, seat, hand, levels[seat], 1))
        given = given or players.answer(match)
        match = after(match, match.game.read(given.ask, given.seat, given.text))
    return match
