"""uvicorn that serves the page of a table."""

from __future__ import annotations

import asyncio
import ipaddress
import logging
import os
import socket
from asyncio import Task
from collections.abc import Awaitable, Callable, MutableMapping, Sequence
from typing import TYPE_CHECKING, Any, Final

import uvicorn

from companion.text.errors import CompanionError
from companion.text.sentence import say
from companion.values import Value
from network.web.door import KEPT_S, Connections
from network.web.routes import application
from network.web.site import Site

if TYPE_CHECKING:
    from starlette.types import ASGIApp

    from network.web.certificate import Certificate


_LOG: Final = logging.getLogger(__name__)

_FIRST_FILE: Final = 3
_IPV6: Final = 6
_PAUSE_S: Final = 0.1
_MOST_CONNECTIONS: Final = 400

LOOKED_AT_EVERY_S: Final = 60.0
"""How often it is looked whether the certificate must be renewed: the clock may just have been set."""

AGAIN_S: Final = 3600.0
"""When it is tried again after a certificate could not be made."""


def listening(listen: str, ports: Sequence[int], environ: MutableMapping[str, str]) -> list[socket.socket]:
    """The sockets that clients connect to: those of the service manager, else new ones at these ports.

    The service manager passes its sockets as files 3, 4 ... (man 3 sd_listen_fds). Raises `CompanionError`
    where the address or a port cannot be used.
    """
    if environ.get("LISTEN_PID") == str(os.getpid()):
        count = int(environ["LISTEN_FDS"])
        for name in ("LISTEN_PID", "LISTEN_FDS", "LISTEN_FDNAMES"):
            environ.pop(name, None)
        return [socket.socket(fileno=file) for file in range(_FIRST_FILE, _FIRST_FILE + count)]
    made: list[socket.socket] = []
    for port in ports:
        try:
            made.append(_bound(listen, port))
        except (OSError, OverflowError) as error:
            for one in made:
                one.close()
            raise CompanionError(
                say(
                    "the page cannot be served at {listen} port {port}: {cause}",
                    listen=listen,
                    port=port,
                    cause=error,
                ),
                say("choose another port with --port, or end the program that uses it"),
            ) from error
    return made


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


class TlsSocket(Value):
    """The socket of the encrypted page, and its certificate; `renewed` is called when there is a new one."""

    listener: socket.socket
    certificate: Certificate | None = None
    renewed: Callable[[], Awaitable[None]] | None = None


def serving(
    app: ASGIApp,
    ready: Callable[[], None] = lambda: None,
    ending: Callable[[], None] = lambda: None,
    encrypted: TlsSocket | None = None,
) -> uvicorn.Server:
    """What serves an application: its `run(sockets=[...])` blocks until SIGTERM, SIGINT or its `should_exit`.

    `ready` is called once clients are answered, `ending` before it ends. At the socket of `encrypted` it
    answers with TLS; without a certificate it ends every connection there.
    """
    return _Server(Connections(app), ready, ending, encrypted)


def server(
    site: Site, ready: Callable[[], None] = lambda: None, encrypted: socket.socket | None = None
) -> uvicorn.Server:
    """What serves a site, also at the `encrypted` socket; see `serving`."""
    beside = None if encrypted is None else TlsSocket(encrypted, site.certificate, site.tell_phones)
    return serving(application(site), ready, site.close, beside)


def _config(app: ASGIApp, **more: Any) -> uvicorn.Config:  # noqa: ANN401 - settings of uvicorn
    return uvicorn.Config(
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
        timeout_keep_alive=KEPT_S,
        timeout_graceful_shutdown=1,
        h11_max_incomplete_event_size=16_384,
        **more,
    )


class _Server(uvicorn.Server):
    """uvicorn with limits for connections. It says when it answers, and when it is about to end.

    The server of the encrypted page is another one, which runs in the loop of this one.
    """

    def __init__(
        self,
        connections: Connections,
        ready: Callable[[], None],
        ending: Callable[[], None],
        encrypted: TlsSocket | None = None,
        **more: Any,  # noqa: ANN401 - settings of uvicorn
    ) -> None:
        super().__init__(_config(connections, **more))
        self._connections, self._ready, self._ending, self._encrypted = connections, ready, ending, encrypted
        self._beside: _Server | None = None
        self._serving: Task[None] | None = None
        self._running: list[Task[None]] = []

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup([self._connections.limited(one) for one in sockets or []])
        if self._encrypted is not None:
            self._start_beside(self._encrypted)
        self._ready()

    def _start_beside(self, encrypted: TlsSocket) -> None:
        loop, certificate = asyncio.get_running_loop(), encrypted.certificate
        if certificate is None:
            self._running.append(loop.create_task(_turn_away(encrypted.listener)))
            return
        self._beside = _Server(
            self._connections,
            lambda: None,
            self._ending,
            lifespan="off",
            ssl_context_factory=lambda *_: certificate.context,
        )
        self._serving = loop.create_task(self._beside.serve([encrypted.listener]))
        self._running.append(loop.create_task(_renewing(certificate, encrypted.renewed)))

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Let those go who watch, then end."""
        self._ending()
        for task in self._running:
            task.cancel()
        await asyncio.gather(*self._running, return_exceptions=True)
        if self._beside is not None and self._serving is not None:
            self._beside.should_exit = True
            await self._serving
        await super().shutdown(sockets)


async def _turn_away(listener: socket.socket) -> None:
    """End every connection at once: the service manager listens there, whatever the configuration says."""
    with listener:
        listener.setblocking(False)  # noqa: FBT003 - Python's own
        loop = asyncio.get_running_loop()
        while True:
            try:
                connection, _ = await loop.sock_accept(listener)
            except OSError:  # it is gone again, or there are too many files
                await asyncio.sleep(_PAUSE_S)
            else:
                connection.close()


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
