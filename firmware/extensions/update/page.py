"""A new version from a USB stick: what was found, how far it is, and the restart that begins to use it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.text.sentence import say
from companion.values import replace
from firmware.display.layout import Big, Layout, paginate
from firmware.extensions.update.at_table import Stage, StickUpdates, Updates, UpdateSeen
from firmware.flashed.slots import BootPartition
from firmware.play.table import Extension, Item, Table
from firmware.screens.parts.base import Keys, KeyUse, Page, back
from firmware.screens.parts.kinds import Confirm
from hardware.ports import Key

if TYPE_CHECKING:
    from firmware.display.canvas import Canvas
    from firmware.session.session import Session


class Update(Page):
    """One stage of `updates` at a time; `part` is the page of a long fault.

    To leave it stops nothing.
    """

    updates: Updates
    part: int = 0

    def draw(self, canvas: Canvas, session: Session) -> None:
        t, layout, seen = session.translate, Layout(canvas, session.plan), self.updates.seen()
        layout.title(t("UPDATE"))
        if seen.stage is Stage.WRITING:
            layout.hints(t("CONTINUES BY ITSELF"), *self.hints(session))
        else:
            layout.hints(*self.hints(session))
        match seen.stage:
            case Stage.LOOKING:
                layout.paragraph(t("LOOKING AT THE USB DRIVE"))
            case Stage.NONE:
                layout.paragraph(t("PLUG IN A USB DRIVE WITH AN UPDATE."))
            case Stage.FOUND if seen.of > 1:
                layout.paragraph(
                    t("VERSION {version} IS THE NEWEST OF {count}.", version=seen.version, count=seen.of)
                )
            case Stage.FOUND:
                layout.paragraph(t("VERSION {version} WAS FOUND.", version=seen.version))
            case Stage.WRITING:
                layout.stack(layout.free, (Big(t("{percent} %", percent=seen.percent)),))
            case Stage.REFUSED:
                parts = _parts(seen, session)
                layout.lines(parts[min(self.part, len(parts) - 1)])
            case Stage.WRITTEN:
                layout.paragraph(t("VERSION {version} IS TRIED AT THE NEXT START.", version=seen.version))

    def keys(self, session: Session) -> Keys:
        seen = self.updates.seen()
        back_hint = say("UNDO=LATER") if seen.stage is Stage.WRITTEN else say("UNDO=BACK")
        leave = KeyUse(back, back_hint)
        look = KeyUse(self._look, say("OK=LOOK AGAIN"))
        match seen.stage:
            case Stage.REFUSED if self.part + 1 < len(_parts(seen, session)):
                ok = KeyUse(self.shows(part=self.part + 1), say("OK=MORE"))
            case Stage.NONE | Stage.REFUSED:
                ok = look
            case Stage.FOUND:
                ok = KeyUse(self._install, say("OK=INSTALL"))
            case Stage.WRITTEN:
                ok = KeyUse(lambda at: at.restart(), say("OK=RESTART"))
            case _:  # it is at work, and to leave it is what UNDO is for
                ok = KeyUse(lambda _: None, help=say("CONTINUES BY ITSELF"))
        return {Key.OK: ok, Key.UNDO: leave}

    def _install(self, table: Table) -> None:
        """Write it; what is older than what runs only after a question."""
        seen = self.updates.seen()
        if not seen.older_than:
            self.updates.begin()
            return
        follows = say(
            "{version} IS OLDER THAN {runs}, WHICH RUNS.", version=seen.version, runs=seen.older_than
        )
        question = Confirm(say("AN OLDER VERSION?"), follows, say("INSTALL"), lambda _: self.updates.begin())
        table.open(question)

    def _look(self, table: Table) -> None:
        table.show(replace(self, part=0))
        self.updates.look()


def _parts(seen: UpdateSeen, session: Session) -> list[list[str]]:
    texts = () if seen.refused is None else (seen.refused.fault_text, seen.refused.fix_text)
    return paginate(session.plan, *map(session.translate.say, texts))


class UpdateTable(Extension):
    """Offers updates between matches, where this program was flashed as an image and may restart."""

    def __init__(self) -> None:
        self.updates: Updates | None = None
        """New versions on USB sticks; None until the menu has offered them."""

    def menu(self, table: Table) -> tuple[Item, ...]:
        if table.session.match is not None:
            return ()
        if self.updates is None and table.can_switch_off and BootPartition().running is not None:
            self.updates = StickUpdates()
        if (updates := self.updates) is None:
            return ()

        def look(at: Table) -> None:
            updates.look()
            at.open(Update(updates))

        return ((say("UPDATE"), look),)
