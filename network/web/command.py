"""`nimmt web`: serve the page for phones and televisions, in a process of its own."""

from __future__ import annotations

import os
import sys
import time
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from companion.text.errors import CompanionError
from companion.text.sentence import say
from firmware.commands.declared import Command, Example
from firmware.commands.language import spoken
from firmware.commands.records import place
from firmware.commands.table import table_of, table_option
from firmware.config.configuration import Config, load
from firmware.history.stored_time import shown
from firmware.service import sd_notify
from firmware.session.language import translator
from firmware.text.translation import Translator
from network.web.config import CERTIFICATE, WebOptions, phones_file

if TYPE_CHECKING:
    import argparse

    from network.web.certificate import Certificate
    from network.web.pairing import Phones


_ANSWER_S = 5.0


def pairings(phones: Phones, table: Path, remove: str | None, t: Translator) -> int:
    """List the paired phones, or forget one and tell the table; 1 if it is not there. Raises `OSError`."""
    if remove is not None:
        found = phones.remove(remove)
        print(
            t("forgotten") if found else t("no phone has this number; to list them, type: nimmt web pairings")
        )
        tell_table(table, phones)
        return 0 if found else 1
    for phone in phones.all():
        used = shown(datetime.fromtimestamp(phone.used_s, UTC), t)
        print(f"{phone.id}  {used}  {phone.name}")
    if not phones.all():
        print(t("no phone is paired; the menu of the device pairs one: PHONES"))
    return 0


def tell_table(table: Path, phones: Phones) -> None:
    """Tell the table which phones are left, for its display; where none answers, the page does so later."""
    from firmware.table_socket.client import Connection

    with suppress(CompanionError, OSError), Connection(table, _ANSWER_S) as connection:
        connection.send({"kind": "act", "act": "phones", "phones": phones.listed()})
        for said in connection:
            if said["kind"] == "answer":
                return


def _certificate(config: Config, file: Path) -> Certificate | None:
    """The certificate if the configuration wants one; without one, with a line that says why."""
    options = config.section(WebOptions)
    if options.tls != "own":
        return None
    import socket

    from network.web.certificate import Certificate

    host = socket.gethostname().partition(".")[0]
    try:
        return Certificate(file, (f"{host}.local", host, *options.names), time.time)
    except CompanionError as bad:
        _warn(config, bad)
        return None


def _warn(config: Config, error: CompanionError) -> None:
    t = translator(config)
    print(f"{t.say(error.fault_text)}: {t.say(error.fix_text)}", file=sys.stderr)


def run(args: argparse.Namespace) -> int:
    """Serve until SIGTERM or Ctrl-C. Raises `CompanionError` where that cannot be."""
    config = load(args.config)
    options = config.section(WebOptions)
    table, journal = table_of(args, config), place(args, config)
    phones = phones_file(os.environ, journal)
    if args.what == "pairings":
        from network.web.pairing import Phones

        return pairings(Phones(phones, time.time), table, args.remove, spoken(args.config))
    from network.web.server import Server, TlsSocket, address_for_others, address_of, listening, server
    from network.web.site import Site, SiteSetup, switched_off

    listen, port = args.listen or options.listen, options.port if args.port is None else args.port
    is_started = "LISTEN_FDS" in os.environ
    if not options.on and not is_started:
        raise CompanionError(
            say("the page is switched off: [web] on = false"), say("switch it on in the configuration")
        )
    encrypts = options.on and options.tls == "own"
    ports = [port, options.tls_port] if encrypts else [port]
    listener, *more = listening(listen, ports, os.environ)
    encrypted = more[0] if more else None
    notifier = sd_notify.notifier(os.environ)

    def ready() -> None:
        notifier.ready()
        t = spoken(args.config)
        print(t("{address}  (television: {path})", address=address_of(listener), path="/tv"), flush=True)

    if not options.on:  # who connects would start it again and again if it ended
        notifier.status("switched off in the configuration: [web] on = false")
        beside = None if encrypted is None else TlsSocket(encrypted)
        off = switched_off(options.names, translator(config))
        Server(off, notifier.ready, encrypted=beside).run(sockets=[listener])
        return 0
    certificate = _certificate(config, phones.with_name(CERTIFICATE))
    if encrypted is None and certificate is not None:
        fault = say("the page has no port for encrypted connections")
        _warn(config, CompanionError(fault, say("add a second ListenStream to nimmt-web.socket")))
    setting = SiteSetup(
        table,
        journal,
        phones,
        options.names,
        config.codes.box,
        config.table.names,
        certificate,
        encrypted.getsockname()[1] if encrypted is not None and certificate is not None else 0,
        lambda: address_for_others(listener),
    )
    server(Site(setting), ready, encrypted).run(sockets=[listener])
    return 0


def _options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "what",
        nargs="?",
        choices=("pairings",),
        help="pairings: list the phones that may act, instead of serving",
    )
    parser.add_argument("--remove", metavar="ID", help="with pairings: forget this phone")
    parser.add_argument("--listen", metavar="ADDRESS", help="serve on this address instead")
    parser.add_argument("--port", type=int, metavar="N", help="serve on this port instead")
    table_option(parser)


COMMAND = Command(
    help="serve the page for phones and televisions: the table as it is, and stored matches",
    run=run,
    options=_options,
    config=True,
    journal=True,
    service=True,
    streams=frozenset(),
    examples=(Example("nimmt web pairings"),),
)
