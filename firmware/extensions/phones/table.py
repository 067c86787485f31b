"""The paired phones at a table: what the page tells of them, and their place in the menu."""

from __future__ import annotations

import hmac
from functools import partial
from typing import Annotated, ClassVar, Final

from msgspec import Meta

from companion.text.errors import CompanionError
from firmware.extensions.phones.pages import Pairing, open_list
from firmware.extensions.phones.paired_phones import LONGEST_ID, LONGEST_NAME, MOST_LISTED, KnownPhone, Phones
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

    def __init__(self, table: ExtendedTable) -> None:
        super().__init__(table)
        self.phones = Phones(table.session.notes)

    def hear(self, message: ExtensionMessage) -> bool:
        """A code that was typed, and which phones there are."""
        if isinstance(message, CodeTyped):
            self._take_code(message.code)
        elif isinstance(message, PhonesTold):
            self._note(message)
        else:
            return False
        return True

    def menu(self) -> tuple[Item, ...]:
        """What can be done with phones."""
        return ((self.table.session.translate("PHONES"), partial(open_list, self.phones)),)

    def _take_code(self, code: str) -> None:
        """Pair who has typed the code that the display shows; a wrong one changes nothing."""
        table, page = self.table, self.table.front
        if not isinstance(page, Pairing) or not hmac.compare_digest(code.encode(), page.code.encode()):
            table.signal(Signal.REFUSED)
            return
        table.close()
        table.signal(Signal.ACCEPTED)
        table.say(table.session.translate("PHONE PAIRED"))

    def _note(self, message: PhonesTold) -> None:
        """Keep which phones may act; a list that cannot be noted is told again later."""
        if (address := message.address) is not None:
            self.table.session.match_address = lambda match: f"{address}/records/{match}" if address else ""
        try:
            self.phones.tell(message.phones, message.fingerprint)
        except CompanionError as bad:
            self.table.note_refusal(bad.fault_text, bad.fix_text)
