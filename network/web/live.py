"""Everybody who watches, and what they are sent: the newest view, and a beat while nothing changes.

A view is made once for each language, however many watch. A slow client is not sent what has passed in the
meantime, only the newest; a client that does not read at all is disconnected.
"""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any, Final

from companion.values import Value

if TYPE_CHECKING:
    from starlette.types import Receive, Scope, Send

BEAT_S: Final = 4.0
"""Something is sent at least so often, so that a page knows that it is still connected."""

PATIENCE_S: Final = 20.0
"""A client that has not taken what was sent for so long is disconnected."""

TOGETHER_S: Final = 0.008
"""What changes within this time is sent together: events of one step come one after the other."""

MOST: Final = 250
"""Watchers at the same time: each costs some ten kilobytes."""

MOST_FROM_ONE: Final = 60
"""Watchers from one address, so that nobody takes all places."""

ALLOWED_EVERY_S: Final = 4.0
"""How often it is looked whether somebody who watches may still do so."""

_HEADERS: Final = [(b"content-type", b"text/event-stream; charset=utf-8"), (b"cache-control", b"no-store")]


class Live:
    """The newest view of the table. All of it belongs to the thread of the event loop.

    `view` makes what is drawn, in a language; it is called at most once for each language and change.
    """

    def __init__(self, view: Callable[[str], dict[str, Any]]) -> None:
        self._view = view
        self._made: dict[str, bytes] = {}
        self._changed = asyncio.Event()
        self._watchers: Counter[str] = Counter()
        self._closed = False
        self._is_due = False

    @property
    def watchers(self) -> int:
        return self._watchers.total()

    def change(self) -> None:
        self._made.clear()
        self._changed.set()
        self._changed = asyncio.Event()

    def change_soon(self) -> None:
        """The same, a little later, together with what else changes until then."""
        if not self._is_due:
            self._is_due = True
            asyncio.get_running_loop().call_later(TOGETHER_S, self._change)

    def _change(self) -> None:
        self._is_due = False
        self.change()

    def close(self) -> None:
        self._closed = True
        self.change()

    def newest(self, language: str) -> bytes:
        if language not in self._made:
            text = json.dumps(self._view(language), ensure_ascii=False, separators=(",", ":"))
            self._made[language] = b"event: view\ndata: " + text.encode() + b"\n\n"
        return self._made[language]

    def enter(self, address: str) -> bool:
        """Count one more watcher; False where there are too many."""
        if self.watchers >= MOST or self._watchers[address] >= MOST_FROM_ONE:
            return False
        self._watchers[address] += 1
        return True

    def leave(self, address: str) -> None:
        self._watchers -= Counter([address])

    async def send_all(self, language: str, send: Send) -> None:
        """Send views and beats until this is closed. Raises `TimeoutError` for one who does not read."""
        while not self._closed:
            changed = self._changed
            await _send(send, self.newest(language))
            while not changed.is_set():
                try:
                    await asyncio.wait_for(changed.wait(), BEAT_S)
                except TimeoutError:
                    await _send(send, b"event: beat\ndata:\n\n")


class Watcher(Value):
    """An answer that goes on as long as somebody watches, and is `allowed` to."""

    live: Live
    language: str
    allowed: Callable[[], Awaitable[bool]] | None = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        client = scope.get("client")
        address = client[0] if client else ""
        if not self.live.enter(address):
            headers = [(b"retry-after", b"5")]
            await send({"type": "http.response.start", "status": 503, "headers": headers})
            await send({"type": "http.response.body", "body": b"Too many watch."})
            return
        try:
            await send({"type": "http.response.start", "status": 200, "headers": _HEADERS})
            sending = asyncio.create_task(self.live.send_all(self.language, send))
            forgetting = asyncio.create_task(self._forgotten())
            tasks = (sending, forgetting, asyncio.create_task(_left(receive)))
            done, running = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            for one in running:
                one.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            if forgetting in done:
                await _send(send, b"event: forgotten\ndata:\n\n")
            if forgetting in done or (sending in done and sending.exception() is None):
                await send({"type": "http.response.body", "body": b""})
        finally:
            self.live.leave(address)

    async def _forgotten(self) -> None:
        """Return when whoever watches may not any more."""
        while True:
            await asyncio.sleep(ALLOWED_EVERY_S)
            if self.allowed is not None and not await self.allowed():
                return


async def _send(send: Send, event: bytes) -> None:
    async with asyncio.timeout(PATIENCE_S):
        await send({"type": "http.response.body", "body": event, "more_body": True})


async def _left(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
