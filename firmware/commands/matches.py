"""`nimmt matches`: one line for every match in the journal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.errors import CompanionError
from firmware.commands.stored import opened

if TYPE_CHECKING:
    import argparse

    from firmware.history.played_match import PlayedMatch


def run(args: argparse.Namespace) -> int:
    """Print the matches, oldest first; a match that cannot be read says so in its line."""
    with opened(args) as stored:
        entries = stored.journal.matches()
        for entry in entries:
            try:
                print(_line(stored.past(entry)))
            except CompanionError as bad:
                print(f"{entry.id:4}  {entry.started_at[:16]:16}  {bad.fault}")
        if not entries:
            print("no matches yet; to play one, type: nimmt run")
    return 0


def _line(past: PlayedMatch) -> str:
    when = f"{past.begun:%Y-%m-%d %H:%M}" if past.begun else "?"
    won = [place for place in past.places if past.winners and place.rank == 1]
    totals = ", ".join(
        f"{past.names(place.seats)} {place.total}{'*' if place in won else ''}" for place in past.places
    )
    state = "" if past.winners else f"  (not finished, deal {past.match.position.deal})"
    return f"{past.id:4}  {when:16}  {past.title:10}  {totals}{state}"
