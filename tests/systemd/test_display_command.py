"""What stands on the display before a game and after it, written by the command that the units call."""

import subprocess
import sys
from pathlib import Path

import pytest
from PIL import Image

from firmware.cli.main import main
from firmware.display import status_pictures
from firmware.display.status_pictures import Notice
from firmware.text.translation import LANGUAGES, Translator
from tests.patience import PATIENCE_S

ROOT = Path(__file__).parents[2]


@pytest.fixture(autouse=True)
def _patient(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """The command does not give up a display only because the machine is busy."""
    if request.function is not test_a_display_that_is_away_is_no_long_wait:
        monkeypatch.setattr(status_pictures, "SETTLE_S", PATIENCE_S)


def config(folder: Path, display: str = "") -> Path:
    (folder / "pictures").mkdir(exist_ok=True)
    file = folder / "nimmt.toml"
    file.write_text(display or f'[display]\ndriver = "png"\nfolder = "{folder}/pictures"\nscale_px = 1\n')
    return file


def shown(folder: Path) -> bytes:
    with Image.open(folder / "pictures" / "latest.png") as picture:
        return picture.convert("1").tobytes()


def expected(notice: Notice) -> bytes:
    return status_pictures.picture(notice, Translator()).tobytes()


@pytest.mark.parametrize("notice", Notice)
def test_each_notice_is_left_on_the_display(tmp_path: Path, notice: Notice) -> None:
    assert main(["display", notice.value, "--config", str(config(tmp_path))]) == 0
    assert shown(tmp_path) == expected(notice)


@pytest.mark.parametrize(
    "result", ["exit-code", "signal", "core-dump", "watchdog", "oom-kill", "timeout", "start-limit-hit"]
)
def test_a_game_that_could_not_say_how_it_ended_is_spoken_for_and_no_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, result: str
) -> None:
    ended = ["display", "ended", "--config", str(config(tmp_path))]
    monkeypatch.setenv("SERVICE_RESULT", "success")
    assert main(ended) == 0
    assert list((tmp_path / "pictures").iterdir()) == []  # what the game has said stays
    monkeypatch.setenv("SERVICE_RESULT", result)
    assert main(ended) == 0
    assert shown(tmp_path) == expected(Notice.FAULT)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_notice_fits_the_display_and_no_two_look_alike(language: str) -> None:
    pictures = [status_pictures.picture(notice, Translator(language)) for notice in Notice]
    assert len({picture.tobytes() for picture in pictures}) == len(Notice)
    for picture in pictures:
        inside = picture.crop((1, 1, 127, 63))
        edges = [inside.crop((0, 0, 1, 62)), inside.crop((125, 0, 126, 62))]
        assert all(edge.getbbox() is None for edge in edges)  # no letter was cut off at a side


def test_only_the_picture_that_lets_people_pull_the_plug_is_light() -> None:
    light = [
        notice
        for notice in Notice
        if status_pictures.picture(notice, Translator()).histogram()[255] > 128 * 64 // 2
    ]
    assert light == [Notice.OFF]


def test_a_broken_configuration_hides_no_notice(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    good = config(tmp_path).read_text()
    (tmp_path / "state").mkdir()
    (tmp_path / "state" / "last-good.toml").write_text(good)
    monkeypatch.setenv("STATE_DIRECTORY", str(tmp_path / "state"))
    broken = config(tmp_path, "[display")
    assert main(["display", "off", "--config", str(broken)]) == 0
    assert shown(tmp_path) == expected(Notice.OFF)
    assert (tmp_path / "state" / "last-good.toml").read_text() == good


def test_a_display_that_is_away_is_no_long_wait(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = config(tmp_path)
    (tmp_path / "pictures").rmdir()
    assert main(["display", "off", "--config", str(file)]) == 1
    assert "the picture could not be shown" in capsys.readouterr().err


def test_the_first_picture_comes_without_loading_the_game(tmp_path: Path) -> None:
    told = (
        "import sys; from firmware.cli.main import main; status = main(sys.argv[1:]); "
        "print(*sys.modules, sep='\\n'); sys.exit(status)"
    )
    done = subprocess.run(
        [sys.executable, "-c", told, "display", "starting", "--config", str(config(tmp_path))],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    loaded = set(done.stdout.split())
    assert "firmware.display.status_pictures" in loaded
    assert not loaded & {
        "firmware.play.table",
        "firmware.session.session",
        "companion.match.match",
        "companion.core.game",
        "sqlite3",
    }
