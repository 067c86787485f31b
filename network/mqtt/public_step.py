"""A stored step and the header of a match as the records of messages: what the people at the table may see.

What was done (`do`) is left out: the events say what came of it, and a command can name a card that nobody
sees. A record depends on the stored step and nothing else, neither on the language nor on the position, so
it is the same each time it is sent, and so is its seal.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from companion.match.log import read_step, without_sentences
from companion.protocol.snapshot import hides_cards, public_events

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from companion.core.game import AnyGame

_OF_A_HEADER = ("game", "seats", "options", "first", "badges", "robots")


def step_record(game: AnyGame, stored: Mapping[str, Any]) -> dict[str, Any]:
    """A step of the journal as the record of an event. Raises `InvalidRecord`."""
    step = read_step(stored, game)
    if step.voids is not None:
        return {"voids": step.voids}
    hides = hides_cards(game, step)
    record: dict[str, Any] = {} if step.redoes is None else {"redoes": step.redoes}
    record["events"] = public_events(game, step)
    # A sentence without facts was stored by a former version, and may name a hidden card.
    record["because"] = [
        {"rule": one["rule"]} if hides and "text" not in one else one
        for one in without_sentences(stored).get("because", ())
    ]
    return record


def header_record(header: Mapping[str, Any], started_at: str, names: Sequence[str] | None) -> dict[str, Any]:
    """The header of a match as the record of number 0; with the names of the badges, unless that is None."""
    record = {name: header[name] for name in _OF_A_HEADER if name in header}
    record["started_at"] = started_at
    badges: Sequence[int] = record.get("badges") or range(1, record["seats"] + 1)
    if names is not None:
        record["names"] = [name_of(badge, names) for badge in badges]
    return record


def name_of(badge: int, names: Sequence[str]) -> str:
    """The name of a badge; `P3` for one without."""
    return names[badge - 1] if 0 < badge <= len(names) else f"P{badge}"
