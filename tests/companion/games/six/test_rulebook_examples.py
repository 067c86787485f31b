"""The worked examples of the rulebooks: through the machine interface."""

import json
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from companion.core.cards import Card, bullheads
from tests.companion.games.six.naive_six import heads, place
from tests.companion.protocol_client import ProtocolMatch

CASES = json.loads((Path(__file__).parents[2] / "cases" / "six.json").read_text())
Rows = list[list[int]]


def cases(*kinds: str) -> pytest.MarkDecorator:
    chosen = [case for case in CASES if case["kind"] in kinds]
    return pytest.mark.parametrize("case", chosen, ids=[case["id"] for case in chosen])


def filler(rows: Rows, cards: list[int], choice: int, deck: int) -> int:
    """A card for a second player that takes nothing and changes nothing for the others."""
    alone_rows, alone = place(rows, cards, choice)
    lying = {card for row in rows for card in row} | set(cards)
    for card in range(1, deck + 1):
        if card in lying:
            continue
        with_rows, log = place(rows, [*cards, card], choice)
        others = [went for went in log if went.card != card]
        if others == alone and [[one for one in row if one != card] for row in with_rows] == alone_rows:
            return card
    raise AssertionError("no card leaves this example alone")


def play_turn(
    table: ProtocolMatch, turn: dict[str, Any], deck: int, names: list[str]
) -> tuple[list[dict[str, Any]], Rows] | None:
    """The placements of a turn and the rows, the filler left out; None as soon as anything is refused."""
    choices = {name: row - 1 for name, row in turn.get("choices", {}).items()}
    plays = [(names.index(name), card) for name, card in turn["plays"]]
    extra = None
    if len(plays) == 1 and plays[0][1] <= deck:
        extra = filler(table.state["rows"], [plays[0][1]], next(iter(choices.values()), 0), deck)
        plays.append((1, extra))
    orders = [{"kind": "play", "card": card, "seat": seat} for seat, card in plays]
    orders += [{"kind": "take_row", "row": row, "seat": names.index(name)} for name, row in choices.items()]
    events: list[dict[str, Any]] = []
    for order in orders:
        made = table.order(order)
        if made is None:
            return None
        events += made
    assert table.asked != ["choose a row"]
    rows = [[card for card in row if card != extra] for row in table.state["rows"]]
    placed = [event for event in events if event["kind"] == "card_placed"]
    return [event for event in placed if event["card"] != extra], rows


@cases("trick", "tricks")
def test_the_turns_of_the_rulebooks_come_out_as_printed(case: dict[str, Any]) -> None:
    turns = case.get("tricks", [case])
    names = sorted({name for turn in turns for name, _ in turn["plays"]})
    deck = case.get("deck_max", 104)
    seats = max(2, len(names)) if deck == 104 else (deck - 4) // 10
    table = ProtocolMatch("six", seats, deck="full" if deck == 104 else "known")
    table.adopt({"rows": case.get("rows") or []})
    for turn in turns:
        expect = turn["expect"]
        before = table.state["points"]
        outcome = play_turn(table, turn, deck, names)
        if expect.get("illegal"):
            assert outcome is None
            return
        assert outcome is not None
        placed, rows = outcome
        if "log" in expect:
            assert [
                {
                    "by": names[event["seat"]],
                    "card": event["card"],
                    "rule": int(event["rule"].removeprefix("6N-")),
                    "row": event["row"] + 1,
                    "taken": event["takes"],
                }
                for event in placed
            ] == expect["log"]
            assert all(event["heads"] == sum(map(heads, event["takes"])) for event in placed)
        assert rows == expect["rows"]
        for name, cost in expect.get("heads", {}).items():
            seat = names.index(name)
            assert table.state["points"][seat] - before[seat] == cost


@cases("heads")
def test_bullheads_are_those_of_the_rulebooks(case: dict[str, Any]) -> None:
    for card, worth in case["expect"].items():
        assert bullheads(Card(int(card))) == worth


def end_option(case: dict[str, Any]) -> dict[str, Any]:
    if "rounds_agreed" in case:
        return {"deals": case["rounds_agreed"]}
    return {"target": 66, "when": "passed" if case.get("op") == ">" else "reached"}


def piles(points: list[int]) -> tuple[Rows, Rows]:
    """Four rows and piles that are worth these points, from cards that exist once each."""
    left = sorted(range(1, 105), key=heads, reverse=True)
    taken: Rows = []
    for wanted in points:
        pile: list[int] = []
        for card in left:
            if sum(map(heads, pile)) + heads(card) <= wanted:
                pile.append(card)
        left = [card for card in left if card not in pile]
        assert sum(map(heads, pile)) == wanted
        taken.append(pile)
    return [[card] for card in left[-4:]], taken


@cases("end6")
def test_a_match_ends_as_the_rulebook_says(case: dict[str, Any]) -> None:
    totals = list(case["totals"].values())
    table = ProtocolMatch("six", len(totals), end=end_option(case))
    deals = case.get("rounds_played") or next(n for n in count(1) if sum(totals) / n <= 167)
    for deal in range(deals):
        last = deal == deals - 1
        share = [total - total // deals * (deals - 1) if last else total // deals for total in totals]
        assert table.send(position={"rows": [[1], [2], [3], [4]], "turn": 10})["ok"]
        if any(share):
            assert table.send(do={"kind": "correct_score", "deal": deal + 1, "points": share})["ok"]
    state = table.last["state"]
    assert state["totals"] == totals
    assert (state["winners"] is not None) is case["expect"]["ended"]
    assert (table.last["asks"] == []) is case["expect"]["ended"]
    assert [list(case["totals"])[seat] for seat in state["winners"] or []] == case["expect"]["winners"]
