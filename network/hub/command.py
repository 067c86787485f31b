"""`nimmt hub`: gather many tables over a broker, and serve the pages of the evening."""

from __future__ import annotations

import os
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec.structs import asdict

from companion.text.errors import CompanionError
from companion.values import replace
from firmware.commands.declared import Command, decimal, number, option, path
from firmware.config.configuration import Config, load
from firmware.service import sd_notify
from network.hub.config import HubOptions, folder_of

if TYPE_CHECKING:
    import argparse

    from network.hub.tournament import Conductor

_MAX_TABLES = 200
_MAX_STEP_S = 60.0


def run(args: argparse.Namespace) -> int:
    """Serve until SIGTERM or Ctrl-C. Raises `CompanionError` where that cannot be."""
    if not 0 < args.tables <= _MAX_TABLES:
        fix = f"choose a number from 1 to {_MAX_TABLES}"
        raise CompanionError(f"there cannot be {args.tables} tables", fix)
    if args.what == "certificates":
        return _certificates(args)
    import_module("network.hub.server")  # without its libraries nothing is begun
    config, names = load(args.config), ("broker", "database", "listen", "port")
    typed = {name: value for name in names if (value := getattr(args, name)) is not None}
    options = replace(config.section(HubOptions), **typed)
    if args.what == "demo":
        return _demo(args, config, options)
    return _serve(config, options, folder_of(os.environ, config))


def _certificates(args: argparse.Namespace) -> int:
    import socket

    from network.hub.certificates import PASSWORDS, make

    host = socket.gethostname().partition(".")[0]
    new = make(args.folder, args.name or [f"{host}.local", host], args.tables)
    if new:
        print(f"new users at the broker: {', '.join(new)}")
    print(f"each of them needs {args.folder / 'ca.crt'}, and its password from {args.folder / PASSWORDS}")
    return 0


def _demo(args: argparse.Namespace, config: Config, options: HubOptions) -> int:
    from network.hub.demo import evening

    if not 0 < args.step_s <= _MAX_STEP_S:
        fix = f"choose more than 0 seconds, and at most {int(_MAX_STEP_S)}"
        raise CompanionError(f"a step cannot take {args.step_s} seconds", fix)
    with evening(args.tables, args.step_s) as (broker, folder, begin):
        demo = replace(options, **asdict(broker), database=args.database or "")
        return _serve(config, demo, folder, begin)


def _serve(
    config: Config,
    options: HubOptions,
    folder: Path,
    begin: Callable[[Conductor], None] = lambda _conductor: None,
) -> int:
    from sqlalchemy.exc import SQLAlchemyError

    from network.hub.server import Hub
    from network.web.server import address_of, listening

    def show_code(code: str) -> None:
        print(f"director: {code[:4]} {code[4:]}", flush=True)

    [listener] = listening(options.listen, [options.port], os.environ)
    with listener:
        try:
            hub = Hub(options, config, folder, show_code)
        except (SQLAlchemyError, ModuleNotFoundError) as error:
            fix = "look at [hub] database, and whether the database server runs"
            raise CompanionError(f"the database cannot be used: {_cause(error)}", fix) from error
        notifier = sd_notify.notifier(os.environ)

        def ready() -> None:
            notifier.ready()
            print(f"{address_of(listener)}  (television: /tv)", flush=True)

        begin(hub.intake.conductor)
        return hub.serve(listener, ready)


def _cause(error: Exception) -> str:
    """Why, in one line. What else SQLAlchemy says may hold the URL, and so a password."""
    from sqlalchemy.exc import NoSuchModuleError

    if isinstance(error, (ModuleNotFoundError, NoSuchModuleError)):
        return f"its driver is not installed ({error})"
    return str(getattr(error, "orig", "its URL cannot be read")).strip().partition("\n")[0]


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
            help="with demo: seconds between two actions at a table",
        ),
        option(
            "--name",
            action="append",
            help="with certificates: a name or an address by which the tables reach the broker; can be "
            "repeated (default: the name of this machine)",
        ),
        path(
            "--folder",
            default=Path(),
            metavar="FOLDER",
            help="with certificates: where to write (default: this folder)",
        ),
    ),
    config=True,
    journal=True,
    service=True,
    streams=frozenset(),
)
