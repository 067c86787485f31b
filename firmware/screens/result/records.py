"""What a match that is over means for its players: matches, wins, and whether a total was the best ever."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, ClassVar

from companion.values import replace
from firmware.display.layout import Layout
from firmware.screens.parts.base import Controller, Keys, KeyUse, Page, back
from firmware.screens.parts.choice import TURNS, cursor_moves
from hardware.ports import Key

if TYPE_CHECKING:
    from firmware.display.canvas import Canvas
    from firmware.session.session import Session


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
            layout.hints(*self.hints(session))
        if not records:
            layout.paragraph(t("NOBODY PLAYED WITH A BADGE."))
        for place, record in enumerate(records[each * self.page : each * (self.page + 1)]):
            name = session.names.short(record.badge, 12)
            layout.pair(2 * place, name, _best(session, each * self.page + place))
            layout.pair(
                2 * place + 1, "", t("WON {wins} OF {matches}", wins=record.wins, matches=record.matches)
            )

    def keys(self, session: Session) -> Keys:
        """Up and down turn the page."""
        t = session.translate
        _, pages = _pages(session, len(session.about.records()))
        keys: Keys = {Key.OK: KeyUse(back, t("OK=BACK"))}
        more = t("DOWN=MORE") if pages > 1 else ""
        for key, page in cursor_moves(self.page, pages).items():
            hint = more if key is Key.DOWN else ""
            keys[key] = KeyUse(partial(self._turn, page), hint, TURNS)
        return keys

    def _turn(self, page: int, controller: Controller) -> None:
        controller.show(replace(self, page=page))


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
