"""`nimmt hub`: gather many tables over a broker, and serve the pages of the evening."""

from __future__ import annotations

import os
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

from companion.text.errors import CompanionError
from firmware.commands.declared import Command, decimal, number, option, path
from firmware.config.configuration import Config, load
from firmware.service import sd_notify
from firmware.session.language import translator
from network.hub.config import DATABASE, DIRECTORS, HubOptions, broker_of, folder_of

if TYPE_CHECKING:
    import argparse

    from network.hub.server import Hub
    from network.hub.site import HubSetup
    from network.mqtt.broker import Address

_MOST_TABLES = 200
_LONGEST_STEP_S = 60.0


def run(args: argparse.Namespace) -> int:
    """Serve until SIGTERM or Ctrl-C. Raises `CompanionError` where that cannot be."""
    if args.what == "certificates":
        return _certificates(args)
    import_module("network.hub.server")  # without its libraries nothing is begun
    config = load(args.config)
    if args.what == "demo":
        return _demo(args, config)
    folder, options = folder_of(os.environ, config), config.section(HubOptions)
    address = broker_of(args.broker or options.broker, options)
    return _serve(args, config, address, folder, args.database or options.database)


def _certificates(args: argparse.Namespace) -> int:
    import socket

    from network.hub.certificates import PASSWORDS, make

    _check_tables(args.tables)
    host = socket.gethostname().partition(".")[0]
    new = make(args.folder, args.name or [f"{host}.local", host], args.tables)
    if new:
        print(f"new users at the broker: {', '.join(new)}")
    ca, passwords = args.folder / "ca.crt", args.folder / PASSWORDS
    print(f"each of them needs {ca}, and its password from {passwords}")
    return 0


def _check_tables(tables: int) -> None:
    if not 0 < tables <= _MOST_TABLES:
        raise CompanionError(f"there cannot be {tables} tables", f"choose a number from 1 to {_MOST_TABLES}")


def _demo(args: argparse.Namespace, config: Config) -> int:
    from network.hub.demo import evening

    _check_tables(args.tables)
    if not 0 < args.step_s <= _LONGEST_STEP_S:
        raise CompanionError(
            f"a step cannot take {args.step_s} seconds",
            f"choose more than 0 seconds, and at most {int(_LONGEST_STEP_S)}",
        )
    with evening(args.tables, args.step_s) as (address, folder, demo):
        return _serve(
            args,
            config,
            address,
            folder,
            args.database or "",
            lambda hub: demo.start(hub.intake.conductor),
        )


def _serve(  # noqa: PLR0913, PLR0917 - what a hub is made of
    args: argparse.Namespace,
    config: Config,
    address: Address,
    folder: Path,
    database: str,
    begun: Callable[[Hub], None] = lambda _hub: None,
) -> int:
    from sqlalchemy.exc import SQLAlchemyError

    from network.hub.server import Hub
    from network.web.server import address_of, listening

    options = config.section(HubOptions)
    listen, port = args.listen or options.listen, options.port if args.port is None else args.port

    def show_code(code: str) -> None:
        print(f"director: {code[:3]} {code[3:]}", flush=True)

    setting = setup_of(config, folder, show_code)
    [listener] = listening(listen, [port], os.environ)
    with listener:
        try:
            hub = Hub(address, database or f"sqlite:///{folder / DATABASE}", setting)
        except (SQLAlchemyError, ModuleNotFoundError) as error:
            raise CompanionError(
                f"the database cannot be used: {_cause(error)}",
                "look at [hub] database, and whether the database server runs",
            ) from error
        notifier = sd_notify.notifier(os.environ)

        def ready() -> None:
            notifier.ready()
            print(f"{address_of(listener)}  (television: /tv)", flush=True)

        begun(hub)
        return hub.serve(listener, ready)


def setup_of(config: Config, folder: Path, show_code: Callable[[str], None]) -> HubSetup:
    """What the pages of a hub need, which keeps what is its own in `folder`."""
    from network.hub.site import HubSetup

    names, screen, language = config.section(HubOptions).names, config.screen, translator(config).language
    return HubSetup(folder / DIRECTORS, names, language, screen.digits, screen.calendar, show_code)


def _cause(error: Exception) -> str:
    """What a database says, in one line. What SQLAlchemy says may hold the URL, and so a password."""
    said = str(error if isinstance(error, ModuleNotFoundError) else getattr(error, "orig", "")).strip()
    return said.partition("\n")[0] or type(error).__name__


COMMAND = Command(
    help="gather many tables over an MQTT broker, keep every step, and serve the pages of the evening",
    run=run,
    options=(
        option(
            "what",
            nargs="?",
            choices=("demo", "certificates"),
            help="demo: play an evening at simulated tables on this machine, with a broker of its own; "
            "certificates: make certificates, users and passwords for a mosquitto",
        ),
        option("--broker", metavar="HOST[:PORT]", help="connect to this broker instead"),
        option("--database", metavar="URL", help="use this database instead"),
        option("--listen", metavar="ADDRESS", help="serve on this address instead"),
        number("--port", help="serve on this port instead"),
        number("--tables", default=12, help="with demo or certificates: number of tables (default 12)"),
        option(
            "--step-s",
            type=decimal,
            default=1.0,
            metavar="S",
            help="with demo: seconds between the acts at a table",
        ),
        option(
            "--name",
            action="append",
            help="with certificates: a name or an address of the broker, as the tables know it; can be given "
            "more than once (else the name of this machine)",
        ),
        path(
            "--folder",
            default=Path(),
            metavar="FOLDER",
            help="with certificates: where to write (else in this folder)",
        ),
    ),
    config=True,
    journal=True,
    service=True,
    streams=frozenset(),
)
