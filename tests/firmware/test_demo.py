"""The demonstration: what it shows can be read."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from firmware.commands.demo import PAUSE_S, READ_S, pause_s
from tests.firmware.evening import EXAMPLE_1, FOUR, ROWS, device

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize(
    ("script", "page", "seconds"),
    [
        ("", "start", PAUSE_S),
        (FOUR + ROWS + "14 44", "collecting", PAUSE_S),
        (FOUR + ROWS + "14 44 61 2", "choose_stack", READ_S),
        (FOUR + ROWS + "14 44 61 2 b1r1", "taken", READ_S),
        (EXAMPLE_1, "ruling", 4 * 4.0),
    ],
)
def test_a_page_stays_as_long_as_people_need(tmp_path: Path, script: str, page: str, seconds: float) -> None:
    with device(tmp_path, script) as at:
        assert at.page == page
        assert pause_s(at.controller) == seconds
