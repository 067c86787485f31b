"""`nimmt show`: a match step by step, with the reasons that were given at the time."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion import log
from companion.match import begin
from firmware.commands.stored import chosen, opened

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterable, Mapping


def run(words: argparse.Namespace) -> int:
    """Print the story of a match."""
    journal = opened(words)
    try:
        entry = chosen(words, journal)
        print(f"match {entry.id}, begun {entry.started_at}")
        tell([entry.header, *journal.steps(entry.id)])
    finally:
        journal.close()
    return 0


def tell(records: Iterable[Mapping[str, object]]) -> None:
    """Print every step of a log: what was done and why it stood. Raises `BadRecord`."""
    lines = iter(records)
    match = begin(log.read_header(next(lines, None)))
    print(f"{match.game.title}, {match.terms.seats} players, {match.game.end.short()}")
    for record in lines:
        step = log.read_step(record, match.game)
        match = match.then(step)
        if step.voids is not None:
            print(f"{step.number:4}  step {step.voids} is taken back")
            continue
        print(f"{step.number:4}  {'again: ' if step.redoes else ''}{_order(record)}")
        for rule, says in step.because:
            print(f"        {says} [{rule}]")
    totals = ", ".join(f"P{seat + 1} {total}" for seat, total in enumerate(match.totals))
    print(f"totals: {totals}")


def _order(record: Mapping[str, object]) -> str:
    order = record.get("do")
    if not isinstance(order, dict):
        return "?"
    facts = " ".join(
        f"{name} {value}" for name, value in order.items() if name != "kind" and value is not None
    )
    return f"{order['kind']} {facts}"
