"""A camera whose pictures are chosen by who simulates it: a pipe with JPEG pictures one after the other.

OpenCV opens the pipe as it opens a file with a film. While it is plugged in, the camera gives the picture
that is before it again and again, some thirty times a second; a camera that is unplugged ends the film.
"""

from __future__ import annotations

import fcntl
import os
import threading
from contextlib import suppress
from pathlib import Path
from typing import Final

_BETWEEN_S: Final = 1 / 30
_PIPE_BYTES: Final = 4096
"""What waits in the pipe at most: an old picture tells what the table was."""


class SimulatedCamera:
    """A camera that is plugged in from the start; `node` is its file. Any thread may call its methods.

    `picture` is what it sees at first: the bytes of a JPEG file.
    """

    def __init__(self, folder: Path, picture: bytes) -> None:
        self.node: Final = folder / "camera.mjpeg"
        self._picture = picture
        self._unplugged = threading.Event()
        self._thread: threading.Thread | None = None
        self.plug()

    def plug(self) -> None:
        """Plug it in again."""
        os.mkfifo(self.node)
        self._unplugged.clear()
        self._thread = threading.Thread(target=self._run, name="simulated camera", daemon=True)
        self._thread.start()

    def unplug(self) -> None:
        """Unplug it, even in the middle of a picture."""
        thread, self._thread = self._thread, None
        if thread is None:
            return
        self._unplugged.set()
        # The thread may wait for somebody who opens the pipe, or who reads it.
        file = os.open(self.node, os.O_RDONLY | os.O_NONBLOCK)
        self.node.unlink()
        while thread.is_alive():
            with suppress(BlockingIOError):
                os.read(file, _PIPE_BYTES)
            thread.join(0.001)
        os.close(file)

    def show(self, picture: bytes) -> None:
        """From now on it sees this: the bytes of a JPEG file."""
        self._picture = picture

    close = unplug

    def _run(self) -> None:
        while not self._unplugged.is_set():
            try:
                file = os.open(self.node, os.O_WRONLY)  # waits for somebody who opens it for reading
            except FileNotFoundError:
                return  # it was unplugged since
            fcntl.fcntl(file, fcntl.F_SETPIPE_SZ, _PIPE_BYTES)
            with suppress(BrokenPipeError):  # it was closed
                while not self._unplugged.wait(_BETWEEN_S):
                    self._give(file)
            os.close(file)

    def _give(self, file: int) -> None:
        """One picture, as far as it is plugged in."""
        left = memoryview(self._picture)
        while left and not self._unplugged.is_set():
            left = left[os.write(file, left) :]
