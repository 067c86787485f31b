"""`nimmt web`: serve the page for phones and televisions, in a process of its own."""

from __future__ import annotations

import os
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from companion.errors import CompanionError
from companion.text import say
from firmware.config.configuration import load
from firmware.history.stored_time import shown
from firmware.service import sd_notify
from firmware.session.language import translator
from firmware.table_socket.place import found

if TYPE_CHECKING:
    import argparse
    from collections.abc import Mapping

    from firmware.translation import Translator
    from web.pairing import Phones


PHONES = "phones.json"

INSTALLED_FOLDER = Path("/var/lib/nimmt-web")
"""What the page of the installed device writes, and commands of its owner read."""

_STATE_OF_THE_GAME = "/var/lib/nimmt"
"""`firmware.cli.INSTALLED_STATE`: it means that the configuration of the installed device is used."""


def phones_file(environ: Mapping[str, str], journal: Path) -> Path:
    """Where the paired phones are: for the installed page in a folder of its own, else beside the journal.

    It must not write where the journal is.
    """
    folder = environ.get("STATE_DIRECTORY", "").partition(":")[0]
    if folder == _STATE_OF_THE_GAME and INSTALLED_FOLDER.is_dir():
        return INSTALLED_FOLDER / PHONES
    return Path(folder) / PHONES if folder else journal.with_name(PHONES)


def pairings(phones: Phones, remove: str | None, t: Translator) -> int:
    """List the paired phones, or forget one; 1 if it is not there. Raises `OSError`."""
    if remove is not None:
        found = phones.remove(remove)
        print(
            t("forgotten") if found else t("no phone has this number; to list them, type: nimmt web pairings")
        )
        return 0 if found else 1
    for phone in phones.all():
        used = shown(datetime.fromtimestamp(phone.used_s, UTC))
        print(f"{phone.id}  {used}  {phone.name}")
    if not phones.all():
        print(t("no phone is paired; the menu of the device pairs one: PHONES"))
    return 0


def run(args: argparse.Namespace) -> int:
    """Serve until SIGTERM or Ctrl-C. Raises `CompanionError` where that cannot be."""
    try:
        from web.off import switched_off
        from web.pairing import Phones
        from web.server import address_of, listening, server, serving
        from web.site import Setting, Site
    except ModuleNotFoundError as missing:
        raise CompanionError(
            say("the page needs {package}, which is not installed", package=missing.name or ""),
            say("install the package nimmt-web, or nimmt-companion[web]"),
        ) from missing
    config = load(args.config)
    journal: Path = args.journal or config.journal.place(os.environ)
    phones = phones_file(os.environ, journal)
    if args.what == "pairings":
        return pairings(Phones(phones, time.time), args.remove, translator(config))
    table: Path = args.table or found(os.environ, journal, args.journal)
    listen, port = args.listen or config.web.listen, args.port or config.web.port
    is_started = "LISTEN_FDS" in os.environ
    if not config.web.on and not is_started:
        raise CompanionError(
            say("the page is switched off: [web] on = false"), say("switch it on in the configuration")
        )
    listener = listening(listen, port, os.environ)
    notifier = sd_notify.notifier(os.environ)

    def ready() -> None:
        notifier.ready()
        print(f"{address_of(listener)}  (television: /tv)", flush=True)

    if not config.web.on:  # who connects would start it again and again if it ended
        notifier.status("switched off in the configuration: [web] on = false")
        serving(switched_off(config.web.names, translator(config)), notifier.ready).run(sockets=[listener])
        return 0
    setting = Setting(
        table,
        journal,
        phones,
        config.web.names,
        config.codes.box,
        config.table.names,
    )
    server(Site(setting), ready).run(sockets=[listener])
    return 0
