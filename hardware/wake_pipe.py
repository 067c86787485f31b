"""Ends a `select` from another thread."""

from __future__ import annotations

import os


class WakePipe:
    """A pipe whose reading end becomes readable when `wake` is called, and stays so.

    Give `file` to `select` together with the files that are waited for.
    """

    def __init__(self) -> None:
        self.file, self._write = os.pipe()

    def wake(self) -> None:
        """End the `select`, or the next one. Any thread, but not after `close`."""
        os.write(self._write, b"!")

    def close(self) -> None:
        """Free both ends. Once."""
        os.close(self.file)
        os.close(self._write)
