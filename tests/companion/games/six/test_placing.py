"""Rules 1 to 4 against a second, naive referee, over many random turns."""

from itertools import islice
from random import Random

import pytest

from companion.core import games
from companion.core.ask import AskKind
from companion.core.cards import HIGHEST, Card, Seat, heads
from companion.core.codec import Record
from companion.core.game import Game
from companion.core.ruling import Allowed
from companion.games.six.records import Adopt, CardPlaced, Claim, Play, RowChosen, TakeRow
from companion.games.six.table import SixTable
from tests.companion.games.six.naive_six import place

TURNS = 200
SIX = games.module("six")


def random_rows(random: Random, deck: list[int]) -> list[list[int]]:
    """Four rows as they can lie; often crowded at the high end, where cards fit nowhere."""
    low = random.choice((0, 0, 30, 70)) if len(deck) == HIGHEST else 0
    sizes = [random.choice((1, 2, 5, 5)) for _ in range(4)]
    lying = iter(random.sample([card for card in deck if card > low], sum(sizes)))
    return [sorted(islice(lying, size)) for size in sizes]


def ordered(game: Game, table: SixTable, command: Record) -> tuple[SixTable, tuple[Record, ...]]:
    ruling = game.judge(table, command)
    assert isinstance(ruling, Allowed), (table, command, ruling)
    for event in ruling.events:
        table = game.apply(table, event)
    return table, ruling.events


def check_a_turn_at_random(random: Random) -> None:
    seats = random.randint(2, 10)
    known = seats <= 6 and random.random() < 0.3
    game = SIX.make(seats, {"deck": "known" if known else "full"})
    deck = list(range(1, (10 * seats + 4 if known else HIGHEST) + 1))
    rows = random_rows(random, deck)
    free = [card for card in deck if not any(card in row for row in rows)]
    cards = random.sample(free, seats)
    owner = dict(zip(cards, map(Seat, random.sample(range(seats), seats)), strict=True))
    choice = random.randrange(4)
    owners_known = random.random() < 0.5
    table: SixTable = game.start(seats, tuple(map(Seat, range(seats))), Seat(0))
    table, _ = ordered(game, table, Adopt(tuple(tuple(map(Card, row)) for row in rows)))
    events: tuple[Record, ...] = ()
    for card in cards:
        assert not events
        assert game.asks(table)[0].kind is AskKind.PLAY
        table, made = ordered(game, table, Play(Card(card), owner[card] if owners_known else None))
        events = tuple(event for event in made if isinstance(event, CardPlaced | RowChosen))
    choices = 0
    while (ask := game.asks(table)[0]).kind is not AskKind.PLAY:
        asked = int(ask.card)
        assert owner[asked] in ask.seats
        if ask.kind is AskKind.CHOOSE:
            choices += 1
            assert asked == min(cards)
            assert not any(isinstance(event, CardPlaced) for event in events)
            assert [list(row) for row in table.rows] == rows
            table, made = ordered(game, table, TakeRow(choice))
        else:
            assert not owners_known
            table, made = ordered(game, table, Claim(Card(asked), owner[asked]))
        events += made

    assert choices <= 1
    wanted_rows, log = place(rows, cards, choice)
    assert [list(row) for row in table.rows] == wanted_rows
    placed = [event for event in events if isinstance(event, CardPlaced)]
    assert [(went.card, went.row, f"6N-{went.rule}", went.takes) for went in log] == [
        (event.card, event.row, event.rule, event.takes) for event in placed
    ]
    assert [event.heads for event in placed] == [heads(event.takes) for event in placed]
    assert choices == sum(went.rule == 4 for went in log)
    for card, seat in owner.items():
        took = next(went.takes for went in log if went.card == card)
        assert table.taken[seat] == took


@pytest.mark.slow
def test_turns_at_random_are_placed_as_a_naive_referee_places_them() -> None:
    """And at most one row is chosen in a turn, for the lowest card, before anything is placed."""
    random = Random(66)
    for _ in range(TURNS):
        check_a_turn_at_random(random)
