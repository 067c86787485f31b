"""Sentences as JSON values and back, with their facts, so that they can be told in any language.

A sentence is an object with the parts of a `Text` that it has:

    {"text": "{card} goes to row {row}", "facts": {"card": {"card": 44}, "row": 3}}
    {"text": "{count} head", "plural": "{count} heads", "facts": {"count": 2}}
    {"text": "its owner"}
    {"text": "TAKES", "context": "a score"}

A fact is a number, a text, a list of facts, a card `{"card": 44}`, a player `{"seat": 2}`, which may have a
"prefix", players `{"seats": [0, 2]}`, or a sentence. So a card can be told from a number, and players are
called by name.
"""

from collections.abc import Mapping
from functools import lru_cache
from string import Formatter
from typing import Any, Final

from companion.text.errors import InvalidRecord, quoted
from companion.text.sentence import CardNumber, Players, Text, Who

_DEEPEST: Final = 20
"""How many sentences and lists may be within each other; ours are at most four."""


def encode_text(text: Text) -> dict[str, Any]:
    """A sentence as a JSON value."""
    record: dict[str, Any] = {"text": text.template}
    if text.plural:
        record["plural"] = text.plural
    if text.context:
        record["context"] = text.context
    if text.facts:
        record["facts"] = {name: _encode(fact) for name, fact in text.facts.items()}
    return record


def decode_text(record: Mapping[str, Any]) -> Text:
    """The sentence of such a value; other keys are ignored. It can be said. Raises `InvalidRecord`."""
    return _text(record, _DEEPEST)


def _encode(fact: object) -> Any:  # noqa: ANN401 - a JSON value
    if isinstance(fact, Text):
        return encode_text(fact)
    if isinstance(fact, Who):
        return {"seat": fact.seat, "prefix": fact.prefix} if fact.prefix else {"seat": fact.seat}
    if isinstance(fact, Players):
        return {"seats": list(fact.seats)}
    if isinstance(fact, CardNumber):
        return {"card": int(fact)}
    if isinstance(fact, tuple):
        return [_encode(part) for part in fact]
    # What a game of somebody else gives besides is said as this text, and stored as it.
    return fact if type(fact) is int else str(fact)


def _text(record: Mapping[str, Any], depth: int) -> Text:
    template, plural, facts = record["text"], record.get("plural", ""), record.get("facts", {})
    context = record.get("context", "")
    if not (
        isinstance(template, str) and isinstance(plural, str) and isinstance(context, str)
    ) or not isinstance(facts, dict):
        raise InvalidRecord(
            f"the sentence {quoted(template)} is malformed",
            'use texts for "text", "plural" and "context" and an object for "facts"',
        )
    for text in (template, plural):
        unknown = _fields(text) - facts.keys()
        if unknown:
            raise InvalidRecord(
                f"the sentence {quoted(text)} has no fact {quoted(min(unknown))}",
                'add it to "facts"',
            )
    read = {name: _fact(fact, depth - 1) for name, fact in facts.items()}
    return Text(template, read, plural, context)


def _fact(fact: object, depth: int) -> object:
    if depth < 0:
        raise InvalidRecord("a sentence is nested too deeply", f"use at most {_DEEPEST} levels")
    if type(fact) is int or isinstance(fact, str):
        return fact
    if isinstance(fact, list):
        return tuple(_fact(part, depth - 1) for part in fact)
    if isinstance(fact, dict):
        seat, prefix = fact.get("seat"), fact.get("prefix", "")
        if type(seat) is int and seat >= 0 and isinstance(prefix, str):
            return Who(seat, prefix)
        if (card := fact.get("card")) is not None and type(card) is int:
            return CardNumber(card)
        seats = fact.get("seats")
        if isinstance(seats, list) and all(type(seat) is int and seat >= 0 for seat in seats):
            return Players(tuple(seats))
        if "text" in fact:
            return _text(fact, depth)
    raise InvalidRecord(
        f"the fact {quoted(fact)} is malformed",
        'use a number, a text, a list, {"card": 44}, {"seat": 0}, {"seats": [0, 2]} or {"text": "..."}',
    )


@lru_cache(maxsize=1024)
def _fields(template: str) -> frozenset[str]:
    """The facts that a template names. Raises `InvalidRecord` for one that cannot be filled in."""
    try:
        parts = [(name, spec, how) for _, name, spec, how in Formatter().parse(template) if name is not None]
    except ValueError as bad:
        raise InvalidRecord(
            f"the sentence {quoted(template)} cannot be filled in: {bad}",
            "write {{ and }} for braces",
        ) from bad
    # A template from outside may name facts and nothing else: no attributes, no widths of a million columns.
    for name, spec, how in parts:
        if not name.isidentifier() or spec or how:
            raise InvalidRecord(
                f"the sentence {quoted(template)} names more than a fact",
                "use fields such as {card}",
            )
    return frozenset(name for name, _, _ in parts)
