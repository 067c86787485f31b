"""Comparing the table with what the device believes: the last card of every row is scanned.

Where they differ, an earlier moment of the match at which they agree is looked for, and going back to it is
offered.
"""

from __future__ import annotations

from typing import ClassVar

from companion.values import replace
from firmware.display.canvas import BAR_PX, Canvas
from firmware.display.glyphs import NARROW, SMALL
from firmware.display.layout import Area, Layout
from firmware.screens.parts.base import Controller, Page, read_card
from firmware.screens.parts.choice import PER_PAGE, first_of_page
from firmware.session.actions import Action, CardAction, KeyAction
from firmware.session.session import Session, ends_of, steps_to_ends
from hardware.ports import Key, Press, Signal


class Audit(Page):
    """The last cards that were scanned so far, by row."""

    NAME: ClassVar[str] = "audit"
    scanned: tuple[str, ...] = ()

    def draw(self, canvas: Canvas, session: Session) -> None:
        """What was scanned beside what is expected."""
        t, ends, layout = session.translate, ends_of(session.playing), Layout(canvas, session.plan)
        layout.title(t("SCAN THE LAST CARDS"))
        if len(self.scanned) < len(ends):
            layout.hints(t("UNDO=BACK"))
        elif self.scanned == ends:
            layout.hints(t("OK=ALL CORRECT"))
        elif (steps := steps_to_ends(session.playing, self.scanned)) is None:
            layout.hints(t("OK=CARDS MOVED"))
        else:
            layout.hints(t("R1=UNDO {steps}×", steps=steps), t("OK=BACK"))
        first = first_of_page(min(len(self.scanned), max(0, len(ends) - 1)))
        pitch_px = layout.free.height_px // PER_PAGE
        for place, end in enumerate(ends[first : first + PER_PAGE]):
            area = Area(0, layout.free.y_px + 1 + pitch_px * place, layout.free.width_px, pitch_px)
            y_px = area.y_px + (pitch_px - 7) // 2
            if pitch_px >= BAR_PX:
                canvas.key(0, y_px, str(first + place + 1))
            else:
                canvas.text(2, y_px, str(first + place + 1))
            if first + place < len(self.scanned):
                card = self.scanned[first + place]
                canvas.text_right(40, y_px, session.label(card))
                agrees = t("OK") if card == end else t("!! EXPECT {card}", card=session.label(end))
                font, agrees = layout.fitted(agrees, area.width_px - 46, (SMALL, NARROW))
                layout.put(Area(44, area.y_px, area.width_px - 46, pitch_px), agrees, font)

    def handle(self, action: Action, controller: Controller) -> bool:
        """Scans fill the rows; R1 goes back to the moment at which table and device agree."""
        match = controller.session.playing
        if isinstance(action, CardAction):
            if len(self.scanned) < len(ends_of(match)):
                if (card := read_card(action, controller)) is None:
                    return True
                scanned = (*self.scanned, card)
                agrees = ends_of(match)[len(scanned) - 1] == card
                controller.signal(Signal.ACCEPTED if agrees else Signal.REFUSED)
                controller.show(replace(self, scanned=scanned))
            return True
        if not isinstance(action, KeyAction) or action.press is not Press.SHORT:
            return False
        if action.key is Key.UNDO and self.scanned:
            controller.show(replace(self, scanned=self.scanned[:-1]))
            return True
        if action.key is Key.ROW_1 and len(self.scanned) == len(ends_of(match)):
            kept = len(controller.session.kept_cards.cards)  # they are the newest
            back = steps_to_ends(match, self.scanned)
            for _ in range(kept + back if back else 0):
                controller.undo()
            controller.home()
            return True
        return False
