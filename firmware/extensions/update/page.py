"""A new version from a USB stick: what was found, how far it is, and the restart that begins to use it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.text.sentence import say
from companion.values import replace
from firmware.display.layout import Big, Layout, paginate
from firmware.extensions.update.at_table import DriveUpdates, UpdateStage, UpdateState
from firmware.flashed.slots import BootPartition
from firmware.play.table import Extension, Item, Table
from firmware.screens.parts.base import Keys, KeyUse, Page, back
from firmware.screens.parts.kinds import Confirm, NotNow
from hardware.ports import Key

if TYPE_CHECKING:
    from firmware.display.canvas import Canvas
    from firmware.session.session import Session


class Update(Page):
    """One stage of `updates` at a time; `part` is the page of a long fault.

    To leave it stops nothing.
    """

    updates: DriveUpdates
    part: int = 0

    def draw(self, canvas: Canvas, session: Session) -> None:
        t, layout, state = session.translate, Layout(canvas, session.plan), self.updates.state()
        layout.title(t("UPDATE"))
        goes_on = (t("CONTINUES BY ITSELF"),) if state.stage is UpdateStage.WRITING else ()
        layout.hints(*goes_on, *self.hints(session))
        match state.stage:
            case UpdateStage.SEARCHING:
                layout.paragraph(t("LOOKING AT THE USB DRIVE"))
            case UpdateStage.NONE:
                layout.paragraph(t("PLUG IN A USB DRIVE WITH AN UPDATE."))
            case UpdateStage.FOUND if state.of > 1:
                layout.paragraph(
                    t("VERSION {version} IS THE NEWEST OF {count}.", version=state.version, count=state.of)
                )
            case UpdateStage.FOUND:
                layout.paragraph(t("VERSION {version} WAS FOUND.", version=state.version))
            case UpdateStage.WRITING:
                layout.stack(layout.free, (Big(t("{percent}%", percent=state.percent)),))
            case UpdateStage.REFUSED:
                parts = _parts(state, session)
                layout.lines(parts[min(self.part, len(parts) - 1)])
            case UpdateStage.WRITTEN:
                layout.paragraph(t("THE NEXT START WILL TRY VERSION {version}.", version=state.version))

    def keys(self, session: Session) -> Keys:
        state = self.updates.state()
        back_hint = say("UNDO=LATER") if state.stage is UpdateStage.WRITTEN else say("UNDO=BACK")
        leave = KeyUse(back, back_hint)
        search = KeyUse(self._search, say("OK=LOOK AGAIN"))
        match state.stage:
            case UpdateStage.REFUSED if self.part + 1 < len(_parts(state, session)):
                ok = KeyUse(self.shows(part=self.part + 1), say("OK=MORE"))
            case UpdateStage.NONE | UpdateStage.REFUSED:
                ok = search
            case UpdateStage.FOUND:
                ok = KeyUse(self._install, say("OK=INSTALL"))
            case UpdateStage.WRITTEN:
                ok = KeyUse(lambda at: at.restart(), say("OK=RESTART"))
            case _:  # it is at work, and to leave it is what UNDO is for
                ok = KeyUse(lambda _: None, help=say("CONTINUES BY ITSELF"))
        return {Key.OK: ok, Key.UNDO: leave}

    def _install(self, table: Table) -> None:
        """Write it; what is older than what runs only after a question."""
        state = self.updates.state()
        if not state.older_than:
            self.updates.install()
            return
        follows = say(
            "{version} IS OLDER THAN THE RUNNING {runs}.", version=state.version, runs=state.older_than
        )
        install = Confirm(say("AN OLDER VERSION?"), follows, say("INSTALL"), lambda _: self.updates.install())
        table.open(install)

    def _search(self, table: Table) -> None:
        table.show(replace(self, part=0))
        self.updates.search()


def _parts(state: UpdateState, session: Session) -> list[list[str]]:
    texts = () if state.refused is None else (state.refused.fault_text, state.refused.fix_text)
    return paginate(session.plan, *map(session.translate.say, texts))


class UpdateTable(Extension):
    """Offers updates between matches, where this program was flashed as an image and may restart."""

    def __init__(self) -> None:
        self.updates: DriveUpdates | None = None
        """New versions on USB sticks; None until the menu has offered them."""

    def menu(self, table: Table) -> tuple[Item, ...]:
        if self.updates is None and table.power is not None and BootPartition().running is not None:
            from firmware.extensions.update.on_drive import newest  # what unpacks one is not for every start

            self.updates = DriveUpdates(newest)
        if (updates := self.updates) is None:
            return ()

        def search(at: Table) -> None:
            updates.search()
            at.open(Update(updates))

        between = table.session.match is None
        return ((say("UPDATE"), search if between else NotNow(say("suspend the match first"))),)
