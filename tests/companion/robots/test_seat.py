"""A robot at one seat of a match: what it is told, and that it answers legally in every game."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

import pytest
from msgspec.structs import replace

from companion import values
from companion.core import games
from companion.core.ask import AskKind
from companion.core.cards import Card, Seat
from companion.games.six.commands import Claim, Lay, Play, TakeRow
from companion.match.match import Match, Step, Terms, begin
from companion.robots.group import GAMES
from companion.robots.levels import Level
from companion.robots.seat import Question, answer
from companion.robots.six.group import Group
from companion.robots.six.sight import seen_by
from companion.robots.six.simple import Normal

if TYPE_CHECKING:
    from typing import Any

    from companion.robots.six.seen import Seen


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


def after(match: Match, command: Any) -> Match:
    step = match.propose(command)
    assert isinstance(step, Step), (command, str(step.fault))
    return match.then(step)


def test_what_a_robot_sees_of_a_match_is_what_a_group_of_robots_has_noted() -> None:
    robots = [Attentive() for _ in range(4)]
    match, group = begin(Terms("six", 4, {"end": {"deals": 3}})), Group(robots, Random(3), target=0)
    compared = rows = 0
    while match.asks:
        given = group.answer(match.position.table, match.asks)
        ask, text = given.ask, given.text
        for seat, robot in enumerate(robots):
            for noted in robot.seen:
                seen = seen_by(match, Seat(seat), noted.hand)
                rows += bool(noted.shown)
                assert replace(seen, gone=frozenset()) == noted
                assert seen.unseen() == noted.unseen()
                compared += 1
            robot.seen.clear()
        if ask.kind is AskKind.PLAY:
            match = after(match, Play(Card(int(text)), dict(group.turn)[Card(int(text))]))
        else:
            match = after(match, match.game.read(ask, given.seat, text))
    assert compared - rows == 3 * 10 * 4
    assert rows > 5


def four_rows() -> Match:
    match = begin(Terms("six", 3))
    for card in (12, 37, 43, 58):
        match = after(match, Lay(Card(card)))
    return match


def test_cards_without_an_owner_are_seen_but_tell_of_nobody() -> None:
    match = four_rows()
    for card in (44, 14, 61):
        match = after(match, Play(Card(card)))
    seen = seen_by(match, Seat(1), [1, 2])
    assert (seen.turns, seen.heads) == ((), (0, 0, 0))
    assert not {12, 37, 43, 58, 44, 14, 61, 1, 2} & set(seen.unseen())
    assert len(seen.unseen()) == 104 - 9


def test_the_owner_of_the_last_card_follows_from_the_others() -> None:
    match = after(after(after(four_rows(), Play(Card(44), Seat(2))), Play(Card(14), Seat(0))), Play(Card(61)))
    assert [turn.cards for turn in seen_by(match, Seat(1), [1]).turns] == [(14, 61, 44)]


def test_who_chooses_a_card_has_not_seen_those_of_the_same_turn() -> None:
    match = four_rows()
    begun = after(match, Play(Card(44)))
    assert seen_by(begun, Seat(1), [1, 2]) == seen_by(match, Seat(1), [1, 2])


@pytest.mark.parametrize("level", Level)
def test_a_robot_chooses_a_row_only_for_its_own_card(level: Level) -> None:
    match = four_rows()
    for card in (5, 14, 61):
        match = after(match, Play(Card(card)))
    assert match.asks[0].kind is AskKind.CHOOSE
    question = Question(match, Seat(1), ("5", "70"), level, 7)
    assert answer(question) is None  # it may be the card of anybody
    named = four_rows()
    for card, seat in ((5, Seat(1)), (14, None), (61, None)):
        named = after(named, Play(Card(card), seat))
    given = answer(replace(question, match=named))
    assert given is not None
    taken = after(named, TakeRow(int(given.text)))
    assert taken.points[1] == 1  # each of the four rows has one card with one head
    assert isinstance(taken.propose(Play(Card(70), Seat(1))), Step)
    assert not isinstance(taken.propose(Claim(Card(5), Seat(1))), Step)


def test_a_hard_robot_plays_on_when_more_was_seen_than_can_be() -> None:
    match = begin(Terms("six", 2, {"deck": "known"}))
    for card in (21, 22, 23, 24):
        match = after(match, Lay(Card(card)))
    given = answer(Question(match, Seat(0), tuple(map(str, range(1, 13))), Level.HARD, 1))
    assert given is not None
    assert 1 <= int(given.text) <= 12


def hands_of(bots: Any, match: Match) -> dict[Seat, list[str]]:
    """The hands before an answer; a look at the table deals and draws what has been dealt and drawn."""
    if match.terms.game == "six":
        return {seat: [*map(str, cards)] for seat, cards in bots.hands.items()}
    if match.terms.game == "ciao":
        bots._dealt.look(match.position.table)
    else:
        bots._dealt.answer(match.position.table, match.asks[0])
    return {seat: [*map(str, bots._dealt.hand(seat))] for seat in match.game.players(match.position.table)}


@pytest.mark.parametrize(("game", "level"), [(game, level) for game in GAMES for level in GAMES[game]])
def test_robots_answer_all_that_is_asked_of_a_seat(game: str, level: Level) -> None:
    """Scripted players deal and hold the cards; what a robot is asked, the robot answers."""
    match, random = begin(Terms(game, 3)), Random(5)
    bots: Any = games.module(game).Bots(random)
    answered = set()
    for _ in range(40 if level is Level.HARD else 250):
        if not match.asks:
            break
        held = hands_of(bots, match)
        given = bots.answer(match.position.table, match.asks)
        if game == "six" and given.ask.kind is AskKind.PLAY:
            owners = {int(card): seat for card, seat in bots.turn}
            given = values.replace(given, seat=owners[int(given.text)])
        seat = given.ask.seats[0] if given.seat is None else given.seat
        hand = tuple(map(str, held.get(seat, ())))
        mine = answer(Question(match, seat, hand, level, 9), think_s=0.0)
        if mine is not None:
            answered.add(mine.ask.kind)
            assert mine.seat == seat
            assert isinstance(match.propose(match.game.read(mine.ask, seat, mine.text)), Step)
        match = after(match, match.game.read(given.ask, given.seat, given.text))
    assert AskKind.PLAY in answered
