"""Hands that are scanned when they are dealt, as those of robots: the referee knows them, and nobody else."""

from typing import Any, Final

import pytest

from companion.core import games
from companion.core.ask import AskKind
from companion.core.cards import Seat
from companion.core.codec import decode
from companion.match.legal_commands import legal_commands
from companion.match.match import Terms, begin
from companion.protocol.snapshot import public_events, public_view, state
from companion.text.errors import InvalidRecord
from tests.companion.one_match import OneMatch

DEALT: Final = {"six": 10, "eleven": 10, "ciao": 7}
"""The games in which hands can be scanned, and the cards of a hand."""
NEXT: Final = {"six": AskKind.LAY, "eleven": AskKind.TURN_UP, "ciao": AskKind.PLAY}
"""What is asked for once the hands are scanned."""

every_game = pytest.mark.parametrize("game", DEALT)


def scanned(game: str, many: int, first: int = 0, **options: Any) -> OneMatch:
    """A match of three in which cards of the box were scanned, one after the other."""
    one = OneMatch(game, 3, **(options or {"hands": [1]}))
    for card in games.module(game).DECK[first : first + many]:
        one.do(one.match.game.read(one.match.asks[0], None, card))
    return one


def register(one: OneMatch, seat: int, card: Any) -> Any:
    return decode({"kind": "register", "seat": seat, "held": card}, one.match.game.commands)


@every_game
def test_each_hand_is_asked_for_in_turn_before_the_deal_begins(game: str) -> None:
    asked = []
    for number in range(2 * DEALT[game]):
        (ask, _) = scanned(game, number, hands=[2, 1]).match.asks
        asked.append((ask.kind, ask.seats[0], ask.have, ask.need))
    assert asked == [
        (AskKind.HOLD, seat, ("?",) * number, DEALT[game]) for seat in (1, 2) for number in range(DEALT[game])
    ]
    match: Any = scanned(game, 2 * DEALT[game], hands=[2, 1]).match
    assert match.asks[0].kind is NEXT[game]
    assert match.game.hand(match.position.table, Seat(1)) == games.module(game).DECK[: DEALT[game]]
    assert match.game.hand(match.position.table, Seat(0)) == ()


@every_game
def test_a_deal_can_be_played_without_the_hands(game: str) -> None:
    one = scanned(game, 4)
    one.do(one.match.game.read(one.match.asks[1], None, "without hands"))
    assert one.match.asks[0].kind is NEXT[game]


@pytest.mark.parametrize(
    ("game", "card", "fault"),
    [
        ("six", 1, "this card has been scanned already"),
        ("six", 105, "this card is not in the deck 1 to 104"),
        ("eleven", 1, "this card has been scanned already"),
        ("eleven", 101, "there is no card 101"),
        ("ciao", "gR#1", "this card has been scanned already"),
        ("ciao", "gR#9", "this card is not in the deck"),
    ],
)
def test_a_refused_card_of_a_hand_is_told_without_its_name_or_place(game: str, card: Any, fault: str) -> None:
    one = scanned(game, 4)
    assert one.fault(register(one, 1, card)) == fault
    assert "player" not in one.fix(register(one, 1, card))


@every_game
def test_no_public_view_tells_the_cards_of_a_hand(game: str) -> None:
    one, other = scanned(game, 3).match, scanned(game, 3, 20).match
    assert public_view(state(one)) == public_view(state(other))
    assert one.board == other.board
    assert one.asks == other.asks
    assert one.newest is not None
    assert public_events(one.game, one.newest) == [{"kind": "card_registered", "seat": 1}]


@every_game
def test_the_cards_that_may_be_scanned_are_the_legal_commands(game: str) -> None:
    match = scanned(game, 4).match
    kinds = [command["kind"] for command in legal_commands(match)]
    assert kinds.count("register") == len(match.game.cards(match.position.table))
    assert kinds[-1] == "forget_hands"


@pytest.mark.parametrize("hands", [["a"], [10], 3, "all", True])
@every_game
def test_other_values_of_the_option_are_refused_by_name(game: str, hands: object) -> None:
    if game == "six" and hands is True:
        return  # all hands
    with pytest.raises(InvalidRecord, match="hands"):
        begin(Terms(game, 3, {"hands": hands}))
