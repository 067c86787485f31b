"""Comparing the table with what the device believes: the last card of every row is scanned.

Where they differ, an earlier moment of the match at which they agree is looked for, and going back to it is
offered.
"""

from __future__ import annotations

from functools import partial
from typing import ClassVar

from companion.text.sentence import say
from companion.values import replace
from firmware.display.canvas import BAR_PX, Canvas
from firmware.display.glyphs import NARROW, SMALL
from firmware.display.layout import Area, Layout
from firmware.screens.parts.base import Controller, Keys, KeyUse, Page, back, read_card
from firmware.screens.parts.choice import PER_PAGE, first_of_page
from firmware.session.actions import CardAction
from firmware.session.session import Session, ends_of, steps_to_ends
from hardware.ports import Key, Signal


class Audit(Page):
    """The last cards that were scanned so far, by row."""

    NAME: ClassVar[str] = "audit"
    scanned: tuple[str, ...] = ()

    def draw(self, canvas: Canvas, session: Session) -> None:
        """What was scanned beside what is expected."""
        t, ends, layout = session.translate, ends_of(session.playing), Layout(canvas, session.plan)
        layout.title(t("SCAN THE LAST CARDS"))
        layout.hints(*self.hints(session))
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

    def keys(self, session: Session) -> Keys:
        """R1 goes back to the moment at which table and device agree; UNDO takes a card away."""
        t, ends = session.translate, ends_of(session.playing)
        shorter = replace(self, scanned=self.scanned[:-1])
        undo = KeyUse((lambda at: at.show(shorter)) if self.scanned else back, help=say("THE LAST CARD"))
        if len(self.scanned) < len(ends):
            return {Key.UNDO: undo._replace(hint=t("UNDO=BACK")), Key.OK: KeyUse(back, help=say("BACK"))}
        if self.scanned == ends:
            return {Key.OK: KeyUse(back, t("OK=ALL CORRECT")), Key.UNDO: undo}
        steps = steps_to_ends(session.playing, self.scanned)
        if steps is None:
            return {Key.OK: KeyUse(back, t("OK=CARDS MOVED")), Key.UNDO: undo}
        go_back = KeyUse(partial(_undo_steps, steps), t("R1=UNDO {steps}×", steps=steps))
        return {Key.ROW_1: go_back, Key.OK: KeyUse(back, t("OK=BACK")), Key.UNDO: undo}

    def take_card(self, action: CardAction, controller: Controller) -> bool:
        """Scans fill the rows."""
        ends = ends_of(controller.session.playing)
        if len(self.scanned) < len(ends) and (card := read_card(action, controller)) is not None:
            scanned = (*self.scanned, card)
            agrees = ends[len(scanned) - 1] == card
            controller.signal(Signal.ACCEPTED if agrees else Signal.REFUSED)
            controller.show(replace(self, scanned=scanned))
        return True


def _undo_steps(steps: int, controller: Controller) -> None:
    kept = len(controller.session.kept_cards.cards)  # they are the newest
    for _ in range(kept + steps):
        controller.undo()
    controller.home()
