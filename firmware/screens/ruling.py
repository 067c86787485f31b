"""The ruling of a turn: where every card goes, and why."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar

from firmware.display.canvas import BODY_LINES
from firmware.display.glyphs import MEDIUM, SMALL
from firmware.screens.base import Page, Result
from firmware.screens.choice import PER_PAGE, page_number
from firmware.screens.table import beside_rows
from firmware.screens.wrapping import paginate
from firmware.session.actions import Action, KeyAction
from hardware.ports import Key, Press

if TYPE_CHECKING:
    from companion.board import Line
    from companion.ruling import Because
    from firmware.display.canvas import Canvas
    from firmware.screens.base import Controller
    from firmware.session.session import Session
    from firmware.translation import Translator

_CELL_PX = 6


@dataclass(frozen=True, slots=True)
class RulingList(Page):
    """The cards of the newest turn in the order of play, four per page."""

    NAME: ClassVar[str] = "ruling"
    GOES_ON_WITH_OK: ClassVar[bool] = True
    HOLDS_EXTRA_CARD: ClassVar[bool] = True
    GOES_ON_BY_ITSELF: ClassVar[bool] = True
    table: Any
    first: int = 0

    def lines(self, session: Session) -> tuple[Line, ...]:
        """All cards of the turn."""
        return session.playing.game.board(self.table).newest

    def draw(self, canvas: Canvas, session: Session) -> None:
        """The rows as they are then, and beside them each card with its row; a bull if it takes it."""
        t, board = session.translate, session.playing.game.board(self.table)
        more = page_number(self.first, len(board.newest))
        if more:
            canvas.bar_title(t("PLACE IN ORDER {part}", part=more), t("OK"))
        else:
            canvas.bar_title(t("PLACE IN ORDER"), t("OK/WHY"))
        x_px = beside_rows(canvas, session, board.stacks)
        for place, line in enumerate(board.newest[self.first : self.first + PER_PAGE]):
            y_px = 11 + 13 * place
            card = session.label(line.card)
            font, down_px = (MEDIUM, 0) if card.isdigit() else (SMALL, 3)
            canvas.text_right(x_px + 23, y_px + down_px, card, font)
            if line.taker is None:
                canvas.text(x_px + 25, y_px + 3, "→")
            else:
                canvas.icon(x_px + 24, y_px + 3, "bull")
            canvas.key(x_px + 32, y_px + 3, line.place)

    def handle(self, action: Action, controller: Controller) -> bool:
        """OK turns the page, and on the last one says that the cards are placed; UNDO turns it back."""
        if not isinstance(action, KeyAction) or action.press is not Press.SHORT:
            return False
        if action.key is Key.WHY:
            controller.open(Why(self.lines(controller.session), self.first))
            return True
        if action.key is Key.OK:
            following = self.following(controller.session)
            if following is not None:
                controller.show(following)
            else:
                controller.home()
                controller.acknowledge(Result.RULING)
            return True
        if action.key is Key.UNDO and self.first > PER_PAGE:
            controller.show(replace(self, first=self.first - PER_PAGE))
            return True
        if action.key is Key.UNDO and self.first:
            controller.close()  # the first page lies below
            return True
        return False

    def following(self, session: Session) -> RulingList | None:
        """The next cards of a long ruling. The last ones stay: players place by them."""
        more = self.first + PER_PAGE < len(self.lines(session))
        return replace(self, first=self.first + PER_PAGE) if more else None


def _draw_chart(canvas: Canvas, because: Because, t: Translator) -> None:
    """The facts as a small table, the column that decided lit. A column is as wide as its longest cell."""
    chart = because.chart_in(t.say)
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
class Why(Page):
    """The reason for one placement, with the gaps in figures; `part` (0-based) of it, if it is long."""

    NAME: ClassVar[str] = "why"
    lines: tuple[Line, ...]
    at: int = 0
    part: int = 0

    def draw(self, canvas: Canvas, session: Session) -> None:
        """The chart, the column that decided, and the rule."""
        t, line = session.translate, self.lines[self.at]
        because = line.because
        facts = {"card": session.label(line.card), "outcome": line.outcome}
        # The card is empty where nobody knows it. Where all does not fit, the word before it gives way.
        titles = [
            " ".join(title.split())
            for title in (t("WHY {card} {outcome}?", **facts), t("{card} {outcome}?", **facts))
        ]
        canvas.bar_title(titles[0] if canvas.title_holds(titles[0], "") else titles[1])
        _draw_chart(canvas, because, t)
        if not because.cells:
            for place, text in enumerate(self._text(session)[self.part]):
                canvas.body_line(place, text)
        canvas.body_line(4, t.say(because.rule.title))
        canvas.footer(t("OK=NEXT"), t("UNDO=BACK"))

    def handle(self, action: Action, controller: Controller) -> bool:
        """OK goes through the cards of the turn."""
        if isinstance(action, KeyAction) and action.press is Press.SHORT and action.key in (Key.OK, Key.WHY):
            if self.part + 1 < len(self._text(controller.session)):
                controller.show(replace(self, part=self.part + 1))
            elif self.at + 1 < len(self.lines):
                controller.show(replace(self, at=self.at + 1, part=0))
            else:
                controller.close()
            return True
        return False

    def _text(self, session: Session) -> list[list[str]]:
        """The reason in words, four lines a page; none where there is a chart, which says the same."""
        because = self.lines[self.at].because
        return [[]] if because.cells else paginate(BODY_LINES - 1, session.translate.say(because.says))
