"""The screens of an update: a USB drive that has one, which is written at once."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from firmware.extensions.update.at_table import Stage, UpdateSeen
from firmware.extensions.update.page import UpdateTable
from firmware.scripted.scripts import PartScreens

if TYPE_CHECKING:
    from firmware.play.controller import TableController


class _UpdateOnDrive:
    def __init__(self) -> None:
        self._stage = Stage.FOUND

    def look(self) -> None:
        """It is there already."""

    def begin(self) -> None:
        self._stage = Stage.WRITTEN

    def seen(self) -> UpdateSeen:
        return UpdateSeen(self._stage, "1.1.0", 100)


def _prepare(_name: str, table: TableController) -> None:
    table.extension(UpdateTable).updates = _UpdateOnDrive()


SCREENS: Final = PartScreens(
    prepared={"update-found": "menu:UPDATE", "update-written": "menu:UPDATE OK"},
    prepare=_prepare,
)
