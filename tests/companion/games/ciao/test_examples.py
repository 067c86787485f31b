"""The worked examples of Ciao!: through the machine interface."""

import json
from pathlib import Path
from typing import Any

import pytest

from companion.core.score_sheet import DealScored
from tests.companion.protocol_client import ProtocolMatch

CASES = json.loads((Path(__file__).parents[2] / "cases" / "ciao.json").read_text())
Facts = list[dict[str, Any]]

MISTAKES = {"CI-8": "not higher", "HC-5": "not higher", "CI-16": "not higher", "HC-2": "not the drawn card"}
"""The words of the examples for a mistake, by the rule that was broken; "race" is any of a race."""


def cases(kind: str) -> pytest.MarkDecorator:
    chosen = [case for case in CASES if case["kind"] == kind]
    assert chosen
    return pytest.mark.parametrize("case", chosen, ids=[case["id"] for case in chosen])


def position_of(state: dict[str, Any]) -> tuple[dict[str, Any], list[str]]:
    """The state of an example as a position, with the names of its players."""
    names = state["players"]
    position = {
        "top": state["top"],
        "turn": names.index(state["turn"]),
        "hands": [state["hands"][name] for name in names],
        "pile": state["draw"],
        "dir": state.get("dir", 1),
    }
    return position, names


def orders(event: dict[str, Any], names: list[str]) -> list[dict[str, Any]]:
    """What an example says that people do, as orders; a mistake is an order of its own."""
    if event["do"] == "draw":
        seat = names.index(event["by"])
        drawing: dict[str, Any] = {"kind": "draw", "seat": seat}
        then = event.get("then")
        return [drawing, {"kind": "play", "seat": seat, **then} if then else {"kind": "keep", "seat": seat}]
    if event["do"] == "race":
        made = [{"kind": "foul", "seat": names.index(foul["by"])} for foul in event.get("fouls", ())]
        if event["winner"] is None:
            return [*made, {"kind": "race_off"}]
        return [*made, {"kind": "race", "seat": names.index(event["winner"]), "card": event["card"]}]
    record = {"kind": "play", "seat": names.index(event["by"]), "card": event["card"]}
    for name in ("name", "mode", "give", "thanks"):
        if name in event:
            record[name] = event[name]
    if "to" in event:
        record["to"] = names.index(event["to"])
    return [record]


def log_of(facts: Facts, names: list[str]) -> list[str]:
    """The facts in the words of the examples."""
    log, racing = [], False
    for fact in facts:
        racing = racing or fact["kind"] == "race_begun"
        if fact["kind"] == "mistake_made":
            why = "race" if racing else MISTAKES[fact["rule"]]
            log.append(f"mistake:{names[fact['seat']]}:{why}")
        if fact["kind"] == "plus_three" and fact["pending"] == 0:
            drawn = any(one["kind"] == "cards_drawn" and one["rule"] == "CI-16" for one in facts)
            log += [] if drawn else ["+3 cancelled"]
    return log


@pytest.mark.slow
@cases("ciao")
def test_the_examples_come_out_as_written(case: dict[str, Any]) -> None:
    position, names = position_of(case["state"])
    table = ProtocolMatch("ciao", len(names), end={"deals": 1})
    table.adopt(position)
    facts: Facts = []
    for event in case["events"]:
        for record in orders(event, names):
            if record["kind"] == "keep" and table.state["stage"] != "drawn":
                continue  # against a +3 nothing that was drawn can be played
            made = table.order(record)
            if made is None:  # the card was really played, so the mistake has to be told
                made = table.order({"kind": "foul", "seat": record["seat"], "card": record["card"]})
            assert made is not None, record
            facts += made
    expect, state = case["expect"], table.state
    for name, hand in expect.get("hands", {}).items():
        assert sorted(state["hands"][names.index(name)]) == sorted(hand)
        assert state["hand_sizes"][names.index(name)] == len(hand)
    for name in ("top", "pending", "dir", "race", "draw"):
        if name in expect:
            assert state[name] == expect[name], name
    if "turn" in expect:
        assert names[state["turn"]] == expect["turn"]
    if "log" in expect:
        assert log_of(facts, names) == expect["log"]
    if "win" in expect:
        won = [names[fact["seat"]] for fact in facts if fact["kind"] == "deal_won"]
        assert won == ([] if expect["win"] is None else [expect["win"]])


@pytest.mark.slow
@cases("higher")
def test_what_is_higher_may_be_played_and_nothing_else(case: dict[str, Any]) -> None:
    options: dict[str, Any] = {} if case.get("colours", True) else {"step": 1, "step_trouble": True}
    for card, is_higher in case["expect"].items():
        table = ProtocolMatch("ciao", 2, **options)
        table.adopt({"top": case["top"], "turn": 0, "hands": [[card, "gR"], ["gR"]], "draw": 5})
        assert (table.order({"kind": "play", "card": card, "seat": 0}) is not None) is is_higher, card


@cases("ciao_points")
def test_cards_left_cost_what_the_rulebook_says(case: dict[str, Any]) -> None:
    names = list(case["hands"])
    table = ProtocolMatch("ciao", len(names), end={"deals": 1})
    facts = table.adopt({"top": "gR", "turn": 0, "hands": list(case["hands"].values()), "draw": 3})
    if all(case["hands"].values()):
        facts += table.order({"kind": "end_deal"}) or []
    expected = [case["expect"][name] for name in names]
    assert table.state["points"] == expected
    assert facts[-1] == {"kind": DealScored.KIND, "points": expected}


def test_the_cases_are_all_of_a_kind_that_is_played_here() -> None:
    assert {case["kind"] for case in CASES} == {"ciao", "higher", "ciao_points"}
    assert len(CASES) == 33
