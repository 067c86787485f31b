"""S26: does the table lie as the device believes? The last card of every row is scanned.

Where they differ, an earlier moment of the match at which they agree is looked for, and
going back to it is offered.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar

from firmware.acts import Act, CardAct, KeyAct
from firmware.earlier import ends_of, steps_to_ends
from firmware.screens.shown_card import shown_card
from firmware.screens.table import PER_PAGE, page_of
from hardware.ports import Key, Press, Signal

if TYPE_CHECKING:
    from firmware.canvas import Canvas
    from firmware.desk import Desk
    from firmware.world import World


@dataclass(frozen=True, slots=True)
class Audit:
    """The rows one by one."""

    NAME: ClassVar[str] = "audit"
    scanned: tuple[str, ...] = ()

    def draw(self, canvas: Canvas, world: World) -> None:
        """What was scanned beside what is believed."""
        t, ends = world.words, ends_of(world.playing)
        canvas.bar_title(t("SCAN EACH LAST CARD"))
        first = page_of(min(len(self.scanned), max(0, len(ends) - 1)))
        for place, end in enumerate(ends[first : first + PER_PAGE]):
            y_px = 13 + 10 * place
            canvas.key(0, y_px, str(first + place + 1))
            if first + place < len(self.scanned):
                card = self.scanned[first + place]
                canvas.text_right(40, y_px, world.label(card))
                agrees = t("OK") if card == end else t("!! EXPECT {card}", card=world.label(end))
                canvas.text(44, y_px, agrees)
        if len(self.scanned) < len(ends):
            canvas.footer(t("UNDO=BACK"))
        elif self.scanned == ends:
            canvas.footer(t("OK=ALL AGREE"))
        elif steps_to_ends(world.playing, self.scanned) is None:
            canvas.footer(t("OK=MOVE THE CARDS"))
        else:
            canvas.footer(t("R1=UNDO TO THERE"), t("OK=NO"))

    def on(self, act: Act, desk: Desk) -> bool:
        """Scans fill the rows; R1 goes back to where table and device agree."""
        match = desk.world.playing
        if isinstance(act, CardAct):
            if len(self.scanned) < len(ends_of(match)):
                if (card := shown_card(act, desk)) is None:
                    return True
                scanned = (*self.scanned, card)
                agrees = ends_of(match)[len(scanned) - 1] == card
                desk.signal(Signal.ACCEPTED if agrees else Signal.REFUSED)
                desk.swap(replace(self, scanned=scanned))
            return True
        if not isinstance(act, KeyAct) or act.press is not Press.SHORT:
            return False
        if act.key is Key.UNDO and self.scanned:
            desk.swap(replace(self, scanned=self.scanned[:-1]))
            return True
        if act.key is Key.ROW_1 and len(self.scanned) == len(ends_of(match)):
            for _ in range(steps_to_ends(match, self.scanned) or 0):
                desk.undo()
            desk.home()
            return True
        return False
