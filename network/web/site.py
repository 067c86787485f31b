"""What all pages of one table share: the connection to it, who watches, paired phones, stored matches."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection, Generator
from contextlib import closing, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from msgspec import to_builtins
from starlette.concurrency import run_in_threadpool
from starlette.responses import Response

from companion.core import codes
from companion.text.sentence import Text, in_sentences
from companion.values import Value, field
from firmware.extensions.phones import paired_phones
from firmware.extensions.phones.paired_phones import PhoneNotes
from firmware.journal.errors import JournalError
from firmware.journal.store import Journal
from firmware.service.clock import Clock
from firmware.table_socket.link import Link
from firmware.text.translation import DEFAULT, Translator, translator
from network.web.camera import PhotoDecks
from network.web.frame import Renderer, language_of
from network.web.job_queue import UNPAIRED_SHARE, Download, JobQueue
from network.web.live import TOGETHER_S, Live
from network.web.pairing import PhoneAccess
from network.web.rate_limit import RateLimit
from network.web.view import view_of
from network.web.voice import Utterances

if TYPE_CHECKING:
    from starlette.requests import Request

    from network.web.certificate import OwnCertificate

DRAWN: Final = frozenset({"snapshot", "table", "page", "notice", "language", "away"})
"""The events after which a page is drawn again."""

MIRRORED: Final = frozenset({"snapshot", "picture", "away"})
"""The events after which the picture of the display is sent again."""

GUESSES_S: Final = 5.0
GUESSES: Final = 10.0
"""Codes of unpaired phones that the game compares: so many each second, and so many at once."""

_RENDERER: Final = Renderer("box.html", codes=codes)


class SiteSetup(Value):
    """What the page needs to know: the table's socket, its journal, further names of this machine."""

    table: Path
    journal: Path
    phones: Path
    """The file with the paired phones."""

    names: Collection[str] = ()
    box: int = 1
    players: tuple[str, ...] = ()
    """The names of the configuration, by badge."""

    records: str = "everybody"
    """Who may see stored matches, see `config.WebOptions`."""

    certificate: OwnCertificate | None = None
    """If the page is served encrypted as well."""

    encrypted_port: int = 0
    """The port of the encrypted page; 0 where there is none."""

    address: Callable[[], str] = str
    """Where other machines find the page at this moment, see `server.address_for_others`."""

    clock: Clock = field(default_factory=Clock)


class TableSite:
    """What the handlers of all addresses share; `network.web.application` has the addresses.

    Stored matches are read in threads of their own: paired phones never wait for others.
    """

    def __init__(self, setting: SiteSetup) -> None:
        self.setting = setting
        self.link = Link(setting.table, self._on_event)
        self.live = Live(self._view)
        self.mirror = Live(lambda _language: self._picture())
        self.pairing = PhoneAccess(setting.phones)
        self.phones = self.pairing.phones
        self.guesses = RateLimit(GUESSES_S, GUESSES)
        self.reading = {True: JobQueue(), False: JobQueue(UNPAIRED_SHARE)}
        """Where stored matches are read, by whether a phone is paired."""
        self.exports = JobQueue()
        """Where files of the whole journal are made."""
        self.camera = PhotoDecks(setting.journal, setting.box)
        self.people: tuple[object, dict[str, Any]] = (None, {})
        """The statistics of people, and of what they were made."""
        self._utterances = Utterances()
        self._sending: asyncio.Task[None] | None = None
        self._address = ""
        """Where others find the page, as the table was told."""

    def close(self) -> None:
        self.live.close()
        self.mirror.close()
        self.camera.close()
        for thread in (*self.reading.values(), self.exports):
            thread.close()

    # --------------------------------------------------------------------------------- for handlers

    def texts(self, request: Request) -> Translator:
        """The texts for a request: in its own language, else in that of the table."""
        table = self.link.snapshot
        language = language_of(request, DEFAULT if table is None else table.language)
        return translator(language) if table is None else translator(language, table.digits, table.calendar)

    def respond(self, request: Request, template: str, **facts: Any) -> Response:  # noqa: ANN401 - for it
        """A page from a template. Every thread may call it."""
        facts |= {
            "shows_matches": self.setting.records != "nobody",
            "encrypted": self.encrypted_address(request),
        }
        return _RENDERER.respond(request, template, request.state.t, **facts)

    def message(self, request: Request, status: int, fault: Text, fix: Text) -> Response:
        """A page that says what is wrong, and what to do."""
        what, to_do = (in_sentences(request.state.t.say(text)) for text in (fault, fix))
        return self.respond(request, "message.html", status=status, fault=what, fix=to_do)

    def ask_to_pair(self, request: Request, status: int = 200, *, hosts: bool = False) -> Response:
        """The form that pairs a phone, in the place of what only a paired one gets."""
        return self.respond(request, "pair.html", status=status, hosts=hosts)

    def download(self, request: Request, parts: Generator[bytes], name: str, media: str) -> Response:
        """A file while it is made, one at a time. Raises `BusyError`."""
        if request.method == "HEAD":
            return Response(media_type=media, headers=as_file(name))
        return Download(self.exports, parts, media, as_file(name))

    def encrypted_address(self, request: Request) -> str:
        """The same page where a browser gives it a live camera; empty if it is there, or is nowhere."""
        port = self.setting.encrypted_port
        return (
            str(request.url.replace(scheme="https", port=port)) if port and not request.url.is_secure else ""
        )

    async def phone_notes(self) -> PhoneNotes | None:
        """Which phones were forgotten at the display, and which host; None while that cannot be read."""
        return await run_in_threadpool(read_notes, self.setting.journal)

    # --------------------------------------------------------------------------------- the table

    def _on_event(self, kind: str) -> None:
        # The table was away, or there was a gap; or the machine is in another network by now.
        outdated = kind == "snapshot" or (kind == "table" and self.setting.address() != self._address)
        if outdated and (self._sending is None or self._sending.done()):
            self._sending = asyncio.get_running_loop().create_task(self._send_phones_later())
        for live, kinds in ((self.live, DRAWN), (self.mirror, MIRRORED)):
            if kind in kinds:
                live.change_soon()

    def _view(self, language: str) -> dict[str, Any]:
        snapshot = self.link.snapshot
        view = view_of(snapshot, language, away=self.link.away)
        return view | {"said": self._utterances.newest(snapshot, language)}

    def _picture(self) -> dict[str, Any]:
        snapshot = self.link.snapshot
        return {"away": self.link.away, "picture": snapshot and to_builtins(snapshot.picture)}

    async def _send_phones_later(self) -> None:
        await asyncio.sleep(TOGETHER_S)
        await self.send_phones()

    async def send_phones(self) -> None:
        """Send the table which phones may act, for its display; what cannot be sent now is sent later."""
        notes = await self.phone_notes()
        if notes is None:
            return
        try:
            self.phones.remove_ended(notes)
        except OSError:  # the table remembers that they are forgotten as long as they are sent
            return
        certificate = self.setting.certificate
        self._address = self.setting.address() if self.setting.records != "nobody" else ""
        record = {
            "phones": self.phones.listed(notes),
            "fingerprint": certificate.fingerprint if certificate is not None else "",
            "address": self._address,
        }
        with suppress(ConnectionError, ValueError):
            await self.link.act({"act": "phones", **record})


def read_notes(journal: Path) -> PhoneNotes | None:
    """Which phones were forgotten at the display, and which host; None while nobody can tell. Blocks."""
    if not journal.exists():
        return PhoneNotes()  # nobody has forgotten one yet
    try:
        with closing(Journal.read(journal)) as reader:
            return paired_phones.read(reader.notes().get)
    except JournalError:
        return None


def as_file(name: str) -> dict[str, str]:
    """The headers of a file that a browser saves."""
    return {"content-disposition": f'attachment; filename="nimmt-{name}"'}
