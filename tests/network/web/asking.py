"""Requests to the application without a network: what a browser would send, and what it would get."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message

HOST = "nimmt.local:8066"


@dataclass(frozen=True, slots=True)
class Answer:
    """A response: names of headers are in lower case."""

    status: int
    headers: Mapping[str, str]
    body: bytes

    @property
    def text(self) -> str:
        return self.body.decode()

    @property
    def json(self) -> Any:
        return json.loads(self.body)


def ask(app: ASGIApp, path: str, *more: Any, loop: asyncio.Runner | None = None, **named: Any) -> Answer:
    """Send a request, see `asked`; in a `loop` the application goes on."""
    answered = asked(app, path, *more, **named)
    return asyncio.run(answered) if loop is None else loop.run(answered)


async def asked(
    app: ASGIApp,
    path: str,
    headers: Mapping[str, str] | None = None,
    body: bytes | None = None,
    method: str = "",
    *,
    client: str = "192.168.1.20",
    leaves: bool = False,
) -> Answer:
    """Send a request, as a page of this server does unless `headers` say otherwise.

    A client that `leaves` takes the first piece of an answer only.
    """
    usual = {"host": HOST}
    if body is not None:
        usual |= {
            "origin": f"http://{HOST}",
            "content-type": "application/json",
            "content-length": str(len(body)),
        }
    named, _, query = path.partition("?")
    scope = {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "method": method or ("GET" if body is None else "POST"),
        "scheme": "http",
        "path": named,
        "raw_path": named.encode(),
        "query_string": query.encode(),
        "root_path": "",
        "headers": [(k.encode(), v.encode()) for k, v in {**usual, **(headers or {})}.items() if v],
        "client": (client, 50000),
        "server": ("127.0.0.1", 8066),
    }
    return await _answered(app, scope, body or b"", leaves=leaves)


def post(
    app: ASGIApp, path: str, what: object, headers: Mapping[str, str] | None = None, **more: Any
) -> Answer:
    return ask(app, path, headers, json.dumps(what).encode(), **more)


async def _answered(app: ASGIApp, scope: dict[str, Any], body: bytes, *, leaves: bool) -> Answer:
    sent: list[Message] = []
    given = [{"type": "http.request", "body": body, "more_body": False}]
    ended = asyncio.Event()

    async def receive() -> Message:
        if given:
            return given.pop()
        await ended.wait()  # a client that stays until it has its answer
        return {"type": "http.disconnect"}

    async def send(message: Message) -> None:
        sent.append(message)
        if message["type"] == "http.response.body" and (leaves or not message.get("more_body")):
            ended.set()

    await app(scope, receive, send)
    start = sent[0]
    return Answer(
        start["status"],
        {name.decode().lower(): value.decode() for name, value in start["headers"]},
        b"".join(one.get("body", b"") for one in sent[1:]),
    )
