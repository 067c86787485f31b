"""The screens of an update: a USB drive that has one, which is written at once."""

from typing import Final

from firmware.extensions.update.at_table import Stage, UpdateSeen
from firmware.extensions.update.page import UpdateTable
from firmware.play.table import Table
from firmware.scripted.scripts import PartScreens


class _UpdateOnDrive:
    def __init__(self) -> None:
        self._stage = Stage.FOUND

    def look(self) -> None:
        """It is there already."""

    def begin(self) -> None:
        self._stage = Stage.WRITTEN

    def seen(self) -> UpdateSeen:
        return UpdateSeen(self._stage, "1.1.0", 100)


def _prepare(_name: str, table: Table) -> None:
    table.extension(UpdateTable).updates = _UpdateOnDrive()


SCREENS: Final = PartScreens(
    prepared={"update-found": "menu:UPDATE", "update-written": "menu:UPDATE OK"},
    prepare=_prepare,
)
