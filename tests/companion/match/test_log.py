"""The log: what was once written reads as the same forever, and what is malformed is named."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from companion.core import games
from companion.core.cards import Seat
from companion.core.codec import decode, encode, json_schema
from companion.core.score_sheet import DealScored
from companion.match.log import from_lines, header, read_header, read_step, replay, to_lines, write_step
from companion.match.match import Terms, begin
from companion.text.errors import InvalidRecord

SAMPLES = Path(__file__).parents[1] / "samples"
TOTALS: Mapping[str, Mapping[str, Any]] = json.loads((SAMPLES / "totals.json").read_text())

every_game = pytest.mark.parametrize("game", games.GAMES)
every_match = pytest.mark.parametrize("name", TOTALS)


def classes(game: str) -> tuple[type[Any], ...]:
    module = games.module(game)
    made = module.make(module.SEATS[0], {})
    return (*made.commands, *made.events, DealScored)


def samples(game: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (SAMPLES / f"{game}.jsonl").read_text().splitlines()]


def stored(name: str) -> list[dict[str, Any]]:
    return list(from_lines((SAMPLES / name).read_text().splitlines()))


@every_game
def test_every_kind_of_record_has_a_stored_sample(game: str) -> None:
    assert {cls.KIND for cls in classes(game)} == {sample["record"]["kind"] for sample in samples(game)}


@every_game
def test_stored_records_mean_today_what_they_meant_when_they_were_stored(game: str) -> None:
    for sample in samples(game):
        value = decode(sample["record"], classes(game))
        # The kind and the fields are stored; what Python calls the class is not.
        assert sample["record"]["kind"] == value.KIND
        assert repr(value).partition("(")[2] == sample["means"].partition("(")[2]
        assert encode(value) == sample["record"]


@every_game
def test_fields_that_a_record_may_leave_out_are_filled_in_as_promised(game: str) -> None:
    for sample in samples(game):
        value = decode(sample["record"], classes(game))
        needed = set(json_schema(type(value))["required"])
        shortened = {name: field for name, field in sample["record"].items() if name in needed}
        assert type(decode(shortened, classes(game))) is type(value)
        for name in needed - {"kind"}:
            lacking = {other: field for other, field in sample["record"].items() if other != name}
            with pytest.raises(InvalidRecord, match=name):
                decode(lacking, classes(game))


@every_match
def test_a_stored_match_ends_as_it_ended_when_it_was_played(name: str) -> None:
    match = replay(stored(name))
    assert {
        "deals": match.position.deal,
        "totals": list(match.totals),
        "winners": list(match.winners or ()),
        "steps": match.steps,
    } == TOTALS[name]


@every_match
def test_a_stored_match_is_written_again_as_it_was(name: str) -> None:
    first, *records = stored(name)
    terms = read_header(first)
    game = begin(terms).game
    again = [header(terms), *(write_step(read_step(record, game)) for record in records)]
    assert "\n".join(to_lines(again)) + "\n" == (SAMPLES / name).read_text()


def test_a_header_carries_what_was_agreed_and_the_badges() -> None:
    terms = Terms("six", 3, {"end": {"deals": 2}}, Seat(1), (4, 2, 9))
    assert read_header(json.loads(json.dumps(header(terms)))) == terms
    assert "badges" not in header(Terms("six", 3))


def test_a_record_may_say_when_it_was_written() -> None:
    first, *records = stored("match-of-four.jsonl")
    at = {"at": "2024-03-08 20:15"}
    timed = [{**first, **at, "match": 7}, *({**record, **at} for record in records)]
    assert replay(timed).position == replay([first, *records]).position
