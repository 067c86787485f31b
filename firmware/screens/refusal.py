"""Pages that say what went wrong and what to do next; each says that nothing has changed."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar

from companion.ask import AskKind
from companion.codes import Control
from firmware.display.canvas import BODY_LINES, COLUMNS
from firmware.screens.dial import dials
from firmware.screens.wrapping import leaves, wrapped
from firmware.session.actions import Action, KeyAction
from hardware.ports import Key, Press

if TYPE_CHECKING:
    from firmware.display.canvas import Canvas
    from firmware.play.controller import Controller
    from firmware.session.session import Session


@dataclass(frozen=True, slots=True)
class Refusal:
    """S20, S21, S24: a play that does not stand, or a step that could not be kept."""

    NAME: ClassVar[str] = "refusal"
    fault: str
    fix: str
    rule: str = ""
    penalty: Any = None
    back: int | None = None
    leaf: int = 0

    def draw(self, canvas: Canvas, session: Session) -> None:
        """The fault, the fix, and that nothing changed."""
        t = session.translate
        canvas.bar_title(self.rule or t("NOT POSSIBLE"))
        leaf, more = self._leaf
        for place, line in enumerate(leaf):
            canvas.body_line(place, line)
        canvas.footer(t("OK=MORE") if more else t("OK=BACK"), self._way_out(session))

    def on(self, action: Action, controller: Controller) -> bool:
        """OK turns a long text over, R4 gives the penalty, R1 goes back to where the card came before."""
        if not isinstance(action, KeyAction) or action.press is not Press.SHORT:
            return False
        if action.key is Key.ROW_4 and self.penalty is not None:
            controller.close()
            controller.propose(self.penalty)
            return True
        if action.key is Key.ROW_1 and self.back is not None:
            for _ in range(self.back):
                controller.undo()
            return True
        if action.key is Key.OK and self._leaf[1]:
            controller.swap(replace(self, leaf=self.leaf + 1))
            return True
        return False

    @property
    def _leaf(self) -> tuple[list[str], bool]:
        """What is shown of the text, and whether there is more of it."""
        all_leaves = leaves(BODY_LINES, self.fault, self.fix)
        return all_leaves[self.leaf], self.leaf + 1 < len(all_leaves)

    def _way_out(self, session: Session) -> str:
        t = session.translate
        if self.penalty is not None:
            return t("R4=PENALTY")
        return t("NO CHANGE") if self.back is None else t("R1=UNDO TO IT")


@dataclass(frozen=True, slots=True)
class Again:
    """S20: a card that is in this turn already was scanned again; it closes by itself."""

    NAME: ClassVar[str] = "again"
    card: str
    number: int
    of: int

    def draw(self, canvas: Canvas, session: Session) -> None:
        """Which card, and as the how manieth it came."""
        t, label = session.translate, session.label(self.card)
        canvas.bar_title(t("{card} ALREADY SCANNED", card=label))
        canvas.card(50, 13, label, emphasised=True)
        came = t("NUMBER {number} OF {of}", number=self.number, of=self.of)
        canvas.text_centre(64, 33, came if self.of else t("NUMBER {number}", number=self.number))
        canvas.text_centre(64, 43, t("SCAN THE NEXT CARD"))
        canvas.footer(t("UNDO=LAST CARD"))

    def on(self, action: Action, controller: Controller) -> bool:
        """UNDO takes the last card back, as it does without this page."""
        if isinstance(action, KeyAction) and action.key is Key.UNDO and action.press is Press.SHORT:
            controller.undo()
            return True
        return False


@dataclass(frozen=True, slots=True)
class Foreign:
    """S22: a code that is no card, badge or order of ours."""

    NAME: ClassVar[str] = "foreign"
    text: str
    why: str

    def draw(self, canvas: Canvas, session: Session) -> None:
        """What was read."""
        t = session.translate
        canvas.bar_title(t("CODE NOT ACCEPTED"))
        canvas.body_line(0, canvas.fit(self.text, COLUMNS))
        canvas.body_line(1, t("({why})", why=self.why.upper()))
        canvas.body_line(3, t("NOTHING CHANGED"))
        canvas.footer(t("R1=TYPE IT"), t("UNDO=BACK"))

    def on(self, action: Action, controller: Controller) -> bool:
        """R1 dials the card instead."""
        if isinstance(action, KeyAction) and action.key is Key.ROW_1 and action.press is Press.SHORT:
            controller.close()
            return controller.session.match is not None and dials(action, controller)
        return False


@dataclass(frozen=True, slots=True)
class Missing:
    """S23: a card has been awaited for long."""

    NAME: ClassVar[str] = "missing"

    def draw(self, canvas: Canvas, session: Session) -> None:
        """What is there, and what can be done."""
        t = session.translate
        ask = next((one for one in session.playing.asks if one.kind is AskKind.PLAY), None)
        have = ask.have if ask else ()
        left = ask.need - len(have) if ask else 0
        canvas.bar_title(t("{left} STILL MISSING", left=left))
        for place, line in enumerate(wrapped(t("HAVE ") + " ".join(have), 2)):
            canvas.body_line(place, line)
        canvas.body_line(3, t("WHO DID NOT SCAN?"))
        canvas.footer(t("R1=TYPE IT"), t("R2=HAS LEFT"))

    def on(self, action: Action, controller: Controller) -> bool:
        """R1 dials a card, R2 says that a player has left, OK waits on."""
        if isinstance(action, KeyAction) and action.key is Key.ROW_1 and action.press is Press.SHORT:
            controller.close()
            return dials(action, controller)
        if isinstance(action, KeyAction) and action.key is Key.ROW_2 and action.press is Press.SHORT:
            from firmware.screens.menu import order

            controller.close()
            return order(Control.ABSENT, controller)
        return False


@dataclass(frozen=True, slots=True)
class DeviceAway:
    """A device is away or ill; the game goes on."""

    NAME: ClassVar[str] = "device_away"
    device: str
    fault: str
    check: str
    leaf: int = 0

    def draw(self, canvas: Canvas, session: Session) -> None:
        """Which, what was seen, and what to do."""
        t = session.translate
        canvas.bar_title(canvas.fit(self.device.upper(), COLUMNS))
        all_leaves = leaves(BODY_LINES, self.fault, self.check)
        for place, line in enumerate(all_leaves[self.leaf]):
            canvas.body_line(place, line)
        canvas.footer(t("OK=MORE") if self.leaf + 1 < len(all_leaves) else t("OK=BACK"), t("PLAY ON"))

    def on(self, action: Action, controller: Controller) -> bool:
        """OK turns a long text over."""
        pressed = isinstance(action, KeyAction) and action.key is Key.OK and action.press is Press.SHORT
        if pressed and self.leaf + 1 < len(leaves(BODY_LINES, self.fault, self.check)):
            controller.swap(replace(self, leaf=self.leaf + 1))
            return True
        return False
