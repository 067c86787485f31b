"""uvicorn that serves the page of a table."""

from __future__ import annotations

import asyncio
import gc
import ipaddress
import logging
import os
import socket
import time
from collections.abc import Awaitable, Callable, MutableMapping, Sequence
from contextlib import ExitStack
from typing import TYPE_CHECKING, Final

import uvicorn
from anyio import to_thread

from companion.text.errors import CompanionError
from companion.values import Value
from firmware.text.os_errors import reason_of
from network.web.application import application
from network.web.connections import KEPT_S, Connections, LimitedListener
from network.web.rate_limit import RateLimit
from network.web.site import TableSite

if TYPE_CHECKING:
    from starlette.types import ASGIApp

    from network.web.certificate import OwnCertificate

_LOG: Final = logging.getLogger(__name__)

_FIRST_FILE: Final = 3

THREADS: Final = 16
"""For what blocks. With all others, and what reads photos, they fit into `TasksMax` of the unit."""

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
    with ExitStack() as unused:
        made: list[socket.socket] = []
        for port in ports:
            try:
                if not 0 <= port < 1 << 16:
                    raise OSError("there is no such port")  # noqa: TRY301 - told as the others
                kind = socket.AF_INET6 if (six := ":" in listen) else socket.AF_INET
                listener = socket.create_server((listen, port), family=kind, dualstack_ipv6=six)
                made.append(unused.enter_context(listener))
            except OSError as error:
                raise CompanionError(
                    f"the page cannot be served at {listen} port {port}: {reason_of(error)}",
                    "choose another port with --port, or end the program that uses it",
                ) from error
        unused.pop_all()
    return made


def address_of(listener: socket.socket) -> str:
    at, port, *_ = listener.getsockname()
    return f"{_address(at, port)}/"


def address_for_others(listener: socket.socket) -> str:
    """Where other machines find the page now, without a path; empty if they cannot, or have no way here."""
    at, port, *_ = listener.getsockname()
    if ipaddress.ip_address(at).is_unspecified:
        # Nothing is sent: the system only chooses the interface that leads away from here (RFC 5737).
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as outwards:
            try:
                outwards.connect(("192.0.2.1", port))
            except OSError:
                return ""
            at = outwards.getsockname()[0]
    return "" if ipaddress.ip_address(at).is_loopback else _address(at, port)


def _address(host: str, port: int) -> str:
    return f"http://{f'[{host}]' if ':' in host else host}:{port}"


class LogLimit(logging.Filter):
    """Lets through some lines of each kind in a minute: anybody in the network can make a server complain."""

    def __init__(self, now_s: Callable[[], float] = time.monotonic) -> None:
        super().__init__()
        self._lines = RateLimit(LINES / LINES_S, LINES, now_s)

    def filter(self, record: logging.LogRecord) -> bool:
        # By the text without its facts: an exception of ours is a kind of its own.
        kind = f"{record.msg}{record.exc_info[1]!r}" if record.exc_info else str(record.msg)
        return self._lines.allows(kind[:_LONGEST_KIND])


LINES: Final = 5.0
LINES_S: Final = 60.0
"""So many lines of a kind at once, and in so many seconds."""

_LONGEST_KIND: Final = 300


class TlsSocket(Value):
    """The socket of the encrypted page, and its certificate; `renewed` is called when there is a new one."""

    listener: socket.socket
    certificate: OwnCertificate | None = None
    renewed: Callable[[], Awaitable[None]] | None = None


def server(
    site: TableSite, ready: Callable[[], None] = lambda: None, encrypted: socket.socket | None = None
) -> Server:
    """What serves a site, also at the `encrypted` socket; see `Server`."""
    beside = None if encrypted is None else TlsSocket(encrypted, site.setting.certificate, site.send_phones)
    return Server(application(site), ready, site.close, beside)


class Server(uvicorn.Server):
    """What serves an application: its `run(sockets=[...])` blocks until SIGTERM, SIGINT or its `should_exit`.

    It limits connections. `ready` is called once clients are answered, `ending` before it ends. At the
    socket of `encrypted` it answers with TLS; without a certificate it ends every connection there: the
    service manager listens there, whatever the configuration says.
    """

    def __init__(
        self,
        app: ASGIApp,
        ready: Callable[[], None] = lambda: None,
        ending: Callable[[], None] = lambda: None,
        encrypted: TlsSocket | None = None,
    ) -> None:
        self.connections = Connections(app)
        self._ready, self._ending, self._encrypted = ready, ending, encrypted
        self._renewing: asyncio.Task[None] | None = None
        super().__init__(
            uvicorn.Config(
                self.connections,
                http="h11",
                ws="none",
                loop="asyncio",
                log_level="warning",
                access_log=False,  # it would be a record of who looked when
                server_header=False,
                date_header=False,
                proxy_headers=False,
                backlog=1024,  # of more the system drops some, and they come again after seconds
                timeout_keep_alive=KEPT_S,
                timeout_graceful_shutdown=1,
                h11_max_incomplete_event_size=16_384,
            )
        )

        log, limit = logging.getLogger("uvicorn.error"), LogLimit()
        log.filters[:] = [old for old in log.filters if not isinstance(old, LogLimit)]
        log.addFilter(limit)

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        to_thread.current_default_thread_limiter().total_tokens = THREADS
        gc.freeze()  # what is there now stays: looking through it each time would hold everybody up
        gc.set_threshold(700, 10, 100)  # and the oldest generation is looked through ten times less often
        await super().startup([LimitedListener(self.connections, at) for at in sockets or []])
        if self._encrypted is not None:
            self.servers.append(await self._listen_beside(self._encrypted))
        self._ready()

    async def _listen_beside(self, encrypted: TlsSocket) -> asyncio.Server:
        """Answer at a second socket: a server of uvicorn encrypts at all of its sockets, or at none."""
        loop, certificate = asyncio.get_running_loop(), encrypted.certificate
        if certificate is None:
            return await loop.create_server(_TurnedAway, sock=encrypted.listener)
        self._renewing = loop.create_task(_renewing(certificate, encrypted.renewed))
        with encrypted.listener:
            limited = LimitedListener(self.connections, encrypted.listener)
        return await loop.create_server(self._protocol, sock=limited, ssl=certificate.context)

    def _protocol(self) -> asyncio.Protocol:
        """What answers at one connection, as uvicorn makes it at its own sockets."""
        return self.config.http_protocol_class(  # type: ignore[call-arg]
            config=self.config, server_state=self.server_state, app_state=self.lifespan.state
        )

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Let those go who watch, then end."""
        self._ending()
        gc.unfreeze()
        if self._renewing is not None:
            self._renewing.cancel()
        await super().shutdown(sockets)


class _TurnedAway(asyncio.Protocol):
    """A connection that is ended at once."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        transport.close()


async def _renewing(certificate: OwnCertificate, renewed: Callable[[], Awaitable[None]] | None) -> None:
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
