"""Work that takes a while: a portion after the other in a thread of its own; files while they are made."""

from __future__ import annotations

import asyncio
import threading
import time
from collections import Counter, OrderedDict
from collections.abc import AsyncIterator, Callable, Generator, Hashable, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from starlette.responses import StreamingResponse

from companion.text.errors import CompanionError
from companion.text.sentence import say
from firmware.history.portions import Made, Portions, next_portion
from network.web.live import patient

if TYPE_CHECKING:
    from starlette.types import Receive, Scope, Send

MAX_WAITING: Final = 24
MAX_OF_A_SENDER: Final = 2
"""What waits for the thread at most, in all and of one address; who asks for more is told to come again."""

IN_PROGRESS: Final = 2
"""Of what waits so much is begun: each keeps a match in memory, which makes garbage collection slow."""

AGAIN_S: Final = 5
"""When to come again."""

BUSY: Final = say("Others are looking at stored matches."), say("Try again in a few seconds.")
"""What is told then, and what to do."""

UNPAIRED_SHARE: Final = 0.25
"""Of a core, for all stored matches that are looked at without a paired phone."""

MAX_KEPT: Final = 40
"""What was made and may be wanted again; a match turn by turn has some hundred kilobytes."""

_PIECE: Final = 65_536
"""Bytes of a file that are sent at once."""

_PIECE_S: Final = 0.5
"""After so long a piece is sent, however small it is."""


class BusyError(Exception):
    """Others have asked for too much; it is possible a little later."""


class JobQueue:
    """Does one portion of work after the other, in one thread, and takes at most a `share` of a core for it.

    After each portion the thread rests, as long as that needs. All methods are for the loop of asyncio.
    """

    def __init__(self, share: float = 1.0, rest: Callable[[float], object] | None = None) -> None:
        self._rests = 1 / share - 1
        self._closed = threading.Event()
        self._rest = rest or self._closed.wait
        self._thread = ThreadPoolExecutor(1, "records")
        self._waiting: Counter[str] = Counter()
        self._begun = asyncio.Semaphore(IN_PROGRESS)
        self._kept: OrderedDict[Hashable, asyncio.Task[Any]] = OrderedDict()
        self.file: object = None
        """The `Download` that is made there."""

    async def do(self, work: Portions[Made], sender: str = "") -> Made:
        """What `work` for a `sender` makes, if there is one; one other has its turn between its portions.

        Raises `BusyError`, and what the work raises.
        """
        if (sender and self._waiting[sender] >= MAX_OF_A_SENDER) or self._waiting.total() >= MAX_WAITING:
            raise BusyError
        self._waiting[sender] += 1
        made = None
        try:
            async with self._begun:
                while made is None:
                    made = await self._portion(work)
        finally:
            self._waiting -= Counter([sender])
            if made is None:
                self.later(work.close)
        return made[0]

    async def once(self, key: Hashable, work: Callable[[], Portions[Made]], sender: str) -> Made:
        """The same, made once for all who ask for this `key` while it is among the newest ones."""
        made: asyncio.Task[Made] | None = self._kept.get(key)
        if made is None:
            made = self._kept[key] = asyncio.ensure_future(self.do(work(), sender))
            made.add_done_callback(partial(self._forget_failed, key))
            if len(self._kept) > MAX_KEPT:
                self._kept.popitem(last=False)
        self._kept.move_to_end(key)
        return await asyncio.shield(made)

    def _forget_failed(self, key: Hashable, made: asyncio.Task[Any]) -> None:
        if made.cancelled() or made.exception() is not None:
            self._kept.pop(key, None)

    async def _portion(self, work: Portions[Made]) -> tuple[Made] | None:
        used_s = [0.0]

        def timed() -> tuple[Made] | None:
            began_s = time.thread_time()
            try:
                return next_portion(work)
            finally:
                used_s[0] = time.thread_time() - began_s

        try:
            return await self.in_thread(timed)
        finally:
            if self._rests:
                self.later(partial(self._rest, used_s[0] * self._rests))

    async def in_thread(self, do: Callable[[], Made]) -> Made:
        return await asyncio.get_running_loop().run_in_executor(self._thread, do)

    def later(self, do: Callable[[], object]) -> None:
        """Do it in the thread, when its turn comes."""
        self._thread.submit(do)

    def close(self) -> None:
        self._closed.set()
        self._thread.shutdown(wait=False, cancel_futures=True)


class Download(StreamingResponse):
    """A file while it is made, in the thread of a queue: of thousands of matches that takes minutes.

    Its making ends with the client, or if that takes nothing for long. Raises `BusyError` while the queue
    makes another one.
    """

    def __init__(
        self, queue: JobQueue, parts: Generator[bytes], media_type: str, headers: Mapping[str, str]
    ) -> None:
        if queue.file is not None:
            raise BusyError
        super().__init__(self._pieces(), media_type=media_type, headers=headers)
        self._queue, self._parts, self._is_wanted = queue, parts, True
        queue.file = self

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            # The server ends a connection whose answer is not whole.
            with suppress(TimeoutError, CompanionError):
                await super().__call__(scope, receive, patient(send))
        finally:
            self._is_wanted = False
            self._queue.later(self._end)

    async def _pieces(self) -> AsyncIterator[bytes]:
        while piece := await self._queue.in_thread(self._piece):
            yield piece
        await self._queue.in_thread(self._end)  # before the client knows that it has all

    def _piece(self) -> bytes:
        """The next piece; an empty one at the end."""
        piece, ends_s = bytearray(), time.monotonic() + _PIECE_S
        for part in self._parts:
            piece += part
            is_due = len(piece) >= _PIECE or (piece and time.monotonic() > ends_s)
            if is_due or not self._is_wanted:
                break
        return bytes(piece)

    def _end(self) -> None:
        try:
            self._parts.close()
        finally:
            if self._queue.file is self:
                self._queue.file = None
