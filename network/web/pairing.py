"""Which phones may act: a list of them in a file, and how often somebody may guess a code.

Who of them hosts, the game itself knows (`firmware.extensions.phones.paired_phones`).

A phone is paired with the six digits that the display shows after its menu was asked for them. The game
itself compares them: nobody else knows them. A paired phone has a random token in a cookie that no script can
read; the file has only what the token hashes to, so that a copy of the file lets nobody in.
"""

import hashlib
import json
import secrets
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, Final

from starlette.requests import HTTPConnection, Request
from starlette.responses import JSONResponse, Response

from companion.core.codec import read, to_line
from companion.text.digits import in_latin_digits
from companion.text.sentence import can_be_seen
from companion.values import Value, replace
from firmware.bounded_file import keep, read_bounded
from firmware.extensions.phones.paired_phones import LONGEST_NAME as LONGEST_LISTED
from firmware.extensions.phones.paired_phones import MAX_LISTED, PhoneNotes
from network.web.bodies import json_of
from network.web.rate_limit import RateLimit, sender_of

COOKIE: Final = "nimmt_host"
"""A page at another port of the same machine needs another name: a cookie knows no ports."""
ENCRYPTED_COOKIE: Final = "__Host-nimmt"
"""Of a phone that was paired on the encrypted page; the browser sends it nowhere else. It needs a name of its
own: a page that is not encrypted cannot replace it."""

LONGEST_NAME: Final = 40
LASTS_S: Final = 90 * 86_400
"""A phone that has not acted for so long is forgotten, also by its browser."""

MAX_PHONES: Final = 40
"""Paired phones; the one that was quiet longest makes room for a new one."""

_LONGEST_CODE: Final = 20
_LONGEST_TOKEN: Final = 100
_LARGEST_FILE: Final = 100_000
_NOTED_EVERY_S: Final = 3600
"""How often it is written down that a phone has acted: the disk is an SD card."""

GUESSES: Final = 5.0
GUESS_S: Final = 30.0
"""From one address so many codes at once, then one every so many seconds: a code is there for a minute."""


class Phone(Value):
    """A paired phone. `id` names it in lists, `hash` is that of its token; times are seconds since 1970.

    `era` is that of the game when it was paired: the display can end an era, and with it all its phones.
    """

    id: str
    hash: str
    name: str
    paired_s: int
    used_s: int
    era: int = 0


class _Paired(Value):
    phones: tuple[Phone, ...]


class Phones:
    """The paired phones in the file at `path`; one thread uses them. `now_s` is the time of day."""

    def __init__(self, path: Path, now_s: Callable[[], float]) -> None:
        self._path = path
        self._now_s = now_s

    def all(self) -> tuple[Phone, ...]:
        """Every phone that is paired now, the one that acted last first."""
        oldest = self._now_s() - LASTS_S
        alive = [phone for phone in _phones(self._path) if phone.used_s > oldest]
        return tuple(sorted(alive, key=lambda phone: -phone.used_s))

    def pair(self, name: str, era: int, called: str = "") -> str:
        """Add a phone, which calls itself so; gives its token. `called`: its id, else a new one.

        Raises `OSError`.
        """
        token, now_s = secrets.token_urlsafe(32), int(self._now_s())
        phone = Phone(called or new_id(), _hashed(token), shown_name(name), now_s, now_s, era)
        self._write((phone, *self.all()[: MAX_PHONES - 1]))
        return token

    def find(self, token: str, ended: PhoneNotes) -> Phone | None:
        """The phone with a token, noting that it was used; None where there is none, or it was forgotten."""
        hashed = _hashed(token)
        for phone in self.paired(ended):
            if secrets.compare_digest(phone.hash, hashed):
                now_s = int(self._now_s())
                if now_s - phone.used_s > _NOTED_EVERY_S:
                    others = (other for other in self.all() if other.id != phone.id)
                    self._write((replace(phone, used_s=now_s), *others))
                return phone
        return None

    def paired(self, ended: PhoneNotes) -> tuple[Phone, ...]:
        """Those that were not forgotten at the display."""
        return tuple(phone for phone in self.all() if phone.era == ended.era and phone.id not in ended.ended)

    def listed(self, ended: PhoneNotes) -> list[dict[str, str]]:
        """What the display lists of them: those that have acted last."""
        phones = self.paired(ended)[:MAX_LISTED]
        return [{"id": phone.id, "name": phone.name[:LONGEST_LISTED]} for phone in phones]

    def remove_ended(self, ended: PhoneNotes) -> None:
        """Remove those that were forgotten at the display. Raises `OSError`."""
        self._keep_only(self.paired(ended))

    def remove(self, name: str) -> bool:
        """Remove the phone of that id; False if there is none. Raises `OSError`."""
        return self._keep_only(tuple(phone for phone in self.all() if phone.id != name))

    def _keep_only(self, left: tuple[Phone, ...]) -> bool:
        """Remove all others; False if there are none."""
        is_removed = len(left) != len(self.all())
        if is_removed:
            self._write(left)
        return is_removed

    def move_times(self, by_s: float) -> None:
        """Move all times, for the clock was wrong and has been set by so much. Raises `OSError`."""
        moved = int(by_s)
        self._write(
            replace(phone, paired_s=phone.paired_s + moved, used_s=phone.used_s + moved)
            for phone in _phones(self._path)
        )

    def _write(self, phones: Iterable[Phone]) -> None:
        keep(to_line(_Paired(tuple(phones))), self._path)


def new_id() -> str:
    """An id for a phone."""
    return secrets.token_hex(4)


def shown_name(name: str) -> str:
    """What a phone is called that calls itself so."""
    return "".join(filter(can_be_seen, name))[:LONGEST_NAME].strip() or "–"


class PhoneAccess:
    """Which browsers may act: the phones in the file at `path`, and how often a code may be guessed."""

    def __init__(self, path: Path, cookie: str = COOKIE) -> None:
        self.phones, self._cookie = Phones(path, time.time), cookie
        self.guesses = RateLimit(1 / GUESS_S, GUESSES)

    async def read_code(
        self, request: Request, refused: Callable[[str], dict[str, Any]]
    ) -> tuple[str, str, bool] | Response:
        """The code and the name that a browser sends, and whether it wants to host.

        Else the answer: `refused` says why.
        """
        body = await json_of(request)
        code, name = body.get("code"), body.get("name", "")
        if not isinstance(code, str) or not isinstance(name, str) or len(code) > _LONGEST_CODE:
            return JSONResponse(refused("malformed"), 400)
        if not self.guesses.allows(sender_of(request)):
            return JSONResponse({**refused("busy"), "wait_s": GUESS_S}, 429)
        return in_latin_digits(code), name, body.get("hosts") is True

    def pair(self, request: Request, name: str, era: int, called: str = "") -> Response:
        """Add the phone that has sent the right code; gives the answer, with its token in a cookie."""
        token, secure = self.phones.pair(name, era, called), request.url.is_secure
        response = JSONResponse({"accepted": True})
        cookie = ENCRYPTED_COOKIE if secure else self._cookie
        response.set_cookie(cookie, token, max_age=LASTS_S, httponly=True, samesite="strict", secure=secure)
        return response

    def phone(self, request: HTTPConnection, ended: PhoneNotes) -> Phone | None:
        """The phone that has sent a request, unless it was forgotten."""
        return next(filter(None, (self.phones.find(token, ended) for token in self.tokens(request))), None)

    def tokens(self, request: HTTPConnection) -> list[str]:
        """Those of a paired phone: who was paired twice may have one that has ended, and one that counts."""
        names = (ENCRYPTED_COOKIE, self._cookie) if request.url.is_secure else (self._cookie,)
        given = (request.cookies.get(name, "") for name in names)
        return [token for token in given if 0 < len(token) <= _LONGEST_TOKEN]


def _hashed(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()


def _phones(path: Path) -> tuple[Phone, ...]:
    """The phones in a file; one that cannot be read pairs nobody."""
    try:
        return read(json.loads(read_bounded(path, _LARGEST_FILE)), _Paired, path.name).phones
    except (OSError, ValueError, RecursionError):
        return ()
