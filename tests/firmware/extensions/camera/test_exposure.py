"""Focus and exposure of a USB camera, over a stand-in for the camera as OpenCV has it."""

from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
import pytest

from firmware.extensions.camera.camera import Camera
from firmware.extensions.camera.config import CameraOptions
from hardware.ports import Message
from tests.patience import comes

AUTO, FOCUS, TIME = cv2.CAP_PROP_AUTO_EXPOSURE, cv2.CAP_PROP_AUTOFOCUS, cv2.CAP_PROP_EXPOSURE
BY_HAND = 1


class Webcam:
    """A camera over a grey table. It keeps its controls when nobody uses it."""

    modes: tuple[int, ...] = (BY_HAND, 3)
    forgets = False
    """Told to hold its exposure, it takes one of long ago, whatever else it is told."""

    def __init__(self, _device: str, api: int) -> None:
        assert api == cv2.CAP_V4L2
        self.light, self.hand, self.pictures = 1.0, False, 0
        self.controls = {AUTO: float(BY_HAND), FOCUS: 0.0, TIME: 5.0} if self.modes else {}
        self.sets: list[int] = []
        WEBCAMS.append(self)

    def isOpened(self) -> bool:  # noqa: N802 - so OpenCV calls it
        return True

    def set(self, control: int, value: float) -> bool:
        assert type(value) in {int, float}  # OpenCV takes no other
        if control not in self.controls or (control == AUTO and value not in self.modes):
            return False
        self.sets.append(control)
        self.controls[control] = float(value)
        return True

    def get(self, control: int) -> float:
        return self.controls.get(control, -1.0)

    @property
    def held(self) -> bool:
        return self.controls.get(AUTO) == BY_HAND

    def grab(self) -> bool:
        if not self.held and TIME in self.controls:
            self.controls[TIME] += 0.9 * (100 / self.light - self.controls[TIME])
        return True

    def retrieve(self) -> tuple[bool, np.ndarray]:
        self.pictures += 1
        time = 20.0 if self.forgets and self.held else self.get(TIME) if TIME in self.controls else 100.0
        picture = np.full((96, 128, 3), min(255, 1.1 * self.light * time), np.uint8)
        picture[:, : 50 if self.hand else 0] = 20
        return True, picture

    def release(self) -> None:
        pass


WEBCAMS: list[Webcam] = []
POSTED: list[Message] = []


@pytest.fixture
def camera(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Camera]:
    for left in (WEBCAMS, POSTED):
        left.clear()
    monkeypatch.setattr(cv2, "VideoCapture", Webcam)
    # A device file like that of a camera.
    made = Camera(CameraOptions(driver="v4l2", device="/dev/null"), tmp_path, between_s=0.003)
    yield made
    made.close()


def gives_more_pictures(webcam: Webcam) -> bool:
    """Whether twenty more pictures are taken."""
    before = webcam.pictures
    return comes(lambda: webcam.pictures > before + 20)


def test_focus_and_exposure_are_held_until_the_light_of_the_room_is_another_one(camera: Camera) -> None:
    camera.start(POSTED.append)
    assert comes(lambda: bool(WEBCAMS) and WEBCAMS[0].held and 95 < WEBCAMS[0].get(TIME) < 105)
    (webcam,) = WEBCAMS
    assert webcam.get(FOCUS) == 0
    assert webcam.sets.count(FOCUS) > 1  # it could find its focus first
    assert gives_more_pictures(webcam)
    del webcam.sets[:]
    webcam.hand = True
    assert gives_more_pictures(webcam)
    assert webcam.sets == []
    for webcam.light in (0.3, 2.5):
        assert comes(lambda: webcam.held and 0.9 < webcam.get(TIME) * webcam.light / 100 < 1.1)
    assert not POSTED


@pytest.mark.parametrize(
    ("modes", "forgets", "held"),
    [((), False, False), ((BY_HAND, 0), False, True), ((BY_HAND, 3), True, False)],
)
def test_a_camera_goes_on_working_that_lacks_a_control_or_does_not_hold_what_it_had(
    camera: Camera, monkeypatch: pytest.MonkeyPatch, modes: tuple[int, ...], *, forgets: bool, held: bool
) -> None:
    monkeypatch.setattr(Webcam, "modes", modes)
    monkeypatch.setattr(Webcam, "forgets", forgets)
    camera.start(POSTED.append)
    assert comes(lambda: bool(WEBCAMS) and WEBCAMS[0].pictures > 50)
    assert WEBCAMS[0].held is held
    assert not POSTED
