"""S26: does the table lie as the device believes? The last card of every row is scanned.

Where they differ, an earlier moment of the match at which they agree is looked for, and
going back to it is offered.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar

from firmware.screens.shown_card import shown_card
from firmware.screens.table import PER_PAGE, page_of
from firmware.session.actions import Action, CardAction, KeyAction
from firmware.session.lookback import ends_of, steps_to_ends
from hardware.ports import Key, Press, Signal

if TYPE_CHECKING:
    from firmware.display.canvas import Canvas
    from firmware.play.controller import Controller
    from firmware.session.session import Session


@dataclass(frozen=True, slots=True)
class Audit:
    """The rows one by one."""

    NAME: ClassVar[str] = "audit"
    scanned: tuple[str, ...] = ()

    def draw(self, canvas: Canvas, session: Session) -> None:
        """What was scanned beside what is believed."""
        t, ends = session.translate, ends_of(session.playing)
        canvas.bar_title(t("SCAN THE LAST CARDS"))
        first = page_of(min(len(self.scanned), max(0, len(ends) - 1)))
        for place, end in enumerate(ends[first : first + PER_PAGE]):
            y_px = 13 + 10 * place
            canvas.key(0, y_px, str(first + place + 1))
            if first + place < len(self.scanned):
                card = self.scanned[first + place]
                canvas.text_right(40, y_px, session.label(card))
                agrees = t("OK") if card == end else t("!! EXPECT {card}", card=session.label(end))
                canvas.text(44, y_px, agrees)
        if len(self.scanned) < len(ends):
            canvas.footer(t("UNDO=BACK"))
        elif self.scanned == ends:
            canvas.footer(t("OK=ALL CORRECT"))
        elif (steps := steps_to_ends(session.playing, self.scanned)) is None:
            canvas.footer(t("OK=CARDS MOVED"))
        else:
            canvas.footer(t("R1=UNDO {steps}×", steps=steps), t("OK=BACK"))

    def on(self, action: Action, controller: Controller) -> bool:
        """Scans fill the rows; R1 goes back to where table and device agree."""
        match = controller.session.playing
        if isinstance(action, CardAction):
            if len(self.scanned) < len(ends_of(match)):
                if (card := shown_card(action, controller)) is None:
                    return True
                scanned = (*self.scanned, card)
                agrees = ends_of(match)[len(scanned) - 1] == card
                controller.signal(Signal.ACCEPTED if agrees else Signal.REFUSED)
                controller.swap(replace(self, scanned=scanned))
            return True
        if not isinstance(action, KeyAction) or action.press is not Press.SHORT:
            return False
        if action.key is Key.UNDO and self.scanned:
            controller.swap(replace(self, scanned=self.scanned[:-1]))
            return True
        if action.key is Key.ROW_1 and len(self.scanned) == len(ends_of(match)):
            for _ in range(steps_to_ends(match, self.scanned) or 0):
                controller.undo()
            controller.home()
            return True
        return False
