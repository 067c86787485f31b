"""What may differ between a stored sample and the product of today.

New keys, sentences for people, further reasons for a ruling, and further questions in the place of which
another one may be answered.
"""

from collections.abc import Iterator, Mapping
from typing import Any, Final

SENTENCES: Final = frozenset(
    {
        "says",  # why a play stands: in answers of the protocol, and in the steps that a command makes
        "fault",  # what is wrong with a play or a request: in answers of the protocol
        "fix",  # what to do about it: in answers of the protocol
        "title",  # the name of the JSON Schema
        "comments",  # a remark in the files for BG Stats
    }
)
"""The fields that hold a sentence for people. It may be worded better, but not be empty."""

NO_SENTENCES: Final[frozenset[str]] = frozenset()
"""For a log that is read and written again: there a sentence is what was said then, and stays."""


RECOUNTED: Final[Mapping[tuple[int, str], int]] = {(2, "11 NIMMT!"): 1}
"""The piles that a badge took in a game, where the earlier version counted one twice.

It did so where a card that was turned up after it was corrected.
"""

RETIRED: Final[Mapping[str, Mapping[str, tuple[str | bool, ...]]]] = {
    "eleven": {
        "stacking": ("number",),
        "short_deck": ("nothing",),
        "no_pile": ("end",),
        "starter_tie": ("seat",),
    },
    "ciao": {
        "mistake": ("next turn",),
        "drawn": ("pass",),
        "opening": ("plain",),
        "challenge_joker": (False,),
        "challenge_icon": (False,),
        "last_gift": ("kept",),
        "empty_pile": ("end",),
        "thanks": (False,),
    },
}
"""Values of options, by game and option, that are accepted and no longer have an effect.

No table switched these options, so each became one ruling: that of the other value, which was the default.
A match that was agreed with one of these values still opens, stands where it stood and is played on, but
what is decided in it today follows the ruling. That, and nothing else, is not compared with the samples.
"""


CHANGED_DEFAULTS: Final[Mapping[tuple[str, str], object]] = {
    ("codes", "plain_numbers"): False,  # a scanner took the bare numbers of other codes for cards
}
"""Keys of the configuration whose default was changed on purpose. A key that was set stays as it was set."""


MISSING: Final[Mapping[tuple[str, int], int]] = {("six", 58): 34, ("lines", 35): 4}
"""Tables of 6 nimmt! that were set up in a session and are refused today, by session and line.

The piles are given, and cards that were played are in no row and no pile: no cards can lie like that. A table
whose cards nobody knows says today how many are `missing`; with this number, it is answered as it was.
"""


REFUSED_STEPS: Final[Mapping[tuple[str, int], tuple[int, ...]]] = {("journal.sqlite", 9): (2,)}
"""Steps of stored matches whose command is refused today, by journal and match, for the same reason.

The step itself stays in its match and means what it meant: a log is read without asking any rule.
"""


def retired(game: str, options: Mapping[str, object]) -> set[str]:
    """The options of a match that had an effect when it was played, and have none today."""
    return {name for name, values in RETIRED.get(game, {}).items() if options.get(name) in values}


def differences(
    then: object, now: object, path: str = "", sentences: frozenset[str] = SENTENCES
) -> list[str]:
    """Where `now` does not hold what `then` held; empty where all of it is there.

    An object may have keys that it did not have. A list has the same items in the same order; where
    sentences may differ, the reasons for a ruling (`because`) and the questions that are alternatives
    (`asks`) may have new ones between them. Numbers,
    texts, true, false and null are equal, but for the fields named in `sentences`.
    """
    return list(_differences(then, now, path, sentences))


def _differences(then: object, now: object, path: str, sentences: frozenset[str]) -> Iterator[str]:
    if isinstance(then, dict) and isinstance(now, dict):
        for name, value in then.items():
            here = f"{path}.{name}" if path else str(name)
            if name not in now:
                yield f"{here} has gone; it was {value!r}"
            elif name in sentences and isinstance(value, str):
                if not isinstance(now[name], str) or bool(value) is not bool(now[name]):
                    yield f"{here} is {now[name]!r}; it was the sentence {value!r}"
            else:
                yield from _differences(value, now[name], here, sentences)
    elif (
        isinstance(then, list) and isinstance(now, list) and sentences and path.endswith(("because", "asks"))
    ):
        # Taken from one iterator, each item is looked for behind the one before.
        rest = iter(now)
        for index, old in enumerate(then):
            if all(differences(old, new, "", sentences) for new in rest):
                yield f"{path}[{index}] has gone; it was {old!r}"
    elif isinstance(then, list) and isinstance(now, list):
        if len(then) != len(now):
            yield f"{path} has {len(now)} items; it had {len(then)}"
        for index, (old, new) in enumerate(zip(then, now, strict=False)):
            yield from _differences(old, new, f"{path}[{index}]", sentences)
    elif then != now or type(then) is not type(now):
        yield f"{path} is {now!r}; it was {then!r}"


def narrower(then: Mapping[str, Any], now: Mapping[str, Any], path: str = "") -> list[str]:
    """What the JSON Schema `now` may refuse and `then` allowed, for the words that our schemas use.

    A key may be new, a value may be allowed besides, a limit may be wider.
    """
    return list(_narrower(then, now, path))


def _narrower(then: Mapping[str, Any], now: Mapping[str, Any], path: str) -> Iterator[str]:
    if branches := _branches(then):
        for branch in branches:
            if all(narrower(branch, other, path) for other in _branches(now) or [now]):
                yield f"{path}: nothing takes the place of {branch}"
    elif "enum" in then or "const" in then:
        yield from (f"{path}: {value!r} has gone" for value in _values(then) if not _allows(now, value))
    elif others := _branches(now):
        if all(narrower(then, other, path) for other in others):
            yield f"{path}: nothing takes the place of {then}"
    elif "enum" in now or "const" in now:
        yield f"{path}: takes only {_values(now)}"
    else:
        yield from _other_type(then, now, path)


def _other_type(then: Mapping[str, Any], now: Mapping[str, Any], path: str) -> Iterator[str]:
    if gone := _types(then) - _types(now):
        yield f"{path}: no longer takes {', '.join(sorted(gone))}"
    yield from _tighter(then, now, path)
    for name, inner in then.get("properties", {}).items():
        if name in now.get("properties", {}):
            yield from _narrower(inner, now["properties"][name], f"{path}.{name}")
        else:
            yield f"{path}.{name} has gone"
    for name in now.get("required", []):
        if name not in then.get("required", []):
            yield f"{path}.{name} must be given now"
    for key in ("items", "additionalProperties"):
        if isinstance(then.get(key), dict) and isinstance(now.get(key), dict):
            yield from _narrower(then[key], now[key], f"{path}[]")


def _tighter(then: Mapping[str, Any], now: Mapping[str, Any], path: str) -> Iterator[str]:
    for key in ("minimum", "minItems", "minLength"):
        if key in now and (key not in then or now[key] > then[key]):
            yield f"{path}: {key} is {now[key]}; it was {then.get(key)}"
    for key in ("maximum", "maxItems", "maxLength"):
        if key in now and (key not in then or now[key] < then[key]):
            yield f"{path}: {key} is {now[key]}; it was {then.get(key)}"


def _branches(schema: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    if isinstance(types := schema.get("type"), list):
        return [{**schema, "type": one} for one in types]
    return [*schema.get("anyOf", []), *schema.get("oneOf", [])]


def _values(schema: Mapping[str, Any]) -> list[Any]:
    return list(schema["enum"]) if "enum" in schema else [schema["const"]]


def _types(schema: Mapping[str, Any]) -> set[str]:
    found = schema.get("type", [])
    return {found} if isinstance(found, str) else set(found)


def _allows(schema: Mapping[str, Any], value: object) -> bool:
    if branches := _branches(schema):
        return any(_allows(branch, value) for branch in branches)
    if "enum" in schema or "const" in schema:
        # For Python True is 1, for JSON it is not.
        return any(type(one) is type(value) and one == value for one in _values(schema))
    names: dict[type, str] = {bool: "boolean", int: "integer", str: "string"}
    return names.get(type(value), "null") in _types(schema)
