"""A Unix socket at which QEMU is served, one machine after the other; what is said there others know."""

import socket
import threading
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path


class Door:
    """Open from the beginning. `serve` is called with each line, in the one thread of this door.

    It ends by returning, or by `EOFError` or `OSError` when the other end hangs up; then the line is closed.
    """

    def __init__(self, place: Path, serve: Callable[[socket.socket], None]) -> None:
        self.place = place
        self._serve = serve
        place.unlink(missing_ok=True)
        self._listening = socket.socket(socket.AF_UNIX)
        self._listening.bind(str(place))
        self._listening.listen(1)
        threading.Thread(target=self._welcome, daemon=True).start()

    def close(self) -> None:
        """Accept no new connection; open ones stay."""
        self._listening.shutdown(socket.SHUT_RDWR)  # or the thread would wait for ever
        self._listening.close()
        self.place.unlink(missing_ok=True)

    def _welcome(self) -> None:
        with suppress(OSError):  # closed
            while True:
                line, _ = self._listening.accept()
                with line, suppress(EOFError, OSError):
                    self._serve(line)
