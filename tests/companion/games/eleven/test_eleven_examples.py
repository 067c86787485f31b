"""The examples of the 11 nimmt! rulebook: through the machine interface."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.companion.games.eleven.naive_eleven import window
from tests.companion.protocol_client import ProtocolMatch

CASES = json.loads((Path(__file__).parents[2] / "cases" / "eleven.json").read_text())
Record = dict[str, Any]


def cases(*kinds: str) -> pytest.MarkDecorator:
    chosen = [case for case in CASES if case["kind"] in kinds]
    return pytest.mark.parametrize("case", chosen, ids=[case["id"] for case in chosen])


class Table11:
    """A case's table: names are seats in order, the deck is a list to turn up from."""

    def __init__(self, given: Record) -> None:
        self.names: list[str] = given["players"]
        self.hands: dict[str, list[int]] = given["hands"]
        self.deck: list[int] = list(given["deck"])
        # Fillers of other hands may hold the same card twice; only the hand on turn is told card by card.
        self.way = ProtocolMatch("eleven", len(self.names), deals=1)
        self.way.adopt(
            {
                "piles": given["piles"],
                "hands": [self.hands[name] if name == given["turn"] else [] for name in self.names],
                "hand_sizes": [len(self.hands[name]) for name in self.names],
                "bulls": [given["bulls"][name] for name in self.names],
                "deck": len(self.deck),
                "turn": self.names.index(given["turn"]),
                "next_pile": given["next_id"],
            }
        )
        assert self.way.state["supply"] == given["supply"]

    def act(self, action: Record) -> list[Record] | None:
        seat = self.names.index(action["by"])
        if action["do"] == "play":
            return self.way.order({"kind": "play", "cards": action["cards"], "seat": seat})
        events = self.way.order({"kind": "take", "pile": int(action["pile"]), "seat": seat})
        if events is not None and (due := self.way.state["due"]):
            turned, self.deck = self.deck[:due], self.deck[due:]
            assert self.way.order({"kind": "turn_up", "cards": turned}) is not None
        return events

    def count(self) -> None:
        """Give the hands that are asked for."""
        while self.way.asked[:1] == ["count a hand"]:
            seat = next(
                seat for seat, heads in enumerate(self.way.state["counted"]) if heads is None and seat
            )
            hand = self.hands[self.names[seat]]
            assert self.way.order({"kind": "hand", "seat": seat, "cards": hand}) is not None

    def check(self, expect: Record, events: list[Record] | None) -> None:
        if expect.get("illegal"):
            assert events is None
            return
        assert events is not None
        state, wanted = self.way.state, expect.get("state", {})
        for name in wanted.keys() & {"piles", "supply"}:
            assert state[name] == wanted[name]
        if "bulls" in wanted:
            assert {name: state["bulls"][self.names.index(name)] for name in wanted["bulls"]} == wanted[
                "bulls"
            ]
        if "turn" in wanted:
            assert self.names[state["turn"]] == wanted["turn"]
        if "deck" in wanted:
            assert (state["deck"], self.deck) == (len(wanted["deck"]), wanted["deck"])
        for name, hand in wanted.get("hands", {}).items():
            seat = self.names.index(name)
            assert state["hand_sizes"][seat] == len(hand)
            assert set(state["hands"][seat]) <= set(hand)
        for taken in (event for event in events if event["kind"] == "pile_taken"):
            assert taken["cards"] == expect.get("taken", taken["cards"])
            if "bull_from" in expect:
                giver = None if taken["bull_from"] is None else self.names[taken["bull_from"]]
                assert expect["bull_from"] == (giver or ("supply" if taken["bull"] else None))
        assert any(event["kind"] == "went_out" for event in events) is expect.get("round_over", False)
        if "minus" in expect:
            self.count()
            points = self.way.state["points"]
            assert {name: points[self.names.index(name)] for name in expect["minus"]} == expect["minus"]


@pytest.mark.slow
@cases("turn11")
def test_a_move_of_the_rulebook_is_ruled_as_it_is_printed(case: Record) -> None:
    table = Table11(case["state"])
    table.check(case["expect"], table.act(case["action"]))


@cases("turns11")
def test_the_turns_of_the_rulebook_follow_each_other(case: Record) -> None:
    table = Table11(case["state"])
    for step in case["steps"]:
        table.check(step["expect"], table.act(step["action"]))


@pytest.mark.slow
@cases("fits11")
def test_a_card_fits_on_a_top_as_the_rulebook_says(case: Record) -> None:
    at, lying = ProtocolMatch("eleven", 2), {"piles": {"0": [case["top"]]}}
    if case.get("all"):
        at.adopt(lying)
        listed = at.send(legal=True)["legal"]
        legal = [one["card"] for one in listed if one["kind"] == "play_card"]
        assert legal == case["expect"]["legal"] == sorted(window(case["top"]))
        return
    for card, fits in zip(case["cards"], case["expect"]["legal"], strict=True):
        at.adopt(lying)
        assert bool(at.order({"kind": "play", "cards": {"0": [card]}})) is fits


def heads_of(card: int) -> int:
    """What a card costs that somebody is left with."""
    top = card % 100 + 1
    last = top % 100 + 1
    at = ProtocolMatch("eleven", 2, deals=1)
    at.adopt({"piles": {"0": [top]}, "hands": [[last], [card]]})
    assert at.order({"kind": "play", "cards": {"0": [last]}})
    return int(at.state["points"][1])


@cases("heads")
def test_a_card_costs_the_heads_that_it_shows(case: Record) -> None:
    for card, heads in case["expect"].items():
        assert heads_of(int(card)) == heads


def deal(at: ProtocolMatch, out: int, points: dict[int, int], piles: Record) -> None:
    """A deal in which a seat goes out, and the heads of the other hands are typed."""
    sizes = [1 if seat == out else max(1, points[seat] // 2) for seat in range(3)]
    hands = [[34] if seat == out else [] for seat in range(3)]
    at.adopt({"piles": piles, "hands": hands, "hand_sizes": sizes, "turn": out})
    assert at.order({"kind": "play", "cards": {"0": [34]}})
    for step in (1, 2):
        seat = (out + step) % 3
        assert at.order({"kind": "hand", "seat": seat, "heads": points[seat]})


@cases("win11")
def test_the_fewest_minus_points_win_after_a_deal_for_each_player(case: Record) -> None:
    at = ProtocolMatch("eleven", 3)
    deal(at, 2, {0: 12, 1: 10}, {"0": [33]})
    deal(at, 0, {1: 10, 2: 3}, {"0": [33]})
    assert at.last["state"]["winners"] is None
    deal(at, 0, {1: 10, 2: 4}, {"0": [33]})
    state = at.last["state"]
    assert dict(zip("ABC", state["totals"], strict=True)) == case["totals"]
    assert ["ABC"[seat] for seat in state["winners"]] == case["expect"]["winners"]
    assert state["deal"] == case["expect"]["rounds"]


@cases("starter11")
def test_the_next_deal_is_started_by_who_was_worst(case: Record) -> None:
    minus = {seat: case["minus"][name] for seat, name in enumerate(case["players"])}
    out = case["players"].index(case["went_out"])
    at = ProtocolMatch("eleven", 3)
    deal(at, out, minus, {"0": [33]})
    assert case["players"][at.last["state"]["turn"]] == case["expect"]["starter"]


def test_every_example_is_played() -> None:
    assert {case["kind"] for case in CASES} == {
        "turn11", "turns11", "fits11", "heads", "headsum", "win11", "starter11",
    }  # fmt: skip
    assert len(CASES) == 30 == len({case["id"] for case in CASES})
