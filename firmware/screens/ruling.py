"""The ruling of a turn: where every card goes (S12, S17), and why (S13)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar

from firmware.display.canvas import BODY_LINES
from firmware.screens.wrapping import paginate
from firmware.session.actions import Action, KeyAction
from hardware.ports import Key, Press

if TYPE_CHECKING:
    from companion.game import Line
    from companion.ruling import Because
    from firmware.display.canvas import Canvas
    from firmware.play.controller import Controller
    from firmware.session.session import Session

PER_PAGE = 4
_CELL_PX = 6


@dataclass(frozen=True, slots=True)
class RulingList:
    """The cards of the newest turn in the order of play, four a page."""

    NAME: ClassVar[str] = "ruling"
    table: Any
    first: int = 0

    def lines(self, session: Session) -> tuple[Line, ...]:
        """All cards of the turn."""
        return session.playing.game.board(self.table).newest

    def draw(self, canvas: Canvas, session: Session) -> None:
        """Card, row, and who takes."""
        t, lines = session.translate, self.lines(session)
        more = f"{self.first // PER_PAGE + 1}/{-(-len(lines) // PER_PAGE)}" if len(lines) > PER_PAGE else ""
        canvas.bar_title(t("PLACE IN ORDER") if more else t("PLACE IN THIS ORDER"), more)
        for place, line in enumerate(lines[self.first : self.first + PER_PAGE]):
            x_px, y_px = (1, 66)[place % 2], 13 + 19 * (place // 2)
            takes = line.taker is not None
            canvas.card(x_px, y_px, session.label(line.card), emphasised=takes)
            text_px = y_px + (1 if takes else 5)
            canvas.text(x_px + 30, text_px, "→")
            canvas.key(x_px + 39, text_px, f"R{line.place}")
            if line.taker is not None:
                canvas.text(x_px + 30, y_px + 10, canvas.fit(session.name(line.taker), 5))
        if self.first + PER_PAGE < len(lines):
            canvas.footer(t("OK=MORE"), t("WHY=WHY?"))
        else:
            canvas.footer(t("OK=PLACED"), t("WHY=WHY?"))

    def handle(self, action: Action, controller: Controller) -> bool:
        """OK turns the page and at the last one says that the cards are placed."""
        if not isinstance(action, KeyAction) or action.press is not Press.SHORT:
            return False
        if action.key is Key.WHY:
            controller.open(Why(self.lines(controller.session), self.first))
            return True
        if action.key is Key.OK:
            if self.first + PER_PAGE < len(self.lines(controller.session)):
                page = replace(self, first=self.first + PER_PAGE)
                controller.swap(page) if controller.pages else controller.open(page)
            else:
                controller.home()
                controller.acknowledge("ruling")
            return True
        return False


def _draw_chart(canvas: Canvas, because: Because) -> None:
    """The facts as a small table, the column that decided lit; columns are as wide as they need."""
    chart = because.chart
    if not chart:
        return
    wide = [max(3, *(len(row[column]) for row in chart)) + 1 for column in range(len(chart[0]))]
    for place, (label, *cells) in enumerate(chart):
        line = label.ljust(wide[0]) + "".join(
            cell.rjust(width) for cell, width in zip(cells, wide[1:], strict=True)
        )
        canvas.body_line(place, line)
    if because.lit:
        end, own = sum(wide[: because.lit + 1]), wide[because.lit]
        canvas.invert(_CELL_PX * (end - own + 1) + 1, 10, _CELL_PX * (own - 1) + 1, 9 * len(chart))


@dataclass(frozen=True, slots=True)
class Why:
    """S13: the reason of one placement, with the gaps in figures."""

    NAME: ClassVar[str] = "why"
    lines: tuple[Line, ...]
    at: int = 0
    leaf: int = 0

    def draw(self, canvas: Canvas, session: Session) -> None:
        """The chart, the column that won, and the rule."""
        t, line = session.translate, self.lines[self.at]
        because = line.because
        title = t("WHY {card} {outcome}?", card=session.label(line.card), outcome=line.outcome)
        canvas.bar_title(canvas.fit(" ".join(title.split()), 21))  # where nobody knows the card, it is empty
        _draw_chart(canvas, because)
        if not because.chart:
            for place, translate in enumerate(self._leaves(session)[self.leaf]):
                canvas.body_line(place, translate)
        canvas.body_line(4, t(because.rule.short))
        canvas.footer(t("OK=NEXT"), t("UNDO=BACK"))

    def handle(self, action: Action, controller: Controller) -> bool:
        """OK goes through the cards of the turn."""
        if isinstance(action, KeyAction) and action.press is Press.SHORT and action.key in (Key.OK, Key.WHY):
            if self.leaf + 1 < len(self._leaves(controller.session)):
                controller.swap(replace(self, leaf=self.leaf + 1))
            elif self.at + 1 < len(self.lines):
                controller.swap(replace(self, at=self.at + 1, leaf=0))
            else:
                controller.close()
            return True
        return False

    def _leaves(self, session: Session) -> list[list[str]]:
        """The reason in words, four lines at a time; where there is a chart, it says it all."""
        because = self.lines[self.at].because
        return [[]] if because.chart else paginate(BODY_LINES - 1, session.translate.say(because.says))
