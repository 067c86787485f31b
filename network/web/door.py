"""What every request must pass before anything looks at it.

- The name by which this machine was called. A page of somebody else can make its own name point at an address
  in the local network ("DNS rebinding"); then the browser takes our answers for that page's own. So only
  names are answered that nobody else can own: addresses, `localhost`, names in `.local`, and those of the
  configuration.
- Where a request comes from that changes something: from a page of this very server, as JSON. Neither a form
  nor a picture of another page can send that.
- How large it is, and how many come from one address.
"""

from __future__ import annotations

import asyncio
import ipaddress
import time
from collections import OrderedDict
from collections.abc import Callable, Collection
from typing import TYPE_CHECKING, Final

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse

from companion.values import Value

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

LARGEST_BODY: Final = 100_000
"""Bytes of a request; the largest is a whole configuration file."""

BODY_S: Final = 20.0
"""How long the body of a request may take."""

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


class Gate(Value):
    """The application behind what every request must pass."""

    app: ASGIApp
    names: Collection[str]
    rates: Rates

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or answer why not."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        refused = self._refused(scope)
        closed = _Closed(send, wasm=scope["path"] == "/scan")
        if refused is None:
            reads = scope["method"] in _READS
            await self.app(scope, receive if reads else _bounded(receive), closed.send)
        else:
            await PlainTextResponse(refused[1], refused[0])(scope, receive, closed.send)

    def _refused(self, scope: Scope) -> tuple[int, str] | None:
        headers = Headers(scope=scope)
        host = headers.get("host", "")
        if not is_own_name(host, self.names):
            return 421, "This is not a name of this table; add it to [web] names."
        if scope["method"] not in _READS:
            same = headers.get("origin", "").lower() == f"{scope['scheme']}://{host}".lower()
            if not same or headers.get("sec-fetch-site", "same-origin") != "same-origin":
                return 403, "This was not sent by a page of this table."
            if headers.get("content-type", "").partition(";")[0].strip().lower() != "application/json":
                return 415, "Send JSON."
            length = headers.get("content-length", "")
            if not length.isdecimal() or int(length) > LARGEST_BODY:
                return 413, "Send less, with its length."
        client = scope.get("client")
        if not self.rates.take(client[0] if client else ""):
            return 429, "Too many requests; wait a moment."
        return None


class _Closed(Value):
    """An answer with the headers that close a page against others."""

    onward: Send
    wasm: bool

    async def send(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            policy = POLICY.format(wasm=" 'wasm-unsafe-eval'" if self.wasm else "")
            headers["content-security-policy"] = policy
            for name, value in _HEADERS.items():
                headers[name] = value
            headers.setdefault("cache-control", "no-store")
        await self.onward(message)


def _bounded(receive: Receive) -> Receive:
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
        return {"type": "http.disconnect"} if read > LARGEST_BODY else message

    return one
