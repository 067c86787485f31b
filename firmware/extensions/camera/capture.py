"""Pictures from a camera: through V4L2, or through libcamera as picamera2 has it. One thread uses it.

cv2 and picamera2 are imported when a camera is opened.
"""

from __future__ import annotations

import os
import time
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Protocol

from firmware.usb_camera import usb_camera
from hardware.errors import HardwareError, sentence

if TYPE_CHECKING:
    from firmware.extensions.camera.config import CameraOptions
    from firmware.extensions.camera.pictures import Picture

DEVICE: Final = "camera"
_LONGEST_S: Final = 10.0
"""A camera of the Raspberry Pi that gives no picture for so long is gone: its cable came off. OpenCV waits as
long for one on USB; picamera2 waits for ever if it is not told."""
FIRST_S: Final = 0.9
"""A camera needs so long to set its exposure, at least."""
_BY_HAND: Final = 1
_BY_ITSELF: Final = (3, 0)
"""How the exposure is set, in the numbers of V4L2. Cameras know one of the latter."""


class Frames(Protocol):
    """A camera that is open."""

    def read(self, after_s: float) -> Picture:
        """The first picture taken after `after_s` seconds; earlier ones are dropped.

        Waits for it. Raises `HardwareError` where the camera is gone.
        """

    def hold(self, *, on: bool) -> None:
        """Hold exposure and colours, or let the camera set them, if it can. Held once, the focus stays."""

    def close(self) -> None:
        """Free the camera. Once."""


def opened(options: CameraOptions) -> Frames:
    """The configured camera. Raises `HardwareError`; may take some seconds."""
    return _Libcamera(options) if options.driver == "libcamera" else Video(options)


class Video:
    """A camera as OpenCV opens it: a device file of V4L2, or a file with pictures one after the other."""

    def __init__(self, options: CameraOptions) -> None:
        self._cv2 = cv2 = _opencv()
        plugged = usb_camera()  # one that is plugged in again may have another number
        self._device = device = options.device or str(plugged.device if plugged else "/dev/video0")
        of_v4l2 = Path(device).is_char_device()
        self._video = cv2.VideoCapture(device, cv2.CAP_V4L2 if of_v4l2 else cv2.CAP_ANY)
        if not self._video.isOpened():
            raise _gone(device)
        if of_v4l2:
            wide, high = options.size_px
            # Uncompressed pictures of this size need more than USB 2 carries.
            self._video.set(cv2.CAP_PROP_FOURCC, cv2.VideoWriter.fourcc(*"MJPG"))
            self._video.set(cv2.CAP_PROP_FRAME_WIDTH, wide)
            self._video.set(cv2.CAP_PROP_FRAME_HEIGHT, high)
            self._video.set(cv2.CAP_PROP_BUFFERSIZE, 1)  # an old picture tells what the table was
            self._video.set(cv2.CAP_PROP_AUTOFOCUS, 1)  # a camera keeps what was set when it was used last

    def read(self, after_s: float) -> Picture:
        until_s = time.monotonic() + after_s
        while self._video.grab() and time.monotonic() < until_s + _LONGEST_S:
            if time.monotonic() >= until_s:
                had, picture = self._video.retrieve()
                if had:
                    return picture  # type: ignore[no-any-return]  # three bytes a pixel: what cameras give
        raise _gone(self._device)

    def hold(self, *, on: bool) -> None:
        cv2, video = self._cv2, self._video
        video.set(cv2.CAP_PROP_AUTO_WB, 0 if on else 1)
        if on:
            video.set(cv2.CAP_PROP_AUTOFOCUS, 0)
            exposure = video.get(cv2.CAP_PROP_EXPOSURE)
            # Told so, some take the exposure that was set by hand last.
            if video.set(cv2.CAP_PROP_AUTO_EXPOSURE, _BY_HAND) and exposure > 0:
                video.set(cv2.CAP_PROP_EXPOSURE, exposure)
        else:
            any(video.set(cv2.CAP_PROP_AUTO_EXPOSURE, mode) for mode in _BY_ITSELF)

    def close(self) -> None:
        self._video.release()


class _Libcamera:
    """A camera of the Raspberry Pi."""

    def __init__(self, options: CameraOptions) -> None:
        _opencv()  # who has none is told so at once
        picamera2 = _library("picamera2", "picamera2", "python3-picamera2")
        number = int(options.device) if options.device.isdecimal() else 0
        try:
            self._camera = picamera2.Picamera2(number)
        except (RuntimeError, IndexError, OSError) as lost:
            raise _gone(str(number)) from lost
        try:
            # "RGB888" is blue, green, red in memory, as OpenCV has it.
            form = {"size": options.size_px, "format": "RGB888"}
            self._camera.configure(self._camera.create_video_configuration(main=form))
            self._camera.start()
            self._set(AfMode=2)  # continuous
        except (RuntimeError, OSError) as lost:
            self.close()  # else it could not be opened again
            raise _gone(str(number)) from lost

    def read(self, after_s: float) -> Picture:
        until_s = time.monotonic() + after_s
        try:
            picture: Picture = self._camera.capture_array("main", wait=_LONGEST_S)
            while time.monotonic() < until_s:
                picture = self._camera.capture_array("main", wait=_LONGEST_S)
        except (RuntimeError, OSError) as lost:  # a `TimeoutError` is an `OSError`
            raise _gone("libcamera") from lost
        return picture

    def hold(self, *, on: bool) -> None:
        self._set(AeEnable=not on, AwbEnable=not on)
        if on:
            self._set(AfMode=0)  # manual: the lens stays where it is

    def _set(self, **controls: int) -> None:
        has = self._camera.camera_controls
        self._camera.set_controls({name: value for name, value in controls.items() if name in has})

    def close(self) -> None:
        with suppress(RuntimeError, OSError):  # the camera may be gone
            self._camera.cancel_all_and_flush()  # who waits for a picture that never comes would hold it
            self._camera.close()


def _opencv() -> Any:  # noqa: ANN401 - a module
    cv2 = _library("cv2", "OpenCV", "python3-opencv")
    cv2.setNumThreads(1)  # the game goes before it: one core is enough
    return cv2


def _library(module: str, name: str, package: str) -> Any:  # noqa: ANN401 - a module
    """A module of Debian's `package`. Raises `HardwareError` where it is not installed."""
    # What OpenCV would print at every attempt to open a camera is told once, as a fault.
    os.environ.setdefault("OPENCV_LOG_LEVEL", "SILENT")
    try:
        return import_module(module)
    except ImportError as missing:
        fault = sentence("{name} is not installed", name=name)
        raise HardwareError(DEVICE, fault, sentence("run sudo apt install {name}", name=package)) from missing


def _gone(device: str) -> HardwareError:
    fault = sentence("the camera {device} gives no picture", device=device)
    return HardwareError(DEVICE, fault, sentence("check its cable; ls /dev/video* lists the cameras"))
