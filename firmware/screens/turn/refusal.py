"""Pages that say what went wrong and what to do next; each says that nothing has changed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, ClassVar, Final

from companion.core.ask import AskKind
from companion.core.codes import Control
from companion.core.ruling import Refused
from companion.text.sentence import NOTHING, Text, say
from companion.values import replace
from firmware.display.layout import Big, Layout, paginate
from firmware.display.plan import Plan
from firmware.screens.parts.base import Controller, Page, undoes
from firmware.screens.parts.dial import dial_on_key
from firmware.session.actions import Action, ControlAction, KeyAction
from hardware.ports import Key, Press

if TYPE_CHECKING:
    from firmware.display.canvas import Canvas
    from firmware.session.session import Session


_TITLES: Final[Mapping[str, Text]] = {
    "leave": say("CANNOT LEAVE NOW"),
    "join": say("CANNOT JOIN NOW"),
    "swap": say("NOT SWAPPED"),
    "correct": say("NOT CORRECTED"),
    "end_deal": say("NOT ENDED"),
    "end_match": say("NOT ENDED"),
}
"""By the kind of the command. A rule about leaving is no title for why somebody cannot leave just now."""


def title_of(refused: Refused, command: object) -> Text:
    """The title of a refusal: what comes first, what was not done, else the rule."""
    if refused.waits:
        return say("ANSWER THIS FIRST")
    return _TITLES.get(getattr(command, "KIND", ""), refused.rule.title)


class Refusal(Page):
    """A play that is not allowed, or a step that could not be stored: why, and what to do instead.

    `penalty` is a command that players may give for it, `back` how many steps to undo to where the card was
    played before. `part` says which part of a long text is shown (0-based).
    """

    NAME: ClassVar[str] = "refusal"
    fault: str
    fix: str
    rule: str = ""
    penalty: Any = None
    back: int | None = None
    part: int = 0

    def draw(self, canvas: Canvas, session: Session) -> None:
        """The fault, the fix, and that nothing has changed."""
        t, layout = session.translate, Layout(canvas, session.plan)
        layout.title(self.rule or t("NOT POSSIBLE"))
        lines, more = self._shown(session.plan)
        layout.hints(t("OK=MORE") if more else t("OK=BACK"), self._way_out(session))
        layout.lines(lines)

    def handle(self, action: Action, controller: Controller) -> bool:
        """OK turns the page of a long text, R4 gives the penalty, R1 undoes until the card is not played."""
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
        if action.key is Key.OK and self._shown(controller.session.plan)[1]:
            controller.show(replace(self, part=self.part + 1))
            return True
        return False

    @property
    def refusal(self) -> str:
        """The whole text."""
        return f"{self.fault} ({self.fix})"

    def _shown(self, plan: Plan) -> tuple[list[str], bool]:
        """The lines of the page that is shown, and whether there are more pages."""
        pages = paginate(plan, self.fault, self.fix)
        return pages[self.part], self.part + 1 < len(pages)

    def _way_out(self, session: Session) -> str:
        t = session.translate
        if self.penalty is not None:
            return t("R4=PENALTY")
        return t("NO CHANGE") if self.back is None else t("R1=UNDO TO IT")


class DuplicateCard(Page):
    """A card of this turn was scanned again; the page closes by itself."""

    NAME: ClassVar[str] = "duplicate_card"
    card: str
    number: int
    of: int

    def draw(self, canvas: Canvas, session: Session) -> None:
        """Which card, and its position in the turn."""
        t, label, layout = session.translate, session.label(self.card), Layout(canvas, session.plan)
        layout.title(t("{card} ALREADY SCANNED", card=label))
        layout.hints(t("UNDO=LAST CARD"))
        came = t("NUMBER {number} OF {of}", number=self.number, of=self.of)
        came = came if self.of else t("NUMBER {number}", number=self.number)
        if layout.plan.row_bar:
            layout.stack(layout.free, (Big(label), came, t("SCAN THE NEXT CARD")))
        else:
            layout.stack(layout.free, (came, t("SCAN THE NEXT CARD")))

    def handle(self, action: Action, controller: Controller) -> bool:
        """UNDO undoes the newest card, as it does without this page."""
        return undoes(action, controller)


class UnknownCodePage(Page):
    """A code that is no card, badge or control code of this product."""

    NAME: ClassVar[str] = "unknown_code"
    text: str
    why: Text
    fix: Text = NOTHING

    def draw(self, canvas: Canvas, session: Session) -> None:
        """The text that was read, and what to do if there is something."""
        t, layout = session.translate, Layout(canvas, session.plan)
        layout.title(t("CODE NOT ACCEPTED"))
        layout.hints(t("R1=TYPE IT"), t("UNDO=BACK"))
        font = layout.plan.text[-1]
        layout.line(0, font.fit(self.text, layout.free.width_px - 4))
        why = t("({why})", why=t.say(self.why).upper())
        unchanged = t("NOTHING CHANGED") if layout.plan.row_bar else ""
        rest = paginate(layout.plan, why, t.say(self.fix), unchanged)[0]
        for row, line in enumerate(rest[: layout.plan.lines - 1], start=1):
            layout.line(row, line)

    def handle(self, action: Action, controller: Controller) -> bool:
        """R1 sets the card with keys instead."""
        if isinstance(action, KeyAction) and action.key is Key.ROW_1 and action.press is Press.SHORT:
            controller.close()
            return controller.session.match is not None and dial_on_key(action, controller)
        return False


class MissingCards(Page):
    """The next card of the turn has not come for a long time.

    `too_many` asks which card was too many, where the only card of the turn came right after a ruling.
    """

    NAME: ClassVar[str] = "missing_cards"
    too_many: Page | None = None

    def draw(self, canvas: Canvas, session: Session) -> None:
        """Which cards have come, and what can be done."""
        t = session.translate
        ask = next((one for one in session.playing.asks if one.kind is AskKind.PLAY), None)
        have = ask.have if ask else ()
        left = ask.need - len(have) if ask else 0
        layout = Layout(canvas, session.plan)
        layout.title(t("{left} STILL MISSING", left=left))
        layout.hints(t("R1=TYPE IT"), t("R2=HAS LEFT"))
        cards = t("HAVE ") + " ".join(map(session.label, have))
        if self.too_many:
            layout.hints(t("R4=IT WAS TOO MANY"))
        if layout.plan.row_bar:
            layout.stack(layout.free, (Big(t("WHO DID NOT SCAN?")), cards))
        elif not self.too_many:
            layout.stack(layout.free, (t("WHO DID NOT SCAN?"), cards))
        else:
            layout.stack(layout.free, (cards,))

    def handle(self, action: Action, controller: Controller) -> bool:
        """R1 sets a card with keys, R2 says that a player has left, R4 that there is a card too many."""
        if not isinstance(action, KeyAction) or action.press is not Press.SHORT:
            return False
        if action.key is Key.ROW_4 and self.too_many is not None:
            controller.show(self.too_many)
            return True
        if action.key is Key.ROW_1:
            controller.close()
            return dial_on_key(action, controller)
        if action.key is Key.ROW_2:
            controller.close()
            controller.act(ControlAction(Control.ABSENT))
            return True
        return False


class DeviceAway(Page):
    """A device is not there or does not work; the match goes on."""

    NAME: ClassVar[str] = "device_away"
    device: str
    fault: Text
    check: Text
    part: int = 0

    def draw(self, canvas: Canvas, session: Session) -> None:
        """Which device, what was seen, and what to do."""
        t, layout = session.translate, Layout(canvas, session.plan)
        layout.title(layout.plan.title[-1].fit(self.device.upper(), layout.free.width_px - 4))
        pages = paginate(layout.plan, t.say(self.fault), t.say(self.check))
        layout.hints(t("OK=MORE") if self.part + 1 < len(pages) else t("OK=BACK"), t("PLAY ON"))
        layout.lines(pages[self.part])

    def handle(self, action: Action, controller: Controller) -> bool:
        """OK turns the page of a long text."""
        pressed = isinstance(action, KeyAction) and action.key is Key.OK and action.press is Press.SHORT
        if not pressed:
            return False
        t = controller.session.translate
        pages = paginate(controller.session.plan, t.say(self.fault), t.say(self.check))
        if self.part + 1 < len(pages):
            controller.show(replace(self, part=self.part + 1))
        return self.part + 1 < len(pages)
