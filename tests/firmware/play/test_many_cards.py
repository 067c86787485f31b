"""Nine cards of a turn below the newest one: each line stands apart from the next, in every language."""

from itertools import groupby
from pathlib import Path

import pytest

from firmware.config.sections import ScreenOptions
from tests.firmware.evening import device

BADGES = " ".join(f"b{badge}" for badge in range(1, 11))
NINE = f"R1 {BADGES} OK R1 R1 12 37 43 58 99 104 100 101 102 103 98 97 96"
LEFT_PX = 76
"""Right of the rows and of the line that parts them from the cards."""


@pytest.mark.parametrize("size", ["normal", "large"])
@pytest.mark.parametrize("language", ["en", "de", "fa"])
def test_the_lines_of_cards_do_not_touch(tmp_path: Path, language: str, size: str) -> None:
    with device(tmp_path, NINE, screen=ScreenOptions(language=language, size=size)) as at:
        assert at.page == "collecting"
        picture = at.runtime.app.picture().convert("1")
        lit = [
            any(picture.getpixel((x, y)) for x in range(LEFT_PX, picture.width))
            for y in range(16, picture.height)
        ]
        lines = [len(list(run)) for is_lit, run in groupby(lit) if is_lit]
        assert len(lines) >= 4, lines
        assert lines[-3:] == [7, 7, 7], lines
