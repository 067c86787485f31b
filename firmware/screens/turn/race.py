"""A race: the player whose card comes first has won. Who that is may be asked afterwards."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from companion.core.ask import Ask, Gives
from firmware.display.layout import Area, Layout
from firmware.screens.parts.base import Controller, Page
from firmware.screens.parts.dial import dial_on_key
from firmware.screens.parts.signs import BEATS_PX, draw_beats, draw_top
from firmware.session.actions import Action, KeyAction
from hardware.ports import Key, Press

if TYPE_CHECKING:
    from firmware.display.canvas import Canvas
    from firmware.session.session import Session


class Race(Page):
    """The first card that is accepted wins; a badge or a player's own key before it says whose it is."""

    NAME: ClassVar[str] = "race"
    asks: tuple[Ask, ...]

    def draw(self, canvas: Canvas, session: Session) -> None:
        """The card to beat, and who may not take part."""
        t, match, layout = session.translate, session.playing, Layout(canvas, session.plan)
        ask, board, other = self.asks[0], match.board, self._other
        if layout.plan.row_bar:
            out = [seat for seat in match.players if seat not in ask.seats]
            without = t("NOT {name}", name=session.short_name(out[0], 8)) if out else ""
            title = t.say(ask.says)
            layout.title(title, without if layout.title_fits(title, without) else "")
        left, undo = t("OK={what}", what=other.labels[0]) if other else "", t("UNDO=LAST")
        layout.hints(left, undo if layout.plan.row_bar and layout.hints_hold(left, undo) else "")
        free = layout.free
        beats = Area(free.right_px - BEATS_PX, free.y_px + 1, BEATS_PX, free.height_px - 1)
        draw_beats(layout, beats, session, board)
        rest = Area(2, free.y_px + 1, free.width_px - BEATS_PX - 4, free.height_px - 1)
        if board.top is not None:
            draw_top(layout, Area(rest.x_px, rest.y_px, rest.width_px, 26), session, board.top)
        layout.stack(rest.below(27), (t("FIRST CARD WINS"),))

    def handle(self, action: Action, controller: Controller) -> bool:
        """OK says that nobody can; the other keys set a card."""
        if not isinstance(action, KeyAction) or action.press is not Press.SHORT:
            return False
        if action.key is Key.OK and self._other is not None:
            return self.choose(self._other.choices[0], controller)
        return dial_on_key(action, controller)

    def choose(self, choice: str, controller: Controller) -> bool:
        """That nobody can."""
        if self._other is None or choice not in self._other.choices:
            return False
        controller.answer(self._other, None, choice)
        return True

    @property
    def _other(self) -> Ask | None:
        return next((ask for ask in self.asks if ask.kind.gives is Gives.WORD), None)
