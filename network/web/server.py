"""uvicorn that serves the page of a table."""

from __future__ import annotations

import asyncio
import ipaddress
import logging
import os
import socket
from typing import TYPE_CHECKING, Final

import uvicorn

from companion.text.errors import CompanionError
from companion.text.sentence import say
from network.web.application import application
from network.web.connections import Connections

if TYPE_CHECKING:
    from asyncio import Protocol, Task
    from collections.abc import Awaitable, Callable, MutableMapping

    from starlette.types import ASGIApp

    from network.web.certificate import Certificate
    from network.web.site import Site

_LOG: Final = logging.getLogger(__name__)

_FIRST_FILE: Final = 3
_IPV6: Final = 6
_MOST_CONNECTIONS: Final = 400

LOOKED_AT_EVERY_S: Final = 60.0
"""How often it is looked whether the certificate must be renewed: the clock may just have been set."""

AGAIN_S: Final = 3600.0
"""When it is tried again after a certificate could not be made."""


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
    except (OSError, OverflowError) as error:
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
    """A socket of our own. Raises `OSError`, and `OverflowError` for a port that there cannot be."""
    made = socket.socket(socket.AF_INET6 if ":" in listen else socket.AF_INET, socket.SOCK_STREAM)
    try:
        made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        made.bind((listen, port))
        made.listen(128)
    except (OSError, OverflowError):
        made.close()
        raise
    return made


def address_of(listener: socket.socket) -> str:
    """Where browsers find the page of this socket."""
    at, port, *_ = listener.getsockname()
    return f"http://{f'[{at}]' if ':' in at else at}:{port}/"


def address_for_others(listener: socket.socket) -> str:
    """Where other machines find the page now, without a path; empty if they cannot, or have no way here."""
    at, port, *_ = listener.getsockname()
    address = ipaddress.ip_address(at)
    if address.is_unspecified:
        # Nothing is sent: the system only chooses the interface that leads away from here (RFC 5737).
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as outwards:
            try:
                outwards.connect(("192.0.2.1", port))
            except OSError:
                return ""
            address = ipaddress.ip_address(outwards.getsockname()[0])
    if address.is_loopback:
        return ""
    return f"http://{f'[{address}]' if address.version == _IPV6 else address}:{port}"


def server(site: Site, ready: Callable[[], None] = lambda: None) -> uvicorn.Server:
    """What serves a site, see `serving`."""
    return serving(application(site), ready, site.close, site.certificate, site.tell_phones)


def serving(
    app: ASGIApp,
    ready: Callable[[], None] = lambda: None,
    ending: Callable[[], None] = lambda: None,
    certificate: Certificate | None = None,
    renewed: Callable[[], Awaitable[None]] | None = None,
) -> uvicorn.Server:
    """What serves an application: its `run(sockets=[...])` blocks until SIGTERM, SIGINT or its `should_exit`.

    `ready` is called once clients are answered, `ending` before it ends. With a `certificate` it answers
    encrypted as well, at the same port, and calls `renewed` when there is a new one.
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
    return _Server(config, ready, ending, certificate, renewed)


class _Server(uvicorn.Server):
    """uvicorn that takes connections its own way, says when it answers, and when it is about to end."""

    def __init__(
        self,
        config: uvicorn.Config,
        ready: Callable[[], None],
        ending: Callable[[], None],
        certificate: Certificate | None,
        renewed: Callable[[], Awaitable[None]] | None,
    ) -> None:
        super().__init__(config)
        self._ready, self._ending, self._certificate, self._renewed = ready, ending, certificate, renewed
        self._running: list[Task[None]] = []

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start to answer."""
        await super().startup(sockets=[])
        context = self._certificate.context if self._certificate is not None else None
        for one in sockets or []:
            taking = Connections(one, self._protocol, self.server_state.connections, context)
            self._running.append(asyncio.create_task(taking.take()))
        if self._certificate is not None:
            self._running.append(asyncio.create_task(_renewing(self._certificate, self._renewed)))
        self._ready()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Let those go who watch, then end."""
        for task in self._running:
            task.cancel()
        await asyncio.gather(*self._running, return_exceptions=True)
        self._ending()
        await super().shutdown(sockets)

    def _protocol(self) -> Protocol:
        """What uvicorn reads a connection with; it makes them so itself."""
        made: Protocol = self.config.http_protocol_class(  # type: ignore[call-arg]
            config=self.config, server_state=self.server_state, app_state=self.lifespan.state
        )
        return made


async def _renewing(certificate: Certificate, renewed: Callable[[], Awaitable[None]] | None) -> None:
    """Renew a certificate before it ends, as long as this runs."""
    pause_s = LOOKED_AT_EVERY_S
    while True:
        await asyncio.sleep(pause_s)
        pause_s = LOOKED_AT_EVERY_S
        if not certificate.is_due():
            continue
        try:
            is_made = await asyncio.to_thread(certificate.renew)
        except CompanionError as bad:
            _LOG.warning("%s: %s", bad.fault, bad.fix)
            pause_s = AGAIN_S
            continue
        if is_made and renewed is not None:
            await renewed()
