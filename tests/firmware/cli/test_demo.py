"""The demonstration: what it shows can be read."""

from pathlib import Path

import pytest
from PIL import Image

from firmware.cli import main as cli
from firmware.commands.demo import PAUSE_S, READ_S, pause_s
from tests.firmware.evening import EXAMPLE_1, FOUR, ROWS, device


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
        assert pause_s(at.table) == seconds


@pytest.mark.slow
def test_it_is_shown_on_the_display_of_the_box(tmp_path: Path) -> None:
    pictures, config = tmp_path / "pictures", tmp_path / "nimmt.toml"
    pictures.mkdir()
    config.write_text(f'[display]\ndriver = "png"\nfolder = "{pictures}"\nscale_px = 1\n')
    assert (
        cli.main(["demo", "--display", "--fast", "--game", "score", "--seats", "2", "--config", str(config)])
        == 0
    )
    with Image.open(pictures / "latest.png") as picture:
        assert picture.size == (128, 64)
        assert picture.getbbox() is not None
