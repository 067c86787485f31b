"""The moment between two matches."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.firmware.evening import EXAMPLE_1, device

if TYPE_CHECKING:
    from pathlib import Path


def test_after_a_match_the_next_one_is_offered_and_begins_with_one_key(tmp_path: Path) -> None:
    with device(tmp_path, EXAMPLE_1) as at:
        at.desk.world.leave()
        assert at.page == "start"
        at.rig.app.picture()
        at.people("OK")
        assert at.match.terms.badges == (1, 2, 3, 4)
