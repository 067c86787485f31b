"""What every request must pass before anything looks at it.

- The name by which this machine was called. A page of somebody else can make its own name point at an address
  in the local network ("DNS rebinding"); then the browser takes our answers for that page's own. So only
  names are answered that nobody else can own: addresses, `localhost`, names in `.local`, and those of the
  configuration.
- Where a request comes from that changes something: from a page of this very server, as JSON, or as a photo
  or a file at the addresses that take one. Neither a form nor a picture of another page can send that.
- How large it is, and how many come from one address.

And how many connections one address may have, and how long one may ask for nothing: uvicorn takes
connections from a listening socket of ours. It closes at once those that are too many for their address, and
the others if no request of theirs reaches the application in time: such a client says nothing, does not
finish the handshake of TLS, or sends one letter each minute.
"""

from __future__ import annotations

import asyncio
import ipaddress
import os
import socket
import time
from collections import Counter, OrderedDict
from collections.abc import Callable, Collection, Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse

from companion.values import Value, field

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

LARGEST_BODY: Final = 100_000
"""Bytes of a request; the largest is a whole configuration file."""


class Body(Value):
    """What may be sent to an address: its media type, and how many bytes."""

    media: str = "application/json"
    largest: int = LARGEST_BODY


_JSON: Final = Body()

BODY_S: Final = 60.0
"""How long the body of a request may take: enough for a photo over the poorest wireless network."""

RATE_S: Final = 25.0
BURST: Final = 150.0
"""Requests from one address: so many each second, and so many at once. A page with its parts is about ten."""

_ADDRESSES: Final = 4096
"""Of so many addresses the rate is remembered; the one that was quiet longest is forgotten first."""

_READS: Final = ("GET", "HEAD")

POLICY: Final = (
    "default-src 'none'; script-src 'self'{wasm}; style-src 'self'; img-src 'self' blob:; font-src 'self'; "
    "connect-src 'self'; manifest-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
"""Nothing from elsewhere and nothing inline, so that a name such as `<script>` can do nothing."""

_HEADERS: Final = {
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(self), geolocation=(), microphone=()",
}


class Rates:
    """How many requests each address may still make; a bucket that fills again with time."""

    def __init__(self, rate_s: float, burst: float, now_s: Callable[[], float] = time.monotonic) -> None:
        self._rate_s, self._burst, self._now_s = rate_s, burst, now_s
        self._left: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def take(self, address: str) -> bool:
        """Whether one more may come from an address; if so, it is counted."""
        now_s = self._now_s()
        left, at_s = self._left.pop(address, (self._burst, now_s))
        left = min(self._burst, left + (now_s - at_s) * self._rate_s)
        allowed = left >= 1
        self._left[address] = (left - 1 if allowed else left, now_s)
        if len(self._left) > _ADDRESSES:
            self._left.popitem(last=False)
        return allowed


def is_own_name(host: str, names: Collection[str]) -> bool:
    """Whether a `Host` header, with or without a port, has a name that nobody else can own."""
    name = host.lower()
    if name.startswith("["):
        name, closed, port = name[1:].partition("]")
        if not closed or (port and not port.startswith(":")):
            return False
    else:
        name = name.partition(":")[0]
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return name == "localhost" or name.endswith(".local") or name in names
    return True


def network(address: str) -> str:
    """Whose an address is: in IPv6 a single machine has many, all in one network of 64 bits."""
    try:
        found = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if isinstance(found, ipaddress.IPv6Address):
        if found.ipv4_mapped is not None:  # a socket for both gives IPv4 in this form
            return str(found.ipv4_mapped)
        return str(ipaddress.ip_network((found, 64), strict=False))
    return address


class Gate(Value):
    """The application behind what every request must pass."""

    app: ASGIApp
    names: Collection[str]
    rates: Rates
    bodies: Mapping[str, Body] = field(default_factory=dict)
    """By path, where anything but JSON is sent."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or answer why not."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        refused = self._refused(scope)
        closed = _closed(send, scope["path"])
        if refused is None:
            reads, most = scope["method"] in _READS, self._body(scope).largest
            await self.app(scope, receive if reads else _bounded(receive, most), closed)
        else:
            await PlainTextResponse(refused[1], refused[0])(scope, receive, closed)

    def _body(self, scope: Scope) -> Body:
        return self.bodies.get(scope["path"], _JSON)

    def _refused(self, scope: Scope) -> tuple[int, str] | None:
        headers = Headers(scope=scope)
        host = headers.get("host", "")
        if not is_own_name(host, self.names):
            return 421, "This is not a name of this table; add it to [web] names."
        if scope["method"] not in _READS:
            same = headers.get("origin", "").lower() == f"{scope['scheme']}://{host}".lower()
            if not same or headers.get("sec-fetch-site", "same-origin") != "same-origin":
                return 403, "This was not sent by a page of this table."
            body = self._body(scope)
            if headers.get("content-type", "").partition(";")[0].strip().lower() != body.media:
                return 415, f"Send {body.media}."
            length = headers.get("content-length", "")
            if not length.isdecimal() or int(length) > body.largest:
                return 413, "Send less, with its length."
        client = scope.get("client")
        if not self.rates.take(network(client[0]) if client else ""):
            return 429, "Too many requests; wait a moment."
        return None


def gated(app: ASGIApp, names: Collection[str], bodies: Mapping[str, Body] | None = None) -> Gate:
    """An application behind the door; `names` are further names of this machine, `bodies` as of `Gate`."""
    return Gate(app, frozenset(names), Rates(RATE_S, BURST), bodies or {})


def _closed(send: Send, path: str) -> Send:
    """Sends an answer with the headers that close a page against others, and keep it out of caches.

    Of files a browser asks each time whether they are still the same.
    """
    policy = POLICY.format(wasm=" 'wasm-unsafe-eval'" if path == "/scan" else "")
    kept = "no-cache" if path.startswith("/static/") else "no-store"

    async def closed(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            headers.update({"content-security-policy": policy, "cache-control": kept, **_HEADERS})
        await send(message)

    return closed


def _bounded(receive: Receive, most: int) -> Receive:
    """What a client sends, ended where it is larger than announced could be, or takes too long."""
    read, ends_s = 0, time.monotonic() + BODY_S

    async def one() -> Message:
        nonlocal read
        try:
            async with asyncio.timeout(ends_s - time.monotonic()):
                message = await receive()
        except TimeoutError:
            return {"type": "http.disconnect"}
        read += len(message.get("body", b""))
        return {"type": "http.disconnect"} if read > most else message

    return one


# ------------------------------------------------------------------------------------- connections

FIRST_S: Final = 60.0
"""From the connection to the end of the head of its first request, with the handshake of TLS."""

KEPT_S: Final = 20
"""How long uvicorn keeps a connection that says nothing after an answer."""

NEXT_S: Final = KEPT_S + 15.0
"""From an answer to the end of the head of the next request."""

MOST_OF_AN_ADDRESS: Final = 120
"""Connections: twice the watchers from one address, for each of them loads a page now and then."""


MOST_CONNECTIONS: Final = 400

RESERVED: Final = 40
"""Of them, for networks in which a paired phone is known."""


class Connections:
    """Who is connected to an application, at all its listening sockets.

    `known` are networks with places of their own; it may change.
    """

    def __init__(self, app: ASGIApp, known: Collection[str] = ()) -> None:
        self._app, self._known = app, known
        self.open: dict[object, Connection] = {}
        """By both ends of the connection."""
        self.of: Counter[str] = Counter()
        """How many there are of an address, see `network`."""

    def has_room(self, address: str) -> bool:
        """Whether one more from a network can be taken."""
        most = MOST_CONNECTIONS - (0 if address in self._known else RESERVED)
        return len(self.open) < most and self.of[address] < MOST_OF_AN_ADDRESS

    def limited(self, listener: socket.socket) -> socket.socket:
        """The same listening socket with these limits; the given one must be closed as well."""
        return Listener(self, listener)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let the application answer; meanwhile its connection has no limit."""
        connection = self.open.get((scope.get("client"), scope.get("server")))
        if connection is not None:
            connection.end_in(None)
        try:
            await self._app(scope, receive, send)
        finally:
            if connection is not None:
                connection.end_in(NEXT_S)


class Listener(socket.socket):
    """A listening socket that is given nobody who has too many connections already."""

    def __init__(self, connections: Connections, listener: socket.socket) -> None:
        super().__init__(fileno=os.dup(listener.fileno()))
        self._connections = connections

    def accept(self) -> tuple[socket.socket, Any]:
        """The next connection. Raises `BlockingIOError` where there is none, and other `OSError`."""
        while True:
            accepted, peer = super().accept()
            if self._connections.has_room(network(peer[0])):
                return Connection(self._connections, accepted, peer), peer
            accepted.close()


class Connection(socket.socket):
    """One connection, which is counted until it is closed. Used in the loop of asyncio."""

    def __init__(self, connections: Connections, accepted: socket.socket, peer: tuple[Any, ...]) -> None:
        super().__init__(fileno=accepted.detach())
        self._connections, self._address = connections, network(peer[0])
        self._ends = (peer[:2], self.getsockname()[:2])
        self._timer: asyncio.TimerHandle | None = None
        connections.open[self._ends] = self
        connections.of[self._address] += 1
        self.end_in(FIRST_S)

    def end_in(self, seconds: float | None) -> None:
        """End it after some time, unless another time is set before; None: never."""
        if self._timer is not None:
            self._timer.cancel()
        is_open = self.fileno() >= 0
        loop = asyncio.get_running_loop()
        self._timer = loop.call_later(seconds, self._end) if is_open and seconds is not None else None

    def _end(self) -> None:
        with suppress(OSError):  # the other end has gone
            self.shutdown(socket.SHUT_RDWR)  # uvicorn sees an end, and closes it

    def close(self) -> None:
        if self.fileno() >= 0:
            if self._timer is not None:
                self._timer.cancel()
            if self._connections.open.get(self._ends) is self:
                del self._connections.open[self._ends]
            self._connections.of[self._address] -= 1
            self._connections.of += Counter()  # without those who have none any more
        super().close()
