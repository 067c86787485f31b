"""A workbench for the guided set-up: a person at a pty, and the set-up in a thread beside it."""

import fcntl
import os
import select
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, TextIO

from firmware.commands.setup import guide
from firmware.setup.dialogue import Talk
from firmware.setup.machine import Machine
from tests.patience import PATIENCE_S


class Person:
    """Sits at the terminal, and reads before typing."""

    def __init__(
        self,
        folder: Path,
        file: Path,
        *,
        ioctl: Callable[[int, int, int], Any] = fcntl.ioctl,
    ) -> None:
        self.status: int | None = None
        self.failed: BaseException | None = None
        self.read = ""
        self._unread = ""
        self._master, slave = os.openpty()
        self._terminal: TextIO = os.fdopen(slave, "w", encoding="utf-8")
        machine = Machine(folder, ioctl)
        talk = Talk(slave, self._terminal)

        def run() -> None:
            try:
                self.status = guide(talk, machine, file)
            except BaseException as failed:  # noqa: BLE001 - it is looked at by the test
                self.failed = failed

        self._thread = threading.Thread(target=run, daemon=True)
        self._thread.start()

    def sees(self, text: str) -> str:
        """Read on until the text has come; gives what came before it."""
        until_s = time.monotonic() + PATIENCE_S
        while text not in self._unread:
            assert time.monotonic() < until_s, self.read
            assert self.failed is None, (self.failed, self.read)
            self.looks(0.05)
        before, _, self._unread = self._unread.partition(text)
        return before

    def looks(self, for_s: float) -> None:
        """Read what comes first within that time."""
        if select.select([self._master], [], [], for_s)[0]:
            came = os.read(self._master, 65536).decode(errors="replace").replace("\r\n", "\n")
            self.read += came
            self._unread += came

    def answers(self, question: str, answer: str = "") -> str:
        """Wait for the question and type; nothing is Enter alone."""
        before = self.sees(question)
        self.sees("] ")
        self.types(answer)
        return before

    def types(self, text: str = "") -> None:
        os.write(self._master, f"{text}\n".encode())

    def leaves(self) -> None:
        """Close the terminal in the middle of all."""
        os.write(self._master, b"\x04")  # the end of what is typed

    def ends(self) -> int | None:
        """Wait for the end; its exit status, None where it failed."""
        self._thread.join(PATIENCE_S)
        assert not self._thread.is_alive(), self.read
        return self.status

    def close(self) -> None:
        os.close(self._master)
        self._terminal.close()
