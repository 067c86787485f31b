"""Who sends a request, and what that phone may do: known before a handler runs.

Everybody may watch. The page of a phone that is paired and not forgotten has the permission `PAIRED`; that of
a host has `HOST` as well.
"""

from collections.abc import Awaitable, Callable
from typing import Final

from starlette.authentication import AuthCredentials, AuthenticationBackend, SimpleUser
from starlette.requests import HTTPConnection

from firmware.extensions.phones.paired_phones import PhoneNotes
from network.web.pairing import PhoneAccess

PAIRED: Final = "paired"
HOST: Final = "host"


class PhoneAuthentication(AuthenticationBackend):
    """Finds the phone of a request; `read_notes` says which were forgotten at the display, and which host."""

    def __init__(self, pairing: PhoneAccess, read_notes: Callable[[], Awaitable[PhoneNotes | None]]) -> None:
        self._pairing, self._read_notes = pairing, read_notes

    async def authenticate(self, conn: HTTPConnection) -> tuple[AuthCredentials, SimpleUser] | None:
        """The permissions of a phone, and its id as the user; None for everybody else."""
        if conn.url.path.startswith("/static/") or not self._pairing.tokens(conn):
            return None
        notes = await self._read_notes()
        if notes is None:  # a forgotten phone must not come back while nobody can tell
            return None
        phone = self._pairing.phone(conn, notes)
        if phone is None:
            return None
        return AuthCredentials([PAIRED, HOST] if phone.id in notes.hosts else [PAIRED]), SimpleUser(phone.id)
