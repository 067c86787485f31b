"""A camera of the Raspberry Pi, through a stand-in for picamera2.

It does as the source of picamera2 does (0.3.19 and newer): `close` waits for each picture that was asked for.
"""

import sys
from concurrent.futures import Future
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from firmware.extensions.camera.capture import opened
from firmware.extensions.camera.config import CameraOptions
from hardware.errors import HardwareError


class Picamera2:
    """One camera. A picture is waited for in a job; a job that waits is done before everything after it."""

    there = True
    fits = True
    acquired = False
    lenses: tuple[str, ...] = ("AfMode",)

    def __init__(self, number: int) -> None:
        if number or not Picamera2.there:
            raise IndexError("list index out of range")
        if Picamera2.acquired:
            raise RuntimeError("Failed to acquire camera: Device or resource busy (16)")
        Picamera2.acquired = True
        self._jobs: list[Future[np.ndarray]] = []
        self._shape = (0, 0, 0)
        self.camera_controls = dict.fromkeys(("AeEnable", "AwbEnable", *Picamera2.lenses))
        self.set: dict[str, int] = {}

    def create_video_configuration(self, main: dict[str, Any]) -> dict[str, dict[str, Any]]:
        return {"main": main}

    def configure(self, configuration: dict[str, dict[str, Any]]) -> None:
        if not Picamera2.fits:
            raise RuntimeError("Configuration failed")
        assert configuration["main"]["format"] == "RGB888"
        wide, high = configuration["main"]["size"]
        self._shape = (high, wide, 3)

    def start(self) -> None:
        pass

    def set_controls(self, controls: dict[str, int]) -> None:
        if not set(controls) <= set(self.camera_controls):
            raise RuntimeError("Control is not advertised by libcamera")
        self.set |= controls

    def capture_array(self, name: str, wait: float) -> np.ndarray:
        job = Future[np.ndarray]()
        self._jobs.append(job)
        if Picamera2.there:
            self._jobs.remove(job)
            job.set_result(np.zeros(self._shape, np.uint8))
        return job.result(timeout=min(wait, 0.01))

    def cancel_all_and_flush(self) -> None:
        for job in self._jobs:
            job.cancel()
        self._jobs.clear()

    def close(self) -> None:
        assert not self._jobs, "it would wait for a picture for ever"
        Picamera2.acquired = False


@pytest.fixture(autouse=True)
def picamera2(monkeypatch: pytest.MonkeyPatch) -> None:
    module = ModuleType("picamera2")
    module.Picamera2 = Picamera2  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "picamera2", module)
    for name, value in (("there", True), ("fits", True), ("acquired", False)):
        monkeypatch.setattr(Picamera2, name, value)


OPTIONS = CameraOptions(driver="libcamera")


def test_a_camera_without_its_cable_is_told_and_opened_again(monkeypatch: pytest.MonkeyPatch) -> None:
    frames = opened(OPTIONS)
    assert frames.read(0).shape == (960, 1280, 3)
    monkeypatch.setattr(Picamera2, "there", False)
    with pytest.raises(HardwareError, match="gives no picture"):
        frames.read(0)
    frames.close()
    with pytest.raises(HardwareError, match="gives no picture"):
        opened(OPTIONS)
    monkeypatch.setattr(Picamera2, "there", True)
    assert opened(OPTIONS).read(0).shape == (960, 1280, 3)


def test_a_camera_that_refuses_the_size_is_free_for_the_next_try(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Picamera2, "fits", False)
    with pytest.raises(HardwareError):
        opened(OPTIONS)
    monkeypatch.setattr(Picamera2, "fits", True)
    assert opened(OPTIONS).read(0).shape == (960, 1280, 3)


@pytest.mark.parametrize("lenses", [("AfMode",), ()])
def test_focus_and_exposure_are_held(monkeypatch: pytest.MonkeyPatch, lenses: tuple[str, ...]) -> None:
    monkeypatch.setattr(Picamera2, "lenses", lenses)
    frames = opened(OPTIONS)
    camera = frames._camera  # type: ignore[attr-defined]
    assert camera.set == dict.fromkeys(lenses, 2)
    frames.hold(on=True)
    assert camera.set == {"AeEnable": 0, "AwbEnable": 0, **dict.fromkeys(lenses, 0)}
    frames.hold(on=False)
    assert camera.set == {"AeEnable": 1, "AwbEnable": 1, **dict.fromkeys(lenses, 0)}
