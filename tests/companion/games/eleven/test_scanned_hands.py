"""Hands that are scanned when they are dealt, as those of robots: the referee knows them, and nobody else."""

from random import Random

import pytest

from companion.core.ask import AskKind
from companion.core.cards import Card, Seat
from companion.core.ruling import ForgetHands
from companion.games.eleven.records import Register, TurnUp
from companion.match.dealer import Dealer
from companion.match.legal_commands import legal_commands
from companion.match.match import Match, Step, Terms, begin
from companion.protocol.snapshot import public_events, public_view, state
from companion.text.errors import InvalidRecord
from tests.companion.games.eleven.at_eleven import AtEleven, cards

HAND = (3, 14, 25, 36, 47, 58, 69, 80, 91, 100)


def with_hand(*hand: int, seat: int = 1) -> AtEleven:
    at = AtEleven(3, hands=[seat], deals=1)
    at.scan(*hand)
    return at


def test_the_hand_is_asked_for_before_the_first_card_is_turned_up() -> None:
    at = AtEleven(3, hands=[2, 1])
    asked = []
    for number in range(1, 21):
        ask = at.match.asks[0]
        asked.append((ask.kind, ask.seats[0], ask.have))
        at.scan(number)
    assert asked == [(AskKind.HOLD, seat, ("?",) * number) for seat in (1, 2) for number in range(10)]
    assert at.asked == ["turn up a card"]
    assert at.game.hand(at.table, Seat(1)) == tuple(map(str, range(1, 11)))
    assert at.game.hand(at.table, Seat(0)) == ()


def test_a_hand_that_was_begun_is_finished_before_another_one_is_asked_for() -> None:
    at = AtEleven(3, hands=[0, 2])
    at.do(Register(Seat(2), Card(50)))
    assert at.match.asks[0].seats == (2, 0)
    assert "first card is turned up" in at.fault(TurnUp(cards(7)))


def test_the_hand_is_known_all_the_time_and_counted_by_itself() -> None:
    at = with_hand(*HAND)
    at.turn_up(50)
    at.card(51)  # seat 0
    assert "not in player 2's hand" in at.fault(at.game.read(at.match.asks[0], None, "52"))
    at.card(58)
    at.take(0)  # seat 2
    at.turn_up(1, 35)
    at.card(2)  # seat 0
    at.take(1)  # seat 1
    left = {str(card) for card in HAND if card != 58}
    at.turn_up(94, 95)
    assert set(at.game.hand(at.table, Seat(1))) == {*left, "1", "2"}
    at.do(at.game.end_deal())
    while at.match.asks:
        assert at.match.asks[0].seats != (1,)  # nobody has to scan it
        at.do(at.game.read(at.match.asks[0], None, "=15"))
    assert at.match.totals[1] > 0


def test_what_was_scanned_wrong_is_forgotten_and_an_undo_brings_it_back() -> None:
    at = with_hand(*HAND)
    at.turn_up(50)
    refused = at.refused(at.game.read(at.match.asks[0], None, "58"))
    assert "player 2" not in f"{refused.fault} {refused.fix}"
    at.do(ForgetHands())
    at.card(58)
    at.card(59)
    assert at.game.hand(at.table, Seat(1)) == ()
    assert at.match.asks[0].kind is AskKind.PLAY
    for _ in range(3):
        at.undo()
    assert at.game.hand(at.table, Seat(1)) == tuple(map(str, HAND))
    at.do(ForgetHands())
    assert "no hand is known" in at.fault(ForgetHands())


def test_a_deal_can_be_played_without_the_hand() -> None:
    at = with_hand(*HAND[:4])
    at.scan()
    at.do(at.game.read(at.match.asks[1], None, "without hands"))
    assert at.asked == ["turn up a card"]


@pytest.mark.parametrize(("card", "words"), [(3, "scanned already"), (101, "there is no card")])
def test_a_refused_card_of_a_hand_is_told_without_its_place(card: int, words: str) -> None:
    at = with_hand(*HAND[:4])
    said = at.refused(Register(Seat(1), Card(card)))
    assert words in str(said.fault)
    assert "player" not in f"{said.fault} {said.fix}"


def test_a_hand_is_scanned_only_where_it_was_agreed_only_once_and_only_before_the_deal() -> None:
    at = with_hand(*HAND)
    assert "all cards" in at.fault(Register(Seat(1), Card(99)))
    assert "not scanned" in at.fault(Register(Seat(0), Card(99)))
    assert "not playing" in at.fault(Register(Seat(5), Card(99)))
    at.turn_up(50)
    assert "first card" in at.fault(Register(Seat(1), Card(99)))
    assert "no hand is known" in AtEleven(3).fault(ForgetHands())


def test_no_public_view_tells_the_cards_of_a_hand() -> None:
    one, other = with_hand(*HAND[:3]), with_hand(77, 78, 79)
    assert public_view(state(one.match)) == public_view(state(other.match))
    assert one.match.board == other.match.board
    assert one.match.asks == other.match.asks
    assert one.match.newest is not None
    assert public_events(one.game, one.match.newest) == [{"kind": "card_registered", "seat": 1}]


def test_scripted_players_play_whole_matches_with_scanned_hands() -> None:
    players = Dealer(Random(4))
    match: Match = begin(Terms("eleven", 4, {"hands": [0, 2], "deals": 2}))
    registered = 0
    while match.asks:
        answer = players.answer(match)
        registered += match.asks[0].kind is AskKind.HOLD
        step = match.propose(match.game.read(answer.ask, answer.seat, answer.text))
        assert isinstance(step, Step), step
        match = match.then(step)
    assert registered == 40
    assert match.winners


def test_the_cards_that_may_be_scanned_are_the_legal_commands() -> None:
    kinds = [command["kind"] for command in legal_commands(with_hand(*HAND[:4]).match)]
    assert kinds.count("register") == 100
    assert kinds[-1] == "forget_hands"


@pytest.mark.parametrize("hands", [["a"], [7], 3, True])
def test_other_values_of_the_option_are_refused_by_name(hands: object) -> None:
    with pytest.raises(InvalidRecord, match="hands"):
        begin(Terms("eleven", 3, {"hands": hands}))
