"""`nimmt teach` with photos, and what `nimmt doctor` says of the camera."""

from collections.abc import Sequence
from functools import cache
from pathlib import Path

import cv2
import numpy as np
import pytest
from msgspec.structs import replace

from companion.core.codes import card_code
from firmware.bounded_file import write_whole
from firmware.cli.main import main
from firmware.commands.doctor import Finding
from firmware.config.configuration import Config, load
from firmware.extensions.camera import deck_files
from firmware.extensions.camera.check import findings
from firmware.extensions.camera.config import CameraOptions
from firmware.extensions.camera.faces import TaughtDeck
from firmware.plugins import parts
from tests.firmware.extensions.camera.evening_by_camera import SimulatedCamera
from tests.firmware.extensions.camera.tables import Place, deck, in_row, jpeg, table


@cache
def taught() -> TaughtDeck:
    return deck((12, 37, 43, 58), "club")


@pytest.fixture
def box(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a configuration whose journal, and so whose decks, lie there."""
    monkeypatch.delenv("STATE_DIRECTORY", raising=False)
    monkeypatch.setenv("LC_ALL", "C")
    (tmp_path / "nimmt.toml").write_text(f'[journal]\npath = "{tmp_path}/journal.sqlite"\n')
    return tmp_path


def nimmt_teach(box: Path, *words: str | Path) -> int:
    return main(["teach", "--config", str(box / "nimmt.toml"), *map(str, words)])


def photos(box: Path, numbers: Sequence[int], count: int) -> list[Path]:
    """Files with pictures of these cards, a little shifted from one to the next."""
    files = []
    for at in range(count):
        places = [Place(170 + 300 * place + 20 * at, 300, 4.0 * (at - 1)) for place in range(len(numbers))]
        file = box / f"{at}.jpg"
        write_whole(file, jpeg(table(dict(zip(places, numbers, strict=True)), noise=at)))
        files.append(file)
    return files


@pytest.mark.slow
def test_cards_are_taught_with_photos(box: Path, capsys: pytest.CaptureFixture[str]) -> None:
    cards = [word for number in (12, 37, 43) for word in ("--card", str(number))]
    files = photos(box, (12, 37, 43), 3)
    assert nimmt_teach(box, "--deck", "club", *cards, "--photos", *files) == 0
    said = capsys.readouterr().out
    assert "lay 12 37 43 in order" in said
    assert "picture 3 of 3" in said
    assert "all cards are taught" in said
    assert deck_files.load(box / "decks", "club").codes == tuple(card_code("6N", at) for at in (12, 37, 43))
    # Without other photos nothing is left to look at, and cards are missing.
    assert nimmt_teach(box, "--deck", "club", "--photos", files[0]) == 1
    assert "3 of 12 cards are seen" in capsys.readouterr().out
    assert nimmt_teach(box, "--deck", "club") == 1
    assert "give three photos of these cards" in capsys.readouterr().err


@pytest.mark.slow
def test_a_picture_is_written_with_what_was_read_in_it(box: Path, capsys: pytest.CaptureFixture[str]) -> None:
    deck_files.save(box / "decks", deck(range(1, 13), "club"))
    picture = table({in_row(0, 0): 12, in_row(1, 3): 1})
    write_whole(box / "table.jpg", jpeg(picture))
    assert nimmt_teach(box, "--deck", "club", "--look", box / "seen.jpg", "--photos", box / "table.jpg") == 0
    assert capsys.readouterr().out == "2 cards read: 12 1\n"
    drawn = cv2.imread(str(box / "seen.jpg"))
    assert drawn is not None
    apart = np.abs(drawn.astype(int) - picture).max(axis=2)
    assert apart[40:190, 20:160].max() > 60  # there is a card
    assert apart[700:, 900:].max() < 60  # there is none


def camera(box: Path, device: Path) -> Config:
    config = load(box / "nimmt.toml")
    return replace(config, added={CameraOptions: CameraOptions(driver="v4l2", device=str(device))})


def says(found: Sequence[Finding]) -> list[tuple[bool, str]]:
    return [(finding.ok, str(finding.says)) for finding in found]


@pytest.mark.slow
def test_the_doctor_takes_a_picture(box: Path) -> None:
    assert dict(parts("check"))["camera"] is findings
    assert findings(load(box / "nimmt.toml")) == []
    eye = SimulatedCamera(box, jpeg(table({})))
    try:
        config = camera(box, eye.node)
        untaught = (True, "no deck has been taught yet")
        assert says(findings(config)) == [(True, "it gives pictures of 1280 × 960 pixels"), untaught]
        deck_files.save(box / "decks", taught())
        eye.show(jpeg(table({}, light=0.02)))
        assert says(findings(config)) == [(False, "the camera sees nothing: it is too dark")]
    finally:
        eye.close()


def test_the_doctor_says_what_to_do_where_no_camera_is_there(box: Path) -> None:
    gone, _ = findings(camera(box, box / "video9"))
    assert not gone.ok
    assert "gives no picture" in str(gone.says)
    assert "check its cable" in str(gone.fix)
