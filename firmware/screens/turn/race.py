"""A race: the player whose card comes first has won. Who that is may be asked afterwards."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from companion.core.ask import Ask, Gives
from firmware.display.layout import Area, Layout
from firmware.screens.parts.base import Controller, Keys, KeyUse, Page, undo
from firmware.screens.parts.dial import dial_keys
from firmware.screens.parts.signs import BEATS_PX, draw_beats, draw_top
from hardware.ports import Key

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
        ask, board = self.asks[0], match.board
        if layout.plan.row_bar:
            out = [seat for seat in match.players if seat not in ask.seats]
            without = t("NOT {name}", name=session.short_name(out[0], 8)) if out else ""
            title = t.say(ask.says)
            layout.title(title, without if layout.title_fits(title, without) else "")
        keys = self.keys(session)
        left, last = keys[Key.OK].hint if Key.OK in keys else "", keys[Key.UNDO].hint
        layout.hints(left, last if layout.plan.row_bar and layout.hints_hold(left, last) else "")
        free = layout.free
        beats = Area(free.right_px - BEATS_PX, free.y_px + 1, BEATS_PX, free.height_px - 1)
        draw_beats(layout, beats, session, board)
        rest = Area(2, free.y_px + 1, free.width_px - BEATS_PX - 4, free.height_px - 1)
        if board.top is not None:
            draw_top(layout, Area(rest.x_px, rest.y_px, rest.width_px, 26), session, board.top)
        layout.stack(rest.below(27), (t("FIRST CARD WINS"),))

    def keys(self, session: Session) -> Keys:
        """OK says that nobody can; the other keys set a card."""
        t, other, keys = session.translate, self._other, dial_keys()
        keys[Key.UNDO] = KeyUse(undo, t("UNDO=LAST"))
        if other is not None:
            choice = other.choices[0]
            keys[Key.OK] = KeyUse(lambda at: self.choose(choice, at), t("OK={what}", what=other.labels[0]))
        return keys

    def choose(self, choice: str, controller: Controller) -> bool:
        """That nobody can."""
        if self._other is None or choice not in self._other.choices:
            return False
        controller.answer(self._other, None, choice)
        return True

    @property
    def _other(self) -> Ask | None:
        return next((ask for ask in self.asks if ask.kind.gives is Gives.WORD), None)
