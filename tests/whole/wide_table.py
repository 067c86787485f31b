"""Tables with the widest facts: all seats taken, names of eight letters, totals of three digits."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, Final

from msgspec.structs import replace

from companion.core import games
from companion.core.score_sheet import DealScored
from companion.match import log
from companion.match.match import Step, Terms
from firmware.config.configuration import Config, choose, load
from firmware.journal.store import Journal
from firmware.journal.writes import Append, Note
from firmware.loop.runtime import Runtime

NAMES: Final = (
    "WILHELMA",
    "MARIANNE",
    "GWENDOLY",
    "DOMINIKA",
    "SAMANTHA",
    "KONSTANZ",
    "MUHAMMAD",
    "WOLFGANG",
    "EMMANUEL",
    "MAXIMILI",
)


def configured(names: tuple[str, ...]) -> Config:
    """A device with nothing plugged in, at which people of these names play."""
    config = replace(load(None), display=choose("display", "simulated"), buzzer=choose("buzzer", "simulated"))
    return replace(config, table=replace(config.table, names=names))


@contextmanager
def wide_table(
    folder: Path,
    game: str,
    *,
    seats: int = 0,
    deals: Sequence[tuple[int, ...]] = (),
    options: Mapping[str, Any] | None = None,
    config: Config | None = None,
) -> Iterator[Runtime]:
    """A device that resumes a match in which such deals were scored; all seats where none is told."""
    module = games.module(game)
    seats = seats or max(module.SEATS)
    path = folder / "journal.sqlite"
    with closing(Journal.open(path, wall=str)[0]) as journal:
        terms = Terms(game, seats, options or {}, badges=tuple(range(1, seats + 1)))
        number = journal.begin(log.header(terms))
        for step, points in enumerate(deals, start=1):
            journal.write([Append(number, step, log.write_step(Step(step, events=(DealScored(points),))))])
        journal.write([Note("open", number)])
    runtime = Runtime(config or configured(NAMES), path)
    try:
        assert runtime.session.match is not None
        yield runtime
    finally:
        runtime.close()
