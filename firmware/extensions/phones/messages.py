"""What the page that lets phones act tells the table through its socket."""

from __future__ import annotations

from typing import Annotated, ClassVar, Final

from msgspec import Meta

from firmware.extensions.phones.paired_phones import LONGEST_ID, LONGEST_NAME, MOST_LISTED, KnownPhone
from firmware.play.extension import Code, SocketAct
from hardware.ports import ExtensionMessage, Message

# In Python "$" also matches before a last line end.
_FINGERPRINT: Final = r"^([0-9A-F]{64})?$(?!\n)"
_ADDRESS: Final = r"^(https?://[A-Za-z0-9.:\[\]-]{1,60})?$(?!\n)"


class CodeTyped(ExtensionMessage, frozen=True):
    """Somebody typed the code that the display shows, or another one, on a device that wants to be let in."""

    IS_INPUT: ClassVar[bool] = True
    code: str


class PhonesTold(ExtensionMessage, frozen=True):
    """The page that lets phones in tells which there are.

    `fingerprint` is that of the page's certificate, 64 hexadecimal digits, or empty; `address` where phones
    find the page, such as http://192.168.1.20:8066, or empty. None: it is not told.
    """

    phones: tuple[KnownPhone, ...]
    fingerprint: str | None = None
    address: str | None = None


class Pair(SocketAct, tag="pair"):
    """The code that the display shows, typed on a device that wants to be let in."""

    code: Code

    def message(self, now_s: float) -> Message:
        """For the part of the table."""
        return CodeTyped(self.code)


class TellPhones(SocketAct, tag="phones"):
    """The page that lets phones in tells which there are; see `PhonesTold`."""

    OWNED: ClassVar[bool] = True

    phones: Annotated[tuple[KnownPhone, ...], Meta(max_length=MOST_LISTED)]
    fingerprint: Annotated[str, Meta(pattern=_FINGERPRINT)] | None = None
    address: Annotated[str, Meta(pattern=_ADDRESS)] | None = None

    def message(self, now_s: float) -> Message:
        """For the part of the table."""
        phones = [KnownPhone(one.id[:LONGEST_ID], one.name[:LONGEST_NAME]) for one in self.phones]
        return PhonesTold(tuple(phones), self.fingerprint, self.address)


ACTS: Final = (Pair, TellPhones)
