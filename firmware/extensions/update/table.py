"""The update at a table: the row in the menu that looks for a new version on a USB stick."""

from __future__ import annotations

from typing import TYPE_CHECKING

from firmware.extensions.update.at_table import StickUpdates
from firmware.extensions.update.page import Update
from firmware.flashed.slots import Card
from firmware.play.extension import Extension

if TYPE_CHECKING:
    from firmware.extensions.update.at_table import Updates
    from firmware.play.extension import ExtendedTable
    from firmware.screens.parts.base import Controller, Item


class UpdateTable(Extension):
    """Offers updates between matches, where this program was flashed as an image and may restart."""

    def __init__(self, table: ExtendedTable) -> None:
        super().__init__(table)
        self.updates: Updates | None = None
        """New versions on USB sticks; None until the menu has offered them."""

    def menu(self) -> tuple[Item, ...]:
        """UPDATE."""
        if self.table.session.match is not None:
            return ()
        if self.updates is None and self.table.machine.can_switch_off and Card().running is not None:
            self.updates = StickUpdates()
        if (updates := self.updates) is None:
            return ()

        def look(at: Controller) -> None:
            updates.look()
            at.open(Update(updates))

        return ((self.table.session.translate("UPDATE"), look),)
