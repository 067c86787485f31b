"""`nimmt hub`: gather many tables over a broker, and serve the pages of the evening."""

from __future__ import annotations

import os
import stat
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from companion.errors import CompanionError, quoted
from companion.text import say
from firmware.bounded_file import read_bounded
from firmware.config.configuration import load
from firmware.service import sd_notify
from firmware.session.language import translator
from firmware.translation import DEFAULT, LANGUAGES

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Mapping

    from firmware.config.configuration import Config
    from firmware.config.sections.hub import HubOptions
    from firmware.translation import Translator
    from hub.broker import Address
    from hub.server import Hub

DIRECTORS = "directors.json"
DATABASE = "hub.sqlite"
_MOST_TABLES = 200
_LONGEST_PASSWORD = 1000


def run(args: argparse.Namespace) -> int:
    """Serve until SIGTERM or Ctrl-C. Raises `CompanionError` where that cannot be."""
    try:
        from hub.server import Hub
    except ModuleNotFoundError as missing:
        raise CompanionError(
            say("the hub needs {package}, which is not installed", package=missing.name or ""),
            say("install nimmt-companion[hub]"),
        ) from missing
    del Hub
    config = load(args.config)
    if args.what == "demo":
        return _demo(args, config)
    folder = _folder(os.environ, config)
    address = _address(args.broker or config.hub.broker, config.hub)
    return _serve(args, config, address, folder, args.database or config.hub.database)


def _demo(args: argparse.Namespace, config: Config) -> int:
    from hub.demo import evening

    if not 0 < args.tables <= _MOST_TABLES:
        raise CompanionError(
            say("there cannot be {tables} tables", tables=args.tables),
            say("choose a number from 1 to {most}", most=_MOST_TABLES),
        )
    from hub.demo import NAMES
    from hub.tournament_demo import Director, people, rules

    with evening(args.tables, args.seed, args.step_s, tournament=args.rounds > 0) as (address, folder, _):
        directors: list[Director] = []

        def begun(hub: Hub) -> None:
            if args.rounds > 0:
                opened, players = rules(args.seed, args.rounds), people(args.tables, NAMES)
                directors.append(Director(hub.site.conductor, hub.evening, opened, players))
                directors[0].start()

        try:
            return _serve(args, config, address, folder, args.database or "", begun)
        finally:
            for one in directors:
                one.stop()


def _serve(  # noqa: PLR0913, PLR0917 - what a hub is made of
    args: argparse.Namespace,
    config: Config,
    address: Address,
    folder: Path,
    database: str,
    begun: Callable[[Hub], None] = lambda _hub: None,
) -> int:
    from sqlalchemy.exc import SQLAlchemyError

    from hub.server import Hub
    from hub.site import Setting
    from web.server import address_of, listening

    listen, port = args.listen or config.hub.listen, args.port or config.hub.port
    t = translator(config)
    show_code = partial(_show_code, t)
    setting = Setting(folder / DIRECTORS, config.hub.names, _language(config), show_code)
    with listening(listen, port, os.environ) as listener:
        try:
            hub = Hub(address, database or f"sqlite:///{folder / DATABASE}", setting)
        except (SQLAlchemyError, ModuleNotFoundError) as error:
            # Without the URL, which may hold a password.
            raise CompanionError(
                say("the database cannot be used: {cause}", cause=type(error).__name__),
                say("look at [hub] database, and whether the database server runs"),
            ) from error
        notifier = sd_notify.notifier(os.environ)

        def ready() -> None:
            notifier.ready()
            print(t("{address}  (television: {path})", address=address_of(listener), path="/tv"), flush=True)

        begun(hub)
        return hub.serve(listener, ready)


def _language(config: Config) -> str:
    language = config.screen.language
    return language if language in LANGUAGES else DEFAULT


def _show_code(t: Translator, code: str) -> None:
    """Tell the people at this machine."""
    print(t("director: {code}", code=f"{code[:3]} {code[3:]}"), flush=True)


def _folder(environ: Mapping[str, str], config: Config) -> Path:
    """Where the hub keeps what is its own: the folder of its service, else beside the journal."""
    given = environ.get("STATE_DIRECTORY", "").partition(":")[0]
    folder = Path(given) if given else config.journal.place(environ).parent
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def _address(text: str, options: HubOptions) -> Address:
    from hub.broker import Address

    host, colon, port = text.rpartition(":")
    if colon and (not port.isdecimal() or not host):
        raise CompanionError(
            say("{broker} is no address of a broker", broker=quoted(text)),
            say('write a name or an address, and a port if it is not 1883, such as "broker.local:1883"'),
        )
    return Address(
        host if colon else text,
        int(port) if colon else 1883,
        options.user,
        _password(options.password_file),
        *(Path(one) if one else None for one in (options.ca, options.cert, options.key)),
    )


def _password(name: str) -> str:
    """The first line of a file that not everybody may read. Raises `CompanionError`."""
    if not name:
        return ""
    try:
        if Path(name).stat().st_mode & (stat.S_IROTH | stat.S_IWOTH):
            raise CompanionError(
                say("everybody on this machine can read the password in {path}", path=name),
                say("type: chmod 640 {path}", path=name),
            )
        return read_bounded(Path(name), _LONGEST_PASSWORD).decode().partition("\n")[0]
    except (OSError, ValueError) as error:
        raise CompanionError(
            say("the password file cannot be read: {cause}", cause=error),
            say("write the password into the file that [hub] password_file names"),
        ) from error
