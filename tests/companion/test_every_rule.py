"""Every rule is given by some ruling; every event that people can dispute has a reason.

All games are played by chance, and what chance seldom reaches is written by hand in `RARE`.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from random import Random
from typing import Any, Final

import pytest

from companion.core import games
from companion.core.cards import Card, Seat
from companion.core.ruling import EndDeal, Join, Leave, Refused, Swap
from companion.core.score_sheet import DealScored
from companion.games.ciao.records import Correct, Foul, Play
from companion.games.eleven import records as eleven
from companion.games.eleven.records import Take
from companion.games.six.records import Play as Show
from companion.games.six.records import SkipOwner, TakeRow
from companion.match import commands as match_commands
from companion.match.commands import CorrectScore, EndMatch, SettleTie
from companion.match.match import OVER, UNDO, Match, Step
from tests.companion.core.test_match_end import deal
from tests.companion.games.ciao.ciao_match import CiaoMatch, cards
from tests.companion.games.eleven.at_eleven import AtEleven
from tests.companion.games.scorekeeping.score_match import ScoreMatch
from tests.companion.games.six.six_match import SixMatch
from tests.companion.random_match import EXPECTED, agreed, legal, unasked, wild

Ruled = tuple[Match, Any, Step | Refused]
"""The match on which a ruling was made, the order that was ruled on, and the ruling."""

MATCHES: Final = 8
STEPS: Final = 100

REPORTED: Final[Mapping[str, frozenset[str]]] = {
    "six": frozenset({"row_begun", "card_picked", "card_registered", "hands_forgotten", "card_shown"}),
    "eleven": frozenset({"card_waits", "hand_card_seen", "turn_passed", "pile_chosen"}),
    "ciao": frozenset({"asked", "card_counted", "card_shown", "turn_begun"}),
    "score": frozenset({"card_counted", "card_doubted", "count_adopted"}),
}
"""The events that only say what people did or are asked, so that there is nothing to dispute."""

RESULT: Final[Mapping[str, tuple[str, str]]] = {
    "six": ("6N-HEADS", "6N-END"),
    "eleven": ("11-OUT", "11-DEALS"),
    "ciao": ("CI-19", "HC-13"),
    "score": ("M-POINTS", "M-END"),
}
"""The rules for the points of a deal and for the end of a match."""


def ruled(match: Match) -> Iterator[Ruled]:
    """The steps of a match and what they were made on, the newest first."""
    while match.newest is not None and match.before is not None:
        yield match.before, match.newest.command, match.newest
        match = match.before


def refused(game: SixMatch | AtEleven | CiaoMatch, order: Any) -> Ruled:
    return game.match, order, game.refused(order)


def rare_in_six() -> Iterator[Ruled]:
    game = SixMatch(3)
    yield game.match, None, game.match.undo()
    deal(game, 66, 3, 3)
    yield refused(game, Leave(Seat(0)))
    yield from ruled(game.match)
    game = SixMatch(3)
    deal(game, 9, 4, 4)
    game.do(EndMatch())
    game.do(CorrectScore(1, (9, 4, 5)))
    yield from ruled(game.match)
    game = SixMatch(2, end={"deals": 1})
    deal(game, 4, 4)
    yield refused(game, SettleTie("dice"))
    game.do(SettleTie("one_more"))
    deal(game, 4, 4)
    game.do(SettleTie("last_deal"))
    yield from ruled(game.match)
    game = SixMatch(2, deck="known", draft=True)
    for card in range(1, 21):
        game.pick((card - 1) % 2, card)
    yield refused(game, Show(Card(2), Seat(0)))
    yield from ruled(game.match)
    game = SixMatch(3)
    game.do(Leave(Seat(0)))
    game.lay(10, 20, 30, 40)
    game.do(EndDeal())
    yield from ruled(game.match)
    game = SixMatch(2)
    game.lay(10, 20, 30, 40)
    game.do(Show(Card(11), Seat(0)))
    game.do(Show(Card(12), Seat(1)))
    game.do(Swap((Seat(0), Seat(1))))
    yield from ruled(game.match)
    game = SixMatch(3)
    game.lay(10, 20, 30, 40)
    for card in (2, 50, 60):
        game.do(Show(Card(card)))
    game.do(TakeRow(0))
    game.do(SkipOwner(Card(2)))
    yield from ruled(game.match)


def rare_in_eleven() -> Iterator[Ruled]:
    game = AtEleven(3, deals=1)
    game.do(Leave(Seat(2)))
    game.adopt({0: [1], 1: [50]}, hands=[[9], [19], []], hand_sizes=[1, 1, 0])
    game.do(EndDeal())
    yield from ruled(game.match)
    game = AtEleven(2)
    game.adopt({0: [33, 40, 41], 1: [7]}, bulls=[6, 4])
    game.do(Take(0))
    yield from ruled(game.match)
    game = AtEleven(3)
    game.adopt({0: [1], 1: [50]}, hands=[[9], [19], [29]], hand_sizes=[1, 1, 1])
    game.do(EndDeal())
    yield from ruled(game.match)
    game = AtEleven(2)
    game.adopt({0: [96]}, hands=[[97, 100, 3, 50], []], hand_sizes=[4, 10], bulls=[1, 0])
    game.card(97)
    game.card(3)
    yield from ruled(game.match)
    game = AtEleven(2)
    game.adopt({0: [33, 40, 41], 1: [7]}, bulls=[5, 5])
    game.do(Take(0))
    yield from ruled(game.match)
    game = AtEleven(2)
    game.turn_up(31)
    game.do(eleven.Correct((Card(31),), (Card(32),)))
    game.card(35)
    game.do(eleven.Correct((Card(35),), (Card(36),)))
    yield from ruled(game.match)


def rare_in_ciao() -> Iterator[Ruled]:
    game = CiaoMatch(2)
    game.play("gR:AR", mode="reverse")
    yield refused(game, Play(cards("T")[0]))
    yield from ruled(game.match)
    game = CiaoMatch(2)
    game.set_up("rR", [["yP", "gR"], ["gS"]], pile=["rP", "gR"])
    yield refused(game, Play(cards("gR")[0]))
    game.draw()
    yield refused(game, Play(cards("yP")[0]))
    game = CiaoMatch(4)
    game.play("gR:SC")
    game.do(Foul(Seat(2), cards("gS")[0]))
    game.race("yR", 2)
    yield from ruled(game.match)
    game = CiaoMatch(2)
    game.set_up("rR", [["gR"], ["gS"]], pile=[], discards=["gP", "yP", "rP"])
    game.draw()
    yield from ruled(game.match)
    game = CiaoMatch(2, trouble="special")
    game.set_up("gS", [["gR:AR", "T"], ["gP"]], draw=9)
    game.play("gR:AR", trouble=True)
    yield from ruled(game.match)
    game = CiaoMatch(3)
    game.do(Join(Seat(3)))
    game.do(Leave(Seat(1)))
    game.play("gR")
    game.do(Correct(cards("gR"), cards("yR")))
    yield from ruled(game.match)
    game = CiaoMatch(2, end={"deals": 1})
    game.set_up("gR", [["gP"], ["gS"]])
    game.do(EndDeal())
    yield from ruled(game.match)


def rare_in_score() -> Iterator[Ruled]:
    game = ScoreMatch(4, of="six", deck="known", end={"deals": 1})
    game.scan(1, 2, 3, 4)
    for seat, points in enumerate((12, 7, 7, 99)):
        game.type(seat, points)
    yield game.match, None, game.ok(1)
    yield from ruled(game.match)


RARE: Final[Mapping[str, Callable[[], Iterable[Ruled]]]] = {
    "six": rare_in_six,
    "eleven": rare_in_eleven,
    "ciao": rare_in_ciao,
    "score": rare_in_score,
}


def by_chance(game: str, seed: int) -> Iterator[Ruled]:
    """A match with legal answers; each of its positions also gets orders that nobody asked for."""
    random = Random(seed)
    match = agreed(game, random)
    opening = EXPECTED[game].opening(match, random)
    step = None if opening is None else match.propose(opening)
    for _ in range(STEPS):
        if isinstance(step, Step):
            yield match, step.command, step
            match = match.then(step)
        if not match.asks:
            return
        for odd in (wild(match, random), *(unasked(match, random) if random.random() < 0.05 else ())):
            yield match, odd, match.propose(odd)
        early = match.propose(match.game.end_deal()) if random.random() < 0.02 else None
        step = early if isinstance(early, Step) else legal(match, random)


@cache
def rulings(game: str) -> tuple[Ruled, ...]:
    return (*RARE[game](), *(one for seed in range(MATCHES) for one in by_chance(game, seed)))


def keys(ruling: Step | Refused) -> list[str]:
    return [ruling.rule.key] if isinstance(ruling, Refused) else [rule for rule, _ in ruling.because]


def steps(game: str) -> Iterator[tuple[Match, Step]]:
    for before, _, ruling in rulings(game):
        if isinstance(ruling, Step) and ruling.events:
            yield before, ruling


every_game = pytest.mark.parametrize("game", games.GAMES)


@pytest.mark.slow
@every_game
def test_every_rule_of_a_game_is_given_by_some_ruling(game: str) -> None:
    given = {key for *_, ruling in rulings(game) for key in keys(ruling)}
    opened = {because.rule.key for seed in range(MATCHES) for because in agreed(game, Random(seed)).why_next}
    made: Any = games.module(game).make(games.module(game).SEATS[0], {})
    assert set(made.rules) - given - opened == set()


@pytest.mark.slow
def test_every_rule_about_a_match_is_given_by_some_ruling() -> None:
    given = {key for game in games.GAMES for *_, ruling in rulings(game) for key in keys(ruling)}
    about_match = (UNDO, OVER, *match_commands.RULES)
    assert {rule.key for rule in about_match} - given == set()


@every_game
def test_every_event_that_people_can_dispute_has_a_reason(game: str) -> None:
    for before, step in steps(game):
        disputed = [event for event in step.events if event.KIND not in REPORTED[game]]
        assert len(step.because) >= len(disputed), (step.events, step.because)
        if isinstance(step.events[-1], DealScored):
            points, end = RESULT[game]
            assert any(key == points and str(says).startswith("deal ") for key, says in step.because), step
            assert before.then(step).winners is None or end in keys(step), step
