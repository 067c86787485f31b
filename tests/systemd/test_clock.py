"""The clock of the machine jumps by years in the middle of a game: a Raspberry Pi has no battery for it."""

import itertools
from contextlib import closing
from pathlib import Path

from firmware.config.configuration import load
from firmware.journal.store import Journal
from firmware.loop.runtime import open_table
from firmware.session.session import Session
from firmware.text.translation import Translator
from tests.firmware.evening import EXAMPLE_1, device
from tests.gallery.script import perform

JUMPS = ("1970-01-01T00:00:07Z", "2026-05-01T20:15:00Z", "1999-12-31T23:59:59Z", "2099-01-01T00:00:00Z")


def test_a_clock_that_jumps_by_years_changes_neither_order_nor_question(tmp_path: Path) -> None:
    with device(tmp_path / "steady", EXAMPLE_1) as at:
        steady = at.match.asks, at.match.position, at.match.steps
    clock = itertools.cycle(JUMPS)
    jumping, _ = Journal.open(tmp_path / "jumping" / "journal.sqlite", wall=lambda: next(clock))
    with closing(jumping):
        config = load(None)
        session = Session(jumping, config, Translator())
        table = open_table(session, config, lambda _signal: None)
        for word in EXAMPLE_1.split():
            perform(word, table)
    with device(tmp_path / "jumping") as at:
        assert (at.match.asks, at.match.position, at.match.steps) == steady
