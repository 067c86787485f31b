"""Taking connections: plain and encrypted ones at the same port, and nobody's for ever.

Whoever speaks TLS begins with a byte that no plain request begins with, so one port serves both. So the page
stays reachable for what would only show a warning, such as a television.

The limits are against whoever connects and then says nothing, or one letter each minute: a connection whose
request has not come whole after some seconds is ended, the first one or a later one, and one address has only
so many.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from contextlib import suppress
from socket import MSG_PEEK
from typing import TYPE_CHECKING, Any, Final

from network.web.pairing import network

if TYPE_CHECKING:
    import socket
    import ssl
    from collections.abc import Callable, Iterable

FIRST_S: Final = 10.0
"""How long the first byte, and then the handshake of TLS, may take."""

REQUEST_S: Final = 15.0
"""How long the head of a request may take; it is looked at so often, so the end comes after twice as long at
most."""

MOST_OF_AN_ADDRESS: Final = 120
"""Connections: twice the watchers from one address, for each of them loads a page now and then."""

_HANDSHAKE: Final = b"\x16"
_PAUSE_S: Final = 0.1


class Connections:
    """Everybody who connects to a listening socket, given to `protocol`, one of uvicorn's each.

    `opened` are the protocols of those that are open; `context` encrypts for who asks for it.
    """

    def __init__(
        self,
        listener: socket.socket,
        protocol: Callable[[], Any],
        opened: Iterable[Any],
        context: ssl.SSLContext | None = None,
    ) -> None:
        self._listener, self._protocol, self._opened, self._context = listener, protocol, opened, context
        self._opening: set[asyncio.Task[None]] = set()
        self._waiting: Counter[str] = Counter()

    async def take(self) -> None:
        """Take connections until this is cancelled."""
        loop = asyncio.get_running_loop()
        self._listener.setblocking(False)  # noqa: FBT003 - Python's own
        try:
            while True:
                try:
                    connection, peer = await loop.sock_accept(self._listener)
                except OSError:  # it is gone again, or there are too many files
                    await asyncio.sleep(_PAUSE_S)
                    continue
                task = loop.create_task(self._open(connection, network(peer[0])))
                self._opening.add(task)
                task.add_done_callback(self._opening.discard)
        finally:
            for task in self._opening:
                task.cancel()

    async def _open(self, connection: socket.socket, of: str) -> None:
        if self._waiting[of] + self._open_of(of) >= MOST_OF_AN_ADDRESS:
            connection.close()
            return
        self._waiting[of] += 1
        try:
            async with asyncio.timeout(FIRST_S):
                first = await _first_byte(connection)
            context = self._context if first == _HANDSHAKE else None
            transport, protocol = await asyncio.get_running_loop().connect_accepted_socket(
                self._protocol,
                connection,
                ssl=context,
                ssl_handshake_timeout=FIRST_S if context is not None else None,
            )
        except OSError:  # also of TLS and of a time that is over
            connection.close()
            return
        except BaseException:
            connection.close()
            raise
        finally:
            self._waiting[of] -= 1
            self._waiting += Counter()  # without those who have none any more
        await _end_if_unfinished(transport, protocol)

    def _open_of(self, of: str) -> int:
        return sum(bool(one.client) and network(one.client[0]) == of for one in self._opened)


async def _end_if_unfinished(transport: asyncio.Transport, protocol: Any) -> None:  # noqa: ANN401
    """End a connection whose request does not come to the end of its head; return when it is closed.

    `protocol` is one of uvicorn's: its `cycle` is the newest request that has come whole, and it ends by
    itself a connection that says nothing after an answer, which is what `timeout_keep_alive_task` waits for.
    """
    while not transport.is_closing():
        newest = protocol.cycle
        unfinished = _is_unfinished(protocol)
        await asyncio.sleep(REQUEST_S)
        if unfinished and protocol.cycle is newest and _is_unfinished(protocol):
            transport.abort()


def _is_unfinished(protocol: Any) -> bool:  # noqa: ANN401
    answered = protocol.cycle is None or protocol.cycle.response_complete
    return answered and protocol.timeout_keep_alive_task is None


async def _first_byte(connection: socket.socket) -> bytes:
    """The first byte of who has connected, which stays there to be read; empty if there is none."""
    loop = asyncio.get_running_loop()
    while True:
        with suppress(BlockingIOError):
            return connection.recv(1, MSG_PEEK)
        ready = loop.create_future()
        loop.add_reader(connection, _done, ready)
        try:
            await ready
        finally:
            loop.remove_reader(connection)


def _done(ready: asyncio.Future[None]) -> None:
    if not ready.done():
        ready.set_result(None)
