"""`python -m tools.arena hard normal easy`: robots and programs play many rounds against each other.

Each deal is played as often as there are players, and each time everybody moves on by one seat: so everybody
has played every hand. The referee rules on every card. docs/robots.md describes the players, the table that
is printed and the lines that a program reads.
"""

import argparse
import importlib
import shlex
import subprocess
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from math import sqrt
from pathlib import Path
from random import Random
from typing import Any, Final

import numpy as np
from msgspec import Struct
from msgspec.structs import asdict

from companion.core.ask import Answer, AskKind
from companion.core.cards import ROWS, TURNS, Seat
from companion.core.codec import to_line
from companion.match.dealer import Dealer, Hand
from companion.match.match import Match, Terms, begin
from companion.robots import levels
from companion.robots.levels import Level
from companion.robots.rollouts import seed_of
from companion.robots.six.hard import of_cards, of_rows
from companion.robots.six.plain import cheapest, price_of
from companion.robots.six.seen import SixPlayer, SixPlayerView, seen_by
from companion.robots.six.tables import Policy, drawn
from companion.robots.six.worlds import Worlds, deals_of
from companion.values import Value

_PROGRAM: Final = "cmd:"


class Greedy(Value):
    """Plays the card that costs least now, of several the lowest; takes the row with the fewest heads."""

    def card(self, seen: SixPlayerView) -> int:
        return min(seen.hand, key=lambda card: (price_of(seen.rows, card), card))

    def row(self, seen: SixPlayerView) -> int:
        return cheapest(seen.rows)


class MonteCarlo(Value):
    """Chooses by 50 random games for each card or row, as `mcs` of 6-nimmt-agent does: own heads count."""

    seed: int
    worlds: int = 50

    def card(self, seen: SixPlayerView) -> int:
        size = len(seen.hand)
        if size == 1:
            return seen.hand[0]
        worlds = self._worlds(seen, size, seed_of(self.seed, seen.rows, seen.hand))
        costs = [of_cards(seen, (card,), some)[0].sum() for card, some in zip(seen.hand, worlds, strict=True)]
        return seen.hand[int(np.argmin(costs))]

    def row(self, seen: SixPlayerView) -> int:
        (worlds,) = self._worlds(seen, 1, seed_of(self.seed, seen.rows, seen.hand, seen.shown))
        return int(of_rows(seen, range(ROWS), worlds)[0].sum(axis=1).argmin())

    def _worlds(self, seen: SixPlayerView, choices: int, seed: int) -> list[Worlds]:
        """Hands by chance for each choice, whatever was played; everybody plays any card."""
        random, many = np.random.PCG64(seed), self.worlds * choices
        hands, policy = deals_of(seen, random, many), np.full((seen.seats, many), Policy.RANDOM, np.intp)
        parts = (np.split(of, choices, axis=-1) for of in (hands, policy, drawn(random, seen.seats, many)))
        return [Worlds(*of_choice) for of_choice in zip(*parts, strict=True)]


class Program:
    """A program that plays 6 nimmt!: for each question a line of JSON, and it answers with a number."""

    def __init__(self, command: str) -> None:
        self._process = subprocess.Popen(  # noqa: S603 - the program that was named
            shlex.split(command), stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )

    def card(self, seen: SixPlayerView) -> int:
        return self._answer("card", seen)

    def row(self, seen: SixPlayerView) -> int:
        return self._answer("row", seen)

    def close(self) -> None:
        self._process.communicate()

    def _answer(self, what: str, seen: SixPlayerView) -> int:
        asked, answers = self._process.stdin, self._process.stdout
        assert asked is not None and answers is not None  # noqa: S101, PT018 - pipes, as asked for above
        asked.write(to_line({"ask": what, **asdict(seen)}) + b"\n")
        asked.flush()
        return int(answers.readline())


class Contestant(Struct):
    """A player of the command line, and the seconds of processor time that its moves have taken."""

    name: str
    player: Any
    moves: int = 0
    took_s: float = 0.0

    def answer(self, match: Match, seat: Seat, hand: Hand) -> Answer | None:
        """What it answers in a match of any game."""
        began_s = time.thread_time()
        asks = [ask for ask in match.asks if seat in ask.seats]
        if match.terms.game == "six":
            answer = _of_six(self.player, match, seat, hand)
        else:
            players = importlib.import_module(f"companion.robots.{match.terms.game}")
            answer = players.answer(self.player, match.position.table, asks, seat, hand)
        self.moves += 1
        self.took_s += time.thread_time() - began_s
        return answer


def _of_six(player: SixPlayer, match: Match, seat: Seat, hand: Hand) -> Answer:
    ask = match.asks[0]
    seen = seen_by(match, seat, [int(card) for card in hand if card != ask.card])
    choose = player.row if ask.kind is AskKind.CHOOSE else player.card
    return Answer(ask, str(choose(seen)), seat)


def entry(name: str, number: int, game: str) -> Contestant:
    """The player of a name; the seed of its chance is its place on the command line."""
    if name.startswith(_PROGRAM):
        return Contestant(name, Program(name.removeprefix(_PROGRAM)))
    others: dict[str, Callable[[], SixPlayer]] = {"greedy": Greedy, "mcs-50": lambda: MonteCarlo(number)}
    return Contestant(name, others[name]() if name in others else levels.robot(game, Level(name), number))


class _Chance(Random):
    """Shuffles for a dealer, so that in 6 nimmt! the first cards of the deck start the rows."""

    def __init__(self, seats: int, game: str) -> None:
        super().__init__()
        self._dealt: Final = ROWS + TURNS * seats if game == "six" else 0

    def shuffle(self, deck: Any) -> None:  # noqa: ANN401 - as in `Random`
        super().shuffle(deck)
        if len(deck) >= self._dealt > 0:  # a dealer takes cards from the end, hands first
            rows, hands, left = deck[:ROWS], deck[ROWS : self._dealt], deck[self._dealt :]
            deck[:] = [*hands, *rows, *left][::-1]


class Result(Value):
    """A round or a match: whose cards it had, who sat where, all answers, and the points by seat."""

    number: int
    sits: tuple[int, ...]
    deals: int
    answers: tuple[tuple[Seat | None, str], ...]
    points: tuple[int, ...]


def play(
    game: str, entries: Sequence[Contestant], numbers: Sequence[int], seed: int, *, matches: bool
) -> Iterator[Result]:
    """Every round, or match, of these numbers once for each rotation of the players."""
    seats = len(entries)
    for number in numbers:
        for turned in range(seats):
            sits = tuple((seat + turned) % seats for seat in range(seats))
            match, answers = _played(game, [entries[place] for place in sits], number, seed, matches=matches)
            yield Result(number, sits, len(match.position.score_sheet.deals), tuple(answers), match.totals)


def _played(
    game: str, players: Sequence[Contestant], number: int, seed: int, *, matches: bool
) -> tuple[Match, list[tuple[Seat | None, str]]]:
    seats, deal = len(players), 0
    chance = _Chance(seats, game)
    dealer = Dealer(chance, lambda match, seat, hand: players[seat].answer(match, seat, hand), named=True)
    options = {} if matches else {"end": {"deals": 2}}  # so nobody plays a round as the end of a match
    match = begin(Terms(game, seats, options, Seat(number % seats)))
    answers: list[tuple[Seat | None, str]] = []
    while match.asks and (matches or not match.score_sheet.deals):
        if match.position.deal != deal:
            deal = match.position.deal
            chance.seed(seed_of(seed, number, deal - (game == "six")))
        given = dealer.answer(match)
        after = match.play(given.text, given.seat, given.ask.kind)
        if not isinstance(after, Match):
            raise SystemExit(f"{given.text} of seat {given.seat} is refused: {after.fault}")
        match = after
        answers.append((given.seat, given.text))
    return match, answers


def mean_points(own: Sequence[int], results: Sequence[Result]) -> tuple[float, float]:
    """The points a deal of these entries, and the half width of the 95 % interval.

    What varies are the cards, which all rounds of a number share; matches differ in length, so it is a ratio
    that is estimated (Cochran, Sampling Techniques, 6.4).
    """
    blocks: defaultdict[int, list[float]] = defaultdict(lambda: [0.0, 0.0])
    for result in results:
        block = blocks[result.number]
        block[0] += sum(result.points[result.sits.index(place)] for place in own) / len(own)
        block[1] += result.deals
    many, deals = len(blocks), sum(block[1] for block in blocks.values())
    mean = sum(block[0] for block in blocks.values()) / deals
    spread = sum((points - mean * number) ** 2 for points, number in blocks.values()) / max(1, many - 1)
    return mean, 1.96 * sqrt(spread * many) / deals


def wins(own: Sequence[int], results: Sequence[Result]) -> float:
    """The part of the rounds, or matches, that one of these entries wins; a tie is shared."""
    won = 0.0
    for result in results:
        least = min(result.points)
        best = {place for place, points in zip(result.sits, result.points, strict=True) if points == least}
        won += len(best.intersection(own)) / len(best)
    return won / len(results) / len(own)


def table(entries: Sequence[Contestant], results: Sequence[Result]) -> Iterator[str]:
    """A line for each name, the fewest points first."""
    yield f"{'player':16}  points/deal   95 %    wins  ms/move"
    lines = []
    for name in dict.fromkeys(entry.name for entry in entries):
        own = [place for place, entry in enumerate(entries) if entry.name == name]
        mean, error = mean_points(own, results)
        ms = (
            1000
            * sum(entries[place].took_s for place in own)
            / max(1, sum(entries[place].moves for place in own))
        )
        lines.append((mean, f"{name:16}  {mean:11.2f}  ±{error:4.2f}  {wins(own, results):5.1%}  {ms:7.2f}"))
    yield from (line for _, line in sorted(lines))


def main() -> None:
    """Play, and print the table."""
    parser = argparse.ArgumentParser(description="let robots and programs play with the same cards for all")
    parser.add_argument("players", nargs="+", help="levels, greedy, mcs-50, or cmd:PROGRAM")
    parser.add_argument("--game", choices=levels.LEVELS, default="six")
    parser.add_argument("--rounds", type=int, default=200, help="single deals of 6 nimmt!")
    parser.add_argument("--matches", type=int, help="whole matches instead; always in the other games")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, help="write the answers: a line of JSON for each round")
    given = parser.parse_args()
    entries = [entry(name, number, given.game) for number, name in enumerate(given.players)]
    blocks = -(-(given.matches or given.rounds) // len(entries))
    matches = given.matches is not None or given.game != "six"
    results = list(play(given.game, entries, range(blocks), given.seed, matches=matches))
    if given.out is not None:
        given.out.write_bytes(b"".join(to_line(result) + b"\n" for result in results))
    sys.stdout.writelines(f"{line}\n" for line in table(entries, results))


if __name__ == "__main__":
    main()
