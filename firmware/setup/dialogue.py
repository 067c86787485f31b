"""A dialogue with a person in a terminal while devices report at the same time."""

import os
import queue
import select
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Final, TextIO

from companion.text.digits import in_latin_digits
from companion.text.errors import CompanionError
from hardware.background import WakePipe
from hardware.ports import Message

_CHUNK: Final = 4096


class Inbox:
    """The messages of a started device; any thread posts, one takes."""

    def __init__(self) -> None:
        self._messages: queue.SimpleQueue[Message] = queue.SimpleQueue()
        self._bell = WakePipe()
        self.file = self._bell.file

    def close(self) -> None:
        self._bell.close()

    def post(self, message: Message) -> None:
        self._messages.put(message)
        with suppress(OSError):  # a device that says a last word while all is closed
            self._bell.wake()

    def next(self) -> Message | None:
        """The oldest message; None if there is none."""
        with suppress(queue.Empty):
            message = self._messages.get_nowait()
            os.read(self.file, 1)
            return message
        return None


class Talk:
    """Questions and answers, a line each. `reads` is the input file. One thread."""

    def __init__(self, reads: int, writes: TextIO) -> None:
        self._reads = reads
        self._writes = writes
        self._typed = b""

    def tell(self, text: str) -> None:
        print(text, file=self._writes, flush=True)

    def ask(self, question: str, default: str) -> str:
        """The answer without surrounding spaces; `default` for an empty line."""
        print(f"{question} [{default}] ", end="", file=self._writes, flush=True)
        return self._line().strip() or default

    def choose(self, question: str, among: Sequence[str], default: str) -> str:
        """One of these words; a prefix is enough. Repeats the question until the answer is one of them."""
        choices = "/".join(among)
        asked = f"{question} ({choices})"
        while True:
            came = self.ask(asked, default).lower()
            near = [came] if came in among else [word for word in among if word.startswith(came)]
            if near:
                return near[0]
            self.tell(f"Please type one of: {choices}. Enter alone means {default}.")

    def yes(self, question: str, *, default: bool = True) -> bool:
        """Whether the answer is yes."""
        return self.choose(question, ("yes", "no"), "yes" if default else "no") == "yes"

    def hear(self, inbox: Inbox, on: Callable[[Message], bool]) -> None:
        """Pass every message to `on` until it returns True or a line is typed."""
        while True:
            while (message := inbox.next()) is not None:
                if on(message):
                    return
            if b"\n" in self._typed:
                self._line()
                return
            ready, _, _ = select.select([self._reads, inbox.file], [], [])
            if self._reads in ready:
                self._read()

    def _line(self) -> str:
        while b"\n" not in self._typed:
            self._read()
        line, _, self._typed = self._typed.partition(b"\n")
        return in_latin_digits(line.decode(errors="replace"))

    def _read(self) -> None:
        try:
            data = os.read(self._reads, _CHUNK)
        except OSError:  # the terminal is gone
            data = b""
        if not data:
            raise CompanionError(
                "the input ended in the middle of the setup; nothing was written",
                "run it in a terminal, and press Enter where you do not know the answer",
            )
        self._typed += data
