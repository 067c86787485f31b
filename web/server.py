"""uvicorn that serves the page of a table."""

from __future__ import annotations

import os
import socket
from typing import TYPE_CHECKING, Final

import uvicorn

from companion.errors import CompanionError
from companion.text import say
from web.application import application

if TYPE_CHECKING:
    from collections.abc import Callable, MutableMapping

    from starlette.types import ASGIApp

    from web.site import Site

_FIRST_FILE: Final = 3
_MOST_CONNECTIONS: Final = 400


def listening(listen: str, port: int, environ: MutableMapping[str, str]) -> socket.socket:
    """The socket that clients connect to: the one of the service manager, else a new one.

    The service manager passes its socket as file 3 (man 3 sd_listen_fds). Raises `CompanionError` where the
    address or the port cannot be used.
    """
    if environ.get("LISTEN_PID") == str(os.getpid()) and environ.get("LISTEN_FDS") == "1":
        for name in ("LISTEN_PID", "LISTEN_FDS", "LISTEN_FDNAMES"):
            environ.pop(name, None)
        return socket.socket(fileno=_FIRST_FILE)
    try:
        return _bound(listen, port)
    except OSError as error:
        raise CompanionError(
            say(
                "the page cannot be served at {listen} port {port}: {cause}",
                listen=listen,
                port=port,
                cause=error,
            ),
            say("choose another port with --port, or end the program that uses it"),
        ) from error


def _bound(listen: str, port: int) -> socket.socket:
    """A socket of our own. Raises `OSError`."""
    made = socket.socket(socket.AF_INET6 if ":" in listen else socket.AF_INET, socket.SOCK_STREAM)
    try:
        made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        made.bind((listen, port))
        made.listen(128)
    except OSError:
        made.close()
        raise
    return made


def address_of(listener: socket.socket) -> str:
    """Where browsers find the page of this socket."""
    at, port, *_ = listener.getsockname()
    return f"http://{f'[{at}]' if ':' in at else at}:{port}/"


def server(site: Site, ready: Callable[[], None] = lambda: None) -> uvicorn.Server:
    """What serves a site, see `serving`."""
    return serving(application(site), ready, site.close)


def serving(
    app: ASGIApp, ready: Callable[[], None] = lambda: None, ending: Callable[[], None] = lambda: None
) -> uvicorn.Server:
    """What serves an application: its `run(sockets=[...])` blocks until SIGTERM, SIGINT or its `should_exit`.

    `ready` is called once clients are answered, `ending` before it ends.
    """
    config = uvicorn.Config(
        app,
        http="h11",
        ws="none",
        loop="asyncio",
        log_level="warning",
        access_log=False,  # it would be a record of who looked when
        server_header=False,
        date_header=False,
        proxy_headers=False,
        limit_concurrency=_MOST_CONNECTIONS,
        backlog=128,
        timeout_keep_alive=20,
        timeout_graceful_shutdown=1,
        h11_max_incomplete_event_size=16_384,
    )
    return _Server(config, ready, ending)


class _Server(uvicorn.Server):
    """uvicorn that says when it answers, and when it is about to end."""

    def __init__(self, config: uvicorn.Config, ready: Callable[[], None], ending: Callable[[], None]) -> None:
        super().__init__(config)
        self._ready, self._ending = ready, ending

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Let those go who watch, then end."""
        self._ending()
        await super().shutdown(sockets)

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start to answer."""
        await super().startup(sockets)
        self._ready()
