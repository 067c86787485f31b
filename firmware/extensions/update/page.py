"""A new version from a USB stick: what was found, how far it is, and the restart that begins to use it."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from companion.values import replace
from firmware.display.layout import Big, Layout, paginate
from firmware.extensions.update.at_table import Stage, StickUpdates, Updates, UpdateSeen
from firmware.flashed.slots import BootPartition
from firmware.play.extension import ExtendedTable, Extension
from firmware.screens.parts.base import Controller, Item, Page
from firmware.session.actions import Action, KeyAction
from hardware.ports import Key, Press

if TYPE_CHECKING:
    from firmware.display.canvas import Canvas
    from firmware.session.session import Session


class Update(Page):
    """One stage of `updates` at a time; `part` is the page of a long fault.

    To leave it stops nothing.
    """

    NAME: ClassVar[str] = "update"
    updates: Updates
    part: int = 0

    def draw(self, canvas: Canvas, session: Session) -> None:
        """The stage, and what OK does in it."""
        t, layout, seen = session.translate, Layout(canvas, session.plan), self.updates.seen()
        layout.title(t("UPDATE"))
        back = t("UNDO=BACK")
        match seen.stage:
            case Stage.LOOKING:
                layout.hints(back)
                layout.paragraph(t("LOOKING AT THE USB DRIVE"))
            case Stage.NONE:
                layout.hints(t("OK=LOOK AGAIN"), back)
                layout.paragraph(t("PLUG IN A USB DRIVE WITH AN UPDATE."))
            case Stage.FOUND:
                layout.hints(t("OK=INSTALL"), back)
                layout.paragraph(t("VERSION {version} WAS FOUND.", version=seen.version))
            case Stage.WRITING:
                layout.hints(t("IT GOES ON ALONE"), back)
                layout.stack(layout.free, (Big(t("{percent} %", percent=seen.percent)),))
            case Stage.REFUSED:
                parts = _parts(seen, session)
                more = self.part + 1 < len(parts)
                layout.hints(t("OK=MORE") if more else t("OK=LOOK AGAIN"), back)
                layout.lines(parts[min(self.part, len(parts) - 1)])
            case Stage.WRITTEN:
                layout.hints(t("OK=RESTART"), t("UNDO=LATER"))
                layout.paragraph(t("VERSION {version} IS TRIED AT THE NEXT START.", version=seen.version))

    def handle(self, action: Action, controller: Controller) -> bool:
        """OK does what the stage offers."""
        if not isinstance(action, KeyAction) or action.key is not Key.OK or action.press is not Press.SHORT:
            return False
        seen = self.updates.seen()
        match seen.stage:
            case Stage.REFUSED if self.part + 1 < len(_parts(seen, controller.session)):
                controller.show(replace(self, part=self.part + 1))
            case Stage.NONE | Stage.REFUSED:
                controller.show(replace(self, part=0))
                self.updates.look()
            case Stage.FOUND:
                self.updates.begin()
            case Stage.WRITTEN:
                controller.machine.restart()
        return True


def _parts(seen: UpdateSeen, session: Session) -> list[list[str]]:
    """Why it was refused and what to do, in pages."""
    said = [session.translate.say(text) for text in (seen.fault, seen.fix) if text is not None]
    return paginate(session.plan, *said)


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
        if self.updates is None and self.table.machine.can_switch_off and BootPartition().running is not None:
            self.updates = StickUpdates()
        if (updates := self.updates) is None:
            return ()

        def look(at: Controller) -> None:
            updates.look()
            at.open(Update(updates))

        return ((self.table.session.translate("UPDATE"), look),)
