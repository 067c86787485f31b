"""What a page draws of the state of a table, in one language.

The state is a snapshot: numbers, names, and sentences with their facts. A view has the same facts as words
and pictures: every sentence told in the language, every card with its heads. So a script that draws it
decides nothing and knows no game.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from companion.core import games
from companion.text.sentence import COMMA, SIGNS
from firmware.table_socket.as_text import heading, knows_missing, places, told_in, waited_for, won
from firmware.text.translation import Translator, translator

if TYPE_CHECKING:
    from companion.protocol.snapshot import (
        PublicAsk,
        PublicCard,
        PublicLine,
        PublicReason,
        PublicSign,
        PublicStack,
        PublicStep,
        StepReason,
        TableSnapshot,
    )
    from firmware.table_socket.messages import PublicChange, PublicPage, Snapshot

View: TypeAlias = dict[str, Any]
"""What a script draws, as JSON."""

_DRAWINGS: Final = {sign.character: sign.drawing for sign in SIGNS}


def view_of(snapshot: Snapshot | None, language: str, *, away: bool) -> View:
    """What a page draws of the newest snapshot that is known; None before there was any.

    `away` says that the table cannot be reached, so that what is drawn may be old.
    """
    if snapshot is None:
        return NOTHING | {"away": away}
    page = snapshot.page
    front = {"page": page.name, "joined": page.joined, "covers": page.covers, "title": page.title}
    view = NOTHING | {"number": snapshot.number, "away": away} | front
    if snapshot.table is None:
        return view
    t = translator(language, snapshot.digits)
    return view | table_view(snapshot.table, t, snapshot.steps, page)


NOTHING: Final[View] = {
    "number": 0,
    "away": False,
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
    "page": "",
    "covers": False,
    "title": "",
    "joined": None,
    "changes": [],
    "deals": [],
}
"""What is drawn where no match is in play."""


def table_view(
    table: TableSnapshot, t: Translator, steps: Sequence[PublicStep] = (), page: PublicPage | None = None
) -> View:
    """What a page draws of a match in play."""
    table, t = told_in(table, t)
    names = [player.name for player in table.players]
    asked = waited_for(table.players, table.asks[0].seats if table.asks else ())
    return {
        "layout": _layout(table),
        "heading": heading(table, t),
        "over": table.over,
        "won": won(table, t),
        "asks": [_ask(ask, table, t) for ask in table.asks],
        "stacks": [_stack(stack, t) for stack in table.stacks],
        "hint": t.say(table.hint.as_text),
        "facts": [t.say(fact.as_text) for fact in table.facts],
        "beats": [_sign(sign, t) for sign in table.beats],
        "places": [
            place | {"badge": table.players[place["seat"]].badge, "note": _note(table, place["seat"], t)}
            for place in places(table, names, asked, t)
        ],
        "newest": [_line(line, table, t) for line in table.lines] or _reasons(steps, t),
        "step": table.steps,
        "changes": [] if page is None else [_change(change, table, t) for change in page.changes],
        "deals": table.deals,
    }


# ------------------------------------------------------------------------------------- parts of a view


def _layout(table: TableSnapshot) -> str:
    """How the cards lie: in rows with an end, in piles, on one pile, or nowhere (only the score is kept)."""
    if table.top is not None:
        return "top"
    if not table.stacks:
        return "score"
    return "rows" if any(stack.room for stack in table.stacks) else "piles"


def _ask(ask: PublicAsk, table: TableSnapshot, t: Translator) -> View:
    everybody = len(ask.seats) == len(table.players)
    who = t.say(COMMA).join(table.players[seat].name for seat in ask.seats)
    return {
        "says": t.say(ask.says.as_text),
        "who": "" if everybody else who,
        "seats": ask.seats,
        "gives": ask.gives.value,
        "wait": ask.wait.value,
        "choices": ask.choices,
        "labels": [t.say(label.as_text) for label in ask.labels],
        "have": len(ask.have),
        "missing": who if knows_missing(ask) else "",
        "need": ask.need,
        "cards": [_named_card(card, table) for card in _cards_of(ask)],
    }


def _cards_of(ask: PublicAsk) -> Sequence[str]:
    """The cards that a question is about: its own, and those that are there; hidden ones look the same."""
    return ask.have if ask.card in ask.have or not ask.card else (ask.card, *ask.have)


def _stack(stack: PublicStack, t: Translator) -> View:
    return {
        "label": stack.name,
        "choice": stack.choice,
        "cards": [_card(card) for card in stack.cards],
        "room": stack.room,
        "heads": stack.heads,
        "fits": t.say(stack.fits.as_text),
    }


def _card(card: PublicCard) -> View:
    return {"name": card.card.partition("#")[0], "label": card.label, "heads": card.heads or 0}


def _named_card(name: str, table: TableSnapshot) -> View:
    """A card that the table gives by its name alone."""
    module = games.module(table.game)
    heads = module.worth(name) if name in module.DECK else 0
    return {"name": name.partition("#")[0], "label": name, "heads": heads}


def _change(change: PublicChange, table: TableSnapshot, t: Translator) -> View:
    name = table.players[change.seat].name
    return {"name": name, "before": t.number(change.before), "after": t.number(change.after)}


def _sign(sign: PublicSign, t: Translator) -> View:
    return {"symbol": _DRAWINGS.get(sign.symbol, ""), "word": t.say(sign.word.as_text)}


def _note(table: TableSnapshot, seat: int, t: Translator) -> str:
    """What else a player has, such as bull cards."""
    notes = [
        f"{t.say(tally.label.as_text)} {t.number(tally.numbers[seat])}"
        for tally in table.tallies
        if seat < len(tally.numbers) and tally.numbers[seat]
    ]
    return " · ".join(notes)


def _reasons(steps: Sequence[PublicStep], t: Translator) -> list[View]:
    """Why the newest step with a reason was made: while the cards of a turn come in, there are no lines."""
    for step in reversed(steps):
        if step.because:
            return [_reason(because, t) for because in step.because]
    return []


def _reason(because: PublicReason | StepReason, t: Translator) -> View:
    return {
        "card": None,
        "outcome": "",
        "why": t.say(because.says.as_text),
        "rule": t.say(because.sentence.as_text) if because.sentence else "",
        "source": t.title(because.source or ""),
        "taker": "",
        "heads": 0,
    }


def _line(line: PublicLine, table: TableSnapshot, t: Translator) -> View:
    return _reason(line.because, t) | {
        "card": _card(line) if line.card else None,
        "outcome": t.in_a_sentence(t.say(line.outcome.as_text)),
        "taker": "" if line.taker is None else table.players[line.taker].name,
        "heads": line.costs or 0,
    }
