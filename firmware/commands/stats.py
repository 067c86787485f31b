"""`nimmt stats`: wins, points and cards taken by badge and game, computed from the logs."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from firmware.commands.stored import opened
from firmware.history.tally import count_results, in_lines

if TYPE_CHECKING:
    import argparse


def run(args: argparse.Namespace) -> int:
    """Print a line for every badge and game, or everything as JSON."""
    with opened(args) as stored:
        tallies = count_results(map(stored.past, stored.journal.matches()), stored.translate)
    if args.json:
        print(json.dumps([tally.record() for tally in tallies], ensure_ascii=False, indent=2))
    elif tallies:
        for line in in_lines(tallies):
            print(line)
    else:
        print("no player with a badge has played yet; to play, type: nimmt run")
    return 0
