"""How many connections one address may have, and how long one may ask for nothing.

uvicorn takes connections from a listening socket of ours. It closes at once those that are too many for their
address, and the others if no request of theirs reaches the application in time: such a client says nothing,
does not finish the handshake of TLS, or sends one letter each minute. Where all places are taken, those are
ended first that were silent for a while: what was asked is answered, also to a phone that asks a lot at once.
Else one of those who have most is ended for a client that has fewer: a television keeps its connection.
"""

from __future__ import annotations

import asyncio
import os
import socket
from collections import Counter
from contextlib import suppress
from math import inf
from typing import TYPE_CHECKING, Any, Final

from network.web.rate_limit import network_of

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Receive, Scope, Send

FIRST_S: Final = 60.0
"""From the connection to the end of the head of its first request, with the handshake of TLS."""

KEPT_S: Final = 20
"""How long uvicorn keeps a connection that says nothing after an answer."""

NEXT_S: Final = KEPT_S + 15.0
"""From an answer to the end of the head of the next request."""

SILENT_S: Final = 2.0
"""After so long without a request a connection is ended before all others where all places are taken."""

ACCEPTED_AT_ONCE: Final = 8
BEGUN_AT_ONCE: Final = 4
"""Connections that are accepted, and requests that are begun, in a turn of the loop."""

MAX_OF_AN_ADDRESS: Final = 120
MAX_CONNECTIONS: Final = 400


class Connections:
    """Who is connected to an application, at all its listening sockets."""

    def __init__(self, app: ASGIApp) -> None:
        self._app, self._next = app, asyncio.Semaphore(BEGUN_AT_ONCE)
        self.open: dict[object, ClientConnection] = {}
        """By both ends of the connection."""
        self.of: Counter[str] = Counter()
        """How many there are of an address, see `network_of`."""

    def make_room(self, address: str) -> bool:
        """Whether one more from a network is taken; for it another one may be ended, see above."""
        if self.of[address] >= MAX_OF_AN_ADDRESS or len(self.open) < MAX_CONNECTIONS:
            return self.of[address] < MAX_OF_AN_ADDRESS
        of, least, before_s = self.of, self.of[address] + 2, asyncio.get_running_loop().time() - SILENT_S
        ends = [
            peer for peer in self.open.values() if peer.silent_since_s < before_s or of[peer.address] >= least
        ]
        if ends:
            max(ends, key=lambda peer: (peer.silent_since_s < before_s, of[peer.address])).end()
        return bool(ends)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let the application answer; meanwhile its connection has no limit."""
        connection = self.open.get((scope.get("client"), scope.get("server")))
        if connection is not None:
            connection.end_in(None)
        async with self._next:  # else who needs several turns of the loop would wait for all others each time
            await asyncio.sleep(0)
        try:
            await self._app(scope, receive, send)
        finally:
            if connection is not None:
                connection.end_in(NEXT_S)


class LimitedListener(socket.socket):
    """The same listening socket with these limits; the given one must be closed as well."""

    def __init__(self, connections: Connections, listener: socket.socket) -> None:
        super().__init__(fileno=os.dup(listener.fileno()))
        self._connections, self._accepted = connections, 0

    def accept(self) -> tuple[socket.socket, Any]:
        """The next connection. Raises `BlockingIOError` where there is none, and other `OSError`."""
        self._accepted = (self._accepted + 1) % (ACCEPTED_AT_ONCE + 1)
        if not self._accepted:  # else asyncio would accept all that wait before it answers anybody
            raise BlockingIOError("the others come next time")
        while True:
            accepted, peer = super().accept()
            if self._connections.make_room(network_of(peer[0])):
                return ClientConnection(self._connections, accepted, peer), peer
            accepted.close()


class ClientConnection(socket.socket):
    """One connection, which is counted until it is closed. Used in the loop of asyncio."""

    def __init__(self, connections: Connections, accepted: socket.socket, peer: tuple[Any, ...]) -> None:
        super().__init__(fileno=accepted.detach())
        self._connections, self.address = connections, network_of(peer[0])
        self._ends = (peer[:2], self.getsockname()[:2])
        self._timer: asyncio.TimerHandle | None = None
        connections.open[self._ends] = self
        connections.of[self.address] += 1
        self.end_in(FIRST_S)

    def end_in(self, seconds: float | None) -> None:
        """End it after some time, unless another time is set before; None: never."""
        if self._timer is not None:
            self._timer.cancel()
        is_open = self.fileno() >= 0
        loop = asyncio.get_running_loop()
        self.silent_since_s = inf if seconds is None else loop.time()
        self._timer = loop.call_later(seconds, self.end) if is_open and seconds is not None else None

    def end(self) -> None:
        """End it; its place is free at once."""
        self._free()
        with suppress(OSError):  # the other end has gone
            self.shutdown(socket.SHUT_RDWR)  # uvicorn sees an end, and closes it

    def close(self) -> None:
        if self.fileno() >= 0:
            self._free()
        super().close()

    def _free(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
        if self._connections.open.get(self._ends) is self:
            del self._connections.open[self._ends]
            self._connections.of -= Counter([self.address])
