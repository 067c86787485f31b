"""`nimmt web`: serve the page for phones and televisions, in a process of its own."""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

from companion.text.errors import CompanionError
from firmware.commands.declared import Command, number, option
from firmware.commands.records import place
from firmware.commands.table import TABLE, table_of
from firmware.config.configuration import Config, load
from firmware.service import sd_notify
from firmware.session.language import translator
from network.web.config import CERTIFICATE, WebOptions, phones_file

if TYPE_CHECKING:
    import argparse

    from network.web.certificate import OwnCertificate


def _certificate(config: Config, file: Path) -> OwnCertificate | None:
    """The certificate if the configuration wants one; without one, with a line that says why."""
    options = config.section(WebOptions)
    if options.tls != "own":
        return None
    import socket

    from network.web.certificate import OwnCertificate

    host = socket.gethostname().partition(".")[0]
    try:
        return OwnCertificate(file, (f"{host}.local", host, *options.names), time.time)
    except CompanionError as bad:
        _warn(bad)
        return None


def _warn(error: CompanionError) -> None:
    print(f"{error.fault}\n  {error.fix}", file=sys.stderr)


def run(args: argparse.Namespace) -> int:
    """Serve until SIGTERM or Ctrl-C. Raises `CompanionError` where that cannot be."""
    config = load(args.config)
    options = config.section(WebOptions)
    table, journal = table_of(args, config), place(args, config)
    phones = phones_file(os.environ, journal)
    from network.web.application import switched_off
    from network.web.server import Server, TlsSocket, address_for_others, address_of, listening, server
    from network.web.site import SiteSetup, TableSite

    listen, port = args.listen or options.listen, options.port if args.port is None else args.port
    is_started = "LISTEN_FDS" in os.environ
    if not options.on and not is_started:
        raise CompanionError(
            "the page is switched off: [web] on = false", "switch it on in the configuration"
        )
    encrypts = options.on and options.tls == "own"
    ports = [port, options.tls_port] if encrypts else [port]
    listener, *more = listening(listen, ports, os.environ)
    encrypted = more[0] if more else None
    notifier = sd_notify.notifier(os.environ)

    def ready() -> None:
        notifier.ready()
        print(f"{address_of(listener)}  (television: /tv)", flush=True)

    if not options.on:  # who connects would start it again and again if it ended
        notifier.status("switched off in the configuration: [web] on = false")
        beside = None if encrypted is None else TlsSocket(encrypted)
        off = switched_off(options.names, translator(config))
        Server(off, notifier.ready, encrypted=beside).run(sockets=[listener])
        return 0
    certificate = _certificate(config, phones.with_name(CERTIFICATE))
    if encrypted is None and certificate is not None:
        fault = "the page has no port for encrypted connections"
        _warn(CompanionError(fault, "add a second ListenStream to nimmt-web.socket"))
    setting = SiteSetup(
        table,
        journal,
        phones,
        options.names,
        config.codes.box,
        config.table.names,
        options.records,
        certificate,
        encrypted.getsockname()[1] if encrypted is not None and certificate is not None else 0,
        lambda: address_for_others(listener),
    )
    server(TableSite(setting), ready, encrypted).run(sockets=[listener])
    return 0


COMMAND = Command(
    help="serve the page for phones and televisions: the table as it is, and stored matches",
    run=run,
    options=(
        option("--listen", metavar="ADDRESS", help="serve on this address instead"),
        number("--port", help="serve on this port instead"),
        TABLE,
    ),
    config=True,
    journal=True,
    service=True,
    streams=frozenset(),
)
