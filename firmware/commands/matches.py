"""`nimmt matches`: one line for every match in the journal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion import log
from firmware.commands.stored import opened

if TYPE_CHECKING:
    import argparse


def run(words: argparse.Namespace) -> int:
    """Print the matches, oldest first."""
    journal = opened(words)
    try:
        entries = journal.matches()
        for entry in entries:
            match = log.replay([entry.header, *journal.steps(entry.id)])
            won = ", ".join(
                f"P{match.terms.badges[s] if match.terms.badges else s + 1}" for s in match.winners or ()
            )
            state = f"won by {won}" if won else f"deal {match.position.deal}, not finished"
            totals = " ".join(map(str, match.totals))
            print(f"{entry.id:4}  {entry.started_at}  {match.game.title}  totals {totals}  {state}")
        if not entries:
            print("no match yet; play one with: nimmt run")
    finally:
        journal.close()
    return 0
