"""The display that is a folder of PNG files."""

from pathlib import Path

import pytest
from PIL import Image

from hardware.drivers.png_display import Options, PngDisplay, PngPanel
from hardware.errors import HardwareError
from hardware.ports import Light
from tests.hardware.oled_setup import noise, same


def shrunk(path: Path, scale_px: int) -> Image.Image:
    """The picture in the file, one pixel for each display pixel, white or not."""
    with Image.open(path) as picture:
        small = picture.resize(
            (picture.width // scale_px, picture.height // scale_px), Image.Resampling.NEAREST
        )
        return small.point(lambda grey: 255 if grey else 0).convert("1", dither=Image.Dither.NONE)


def names(folder: Path) -> list[str]:
    return sorted(file.name for file in folder.iterdir())


@pytest.mark.parametrize("scale_px", [1, 4])
def test_the_file_shows_the_frame_enlarged(tmp_path: Path, scale_px: int) -> None:
    panel = PngPanel(Options(folder=str(tmp_path), scale_px=scale_px))
    panel.open()
    panel.show(noise(1))
    assert names(tmp_path) == ["latest.png"]
    with Image.open(tmp_path / "latest.png") as picture:
        assert picture.size == (128 * scale_px, 64 * scale_px)
    assert same(shrunk(tmp_path / "latest.png", scale_px), noise(1))
    panel.show(noise(2))
    assert names(tmp_path) == ["latest.png"]
    assert same(shrunk(tmp_path / "latest.png", scale_px), noise(2))


def test_all_frames_are_numbered_on_over_a_restart(tmp_path: Path) -> None:
    for first in (1, 3):
        panel = PngPanel(Options(folder=str(tmp_path), scale_px=1, keep="all"))
        panel.open()
        panel.show(noise(first))
        panel.show(noise(first + 1))
    assert names(tmp_path) == [f"frame-{number:06}.png" for number in (1, 2, 3, 4)]
    assert same(shrunk(tmp_path / "frame-000003.png", 1), noise(3))


@pytest.mark.parametrize(("level", "grey"), [(Light.FULL, 255), (Light.DIM, 96), (Light.OFF, 0)])
def test_the_brightness_can_be_seen_in_the_file(tmp_path: Path, level: Light, grey: int) -> None:
    panel = PngPanel(Options(folder=str(tmp_path)))
    panel.open()
    panel.show(noise(1))
    panel.light(level)
    with Image.open(tmp_path / "latest.png") as picture:
        assert picture.getextrema() == (0, grey)


def test_a_missing_folder_is_a_fault_with_its_remedy(tmp_path: Path) -> None:
    folder = tmp_path / "pictures"
    display = PngDisplay(Options(folder=str(folder)))
    with pytest.raises(HardwareError) as seen:
        display.check()
    assert seen.value.fault == f"cannot write pictures to {folder}: No such file or directory"
    assert f"mkdir -p {folder}" in seen.value.check
