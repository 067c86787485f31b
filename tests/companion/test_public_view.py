"""What people may see of a state: nothing in it depends on what is hidden."""

from __future__ import annotations

from random import Random
from typing import Any, Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion import games
from companion.errors import InvalidRecord
from companion.match import Match, Terms, begin
from companion.protocol import state
from companion.public_view import public_view
from tests.companion.protocol_client import ProtocolClient
from tests.companion.test_laws import evening
from tests.examples import examples

every_game = pytest.mark.parametrize("game", games.GAMES)
seeds = st.integers(0, 2**32 - 1)

COMMON: Final = {"game", "deal", "names", "totals", "points", "winners", "hidden"}
PUBLIC: Final = {
    "six": {"rows", "taken", "turn", "shown"},
    "eleven": {
        *("hand_sizes", "bulls", "supply", "deck", "due", "turn", "moves", "next_pile", "laid", "waiting"),
        *("taking", "out", "counted", "seen"),
    },
    "ciao": {
        *("top", "turn", "dir", "pending", "hand_sizes", "draw", "discards", "skips", "race", "stage"),
        *("shown", "out", "counted", "seen"),
    },
    "score": {"of", "open", "sums", "piles", "rows", "rows_sum", "loose", "doubt", "faults", "missing"},
}
"""Every field that people may see as it is. Whoever adds a field to a state decides here, or hides it."""


@every_game
def test_every_field_of_a_state_is_either_hidden_or_meant_to_be_seen(game: str) -> None:
    shown = state(begin(Terms(game, games.module(game).SEATS[0])))
    hidden = set(shown["hidden"])
    assert hidden <= set(shown)
    assert not hidden & (COMMON | PUBLIC[game])
    assert set(shown) == hidden | COMMON | PUBLIC[game]


@every_game
@examples(10)
@given(seed=seeds)
def test_nothing_hidden_is_left_in_the_public_view(game: str, seed: int) -> None:
    for match, _, _ in evening(game, seed, 40, 0.2):
        shown = state(match)
        public = public_view(shown)
        assert public == public_view(_with_other_secrets(shown, Random(seed)))
        assert public_view(public) == public
        for field, how in shown["hidden"].items():
            if how == "all":
                assert field not in public
            else:
                assert all(len(pile) <= 1 for pile in public[field].values())
        for field in set(shown) - set(shown["hidden"]):
            assert public[field] == shown[field]


def _with_other_secrets(shown: dict[str, Any], random: Random) -> dict[str, Any]:
    """The same table as people see it, with other cards where they cannot look."""
    other = dict(shown)
    for field, how in shown["hidden"].items():
        if how == "all":
            other[field] = [random.randrange(1000)]
        else:
            other[field] = {
                name: [random.randrange(1000) for _ in range(random.randrange(9))] + pile[-1:]
                for name, pile in shown[field].items()
            }
    return other


def eleven(piles: dict[str, list[int]], hands: list[list[int]]) -> Match:
    """A table of 11 nimmt! for two with ten cards each."""
    client = ProtocolClient()
    client.send(new="eleven", seats=2)
    answer = client.send(position={"piles": piles, "hands": hands, "hand_sizes": [10, 10], "turn": 0})
    assert answer["ok"]
    match = client.referee._match
    assert match is not None
    return match


def test_two_tables_of_11_nimmt_that_look_alike_have_the_same_public_view() -> None:
    """The same tops, the same number of cards on all piles together: nobody can tell which pile is high."""
    one = eleven({"0": [31, 36, 46], "4": [80]}, [[55, 57], []])
    other = eleven({"0": [46], "4": [62, 72, 80]}, [[], [99]])
    assert state(one) != state(other)
    assert public_view(state(one)) == public_view(state(other))
    assert public_view(state(one))["piles"] == {"0": [46], "4": [80]}


def test_a_hand_of_ciao_that_is_known_and_the_known_cards_of_the_pile_are_not_shown() -> None:
    client = ProtocolClient()
    client.send(new="ciao", seats=2)
    hands = [["rR#4", "yP"], []]
    client.send(position={"top": "gR", "hands": hands, "hand_sizes": [3, 3], "pile": ["yS:AR"], "turn": 0})
    drawn = client.send(do={"kind": "draw"})["state"]
    assert (drawn["drawn"], drawn["hands"][0][-1]) == ("yS:AR", "yS:AR")
    public = client.send(show="public")
    assert public["state"] == public_view(drawn)
    assert public["state"]["hand_sizes"] == [4, 3]
    assert not any(card in str(public["state"]) for card in ("rR#4", "yP", "yS:AR"))


def test_the_public_state_comes_with_the_questions_and_changes_nothing() -> None:
    client = ProtocolClient()
    client.send(new="eleven", seats=2)
    before = client.send(do={"kind": "turn_up", "cards": [31]})
    public = client.send(show="public")
    assert public["asks"] == before["asks"]
    assert "hands" not in public["state"]
    assert client.send(show=True)["state"] == before["state"]


def test_a_state_that_does_not_say_what_is_hidden_is_not_shown() -> None:
    with pytest.raises(InvalidRecord, match="which fields are hidden"):
        public_view({"game": "eleven", "hands": [[1], [2]]})


def test_a_field_that_is_hidden_in_an_unknown_way_is_not_shown() -> None:
    assert public_view({"hidden": {"hands": "by night"}, "hands": [[1]], "deal": 1}) == {
        "hidden": {"hands": "by night"},
        "deal": 1,
    }
