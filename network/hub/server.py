"""A hub in one process: the connection to the broker, the intake in its thread, the pages, the database."""

from __future__ import annotations

import gc
import secrets
import socket
import sys
import threading
import traceback
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Final

from paho.mqtt.subscribeoptions import SubscribeOptions
from sqlalchemy.exc import SQLAlchemyError
from starlette.applications import Starlette

from network.hub import tournament_pages
from network.hub.intake import Intake
from network.hub.site import HubSetup, Site
from network.hub.store import Store
from network.mqtt import topics
from network.mqtt.broker import Address, Broker
from network.web.door import gated
from network.web.server import Server

if TYPE_CHECKING:
    from starlette.types import ASGIApp


_SWITCH_S: Final = 0.0005
"""After so long a thread lets another one run that waits."""


_MOST_WAITING: Final = 20_000
"""Messages for tables that wait for the broker."""

_YOUNG: Final = 20_000
_OLDER: Final = 10
"""New objects until the collector looks at them, and so many such looks until it looks at older ones. Nearly
all that a step leaves is freed at once, and a look at all matches stops everything for some 0.1 s."""


class Hub:
    """Everything of a hub.

    Raises `CompanionError` and `sqlalchemy.exc.SQLAlchemyError` for a database that cannot be used.
    """

    def __init__(self, address: Address, database: str, setting: HubSetup) -> None:
        self.store = Store(database)
        self.intake = Intake(self.store, self.publish)
        self.site = Site(setting, self.intake)
        name = secrets.token_hex(4)  # tells it from others at the broker
        self._broker = connection(
            address,
            name,
            self.intake.heard,
            self.intake.turned,
            lambda: self.intake.refused(self._broker.refused),
        )

    def publish(self, topic: str, payload: bytes) -> None:
        """Send something that the broker retains; from every thread."""
        self._broker.publish(topic, payload)

    def serve(self, listener: socket.socket, ready: Callable[[], None]) -> int:
        """Serve until SIGTERM or Ctrl-C; gives the exit status."""
        server = Server(application(self.site), ready, self.site.close)
        failed: list[BaseException] = []

        def work() -> None:
            try:
                self.intake.run()
            except BaseException as error:  # noqa: BLE001 - without it the pages would show an old evening
                traceback.print_exc(file=sys.stderr)
                failed.append(error)
                server.should_exit = True

        # The connection to the broker gives the lock of the interpreter away with each read, several times a
        # message, and waits so long for it while a batch is stored or folded.
        sys.setswitchinterval(_SWITCH_S)
        gc.freeze()  # programs and texts stay to the end: the collector need not look at them again
        gc.set_threshold(_YOUNG, _OLDER, _OLDER)
        working = threading.Thread(target=work, name="intake")
        working.start()
        self._broker.start()
        try:
            server.run(sockets=[listener])
        finally:
            self._broker.close()
            self.intake.close()
            working.join()
            self.store.close()
        return 1 if failed else 0


def connection(
    address: Address,
    name: str,
    heard: Callable[[str, bytes, bool], None],
    turned: Callable[[bool], None],
    answered: Callable[[], None] = lambda: None,
) -> Broker:
    """The connection of the hub of this name, which hears what all tables say, and other hubs."""
    # Events come to one of the hubs; the rest to all, for a shared subscription has no retained messages.
    told = (topics.ONLINE, topics.STATE, topics.RESULT, topics.REGISTERED, topics.HAVE)
    heard_of = [(topics.shared(topics.EVENT), SubscribeOptions(qos=0))]
    heard_of += [(topics.every_table(one), SubscribeOptions(qos=1, noLocal=True)) for one in told]
    return Broker(
        address, f"hub-{name}", heard, turned, heard_of, answered=answered, most_waiting=_MOST_WAITING
    )


def application(site: Site) -> ASGIApp:
    """The pages as one application, behind the door."""

    @asynccontextmanager
    async def life(_app: Starlette) -> AsyncIterator[None]:
        site.begin()
        yield

    app = Starlette(
        routes=[*tournament_pages.routes(site), *site.routes()],
        exception_handlers={SQLAlchemyError: site.without_database, 404: site.missing},
        lifespan=life,
    )
    return gated(app, site.setting.names)
