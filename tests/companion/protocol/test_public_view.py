"""What people may see of a state: nothing in it depends on what is hidden."""

import re
from collections.abc import Iterator
from random import Random
from typing import Any, Final

import pytest
from hypothesis import given

from companion.core import games
from companion.core.codec import encode
from companion.games.ciao.cards import split
from companion.games.ciao.explain import words
from companion.match.match import Match, Step, Terms, begin
from companion.protocol.referee import Referee
from companion.protocol.snapshot import public_view, state
from companion.text.errors import InvalidRecord
from companion.text.sentence import CardNumber, Text
from tests.companion.test_laws import evening, seeds, some

every_game = pytest.mark.parametrize("game", games.GAMES)

COMMON: Final = {"game", "deal", "names", "totals", "points", "winners", "hidden"}
PUBLIC: Final = {
    "six": {"rows", "taken", "missing", "turn", "shown"},
    "eleven": {
        *("hand_sizes", "bulls", "supply", "deck", "due", "turn", "moves", "next_pile", "laid", "waiting"),
        *("shown", "taking", "out", "counted", "seen"),
    },
    "ciao": {
        *("top", "turn", "dir", "pending", "hand_sizes", "draw", "discards", "skips", "race", "stage"),
        *("shown", "out", "counted", "seen", "top_copy"),
    },
    "score": {"of", "open", "sums", "piles", "rows", "rows_sum", "loose", "doubt", "faults", "missing"},
}
"""Every field that people may see as it is. A new field of a state is added here, or hidden."""


@every_game
def test_every_field_of_a_state_is_either_hidden_or_meant_to_be_seen(game: str) -> None:
    shown = state(begin(Terms(game, games.module(game).SEATS[0])))
    hidden = set(shown["hidden"])
    assert hidden <= set(shown)
    assert not hidden & (COMMON | PUBLIC[game])
    assert set(shown) == hidden | COMMON | PUBLIC[game]


@every_game
@some
@given(seed=seeds)
def test_nothing_hidden_is_left_in_the_public_view(game: str, seed: int) -> None:
    for match, _, _ in evening(game, seed)[:40]:
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


def test_a_state_that_does_not_say_what_is_hidden_is_not_shown() -> None:
    with pytest.raises(InvalidRecord, match="which fields are hidden"):
        public_view({"game": "eleven", "hands": [[1], [2]]})


def public_answer(match: Match) -> dict[str, Any]:
    """What `{"show": "public"}` answers in this match."""
    referee = Referee()
    referee._match = match
    return referee.answer(b'{"show": "public"}')


def numbers(value: Any) -> Iterator[int]:
    """All whole numbers in a JSON value, also those in its texts."""
    if isinstance(value, dict):
        for part in value.values():
            yield from numbers(part)
    elif isinstance(value, list):
        for part in value:
            yield from numbers(part)
    elif isinstance(value, str):
        yield from map(int, re.findall(r"\d+", value))
    elif type(value) is int:
        yield value


def cards_in(fact: Any) -> Iterator[int]:
    """The cards that a sentence of 11 nimmt! names, also those that only its facts have."""
    if isinstance(fact, CardNumber):
        yield fact
    elif isinstance(fact, Text):
        yield from cards_in(tuple(fact.facts.values()))
    elif isinstance(fact, tuple):
        for part in fact:
            yield from cards_in(part)


def open_in_eleven(before: Match, step: Step, after: Match) -> set[int]:
    """The cards that lay open during this step or the latest move, from the full events and tables."""
    seen: set[int] = set()
    tables = [one.position.table for one in (before, after)]
    tables += [table.before for table in tables if table.before is not None]
    for table in tables:
        seen |= {pile.cards[-1] for pile in table.piles} | set(table.seen) | {table.waiting or 0}
        seen |= {one.card for one in table.newest if hasattr(one, "card")}
    for event in map(encode, step.events):
        match event["kind"]:
            case "pile_taken":
                seen.add(event["cards"][-1])
            case "table_adopted":
                seen |= {pile[-1] for pile in event["piles"].values()}
            case _:
                seen |= {card for name in ("card", "cards", "wrong") for card in numbers(event.get(name))}
    return seen


@some
@given(seed=seeds)
def test_no_public_answer_of_11_nimmt_names_a_card_that_nobody_sees(seed: int) -> None:
    for before, step, after in evening("eleven", seed):
        seen, public = open_in_eleven(before, step, after), public_answer(after)
        for event in public["events"]:
            named = {name: event.get(name) for name in ("card", "cards", "piles", "hands", "wrong")}
            named["piles"] = list((named["piles"] or {}).values())
            assert set(numbers(named)) <= seen, (event, step)
            assert "at" not in event
        assert set(cards_in(tuple(reason.says for reason in step.because))) <= seen, step
        assert set(numbers([one["card"] for one in public["asks"]])) <= seen


def texts(value: Any) -> Iterator[str]:
    """All texts in a JSON value but the sentences."""
    if isinstance(value, (dict, list)):
        for name, part in value.items() if isinstance(value, dict) else enumerate(value):
            if name != "says":
                yield from texts(part)
    elif isinstance(value, str):
        yield value


CARD_IN_WORDS: Final = re.compile(r"(?:green|yellow|red) (?:rock|paper|scissors|joker)|trouble card")


def open_in_ciao(before: Match, step: Step, after: Match) -> set[str]:
    """The cards that were played or counted openly until now, from the full events and tables."""
    seen: set[str] = set()
    for shown in (before.game.view(before.position.table), after.game.view(after.position.table)):
        seen |= {*shown["discards"], shown["top"] or "", shown["shown"] or ""}
        seen |= {card for cards in shown["seen"] for card in cards}
        if shown["top"]:
            seen.add(
                shown["top"].partition("=")[0] + "".join(f"#{copy}" for copy in [shown["top_copy"]] if copy)
            )
    for event in map(encode, step.events):
        if event["kind"] == "table_adopted":
            seen |= {event["top"], *event["discards"]}
        elif event["kind"] == "symbol_named":
            seen |= {event["card"], f"{event['card'][:2]}={event['name']}"}
        elif event["kind"] not in {"card_given", "cards_drawn"}:
            seen |= {event.get("card") or "", event.get("on") or "", *(event.get("cards") or ())}
    return seen - {""}


@some
@given(seed=seeds)
def test_no_public_answer_of_ciao_names_a_card_that_nobody_sees(seed: int) -> None:
    for before, step, after in evening("ciao", seed):
        seen, public = open_in_ciao(before, step, after), public_answer(after)
        named = {text for text in texts(public) if split(text.partition("=")[0]) is not None}
        assert named <= seen, (named - seen, step)
        # `gJ=R` is a green joker that counts as a green rock.
        told = " / ".join(str(words(name)) for card in seen for name in {card, card.partition("=")[0]})
        for reason in public["because"]:
            named = set(CARD_IN_WORDS.findall(reason.get("says", "")))
            assert named <= set(CARD_IN_WORDS.findall(told)), (reason, step)


@pytest.mark.parametrize("game", ["six", "score"])
@some
@given(seed=seeds)
def test_where_nothing_is_hidden_the_public_answer_tells_the_whole_step(game: str, seed: int) -> None:
    for _, step, after in evening(game, seed)[:100]:
        if any(event.KIND == "card_registered" for event in step.events):
            continue
        public = public_answer(after)
        assert public["events"] == [encode(event) for event in step.events]
        assert public["because"] == [{"rule": rule, "says": str(says)} for rule, says in step.because]
        assert public["state"] == encode(state(after))


@every_game
def test_what_is_hidden_in_events_are_fields_that_the_events_have(game: str) -> None:
    made = games.module(game).make(games.module(game).SEATS[0], {})
    fields = {cls.KIND: set(cls.__struct_fields__) for cls in made.events}
    for kind, hidden in getattr(made, "hidden_in_events", {}).items():
        assert hidden.keys() <= fields[kind]
