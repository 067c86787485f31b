"""The pages of a paired phone: of the host, of a player, of the scanner; and a backup for a host."""

from __future__ import annotations

import tempfile
from collections.abc import Generator
from pathlib import Path
from typing import TYPE_CHECKING, Final

from starlette.concurrency import run_in_threadpool

from firmware.history.played_match import replayed
from firmware.journal.copies import back_up
from network.web import camera
from network.web.frame import STATIC
from network.web.permissions import HOST

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response

    from network.web.site import TableSite

_PART: Final = 65_536


async def host(site: TableSite, request: Request) -> Response:
    """The keys of the box, numbers, badges and corrections; for a host other phones and a backup as well."""
    hosts = HOST in request.auth.scopes
    return site.respond(
        request,
        "host.html",
        asks_for_time=site.setting.clock.asks(),
        hosts=hosts,
        teaches=hosts and camera.is_installed(),
    )


async def join(site: TableSite, request: Request) -> Response:
    return site.respond(request, "join.html")


async def scan(site: TableSite, request: Request) -> Response:
    return site.respond(
        request,
        "scan.html",
        reads_codes=(STATIC / "vendor" / "zxing.wasm").is_file(),
        reads_faces=bool(await run_in_threadpool(site.camera.decks)),
    )


async def backup(site: TableSite, request: Request) -> Response:
    """The whole journal as a file; one is made at a time."""
    parts = _backup(site.setting.journal)
    return site.download(request, parts, "journal.sqlite", "application/vnd.sqlite3")


def _backup(journal: Path) -> Generator[bytes]:
    """A copy of the whole journal, with every match in it replayed, in parts. Raises `CompanionError`."""
    with tempfile.TemporaryDirectory(prefix="nimmt-backup-") as folder:
        to = Path(folder) / "journal.sqlite"
        back_up(journal, to, replayed)
        with to.open("rb") as file:
            while part := file.read(_PART):
                yield part
