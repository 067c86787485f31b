"""Rounds and matches of 6 nimmt! in the arena, several at once in step with each other."""

from collections.abc import Iterator, Sequence
from random import Random
from typing import Final

from msgspec import Struct

from companion.core.cards import HIGHEST, ROWS, TURNS
from companion.robots.arena.standing import ArenaResult, Entry, SixRound
from companion.robots.rollouts import seed_of
from companion.robots.six.plain import place
from companion.robots.six.seen import SixPlayerView, TurnCards
from companion.values import Value, field

TARGET: Final = 66
"""Where matches end (6 nimmt! rulebook)."""


class ArenaDeal(Value):
    """The cards of a deal: those that start the rows, and the hand of every seat."""

    rows: tuple[int, ...]
    hands: tuple[tuple[int, ...], ...]


def deal(seed: int, number: int, part: int, seats: int) -> ArenaDeal:
    """The cards of deal `part` of the match, or round, of this number."""
    deck = list(range(1, HIGHEST + 1))
    Random(seed_of(seed, number, part)).shuffle(deck)
    hands = (deck[ROWS + TURNS * seat : ROWS + TURNS * (seat + 1)] for seat in range(seats))
    return ArenaDeal(tuple(deck[:ROWS]), tuple(tuple(sorted(hand)) for hand in hands))


class _Table(Struct):
    """A match in progress: `sits` is the entry at each seat."""

    number: int
    sits: tuple[int, ...]
    target: int
    totals: list[int]
    earlier: tuple[tuple[TurnCards, ...], ...] = ()
    dealt: ArenaDeal = ArenaDeal((), ())
    rows: list[list[int]] = field(default_factory=list)
    hands: list[list[int]] = field(default_factory=list)
    turns: tuple[TurnCards, ...] = ()
    heads: list[int] = field(default_factory=list)
    chosen: list[int] = field(default_factory=list)

    def begin(self, dealt: ArenaDeal) -> None:
        self.dealt, self.turns, self.chosen = dealt, (), []
        self.rows = [[card] for card in dealt.rows]
        self.hands = [list(hand) for hand in dealt.hands]
        self.heads = [0] * len(self.sits)

    def seen(self, seat: int, shown: tuple[int, ...] = ()) -> SixPlayerView:
        return SixPlayerView(
            len(self.sits),
            seat,
            tuple(map(tuple, self.rows)),
            tuple(self.hands[seat]),
            self.turns,
            self.earlier,
            tuple(self.totals),
            tuple(self.heads),
            self.target,
            shown=shown,
        )

    def record(self) -> SixRound:
        return SixRound(
            self.number,
            len(self.earlier) + 1,
            self.sits,
            self.dealt.rows,
            self.dealt.hands,
            tuple(turn.cards for turn in self.turns),
            tuple(self.chosen),
            tuple(self.heads),
        )


def play(
    entries: Sequence[Entry], numbers: Sequence[int], seed: int, *, matches: bool, together: int = 1
) -> Iterator[ArenaResult]:
    """Every round (or match) of these numbers once for each rotation, `together` of them in step."""
    many = len(entries)
    for first in range(0, len(numbers), together):
        tables = [
            _Table(
                number,
                tuple((seat + turned) % many for seat in range(many)),
                TARGET if matches else 0,
                [0] * many,
            )
            for number in numbers[first : first + together]
            for turned in range(many)
        ]
        yield from _in_step(entries, tables, seed, matches=matches)


def _in_step(
    entries: Sequence[Entry], tables: list[_Table], seed: int, *, matches: bool
) -> Iterator[ArenaResult]:
    many = len(entries)
    records: dict[int, list[SixRound]] = {index: [] for index in range(len(tables))}
    playing, part = list(enumerate(tables)), 0
    while playing:
        for _, table in playing:
            table.begin(deal(seed, table.number, part, many))
        for _ in range(TURNS):
            _turn(entries, [table for _, table in playing])
        part += 1
        left = []
        for index, table in playing:
            records[index].append(table.record())
            table.earlier = (*table.earlier, table.turns)
            table.totals = [total + heads for total, heads in zip(table.totals, table.heads, strict=True)]
            if matches and max(table.totals) < table.target:
                left.append((index, table))
                continue
            best = min(table.totals)
            share = 1 / table.totals.count(best)
            points, wins = [0] * many, [0.0] * many
            for seat, entry in enumerate(table.sits):
                points[entry] = table.totals[seat]
                wins[entry] = share if table.totals[seat] == best else 0.0
            yield ArenaResult(table.number, part, tuple(points), tuple(wins), tuple(records.pop(index)))
        playing = left


def _turn(entries: Sequence[Entry], tables: Sequence[_Table]) -> None:
    cards = [[0] * len(entries) for _ in tables]
    for number, entry in enumerate(entries):
        asked = [(at, table.sits.index(number)) for at, table in enumerate(tables)]
        seen = [tables[at].seen(seat) for at, seat in asked]
        if len(seen) > 1 and hasattr(entry.player, "cards"):
            began_s = entry.clock()
            answers = entry.player.cards(seen)
            entry.spent.add(len(seen), entry.clock() - began_s)
        else:
            answers = [entry.timed(entry.player.card, one) for one in seen]
        for (at, seat), card in zip(asked, answers, strict=True):
            cards[at][seat] = card
    for table, chosen in zip(tables, cards, strict=True):
        _place(entries, table, tuple(chosen))


def _place(entries: Sequence[Entry], table: _Table, cards: tuple[int, ...]) -> None:
    for hand, card in zip(table.hands, cards, strict=True):
        hand.remove(card)

    def choose(_rows: list[list[int]], seat: int) -> int:
        entry = entries[table.sits[seat]]
        row: int = entry.timed(entry.player.row, table.seen(seat, cards))
        table.chosen.append(row)
        return row

    before = tuple(map(tuple, table.rows))
    taken = place(table.rows, cards, choose)
    table.turns = (*table.turns, TurnCards(before, cards))
    table.heads = [heads + more for heads, more in zip(table.heads, taken, strict=True)]
