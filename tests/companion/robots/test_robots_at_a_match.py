"""Robots at a match of the referee: legal to the end, told what they have seen and no more."""

from collections.abc import Mapping
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from companion.core import games
from companion.core.ask import Answer, AskKind
from companion.core.cards import Card, Seat
from companion.games.six.records import Claim, Lay, Play, TakeRow
from companion.match.dealer import Dealer, Group
from companion.match.match import Match, Step, Terms, begin
from companion.robots.levels import LEVELS, Decision, Level, answer, nearest, robots
from companion.robots.six.plain import Normal
from companion.robots.six.seen import SixPlayerView, seen_by
from companion.text.errors import CompanionError
from firmware.cli import main as cli
from tests.companion.one_match import after
from tests.companion.random_match import by_people


def played(match: Match, players: Group) -> Match:
    """The match after its last question; every answer is one that the referee takes."""
    while match.asks:
        match = match.then(by_people(match, players))
    return match


@pytest.mark.slow
@pytest.mark.parametrize("game", LEVELS)
def test_robots_play_deals_of_every_size_to_the_end(game: str) -> None:
    for seats in games.module(game).SEATS:
        one_deal: Mapping[str, Any] = {"deals": 1} if game == "eleven" else {"end": {"deals": 1}}
        match = begin(Terms(game, seats, one_deal, Seat(seats - 1)))
        levels = [(Level.EASY, Level.NORMAL)[seat % 2] for seat in range(seats)]
        assert played(match, robots(game, levels, Random(seats))).winners


@pytest.mark.parametrize("options", [{}, {"deck": "known"}, {"deck": "known", "draft": True}])
def test_hard_robots_play_6_nimmt_with_every_deck(options: Mapping[str, Any]) -> None:
    players = robots("six", [Level.HARD, Level.NORMAL, Level.NORMAL], Random(5))
    match = begin(Terms("six", 3, {**options, "end": {"deals": 2}}))
    assert played(match, players).winners


def test_a_robot_at_the_table_is_told_what_has_happened() -> None:
    seen: dict[Seat, list[SixPlayerView]] = {}

    def attentive(match: Match, seat: Seat, hand: tuple[str, ...]) -> Answer:
        ask = match.asks[0]
        sight = seen_by(match, seat, [int(card) for card in hand if card != ask.card])
        seen.setdefault(seat, []).append(sight)
        decide = Normal().row if ask.kind is AskKind.CHOOSE else Normal().card
        return Answer(ask, str(decide(sight)), seat)

    match = begin(Terms("six", 4, {"end": {"deals": 3}}))
    match = played(match, Dealer(Random(3), attentive, named=True))
    for seat, sights in seen.items():
        last = sights[-1]
        assert (last.seats, last.seat, len(last.earlier)) == (4, seat, 2)
        deals = match.position.score_sheet.deals
        assert last.totals == tuple(map(sum, zip(*deals[:2], strict=True)))
        for deal in last.earlier:
            assert len({card for turn in deal for card in turn.cards}) == 40
        for sight in sights:
            assert len(sight.hand) + len(sight.turns) == 10 - bool(sight.shown)
            assert sum(card in sight.hand for turn in sight.turns for card in turn.cards) == 0
            lying = [*(turn.cards for turn in sight.known), *sight.rows, sight.hand]
            assert not {card for cards in lying for card in cards} & {*sight.unseen()}
    assert sum(not sight.shown for sights in seen.values() for sight in sights) == 3 * 10 * 4


def test_what_no_robot_plays_is_refused() -> None:
    with pytest.raises(CompanionError, match="no robot plays KEEP SCORE"):
        robots("score", [Level.EASY] * 3, Random(1))
    with pytest.raises(CompanionError, match="no robots of level good") as refused:
        robots("eleven", [Level.GOOD] * 3, Random(1))
    assert refused.value.fix == "use one of easy, normal, hard"
    played = [nearest(game, Level.STRONG).value for game in LEVELS]
    assert played == ["strong", "normal", "normal"]


@pytest.mark.slow
@pytest.mark.parametrize(("game", "level"), [("six", "easy"), ("ciao", "normal")])
def test_robots_play_the_demonstration(game: str, level: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["demo", "--fast", "--game", game, "--level", level, "--seats", "2"]) == 0
    assert "won with the fewest points" in capsys.readouterr().out


def four_rows() -> Match:
    match = begin(Terms("six", 3))
    for card in (12, 37, 43, 58):
        match = after(match, Lay(Card(card)))
    return match


@pytest.mark.parametrize("level", Level)
def test_a_robot_chooses_a_row_only_for_its_own_card(level: Level) -> None:
    match = four_rows()
    for card in (5, 14, 61):
        match = after(match, Play(Card(card)))
    assert match.asks[0].kind is AskKind.CHOOSE
    assert answer(Decision(match, Seat(1), ("6", "70"), level, 7)) is None  # it may be the card of anybody
    question = Decision(match, Seat(1), ("5", "70"), level, 7)
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
    given = answer(Decision(match, Seat(0), tuple(map(str, range(1, 13))), Level.HARD, 1))
    assert given is not None
    assert 1 <= int(given.text) <= 12
