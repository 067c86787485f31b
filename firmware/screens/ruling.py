"""The ruling of a turn: where every card goes (S12, S17), and why (S13)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar

from firmware.acts import Act, KeyAct
from firmware.screens.wrapping import wrapped
from hardware.ports import Key, Press

if TYPE_CHECKING:
    from companion.game import Line
    from firmware.canvas import Canvas
    from firmware.desk import Desk
    from firmware.world import World

PER_PAGE = 4


@dataclass(frozen=True, slots=True)
class RulingList:
    """The cards of the newest turn in the order of play, four a page."""

    NAME: ClassVar[str] = "ruling"
    table: Any
    first: int = 0

    def lines(self, world: World) -> tuple[Line, ...]:
        """All cards of the turn."""
        return world.playing.game.board(self.table).newest

    def draw(self, canvas: Canvas, world: World) -> None:
        """Card, row, and who takes."""
        t, lines = world.words, self.lines(world)
        more = f"{self.first // PER_PAGE + 1}/{-(-len(lines) // PER_PAGE)}" if len(lines) > PER_PAGE else ""
        canvas.bar_title(t("PLACE IN ORDER") if more else t("PLACE IN THIS ORDER"), more)
        for place, line in enumerate(lines[self.first : self.first + PER_PAGE]):
            x_px, y_px = (1, 66)[place % 2], 13 + 19 * (place // 2)
            takes = line.taker is not None
            canvas.card(x_px, y_px, world.label(line.card), emphasised=takes)
            text_px = y_px + (1 if takes else 5)
            canvas.text(x_px + 30, text_px, "→")
            canvas.key(x_px + 39, text_px, f"R{line.place}")
            if line.taker is not None:
                canvas.text(x_px + 30, y_px + 10, canvas.fit(world.name(line.taker), 5))
        if self.first + PER_PAGE < len(lines):
            canvas.footer(t("OK=MORE"), t("WHY=WHY?"))
        else:
            canvas.footer(t("OK=PLACED"), t("WHY=WHY?"))

    def on(self, act: Act, desk: Desk) -> bool:
        """OK turns the page and at the last one says that the cards are placed."""
        if not isinstance(act, KeyAct) or act.press is not Press.SHORT:
            return False
        if act.key is Key.WHY:
            desk.open(Why(self.lines(desk.world), self.first))
            return True
        if act.key is Key.OK:
            if self.first + PER_PAGE < len(self.lines(desk.world)):
                page = replace(self, first=self.first + PER_PAGE)
                desk.swap(page) if desk.pages else desk.open(page)
            else:
                desk.home()
                desk.acknowledge("ruling")
            return True
        return False


@dataclass(frozen=True, slots=True)
class Why:
    """S13: the reason of one placement, with the gaps in figures."""

    NAME: ClassVar[str] = "why"
    lines: tuple[Line, ...]
    at: int = 0

    def draw(self, canvas: Canvas, world: World) -> None:
        """The chart, the column that won, and the rule."""
        t, line = world.words, self.lines[self.at]
        because = line.because
        canvas.bar_title(t("WHY {card} {outcome}?", card=line.card, outcome=line.outcome))
        for place, cells in enumerate(because.chart):
            canvas.body_line(place, cells[0].ljust(4) + "".join(cell.rjust(4) for cell in cells[1:]))
        if because.lit:
            canvas.invert(11 + 24 * because.lit, 10, 17, 27)
        if not because.chart:
            for place, words in enumerate(wrapped(t.say(because.says), 4)):
                canvas.body_line(place, words)
        canvas.body_line(4, t(because.rule.short))
        canvas.footer(t("OK=NEXT"), t("UNDO=BACK"))

    def on(self, act: Act, desk: Desk) -> bool:
        """OK goes through the cards of the turn."""
        if isinstance(act, KeyAct) and act.press is Press.SHORT and act.key in (Key.OK, Key.WHY):
            if self.at + 1 < len(self.lines):
                desk.swap(replace(self, at=self.at + 1))
            else:
                desk.close()
            return True
        return False
