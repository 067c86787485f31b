"""What a match that is over means for its players: matches, wins, and whether a total was the best ever."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from companion.values import replace
from firmware.display.layout import Layout
from firmware.screens.parts.base import Controller, Page
from firmware.session.actions import Action, KeyAction
from hardware.ports import Key, Press

if TYPE_CHECKING:
    from firmware.display.canvas import Canvas
    from firmware.session.session import Session

_TURNS = {
    Key.DOWN: 1,
    Key.RIGHT: 1,
    Key.TURN_RIGHT: 1,
    Key.UP: -1,
    Key.LEFT: -1,
    Key.TURN_LEFT: -1,
}


class Records(Page):
    """Two lines for each player: the best total before this match or that this is one; wins and matches."""

    NAME: ClassVar[str] = "records"
    page: int = 0

    def draw(self, canvas: Canvas, session: Session) -> None:
        """The players of this page, best first."""
        t, layout, records = session.translate, Layout(canvas, session.plan), session.about.records()
        each, pages = _pages(session, len(records))
        layout.title(t("RECORDS"), t.digits(f"{self.page + 1}/{pages}") if pages > 1 else "")
        if layout.plan.row_bar:
            layout.hints(t("OK=BACK"), t("DOWN=MORE") if pages > 1 else "")
        if not records:
            layout.paragraph(t("NOBODY PLAYED WITH A BADGE."))
        for place, record in enumerate(records[each * self.page : each * (self.page + 1)]):
            name = session.names.short(record.badge, 12)
            layout.pair(2 * place, name, _best(session, each * self.page + place))
            layout.pair(
                2 * place + 1, "", t("WON {wins} OF {matches}", wins=record.wins, matches=record.matches)
            )

    def handle(self, action: Action, controller: Controller) -> bool:
        """Up and down turn the page."""
        if not isinstance(action, KeyAction) or action.press is not Press.SHORT or action.key not in _TURNS:
            return False
        _, pages = _pages(controller.session, len(controller.session.about.records()))
        controller.show(replace(self, page=(self.page + _TURNS[action.key]) % pages))
        return True


def _pages(session: Session, players: int) -> tuple[int, int]:
    """Players on a page, and how many pages there are."""
    each = max(1, session.plan.lines // 2)
    return each, max(1, -(-players // each))


def _best(session: Session, place: int) -> str:
    t, record = session.translate, session.about.records()[place]
    if record.table:
        return t("TABLE RECORD: {total}", total=record.total)
    if record.is_best:
        return t("BEST EVER: {total}", total=record.total)
    if record.best is None:
        return t("FIRST: {total}", total=record.total)
    return t("BEST: {best}", best=record.best)
