"""The state of a table, as it is published: what its socket tells, without names unless they may be told.

Sentences are made again from their templates: those that the socket has contain names.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

from companion.text.codec import decode_text
from companion.text.sentence import COMMA, PAPER, ROCK, SCISSORS, say
from firmware.text.translation import Translator
from network.mqtt.payloads import Match, Place, Player, Problem, Stack

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

_SIGNS: Final[Mapping[int, str]] = {ord(ROCK): "✊", ord(PAPER): "✋", ord(SCISSORS): "✌"}
"""The signs of Ciao! in characters that every program has."""


@lru_cache(maxsize=4)
def translator(language: str, digits: str) -> Translator:
    """The texts of a language; reading its catalogue takes some milliseconds, once."""
    return Translator(language, digits)


class Telling:
    """Tells the parts of a snapshot of the socket."""

    def __init__(self, snapshot: Mapping[str, Any], *, names: bool) -> None:
        self._snapshot = snapshot
        self._names = names
        self._translate = translator(snapshot["language"], snapshot["digits"])
        self._players: list[dict[str, Any]] = (snapshot["table"] or {}).get("players", [])

    @property
    def language(self) -> str:
        """The language of its sentences."""
        return self._translate.language

    def match(self, uid: str) -> Match | None:
        """The match in play, whose identity is `uid`."""
        table = self._snapshot["table"]
        if table is None:
            return None
        places = tuple(Place(one["rank"], tuple(one["seats"]), one["total"]) for one in table["places"])
        return Match(
            uid=uid,
            number=table["match"],
            game=table["game"],
            title=table["title"],
            over=table["over"],
            deal=table["deal"],
            turn=table["turn"],
            turns=table["turns"],
            steps=table["steps"],
            players=tuple(
                Player(one["seat"], one["badge"], one["name"] if self._names else None, one["plays"])
                for one in self._players
            ),
            totals=tuple(table["totals"]),
            points=tuple(table["points"]),
            places=places,
            winners=None if table["winners"] is None else tuple(table["winners"]),
            waits_for=tuple(sorted({seat for ask in table["asks"] for seat in ask["seats"]})),
            waiting=" · ".join(filter(None, (self._told(ask["says"]) for ask in table["asks"]))),
            stacks=tuple(map(_stack, table["stacks"])),
            standing=self._standing(places),
        )

    def health(self) -> tuple[Problem, ...]:
        """What is wrong with the box."""
        return tuple(
            Problem(one["id"], one["part"], one["severity"], self._told(one["says"]))
            for one in self._snapshot["health"]
        )

    def _standing(self, places: Sequence[Place]) -> str:
        t = self._translate
        between = t.say(COMMA)
        return " · ".join(
            f"{t.number(one.rank)}. {between.join(map(self._name, one.seats))} {t.number(one.total)}"
            for one in places
        )

    def _told(self, sentence: Mapping[str, Any]) -> str:
        """A sentence with the names of players, or the numbers of their badges."""
        if not sentence["text"]:
            return ""
        self._translate.naming = self._name
        try:
            return self._translate.say(decode_text(sentence)).translate(_SIGNS)
        finally:
            self._translate.naming = None

    def _name(self, seat: int) -> str:
        if seat >= len(self._players):
            return f"P{seat + 1}"
        player = self._players[seat]
        name: str = player["name"]
        return name if self._names else f"P{player['badge'] or seat + 1}"


def _stack(stack: Mapping[str, Any]) -> Stack:
    cards = tuple(str(card["label"]).translate(_SIGNS) for card in stack["cards"])
    return Stack(stack["name"], cards, stack["heads"], stack["covered"])


ENTITIES: Final = {
    "standing": say("Standings"),
    "turn": say("Turn"),
    "waiting": say("Waiting for"),
    "running": say("Match running"),
    "temperature": say("Processor temperature"),
    "problem": say("Problem"),
    "undo": say("Undo"),
    "mute": say("Sound on or off"),
}
"""What Home Assistant calls the parts of a table."""
