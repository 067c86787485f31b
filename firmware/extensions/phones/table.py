"""The paired phones at a table: what the page tells of them, and their place in the menu."""

import hmac
from functools import partial
from typing import Annotated, ClassVar, Final

from msgspec import Meta

from companion.text.errors import CompanionError
from firmware.extensions.phones.pages import Pairing, open_list
from firmware.extensions.phones.paired_phones import LONGEST_ID, LONGEST_NAME, MOST_LISTED, KnownPhone, tell
from firmware.play.extension import Code, ExtendedTable, Extension, SocketAct
from firmware.screens.parts.base import Item
from hardware.ports import ExtensionMessage, Message, Signal

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


class PairedPhones(Extension):
    """The phones that may act at this table."""

    ACTS: ClassVar = ACTS

    def __init__(self) -> None:
        self.fingerprint = ""
        """SHA-256 of the certificate of the page, in 64 hexadecimal digits; empty where none is known."""

    def hear(self, message: ExtensionMessage, table: ExtendedTable) -> bool:
        """A code that was typed, and which phones there are."""
        if isinstance(message, CodeTyped):
            _take_code(message.code, table)
        elif isinstance(message, PhonesTold):
            self._note(message, table)
        else:
            return False
        return True

    def not_stored(self, message: ExtensionMessage, bad: CompanionError, table: ExtendedTable) -> bool:
        """A list that cannot be noted is told again later."""
        if isinstance(message, PhonesTold):
            table.note_refusal(bad.fault_text, bad.fix_text)
        return isinstance(message, PhonesTold)

    def menu(self, table: ExtendedTable) -> tuple[Item, ...]:
        """What can be done with phones."""
        return ((table.session.translate("PHONES"), partial(open_list, self.fingerprint)),)

    def _note(self, message: PhonesTold, table: ExtendedTable) -> None:
        if (address := message.address) is not None:
            table.session.change(match_address=lambda match: f"{address}/records/{match}" if address else "")
        if message.fingerprint is not None:
            self.fingerprint = message.fingerprint
        tell(message.phones, table.session.notes)


def _take_code(code: str, table: ExtendedTable) -> None:
    """Pair who has typed the code that the display shows; a wrong one changes nothing."""
    page = table.front
    if not isinstance(page, Pairing) or not hmac.compare_digest(code.encode(), page.code.encode()):
        table.signal(Signal.REFUSED)
        return
    table.close()
    table.signal(Signal.ACCEPTED)
    table.say(table.session.translate("PHONE PAIRED"))
