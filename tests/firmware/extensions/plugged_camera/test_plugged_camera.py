"""A camera that is plugged in: it is found, offered in the menu, and used from then on without an editor."""

import sys
import tomllib
from pathlib import Path

import pytest

from firmware import usb_camera as plugged_in
from firmware.extensions.camera.table import CameraTable
from firmware.screens.menu import main_menu
from firmware.table_socket.settings import Settings
from firmware.usb_camera import usb_camera
from tests.firmware.evening import Device, choose_in_menu, device

NAME = "HD Pro Webcam C920"


@pytest.fixture
def nodes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of the kernel, of a Raspberry Pi without a camera."""
    monkeypatch.setattr(plugged_in, "NODES", tmp_path / "video4linux")
    plug(tmp_path / "video4linux/video10", "bcm2835-codec-decode", bus="platform")
    return tmp_path / "video4linux"


def plug(node: Path, name: str = NAME, index: int = 0, bus: str = "usb") -> None:
    (node / "device").mkdir(parents=True)
    (node / "device/subsystem").symlink_to(f"/sys/bus/{bus}")
    (node / "index").write_text(f"{index}\n")
    (node / "name").write_text(f"{name}\n")


def rows(at: Device) -> list[str]:
    return [str(says) for says, _ in main_menu(at.table).items]


def test_the_first_camera_on_usb_is_found_among_codecs_and_second_nodes(nodes: Path) -> None:
    assert usb_camera() is None
    plug(nodes / "video3", index=1)
    assert usb_camera() is None
    plug(nodes / "video11", "Other: Other")
    assert usb_camera() == ("Other", Path("/dev/video11"))
    plug(nodes / "video2")
    assert usb_camera() == (NAME, Path("/dev/video2"))


def test_a_camera_is_plugged_in_confirmed_and_can_be_taught_a_deck(nodes: Path, tmp_path: Path) -> None:
    file = tmp_path / "nimmt.toml"
    file.write_text('# ours\n[table]\nnames = ["Ana"]\n')
    with device(tmp_path) as at:
        at.table.change_settings = Settings(file).change
        at.table.extension(CameraTable).start(lambda _: None)
        assert "CAMERA" not in rows(at)
        plug(nodes / "video0")
        choose_in_menu(at, "CAMERA")
        assert at.page == "confirm"
        at.people("UNDO")
        assert "camera" not in file.read_text()
        choose_in_menu(at, "CAMERA")
        at.people("+1 OK")
        assert tomllib.loads(file.read_text()) == {"table": {"names": ["Ana"]}, "camera": {"driver": "v4l2"}}
        assert at.table.front.labels(at.table.session)[0] == "TEACH A DECK"  # type: ignore[attr-defined]
        assert rows(at).count("CAMERA") == 1


@pytest.mark.parametrize(
    ("lacks", "says"),
    [("cv2", "python3-opencv"), ("firmware.extensions.camera.table", "nimmt-camera_*.deb")],
)
def test_the_menu_says_what_to_install(
    nodes: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, lacks: str, says: str
) -> None:
    plug(nodes / "video0")
    with device(tmp_path) as at:
        monkeypatch.delitem(sys.modules, lacks, raising=False)
        monkeypatch.setitem(sys.modules, "cv2", None)  # as if it were not installed
        choose_in_menu(at, "CAMERA")
        assert says in str(at.table.refusal[1])
