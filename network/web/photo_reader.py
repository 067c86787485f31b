"""Photos are read in a process of their own: it needs much memory, and gives it back when nobody sends one.

What somebody sends as a photo is opened there and nowhere else. A photo is kept in memory until it is read,
and never written.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final

from network.web.job_queue import JobQueue

if TYPE_CHECKING:
    from firmware.history.portions import Portions

MODULE: Final = "network.web.photo_process"

WORK_S: Final = 60
"""Seconds of a processor for one answer; a process that needs more is ended. The first photo needs the
libraries as well. There is no limit by the clock: a busy box takes longer, and reads it all the same."""

_LONGEST_LINE: Final = 1_000_000


class UnreadError(Exception):
    """The process has ended before it had an answer."""


class TooMuchWorkError(UnreadError):
    """The process needed more than `WORK_S` for the answer, and was ended."""


class PhotoReader:
    """Asks the process, one thing after the other. All methods are for the loop of asyncio."""

    def __init__(self) -> None:
        self._turns = JobQueue()
        self._process: subprocess.Popen[bytes] | None = None

    async def ask(self, do: str, body: bytes = b"", **facts: str | list[str]) -> dict[str, Any]:
        """What the process answers, see `photo_process`.

        Raises `BusyError` while too many wait, and `UnreadError`.
        """
        line = json.dumps({"do": do, "size": len(body), "work_s": WORK_S, **facts}).encode() + b"\n"
        return await self._turns.do(self._retried(line + body))

    def close(self) -> None:
        self._turns.close()
        self._end()

    # The rest is for the thread.

    def _retried(self, message: bytes) -> Portions[dict[str, Any]]:
        yield
        for _ in range(2):  # it may just have ended, as nobody had asked for long
            with suppress(BrokenPipeError):
                return self._exchanged(message)
        raise UnreadError

    def _exchanged(self, message: bytes) -> dict[str, Any]:
        process = self._running()
        to, back = process.stdin, process.stdout
        assert to is not None  # noqa: S101 - both are pipes
        assert back is not None  # noqa: S101
        try:
            to.write(message)
            to.flush()
            answer: dict[str, Any] = json.loads(back.readline(_LONGEST_LINE))
        except BrokenPipeError:
            self._end()
            raise
        except (OSError, ValueError) as bad:
            self._end()
            raise (TooMuchWorkError if process.returncode == -signal.SIGXCPU else UnreadError) from bad
        return answer

    def _running(self) -> subprocess.Popen[bytes]:
        """The process; a new one if it has ended."""
        if self._process is not None and self._process.poll() is not None:
            self._end()
        if self._process is None:
            self._process = subprocess.Popen(  # noqa: S603 - our own program
                (sys.executable, "-I", "-m", MODULE),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                # One thread: the game has the other cores.
                env={**os.environ, "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"},
            )
        return self._process

    def _end(self) -> None:
        process, self._process = self._process, None
        if process is not None:
            process.kill()
            with suppress(OSError), process:  # it waits for its end, and closes the pipes
                pass
