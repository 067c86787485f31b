"""How a device begins: the first seconds after it is switched on, and the second match of an evening."""

from pathlib import Path

import pytest

from firmware.loop.react import tick
from firmware.loop.runtime import open_table
from firmware.screens.before.start import HelloPage
from tests.firmware.evening import PLACED, ROWS, Device, choose_in_menu, device
from tests.gallery.pictures import SCREENS

WEEKS_S = 2_000_000.0


def test_hello_stays_for_its_seconds_however_long_the_machine_has_been_on(tmp_path: Path) -> None:
    with device(tmp_path) as at:
        table = open_table(at.runtime.session, at.runtime.config, lambda _signal: None, WEEKS_S)
        table.open(HelloPage(), lasts_s=3.0)
        tick(table, WEEKS_S + 1)
        assert table.front.NAME == "hello"
        tick(table, WEEKS_S + 4)
        assert table.front.NAME == "start"


def test_the_rulings_of_a_second_match_are_shown_like_those_of_the_first(tmp_path: Path) -> None:
    with device(tmp_path, PLACED) as at:
        first = at.match.steps
        choose_in_menu(at, "SUSPEND THE MATCH")
        at.people("OK R4 R1 OK R1 R1 " + ROWS + "14 44 61 15")
        assert at.match.steps == first
        assert at.page == "ruling"


FRAME_BYTES = 4096 + 24
"""A page in the log of the journal, and what stands before it."""


def stored(at: Device) -> tuple[int | None, int, tuple[str, tuple[int, ...]]]:
    """The match that is open, how many there are, and who has joined for the next one."""
    session = at.runtime.session
    return session.match_id, len(at.runtime.journal.reader.matches()), session.notes.joining()


@pytest.mark.parametrize(
    ("before", "key"), [("R1 b1 b2 b3 OK R1", "R1"), (SCREENS["match-end"], "OK"), ("b1 b3 OK R1", "R1")]
)
def test_a_match_begins_wholly_or_not_at_all_wherever_the_plug_is_pulled(
    tmp_path: Path, before: str, key: str
) -> None:
    box, found = tmp_path / "box", []
    box.mkdir()
    with device(box, before) as at:
        old, begins = stored(at), (box / "journal.sqlite-wal").stat().st_size
        at.people(key)
        new = stored(at)
        base, written = ((box / name).read_bytes() for name in ("journal.sqlite", "journal.sqlite-wal"))
    assert new[:2] == (old[1] + 1, old[1] + 1)
    for length in range(begins, len(written) + 1, FRAME_BYTES):
        torn = tmp_path / str(length)
        torn.mkdir()
        (torn / "journal.sqlite").write_bytes(base)
        (torn / "journal.sqlite-wal").write_bytes(written[:length])
        with device(torn) as at:
            found.append(stored(at))
    assert len(found) > 2
    assert set(found) == {old, new}
