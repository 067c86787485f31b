"""What every request passes before a handler runs: `RequestGuard` lets it in, then its language is found.

The guard looks at

- the name by which this machine was called. A page of somebody else can make its own name point at an address
  in the local network ("DNS rebinding"); then the browser takes our answers for that page's own. So only
  names are answered that nobody else can own: addresses, names of one word such as `localhost`, those that a
  router gives, and those of the configuration.
- where a request comes from that changes something: from a page of this very server, as JSON, or as a photo
  or a file at the addresses that take one. Neither a form nor a picture of another page can send that.
- how large it is, and how many come from one address.

Who sends it, and what that phone may do, says `network.web.permissions`.
"""

from __future__ import annotations

import asyncio
import ipaddress
import time
from collections.abc import Callable, Collection, Mapping
from typing import TYPE_CHECKING, Final

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import Request
from starlette.responses import PlainTextResponse

from network.web.bodies import JSON, Body
from network.web.rate_limit import RateLimit, network_of

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

    from firmware.text.translation import Translator

BODY_S: Final = 60.0
"""How long the body of a request may take: enough for a photo over the poorest wireless network."""

RATE_S: Final = 25.0
BURST: Final = 150.0
"""Requests from one address: so many each second, and so many at once. A page with its parts is about ten."""

_READS: Final = ("GET", "HEAD")

_UNCLEAR: Final = 400
"""The status of a request whose end is not clear: nothing more is read from that connection."""

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
        # No domain of the internet has one word only.
        return ("." not in name and name.replace("-", "").isalnum()) or name.endswith(_LOCAL) or name in names
    return True


_LOCAL: Final = (".local", ".lan", ".home.arpa", ".internal", ".fritz.box")
"""Ends of names that routers give: nobody can register them, but for the maker of a router."""


class RequestGuard:
    """Passes on to an application what may come in, and closes its answers against other pages.

    It stands around the whole application, so that an answer to a fault of the program is closed as well.
    `names` are further names of this machine, `bodies` what is sent to a path where that is no JSON.
    """

    def __init__(
        self, app: ASGIApp, names: Collection[str] = (), bodies: Mapping[str, Body] | None = None
    ) -> None:
        self.app = app
        self._names, self._bodies = frozenset(names), bodies or {}
        self._rate_limit = RateLimit(RATE_S, BURST)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or answer why not."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        refusal = self._refusal(scope)
        send = _with_headers(send, scope["path"])
        if refusal is not None:
            status, text = refusal
            last = {"connection": "close"} if status == _UNCLEAR else None
            await PlainTextResponse(text, status, last)(scope, receive, send)
        elif scope["method"] in _READS:
            await self.app(scope, receive, send)
        else:
            await self.app(scope, _bounded(receive, self._body(scope).largest), send)

    def _body(self, scope: Scope) -> Body:
        return self._bodies.get(scope["path"], JSON)

    def _refusal(self, scope: Scope) -> tuple[int, str] | None:
        headers = Headers(scope=scope)
        host = headers.get("host", "")
        if not is_own_name(host, self._names):
            return 421, "This is not a name of this table. Use its address, or add the name to [web] names."
        if "transfer-encoding" in headers and "content-length" in headers:
            return _UNCLEAR, "Give the length in one way."  # a proxy may see another request in it
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
        if not self._rate_limit.allows(network_of(client[0]) if client else ""):
            return 429, "Too many requests; wait a moment."
        return None


def _with_headers(send: Send, path: str) -> Send:
    """Sends an answer with the headers that close a page against others, and keep it out of caches.

    Of files a browser asks each time whether they are still the same.
    """
    policy = POLICY.format(wasm=" 'wasm-unsafe-eval'" if path == "/scan" else "")
    cached = "no-cache" if path.startswith("/static/") else "no-store"

    async def send_closed(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            headers.update({"content-security-policy": policy, "cache-control": cached, **_HEADERS})
        await send(message)

    return send_closed


def _bounded(receive: Receive, max_bytes: int) -> Receive:
    """What a client sends, ended where it is larger than announced could be, or takes too long."""
    received, ends_s = 0, time.monotonic() + BODY_S

    async def receive_bounded() -> Message:
        nonlocal received
        try:
            async with asyncio.timeout(ends_s - time.monotonic()):
                message = await receive()
        except TimeoutError:
            return {"type": "http.disconnect"}
        received += len(message.get("body", b""))
        return {"type": "http.disconnect"} if received > max_bytes else message

    return receive_bounded


class LanguageMiddleware:
    """Puts the texts in which a request is answered into its state, as `t`."""

    def __init__(self, app: ASGIApp, texts: Callable[[Request], Translator]) -> None:
        self._app, self._texts = app, texts

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, with its texts."""
        if scope["type"] == "http":
            scope.setdefault("state", {})["t"] = self._texts(Request(scope))
        await self._app(scope, receive, send)
