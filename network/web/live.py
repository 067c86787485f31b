"""Everybody who watches, and what they are sent: the newest view, and a beat while nothing changes.

A view is made once for each language, however many watch. A slow client is not sent what has passed in the
meantime, only the newest; a client that does not read at all is disconnected.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from starlette.responses import Response, StreamingResponse

if TYPE_CHECKING:
    from starlette.types import Message, Receive, Scope, Send

BEAT_S: Final = 4.0
"""A beat is sent so often, so that a page knows that it is still connected, and whoever may no longer watch
is sent away."""

PATIENCE_S: Final = 60.0
"""A client that has not taken what was sent for so long is disconnected."""

TOGETHER_S: Final = 0.008
"""What changes within this time is sent together: events of one step come one after the other."""

Allowed: TypeAlias = Callable[[], Awaitable[bool]]
"""Says whether somebody who watches may still do so."""


class Live:
    """The newest view of the table. All of it belongs to the thread of the event loop.

    `view` makes what is drawn, in a language; it is called at most once for each language and change.
    """

    def __init__(self, view: Callable[[str], dict[str, Any]]) -> None:
        self._view = view
        self._made: dict[str, bytes] = {}
        self._changed = asyncio.Event()
        self.watchers = 0
        """Each costs some ten kilobytes, and has a connection: `connections` limits them."""
        self._closed = False
        self._is_due = False

    def change(self) -> None:
        self._is_due = False
        self._made.clear()
        self._changed.set()
        self._changed = asyncio.Event()

    def change_soon(self) -> None:
        """The same, told a little later, together with what else changes until then."""
        self._made.clear()  # whoever comes next must not see what was true before, even if nobody watches
        if self.watchers and not self._is_due:
            self._is_due = True
            asyncio.get_running_loop().call_later(TOGETHER_S, self.change)

    def close(self) -> None:
        self._closed = True
        self.change()

    def newest(self, language: str) -> bytes:
        if language not in self._made:
            text = json.dumps(self._view(language), ensure_ascii=False, separators=(",", ":"))
            self._made[language] = b"event: view\ndata: " + text.encode() + b"\n\n"
        return self._made[language]

    async def events(self, language: str, allowed: Allowed | None) -> AsyncIterator[bytes]:
        """The newest view, each newer one, and beats: until this is closed, or nobody may watch any more."""
        now_s = asyncio.get_running_loop().time
        shown, beat_at_s = None, now_s() + BEAT_S
        while not self._closed:
            if shown is not self._changed:
                shown = self._changed
                yield self.newest(language)
            with suppress(TimeoutError):
                await asyncio.wait_for(shown.wait(), max(0.0, beat_at_s - now_s()))
            if now_s() >= beat_at_s:
                if allowed is not None and not await allowed():
                    yield b"event: forgotten\ndata:\n\n"
                    return
                yield b"event: beat\ndata:\n\n"
                beat_at_s = now_s() + BEAT_S


class Watcher(StreamingResponse):
    """An answer that goes on as long as somebody watches, and is `allowed` to."""

    def __init__(self, live: Live, language: str, allowed: Allowed | None = None) -> None:
        super().__init__(live.events(language, allowed), media_type="text/event-stream")
        self._live = live

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["method"] == "HEAD":
            await Response(media_type=self.media_type)(scope, receive, send)
            return
        self._live.watchers += 1
        try:
            with suppress(TimeoutError):  # the server ends a connection whose answer is not whole
                await super().__call__(scope, receive, patient(send))
        finally:
            self._live.watchers -= 1


def patient(send: Send) -> Send:
    """Sends what a client takes; raises `TimeoutError` where it takes nothing for long."""

    async def send_soon(message: Message) -> None:
        async with asyncio.timeout(PATIENCE_S):
            await send(message)

    return send_soon
