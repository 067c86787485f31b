"""What a page draws of the state of a table, in one language.

The state is a snapshot of the table's socket: numbers, names, and sentences with their facts. A view has the
same facts as words and pictures: every sentence told in the language, every card with its heads. So a script
that draws it decides nothing and knows no game.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from companion.core import games
from companion.text.codec import decode_text
from companion.text.errors import CompanionError
from companion.text.sentence import COMMA, PAPER, ROCK, SCISSORS, Players, count
from firmware.text.translation import Translator

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from companion.text.sentence import Text

State: TypeAlias = dict[str, Any]
"""An object of the table's socket."""

View: TypeAlias = dict[str, Any]
"""The same for a page."""

_SYMBOLS: Final[Mapping[str, str]] = {ROCK: "rock", PAPER: "paper", SCISSORS: "scissors"}


@lru_cache(maxsize=16)
def translator(language: str, digits: str) -> Translator:
    """The texts of a language; reading its catalogue takes some milliseconds, once."""
    return Translator(language, digits)


class Teller:
    """Tells sentences of one state: with the names of its players, in a language."""

    def __init__(self, translate: Translator, names: Sequence[str]) -> None:
        self._translate = translate
        self._names = names

    def number(self, number: int) -> str:
        """A count or points in the digits of the language."""
        return self._translate.number(number)

    def say(self, text: Text) -> str:
        """A sentence with the names of the players."""
        translate = self._translate
        translate.naming = lambda seat: self._names[seat] if seat < len(self._names) else str(seat + 1)
        try:
            return translate.say(text)
        finally:
            translate.naming = None

    def name(self, seat: int) -> str:
        """The name of a player."""
        return self._names[seat]

    def players(self, seats: Sequence[int]) -> str:
        """The names of some players."""
        return self._translate.say(COMMA).join(map(self.name, seats))

    def in_a_sentence(self, capitals: str) -> str:
        """Words of the display as they are written elsewhere."""
        return self._translate.in_a_sentence(capitals)

    def place(self, source: str) -> str:
        """Where a rule stands, as the rulebook in this language calls it."""
        return self._translate.as_named(source)

    def told(self, sentence: object) -> str:
        """The sentence of a JSON value, or nothing where there is none."""
        if isinstance(sentence, str):
            return sentence
        return self.say(decode_text(sentence)) if isinstance(sentence, dict) and sentence.get("text") else ""


def view_of(snapshot: State | None, language: str, *, away: bool) -> View:
    """What a page draws of the newest snapshot that is known; None before there was any.

    `away` says that the table cannot be reached, so that what is drawn may be old.
    """
    number = 0 if snapshot is None else snapshot["number"]
    page = {} if snapshot is None else snapshot["page"]
    view: View = {
        "number": number,
        "away": away,
        **_NOTHING,
        "page": page.get("name", ""),
        "joined": page.get("joined"),
        "changes": [],
        "deals": [],
    }
    table = None if snapshot is None else snapshot["table"]
    if snapshot is None or table is None:
        return view
    translate = translator(language, snapshot["digits"])
    tell = Teller(translate, [player["name"] for player in table["players"]])
    asks = [_ask(one, table, tell) for one in table["asks"]]
    view |= {
        "layout": _layout(table),
        "heading": _heading(table, translate),
        "over": table["over"],
        "won": _won(table, tell),
        "asks": asks,
        "stacks": [_stack(one, tell) for one in table["stacks"]],
        "hint": tell.told(table["hint"]),
        "facts": [tell.told(one) for one in table["facts"]],
        "beats": [_sign(one, tell) for one in table["beats"]],
        "places": _places(table, tell),
        "newest": [_line(one, tell) for one in table["lines"]] or _reasons(snapshot["steps"], tell),
        "step": table["steps"],
        "changes": [_change(one, tell) for one in page.get("changes", ())],
        "deals": table["deals"],
    }
    return view


_NOTHING: Final[Mapping[str, Any]] = {
    "layout": "none",
    "heading": [],
    "over": False,
    "won": "",
    "asks": [],
    "stacks": [],
    "hint": "",
    "facts": [],
    "beats": [],
    "places": [],
    "newest": [],
    "step": 0,
}


def _layout(table: State) -> str:
    """How the cards lie: in rows with an end, in piles, on one pile, or nowhere (only the score is kept)."""
    if table["top"] is not None:
        return "top"
    if not table["stacks"]:
        return "score"
    return "rows" if any(stack["room"] for stack in table["stacks"]) else "piles"


def _heading(table: State, translate: Translator) -> list[str]:
    number = translate.number
    words = [translate.title(table["title"]), translate("Deal {deal}", deal=table["deal"])]
    if table["turns"] and not table["over"]:
        words.append(
            translate("Turn {turn} of {turns}", turn=number(table["turn"]), turns=number(table["turns"]))
        )
    return words


def _won(table: State, tell: Teller) -> str:
    winners = table["winners"]
    if not winners:
        return ""
    who = Players(tuple(winners))
    return tell.say(count("{who} wins the match", "{who} win the match", len(winners), who=who))


def _ask(ask: State, table: State, tell: Teller) -> View:
    everybody = len(ask["seats"]) == len(table["players"])
    return {
        "says": tell.told(ask["says"]),
        "who": "" if everybody else tell.players(ask["seats"]),
        "seats": ask["seats"],
        "gives": ask["gives"],
        "wait": ask["wait"],
        "choices": ask["choices"],
        "labels": [tell.told(one) for one in ask["labels"]],
        "have": len(ask["have"]),
        "missing": tell.players(ask["seats"]) if _knows_who(ask) else "",
        "need": ask["need"],
        "cards": [_named_card(one, table) for one in dict.fromkeys((ask["card"], *ask["have"])) if one],
    }


def _knows_who(ask: State) -> bool:
    """Whether it is known whose cards are missing: one that came without a player could be of anybody."""
    missing = ask["need"] - len(ask["have"])
    return bool(ask["wait"] == "all" and 0 < missing < ask["need"] and missing == len(ask["seats"]))


def _stack(stack: State, tell: Teller) -> View:
    return {
        "label": stack["name"],
        "choice": stack["choice"],
        "cards": [_card(one) for one in stack["cards"]],
        "room": stack["room"],
        "heads": stack["heads"],
        "fits": tell.told(stack["fits"]),
    }


def _card(card: State) -> View:
    return {"name": card["card"].partition("#")[0], "label": card["label"], "heads": card["heads"] or 0}


def _named_card(name: str, table: State) -> View:
    """A card of which the table says no more than its name."""
    try:
        heads = games.module(table["game"]).worth(name)
    except (CompanionError, LookupError, ValueError, AssertionError):
        heads = 0
    return {"name": name.partition("#")[0], "label": name, "heads": heads}


def _change(change: State, tell: Teller) -> View:
    seat, before, after = change["seat"], tell.number(change["before"]), tell.number(change["after"])
    return {"name": tell.name(seat), "before": before, "after": after}


def _sign(sign: State, tell: Teller) -> View:
    return {"symbol": _SYMBOLS.get(sign["symbol"], ""), "word": tell.told(sign["word"])}


def _places(table: State, tell: Teller) -> list[View]:
    asked = set(table["asks"][0]["seats"]) if table["asks"] else set()
    some = asked if len(asked) < len(table["players"]) else set()
    ranked = table["deals"] and (table["over"] or not any(table["points"]))
    found = []
    for place in table["places"]:
        for seat in place["seats"]:
            points = table["points"][seat] if seat < len(table["points"]) else 0
            found.append(
                {
                    "seat": seat,
                    "rank": tell.number(place["rank"])
                    if ranked
                    else "",  # of whole deals, not of the sums so far
                    "badge": table["players"][seat]["badge"],
                    "name": table["players"][seat]["name"],
                    "total": tell.number(place["total"] + (0 if table["over"] else points)),
                    "points": f"+{tell.number(points)}" if points > 0 and not table["over"] else "",
                    "note": _note(table, seat, tell),
                    "asked": seat in some,
                    "won": seat in (table["winners"] or ()),
                }
            )
    return found


def _note(table: State, seat: int, tell: Teller) -> str:
    """What else a player has, such as bull cards."""
    notes = [
        f"{tell.told(one['label'])} {tell.number(one['numbers'][seat])}"
        for one in table["tallies"]
        if seat < len(one["numbers"]) and one["numbers"][seat]
    ]
    return " · ".join(notes)


def _reasons(steps: Sequence[State], tell: Teller) -> list[View]:
    """Why the newest step with a reason was made: while the cards of a turn come in, there are no lines."""
    for step in reversed(steps):
        told = [one for one in step.get("because", ()) if "says" in one]
        if told:
            return [_reason(one, tell) for one in told]
    return []


def _reason(because: State, tell: Teller) -> View:
    return {
        "card": None,
        "outcome": "",
        "why": tell.told(because["says"]),
        "rule": tell.told(because.get("sentence")),
        "source": tell.place(because.get("source", "")),
        "taker": "",
        "heads": 0,
    }


def _line(line: State, tell: Teller) -> View:
    taker = line["taker"]
    return _reason(line["because"], tell) | {
        "card": _card(line) if line["card"] else None,
        "outcome": tell.in_a_sentence(tell.told(line["outcome"])),
        "taker": "" if taker is None else tell.name(taker),
        "heads": line["costs"] or 0,
    }
