"""The paired phones at a table: what the page tells of them, and their place in the menu."""

from __future__ import annotations

import hmac
from functools import partial
from typing import TYPE_CHECKING, ClassVar

from companion.text.errors import CompanionError
from firmware.extensions.phones.messages import ACTS, CodeTyped, PhonesTold
from firmware.extensions.phones.pages import Pairing, open_list
from firmware.extensions.phones.phones import Phones
from firmware.play.extension import Extension
from hardware.ports import Signal

if TYPE_CHECKING:
    from firmware.play.extension import ExtendedTable
    from firmware.screens.parts.base import Item
    from hardware.ports import ExtensionMessage


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
