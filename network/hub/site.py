"""What all pages of a hub share: frame and texts, who may act, and what those who watch are sent."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from sqlalchemy.exc import SQLAlchemyError
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from companion.text.errors import CompanionError
from companion.text.sentence import Text, in_sentences, say
from firmware.config.configuration import Config
from firmware.extensions.phones.paired_phones import PhoneNotes
from firmware.history.stored_time import shown
from firmware.session.language import translator as translator_of
from firmware.text.translation import Translator, translator
from network.hub import faults
from network.hub.config import DIRECTORS, HubOptions
from network.hub.director import PairingCode
from network.hub.tournament import length_of
from network.hub.view import titled
from network.web.bodies import json_of
from network.web.frame import Renderer, language_of
from network.web.job_queue import AGAIN_S, BUSY, UNPAIRED_SHARE, BusyError, JobQueue
from network.web.live import Live
from network.web.pairing import Phone, PhoneAccess
from network.web.rate_limit import sender_of

if TYPE_CHECKING:
    from firmware.history.portions import Portions
    from network.hub.intake import Intake

_NOBODY_ENDED: Final = PhoneNotes()
"""A hub has no display that could forget a director."""

_NO_DATABASE: Final = (
    say("The hub cannot use its database at the moment."),
    say("What was played is not lost. Trying again …"),
)

_MAX_LIVE: Final = 300
"""Pages that are kept although nobody watches them; the oldest are forgotten first."""

_RENDERER: Final = Renderer(
    "hub.html",
    Path(__file__).parent / "templates",
    time=lambda at_s, t: shown(datetime.fromtimestamp(at_s, UTC), t),
    titled=titled,
)


class HubSite:
    """What the pages have in common. It keeps its own files in `folder`.

    What is called here belongs to the thread of the event loop, or says otherwise.
    """

    def __init__(
        self, config: Config, folder: Path, intake: Intake, show_code: Callable[[str], None]
    ) -> None:
        self.intake, self.conductor = intake, intake.conductor
        self.store, self.matches, self.tables = intake.store, intake.matches, intake.tables
        self.names = config.section(HubOptions).names
        self._screen, self._language = config.screen, translator_of(config).language
        self.pairing = PhoneAccess(folder / DIRECTORS, "nimmt_director")
        self.code = PairingCode(show_code)
        self.reading, self.rounds = JobQueue(UNPAIRED_SHARE), JobQueue()
        self._lives: dict[tuple[str, str], Live] = {}
        self._lengths: dict[str, str] = {}
        """Of the log of the tournament and of the list of faults: whoever sees another one loads it again."""
        self._loop: asyncio.AbstractEventLoop | None = None
        intake.changed.append(self._changed)

    def begin(self) -> None:
        self._loop = asyncio.get_running_loop()

    def close(self) -> None:
        self._loop = None
        self.reading.close()
        self.rounds.close()
        for live in self._lives.values():
            live.close()

    # ------------------------------------------------------------------------------------- answers

    def texts(self, request: Request) -> Translator:
        return self.texts_in(language_of(request, self._language))

    def texts_in(self, language: str) -> Translator:
        return translator(language, self._screen.digits, self._screen.calendar)

    def title_of(self, name: str, t: Translator) -> str:
        """What the table of this name is called."""
        box = self.tables.box(name)
        return name if box is None else titled(box, t)

    def answer(
        self,
        request: Request,
        template: str,
        status: int = 200,
        **facts: Any,  # noqa: ANN401 - what the template asks for
    ) -> Response:
        """A page from a template. Every thread may call it."""
        t = self.texts(request)
        return _RENDERER.respond(request, template, t, status, title_of=self.title_of, **facts)

    def missing(self, request: Request, text: Text) -> Response:
        return self.answer(request, "message.html", 404, fault=self.texts(request).say(text), fix="")

    async def not_found(self, request: Request, _error: Exception) -> Response:
        return self.missing(request, say("There is nothing at this address."))

    async def unavailable(self, request: Request, error: Exception) -> Response:
        """The answer while the database is away, or others read too much: a page loads itself again."""
        t, retry = self.texts(request), {"retry-after": str(AGAIN_S)}
        fault, fix = map(t.say, BUSY if isinstance(error, BusyError) else _NO_DATABASE)
        if request.method == "POST":
            return JSONResponse({**refused("database"), "fault": fault, "fix": fix}, 503, retry)
        response = self.answer(request, "message.html", 503, fault=fault, fix=fix)
        response.headers.update({**retry, "refresh": str(AGAIN_S)})
        return response

    async def read(
        self, request: Request, make: Callable[[], Portions[Response]], uid: str | None = None
    ) -> Response:
        """What `make` answers, made once while all stored matches, or the one of this `uid`, are the same."""
        key = (str(request.url), self.texts(request).language, self.matches.version(uid))
        return await self.reading.once(key, make, sender_of(request))

    def directing(self, request: Request) -> Phone | None:
        """The director who has sent a request; None for everybody else."""
        return self.pairing.phone(request, _NOBODY_ENDED)

    async def directed(
        self, request: Request, do: Callable[[Phone, dict[str, Any]], bool | None]
    ) -> Response:
        """Do what a director asks for, in a thread; `do` raises `CompanionError`, or returns False."""
        who = self.directing(request)
        if who is None:
            return JSONResponse(refused("unpaired"), 403)
        answer: dict[str, Any] = {"accepted": True}
        try:
            answer["accepted"] = await run_in_threadpool(do, who, await json_of(request)) is not False
        except CompanionError as bad:
            t = self.texts(request)
            fault, fix = (in_sentences(t.say(text)) for text in (bad.fault_text, bad.fix_text))
            answer = {"accepted": False, "fault": fault, "fix": fix}
        await run_in_threadpool(self._compare_lengths)
        return JSONResponse(answer, 200 if answer["accepted"] else 409)

    # ------------------------------------------------------------------------------------- who watches

    def live(self, kind: str, which: str, view: Callable[[str], dict[str, Any]]) -> Live:
        """Those who watch a page: `hall`, `table` or a list, and which one. `view` is what they see."""
        found = self._lives.get((kind, which))
        if found is None:
            for key in [key for key, live in self._lives.items() if not live.watchers][:-_MAX_LIVE]:
                del self._lives[key]

            def current(language: str) -> dict[str, Any]:
                return {"away": bool(self.intake.away), "why": self.intake.away, **view(language)}

            found = self._lives[kind, which] = Live(current)
        return found

    async def live_list(self, kind: str) -> Live:
        """Those who watch a list, and are sent how long it is: of a `tournament` the log, or the `faults`."""
        live = self.live(kind, "", lambda _language: {"length": self._lengths[kind]})
        self._lengths[kind] = await run_in_threadpool(self._length, kind)
        return live

    def _length(self, kind: str) -> str:
        if kind == "tournament":
            return length_of(self.conductor.held)
        with suppress(SQLAlchemyError), self.store.reading() as db:
            return faults.length(db)
        return self._lengths.get(kind, "")

    def _compare_lengths(self) -> None:
        """Tell those who watch a list that is another one. From every thread but that of the event loop."""
        for (kind, _), live in list(self._lives.items()):
            if kind in self._lengths and (length := self._length(kind)) != self._lengths[kind]:
                self._lengths[kind] = length
                if self._loop is not None:
                    self._loop.call_soon_threadsafe(live.change_soon)

    def _changed(self, names: set[str] | None) -> None:
        """Tell those who watch these tables; called in the thread of the intake."""
        loop = self._loop
        if loop is not None and self._lives:
            loop.call_soon_threadsafe(self._change, names)
            self._compare_lengths()

    def _change(self, names: set[str] | None) -> None:
        for (kind, which), live in self._lives.items():
            if names is None or kind == "hall" or which in names:
                live.change_soon()


def refused(why: str) -> dict[str, Any]:
    return {"accepted": False, "why": why}
