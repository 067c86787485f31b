"""Pictures from a camera: through V4L2, or through libcamera as picamera2 has it. One thread uses it.

cv2 and picamera2 are imported when a camera is opened.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Protocol

from hardware.errors import HardwareError, sentence

if TYPE_CHECKING:
    from firmware.extensions.camera.config import CameraOptions
    from firmware.extensions.camera.pictures import Picture

DEVICE: Final = "camera"
_LONGEST_S: Final = 10.0
"""A camera of the Raspberry Pi that gives no picture for so long is gone: its cable came off. OpenCV waits as
long for one on USB; picamera2 waits for ever if it is not told."""


class Frames(Protocol):
    """A camera that is open."""

    def read(self, after_s: float) -> Picture:
        """The first picture taken after `after_s` seconds; earlier ones are dropped.

        Waits for it. Raises `HardwareError` where the camera is gone.
        """

    def close(self) -> None:
        """Free the camera. Once."""


def opened(options: CameraOptions) -> Frames:
    """The configured camera. Raises `HardwareError`; may take some seconds."""
    return _Libcamera(options) if options.driver == "libcamera" else Video(options)


class Video:
    """A camera as OpenCV opens it: a device file of V4L2, or a file with pictures one after the other."""

    def __init__(self, options: CameraOptions, now_s: Callable[[], float] = time.monotonic) -> None:
        cv2 = _library()
        self._now_s = now_s
        device = options.device or "/dev/video0"
        if not Path(device).exists():
            raise _gone(device)
        of_v4l2 = Path(device).is_char_device()
        self._video = cv2.VideoCapture(device, cv2.CAP_V4L2 if of_v4l2 else cv2.CAP_ANY)
        if not self._video.isOpened():
            self._video.release()
            raise _gone(device)
        self._device = device
        if of_v4l2:
            wide, high = options.size_px
            # Uncompressed pictures of this size need more than USB 2 carries.
            self._video.set(cv2.CAP_PROP_FOURCC, cv2.VideoWriter.fourcc(*"MJPG"))
            self._video.set(cv2.CAP_PROP_FRAME_WIDTH, wide)
            self._video.set(cv2.CAP_PROP_FRAME_HEIGHT, high)
            self._video.set(cv2.CAP_PROP_BUFFERSIZE, 1)  # an old picture tells what the table was

    def read(self, after_s: float) -> Picture:
        until_s = self._now_s() + after_s
        while self._video.grab():
            if self._now_s() >= until_s:
                had, picture = self._video.retrieve()
                if had:
                    return picture  # type: ignore[no-any-return]  # three bytes a pixel: what cameras give
                break
        raise _gone(self._device)

    def close(self) -> None:
        self._video.release()


class _Libcamera:
    """A camera of the Raspberry Pi."""

    def __init__(self, options: CameraOptions, now_s: Callable[[], float] = time.monotonic) -> None:
        _library()  # who has no OpenCV is told so at once
        try:
            from picamera2 import Picamera2  # type: ignore[import-not-found]  # Debian's, on a Raspberry Pi
        except ImportError as missing:
            raise HardwareError(
                DEVICE,
                sentence("picamera2 is not installed"),
                sentence("run sudo apt install python3-picamera2"),
            ) from missing
        self._now_s = now_s
        number = int(options.device) if options.device.isdecimal() else 0
        try:
            self._camera: Any = Picamera2(number)
        except (RuntimeError, IndexError, OSError) as lost:
            raise _gone(str(number)) from lost
        try:
            # "RGB888" is blue, green, red in memory, as OpenCV has it.
            form = {"size": options.size_px, "format": "RGB888"}
            self._camera.configure(self._camera.create_video_configuration(main=form))
            self._camera.start()
        except (RuntimeError, OSError) as lost:
            self.close()  # else it could not be opened again
            raise _gone(str(number)) from lost

    def read(self, after_s: float) -> Picture:
        until_s = self._now_s() + after_s
        try:
            picture: Picture = self._camera.capture_array("main", wait=_LONGEST_S)
            while self._now_s() < until_s:
                picture = self._camera.capture_array("main", wait=_LONGEST_S)
        except (RuntimeError, OSError) as lost:  # a `TimeoutError` is an `OSError`
            raise _gone("libcamera") from lost
        return picture

    def close(self) -> None:
        with suppress(RuntimeError, OSError):  # the camera may be gone
            self._camera.cancel_all_and_flush()  # who waits for a picture that never comes would hold it
            self._camera.close()


def _library() -> Any:  # noqa: ANN401 - a module
    """OpenCV. Raises `HardwareError` where it is not installed."""
    # What it would print at every attempt to open a camera is told once, as a fault.
    os.environ.setdefault("OPENCV_LOG_LEVEL", "SILENT")
    try:
        import cv2
    except ImportError as missing:
        raise HardwareError(
            DEVICE, sentence("OpenCV is not installed"), sentence("run sudo apt install python3-opencv")
        ) from missing
    # The game goes before it: one core is enough.
    cv2.setNumThreads(1)
    return cv2


def _gone(device: str) -> HardwareError:
    return HardwareError(
        DEVICE,
        sentence("the camera {device} gives no picture", device=device),
        sentence("check its cable; ls /dev/video* lists the cameras"),
    )
