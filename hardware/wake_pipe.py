"""Ends a `select` from another thread."""

from __future__ import annotations

import os


class WakePipe:
    """A pipe whose reading end becomes readable when somebody calls `wake`.

    Give `file` to `select` beside the files that are waited for.
    """

    def __init__(self) -> None:
        self.file, self._write = os.pipe()

    def wake(self) -> None:
        """End the `select`, or the next one. Any thread; not after `close`."""
        os.write(self._write, b"!")

    def close(self) -> None:
        """Free both ends. Once."""
        os.close(self.file)
        os.close(self._write)
