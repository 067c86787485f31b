"""Robots at a match of the referee: legal to the end, blind to hidden cards, better than chance."""

from __future__ import annotations

from itertools import count
from random import Random
from typing import TYPE_CHECKING

import pytest

from companion.core import games
from companion.core.cards import HIGHEST, Seat
from companion.match.match import Match, Step, Terms, begin
from companion.robots.group import GAMES, group
from companion.robots.levels import Level
from companion.robots.six.group import Group
from companion.robots.six.hard import Hard
from companion.robots.six.simple import Normal
from companion.text.errors import CompanionError
from firmware.cli import main as cli
from firmware.extensions.robots.config import LEVELS
from tests.examples import TIMES

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from companion.core.game import Bots
    from companion.robots.six.player import SixPlayer
    from companion.robots.six.seen import Seen

SOME = (Level.EASY, Level.NORMAL)


def played(match: Match, bots: Bots[Any]) -> Match:
    """The match after its last question; every answer is one that the referee takes."""
    while match.asks:
        answer = bots.answer(match.position.table, match.asks)
        assert answer.ask in match.asks
        step = match.propose(match.game.read(answer.ask, answer.seat, answer.text))
        assert isinstance(step, Step), (answer, str(step.fault))
        match = match.then(step)
    return match


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_robots_play_matches_of_every_size_to_the_end(game: str) -> None:
    for seats in games.module(game).SEATS:
        match = begin(Terms(game, seats, {}, Seat(seats - 1)))
        levels = [SOME[seat % 2] for seat in range(seats)]
        assert played(match, group(game, levels, Random(seats))).winners


@pytest.mark.parametrize("options", [{}, {"deck": "known"}, {"deck": "known", "draft": True}])
def test_hard_robots_play_6_nimmt_with_every_deck(options: Mapping[str, Any]) -> None:
    robots: list[SixPlayer] = [Hard(1, tables=40, hands=40, blocks=1), Normal(), Normal()]
    match = begin(Terms("six", 3, {**options, "end": {"deals": 2}}))
    assert played(match, Group(robots, Random(5))).winners


class Attentive:
    """Notes what it is given, and plays as the normal robot."""

    def __init__(self) -> None:
        self.seen: list[Seen] = []

    def card(self, seen: Seen) -> int:
        self.seen.append(seen)
        return Normal().card(seen)

    def row(self, seen: Seen) -> int:
        self.seen.append(seen)
        return Normal().row(seen)


def test_a_robot_at_the_table_is_told_what_has_happened() -> None:
    players = [Attentive() for _ in range(4)]
    match = played(begin(Terms("six", 4, {"end": {"deals": 3}})), Group(players, Random(3)))
    for seat, player in enumerate(players):
        last = player.seen[-1]
        assert (last.seats, last.seat, len(last.earlier)) == (4, seat, 2)
        deals = match.position.score_sheet.deals
        assert last.totals == tuple(map(sum, zip(*deals[:2], strict=True)))
        for deal in last.earlier:
            assert len({card for turn in deal for card in turn.cards}) == 40
        for seen in player.seen:
            assert len(seen.hand) + len(seen.turns) == 10 - bool(seen.shown)
            assert sum(card in seen.hand for turn in seen.turns for card in turn.cards) == 0


class Exchanged:
    """Chance that exchanges two cards of the box when it is shuffled."""

    def __init__(self, seed: int, one: int, other: int) -> None:
        self._random = Random(seed)
        self._places = (one, other)
        self.choice = self._random.choice
        self.random = self._random.random
        self.randrange = self._random.randrange

    def shuffle(self, cards: list[Any], /) -> None:
        self._random.shuffle(cards)
        one, other = self._places
        if len(cards) < HIGHEST:  # the cards of a turn
            return
        cards[one], cards[other] = cards[other], cards[one]


def test_a_hard_robot_does_not_see_which_cards_the_others_hold() -> None:
    # Places 4 to 13 of the box are the hand of the robot; from 14 on the others', and what stays in the box.
    plays = []
    for one, other in ((14, 14), (14, 30), (20, 60), (33, 103)):
        players = [Attentive(), Attentive(), Attentive()]
        bots = Group(players, Exchanged(9, one, other))
        match = begin(Terms("six", 3, {"end": {"deals": 1}}))
        while not players[0].seen:
            answer = bots.answer(match.position.table, match.asks)
            step = match.propose(match.game.read(answer.ask, answer.seat, answer.text))
            assert isinstance(step, Step)
            match = match.then(step)
        plays.append((players[0].seen[0], Hard(2, tables=100, hands=50).card(players[0].seen[0])))
    assert all(play == plays[0] for play in plays)


@pytest.mark.slow
@pytest.mark.parametrize("game", ["eleven", "ciao"])
def test_a_normal_robot_wins_most_matches_against_three_that_play_by_chance(game: str) -> None:
    won, matches = 0.0, round(24 * max(1.0, TIMES))
    for number, seat in zip(range(matches), (number % 4 for number in count()), strict=False):
        levels = [Level.NORMAL if one == seat else Level.EASY for one in range(4)]
        winners = played(begin(Terms(game, 4)), group(game, levels, Random(number))).winners or ()
        won += Seat(seat) in winners and 1 / len(winners)
    assert won > 0.45 * matches  # by chance it would be a quarter


def test_a_game_that_no_robot_plays_is_refused() -> None:
    with pytest.raises(CompanionError, match="no robot plays KEEP SCORE"):
        group("score", [Level.EASY] * 3, Random(1))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("game", "level"), [("six", "hard"), ("six", "easy"), ("eleven", "normal"), ("ciao", "normal")]
)
def test_robots_play_the_demonstration(game: str, level: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["demo", "--fast", "--game", game, "--level", level, "--seats", "2"]) == 0
    assert "won with the fewest points" in capsys.readouterr().out


def test_the_levels_that_can_be_typed_are_those_that_there_are() -> None:
    assert tuple(level.value for level in Level) == LEVELS
