"""What the protocol calls legal is what the referee accepts, neither more nor less."""

import json
from collections.abc import Iterable, Iterator
from random import Random
from typing import Any

import pytest
from hypothesis import given

from companion.core import games
from companion.core.ask import AskKind
from companion.core.cards import Seat
from companion.core.codec import decode, encode_short
from companion.core.score_sheet import MAX_POINTS
from companion.match.dealer import players_by_chance
from companion.match.legal_commands import legal_commands
from companion.match.match import Match, Step, Terms, begin
from tests.companion.protocol_client import ProtocolClient
from tests.companion.random_match import agreed, by_people, cards_of
from tests.companion.test_laws import evening, seeds
from tests.examples import examples

every_game = pytest.mark.parametrize("game", games.GAMES)
some = examples(2)


def tables(game: str, seed: int) -> Iterator[Match]:
    """A few moments of a random match, also of one that begins with a table that was set up."""
    for number, (match, _, after) in enumerate(evening(game, seed)[:40]):
        if number % 8 == 0:
            yield match
        if not after.asks:
            yield after


@pytest.mark.slow
@every_game
@some
@given(seed=seeds)
def test_all_that_is_listed_is_accepted_and_every_other_card_is_refused(game: str, seed: int) -> None:
    for match in tables(game, seed):
        legal = legal_commands(match)
        assert bool(legal) is bool(match.asks)
        assert len(legal) < 2 * MAX_POINTS + 200
        for command in _some_of(legal):
            assert _accepted(match, command), command
        kinds = {json.dumps(one, sort_keys=True) for one in legal}
        assert len(kinds) == len(legal)
        listed = [_without_copy(one) for one in legal if "points" not in one]
        for ask in match.asks:
            for text in cards_of(match) if match.box and not ask.choices else ():
                command = match.game.read(ask, None, text)
                if isinstance(match.propose(command), Step):
                    assert _without_copy(encode_short(command)) in listed, command


@pytest.mark.slow
@every_game
@some
@given(seed=seeds)
def test_of_a_seat_that_is_listed_which_names_it_and_is_accepted(game: str, seed: int) -> None:
    for match in tables(game, seed):
        for seat in match.players[:2]:
            legal = legal_commands(match, seat)
            asked = any(seat in ask.seats for ask in match.asks)
            assert asked or not legal
            for command in _some_of(legal):
                assert command.get("seat", seat) == seat
                assert _accepted(match, command), command


@pytest.mark.slow
@every_game
@examples(1)
@given(seed=seeds)
def test_whatever_players_with_hands_of_their_own_play_is_listed(game: str, seed: int) -> None:
    random = Random(seed)
    match = agreed(game, random)
    people = players_by_chance(game, random)
    for _ in range(15):
        if not match.asks:
            break
        step = by_people(match, people)
        command = encode_short(step.command)
        if not command.pop("typed", False):
            listed = [_without_copy({**one, "seat": None}) for one in legal_commands(match)]
            assert _without_copy({**command, "seat": None}) in listed, (command, listed)
        match = match.then(step)


def _some_of(legal: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """All, but for long lists: those name every number of points."""
    return legal[:: 1 + len(legal) // 50]


def _accepted(match: Match, command: dict[str, Any]) -> bool:
    """Whether a listed command is accepted, or names a card of a hand that nobody may know of."""
    ruling = match.propose(decode(command, match.commands))
    return isinstance(ruling, Step) or (
        command["kind"] == "register" and ruling.fault.template == "this card has been scanned already"
    )


def _without_copy(command: dict[str, Any]) -> dict[str, Any]:
    """A command whose card does not say which copy it is."""
    card = command.get("card")
    return {**command, "card": card.partition("#")[0] if isinstance(card, str) else card}


def test_in_an_open_draft_a_player_is_told_the_cards_of_the_own_hand() -> None:
    match = begin(Terms("six", 2, {"deck": "known", "draft": True}))
    picked: dict[int, list[int]] = {0: [], 1: []}
    while match.asks[0].kind is AskKind.PICK:
        seat = match.asks[0].seats[0]
        assert legal_commands(match, Seat(1 - seat)) == []
        command = legal_commands(match, seat)[-1]
        picked[seat].append(command["card"])
        step = match.propose(decode(command, match.commands))
        assert isinstance(step, Step)
        match = match.then(step)
    for owner, hand in picked.items():
        listed = legal_commands(match, Seat(owner))
        assert listed == [{"kind": "play", "card": card, "seat": owner} for card in sorted(hand)]


def test_cards_of_a_hand_that_is_known_are_all_that_it_can_play() -> None:
    client = ProtocolClient()
    client.send(new="eleven", seats=2)
    position = {"piles": {"0": [31]}, "hands": [[34, 36, 77], []], "hand_sizes": [3, 3], "turn": 0}
    client.send(position=position)
    assert client.send(legal=True)["legal"] == [
        {"kind": "play_card", "card": 34},
        {"kind": "play_card", "card": 36},
        {"kind": "take", "pile": 0},
    ]
    client.send(position={**position, "turn": 1})
    cards = [one["card"] for one in client.send(legal=True)["legal"] if one["kind"] == "play_card"]
    assert cards == [32, 33, 35, 37, 38, 39, 40, 41]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("game", "hands", "begins"),
    [
        ("six", (range(11, 21), range(91, 101)), {"kind": "lay_rows", "cards": [1, 25, 45, 80]}),
        ("eleven", (range(11, 21), range(61, 71)), {"kind": "turn_up", "cards": [50]}),
        (
            "ciao",
            (
                ("gR#1", "gP#1", "yS#1", "rR#1", "gS:SW#1", "yP#1", "yJ#1"),
                ("gR:+3", "rS#1", "rS#2", "rS#3", "rS#4", "T#1", "rJ#1"),
            ),
            {"kind": "play", "card": "gS"},
        ),
    ],
)
def test_hidden_cards_that_are_exchanged_change_nothing_of_what_is_listed(
    game: str, hands: tuple[Iterable[Any], Iterable[Any]], begins: dict[str, Any]
) -> None:
    listed: list[list[object]] = []
    for hand in hands:
        match = begin(Terms(game, 3, {"hands": [1]}))
        told: list[object] = []
        orders = [{"kind": "register", "seat": 1, "held": card} for card in hand]
        for number, order in enumerate([*orders, begins]):
            step = match.propose(decode(order, match.commands))
            assert isinstance(step, Step), step
            match = match.then(step)
            if number in (3, len(orders) - 1, len(orders)):
                told += [legal_commands(match, seat) for seat in (None, *match.players)]
        listed.append(told)
    assert listed[0] == listed[1]
    assert listed[0][-4]  # something is asked of somebody


def test_a_claim_of_a_seat_is_its_own() -> None:
    client = ProtocolClient()
    client.send(new="six", seats=3)
    client.send(position={"rows": [[30], [40], [50], [60]]})
    for card in (3, 70, 80):
        client.send(do={"kind": "play", "card": card})
    client.send(do={"kind": "take_row", "row": 2})
    assert client.send(legal=True)["legal"] == [
        {"kind": "claim", "card": 3, "seat": seat} for seat in (0, 1, 2)
    ]
    assert client.send(legal=True, seat=1)["legal"] == [{"kind": "claim", "card": 3, "seat": 1}]
