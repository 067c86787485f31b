"""A question with a few worded answers: the symbol of a joker, again or reverse, thanked or not."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar

from firmware.screens.table import PER_PAGE, page_of
from firmware.screens.taking import moved
from firmware.session.actions import ROW_KEYS, Action, KeyAction
from hardware.ports import Key, Press, Signal

if TYPE_CHECKING:
    from companion.game import Ask
    from firmware.display.canvas import Canvas
    from firmware.play.controller import Controller
    from firmware.session.session import Session


@dataclass(frozen=True, slots=True)
class Decide:
    """The answers as a list, four a page; none is chosen beforehand."""

    NAME: ClassVar[str] = "decide"
    ask: Ask
    cursor: int | None = None

    def draw(self, canvas: Canvas, session: Session) -> None:
        """The question, who answers it, and the answers."""
        t = session.translate
        first = page_of(self.cursor or 0)
        canvas.bar_title(t.say(self.ask.says))
        for place, label in enumerate(self.ask.labels[first : first + PER_PAGE]):
            y_px = 13 + 10 * place
            if first + place == self.cursor:
                canvas.cursor(0, y_px)
            canvas.hint(6, y_px, f"{place + 1}={t.say(label)}")
        who = canvas.fit(session.name(self.ask.seats[0]), 8) if len(self.ask.seats) == 1 else ""
        canvas.footer(who or t("OK=THIS ONE"), t("UNDO=BACK"))

    def handle(self, action: Action, controller: Controller) -> bool:
        """A row key answers; so does OK at the cursor."""
        if not isinstance(action, KeyAction) or action.press is not Press.SHORT:
            return False
        if action.key in ROW_KEYS:
            place = page_of(self.cursor or 0) + ROW_KEYS.index(action.key)
            if place < len(self.ask.choices):
                self._answer(place, controller)
            return True
        if action.key is Key.OK:
            if self.cursor is None:
                controller.signal(Signal.REFUSED)
                controller.say(controller.session.translate("CHOOSE ONE FIRST"))
            else:
                self._answer(self.cursor, controller)
            return True
        if (cursor := moved(self.cursor, action, len(self.ask.choices))) is not None:
            page = replace(self, cursor=cursor)
            controller.swap(page) if controller.pages else controller.open(page)
            return True
        return False

    def _answer(self, place: int, controller: Controller) -> None:
        seat = self.ask.seats[0] if len(self.ask.seats) == 1 else None
        controller.propose(controller.session.playing.game.read(self.ask, seat, self.ask.choices[place]))
