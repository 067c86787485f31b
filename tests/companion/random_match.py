"""Matches of any game by chance: legal answers to what is asked, and orders that nobody asked for."""

from __future__ import annotations

from dataclasses import MISSING, fields
from types import NoneType, UnionType
from typing import TYPE_CHECKING, Any, Union, get_args, get_origin, get_type_hints

from companion import games
from companion.cards import Seat
from companion.errors import CompanionError
from companion.game import Ask, Verb, Wait
from companion.match import Match, Step, Terms, begin
from companion.text import NOTHING

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from random import Random

CARDS: Mapping[str, tuple[str, ...]] = {
    "six": tuple(map(str, range(1, 105))),
}
"""The names of all cards of a game."""

AGREEMENTS: Mapping[str, tuple[Mapping[str, Any], ...]] = {
    "six": (
        {},
        {"deck": "known"},
        {"deck": "known", "draft": True},
        {"end": {"deals": 2}},
        {"booklet": "000"},
        {"end": {"target": 20, "when": "passed"}},
    ),
}
"""Options worth trying, for numbers of seats that all of them allow or refuse with `BadRecord`."""

VERBS: Mapping[str, frozenset[Verb]] = {
    "six": frozenset({Verb.LAY, Verb.PICK, Verb.PLAY, Verb.CHOOSE, Verb.CLAIM}),
}
"""What a game ever asks for."""

ODD_NUMBERS = (-1, 0, 1, 2, 3, 4, 5, 9, 10, 11, 104, 105, 1_000_000)


def agreed(game: str, random: Random) -> Match:
    """A match before its first step, with terms by chance."""
    module = games.module(game)
    while True:
        seats = random.choice(module.SEATS)
        options = random.choice(AGREEMENTS[game])
        try:
            return begin(Terms(game, seats, options, Seat(random.randrange(seats))))
        except CompanionError:
            continue  # these options are not for so many seats


def legal(match: Match, random: Random) -> Step:
    """A step that answers an open question; there is one as long as anything is asked."""
    ask = random.choice(match.asks)
    texts = list(ask.choices) or list(CARDS[match.terms.game])
    random.shuffle(texts)
    seats: list[Seat | None] = list(ask.seats) if ask.wait is Wait.ONE else [*ask.seats, None]
    random.shuffle(seats)
    for text in texts:
        for seat in seats:
            step = match.propose(match.game.read(ask, seat, text))
            if isinstance(step, Step):
                return step
    raise AssertionError(f"no card and no choice answers {ask}")


def unasked(match: Match, random: Random) -> Iterator[Any]:
    """Answers to questions that are not open, and from seats that are not asked."""
    open_verbs = {ask.verb for ask in match.asks}
    texts = CARDS[match.terms.game]
    for verb in VERBS[match.terms.game] - open_verbs:
        seat = random.choice(match.players)
        ask = Ask(verb, (seat,), Wait.ONE, NOTHING, choices=("0", "1", "2", "3"), card=random.choice(texts))
        for text in ("2", random.choice(texts)):
            try:
                yield match.game.read(ask, seat, text)
            except CompanionError:
                continue
    for ask in match.asks:
        for seat in map(Seat, range(-1, 12)):
            if seat not in ask.seats:
                command = match.game.read(ask, seat, random.choice(ask.choices or texts))
                if getattr(command, "seat", None) == seat:  # whoever lays the rows does not say so
                    yield command


def wild(match: Match, random: Random) -> Any:
    """An order of a random kind with random fields: nearly always nonsense."""
    cls = random.choice(match.game.commands)
    hints = get_type_hints(cls)
    values = {
        field.name: _anything(hints[field.name], match, random)
        for field in fields(cls)
        if field.default is MISSING or random.random() < 0.7
    }
    return cls(**values)


def _anything(hint: Any, match: Match, random: Random) -> Any:
    hint = getattr(hint, "__supertype__", hint)
    if get_origin(hint) in (Union, UnionType):
        inner = next(arg for arg in get_args(hint) if arg is not NoneType)
        return None if random.random() < 0.3 else _anything(inner, match, random)
    if get_origin(hint) is tuple:
        part = get_args(hint)[0]
        return tuple(_anything(part, match, random) for _ in range(random.choice((0, 1, 2, 2, 4, 4, 5))))
    if hint is bool:
        return random.random() < 0.5
    if hint is str:
        return random.choice(CARDS[match.terms.game])
    return random.choice((random.choice(ODD_NUMBERS), random.randrange(4), random.randrange(1, 105)))
