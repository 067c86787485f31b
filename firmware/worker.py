"""A thread of an optional part for what takes long: nobody at the table waits for it."""

import queue
import threading
from collections.abc import Callable
from typing import Final

_JOIN_S: Final = 2.0


class Worker:
    """Does one thing after the other, in a thread with this name that begins with the first of them.

    Until `start` each is done at once, in the thread that asks: for programs that nobody waits for. `do` is
    used by the game thread; `close` also by others.
    """

    def __init__(self, name: str) -> None:
        self._name: Final = name
        self._inbox: Final[queue.SimpleQueue[Callable[[], None] | None]] = queue.SimpleQueue()
        self._thread: threading.Thread | None = None

    def start(self) -> None:
        self._thread = threading.Thread(target=self._run, name=self._name, daemon=True)

    def do(self, work: Callable[[], None]) -> None:
        if self._thread is None:
            work()
            return
        if self._thread.ident is None:
            self._thread.start()
        self._inbox.put(work)

    def close(self) -> None:
        """Let the thread end. It may be in the middle of something, which is lost."""
        self._inbox.put(None)
        if self._thread is not None and self._thread.ident is not None:
            self._thread.join(_JOIN_S)

    def _run(self) -> None:
        while (work := self._inbox.get()) is not None:
            work()
