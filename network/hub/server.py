"""A hub in one process: the connection to the broker, the intake in its thread, the pages, the database."""

from __future__ import annotations

import socket
from collections.abc import AsyncIterator, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Final

from sqlalchemy.exc import SQLAlchemyError
from starlette.applications import Starlette

from network.hub import pages, tournament_pages
from network.hub.config import DATABASE, HubOptions
from network.hub.intake import Intake
from network.hub.site import HubSite
from network.hub.store import Store
from network.mqtt import topics
from network.mqtt.broker import Broker, Received
from network.mqtt.device import device_id
from network.web.job_queue import BusyError
from network.web.middleware import RequestGuard
from network.web.server import Server

if TYPE_CHECKING:
    from pathlib import Path

    from firmware.config.configuration import Config

_MAX_WAITING: Final = 20_000
"""Messages for tables that wait for the broker."""


class Hub:
    """Everything of a hub.

    Raises `CompanionError` and `sqlalchemy.exc.SQLAlchemyError` for a database that cannot be used.
    """

    def __init__(
        self, options: HubOptions, config: Config, folder: Path, show_code: Callable[[str], None]
    ) -> None:
        self.store = Store(options.database or f"sqlite:///{folder / DATABASE}")
        # The same after each start, and unknown to tables: one that had it could take the connection over.
        client = f"nimmt-hub-{device_id()}"
        published = {topics.table_topic("+", name): 1 for name in topics.OF_THE_TABLE}
        self._broker = Broker(
            *(options, client, self._receive, self._changed_broker, published),
            most_waiting=_MAX_WAITING,
            acknowledges=True,
        )
        self.intake = Intake(self.store, self._broker.publish, self._broker.acknowledge)
        self.site = HubSite(config, folder, self.intake, show_code)

    def _receive(self, received: Received) -> None:
        self.intake.receive(received)

    def _changed_broker(self) -> None:
        broker = self._broker
        self.intake.changed_broker(
            connected=broker.is_connected, resumed=broker.is_resumed, refused=broker.refused
        )

    def serve(self, listener: socket.socket, ready: Callable[[], None]) -> int:
        """Serve until SIGTERM or Ctrl-C; returns the exit status. Raises what has ended the intake."""
        server = Server(application(self.site), ready, self.site.close)

        def end(_working: object) -> None:
            server.should_exit = True  # without the intake the pages would show an old evening

        with ThreadPoolExecutor(1, "intake") as pool:
            working = pool.submit(self.intake.run)
            working.add_done_callback(end)
            self._broker.start()
            try:
                server.run(sockets=[listener])
            finally:
                self._broker.close()
                self.intake.close()
        self.store.close()
        working.result()
        return 0


def application(site: HubSite) -> RequestGuard:
    """The pages as one application, behind their guard."""

    @asynccontextmanager
    async def life(_app: Starlette) -> AsyncIterator[None]:
        site.begin()
        yield

    app = Starlette(
        routes=[*tournament_pages.routes(site), *pages.routes(site)],
        exception_handlers=dict.fromkeys((SQLAlchemyError, BusyError), site.unavailable)
        | {404: site.not_found},
        lifespan=life,
    )
    return RequestGuard(app, site.names)
