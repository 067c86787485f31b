"""A question with a few answers in words: the symbol of a joker, again or reverse, thanked or not."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Final

from companion.text.sentence import say
from firmware.display.layout import Area
from firmware.display.plan import MAIN_WORDS
from firmware.screens.parts.base import Controller, Keys, KeyUse, undo
from firmware.screens.parts.choice import ChoiceList, ListPage
from firmware.screens.parts.player_names import name_badge
from hardware.ports import Key

if TYPE_CHECKING:
    from companion.core.ask import Ask
    from firmware.display.canvas import Canvas
    from firmware.session.session import Session


LINE_PX: Final = 14
"""Height of the name of who answers, below the answers."""


class Decide(ListPage):
    """The answers as a list; none is chosen beforehand."""

    NAME: ClassVar[str] = "decide"
    TITLE_ASKS: ClassVar[bool] = True
    ask: Ask

    def draw(self, canvas: Canvas, session: Session) -> None:
        """The question, the answers, and who answers."""
        layout, choices = self.draw_list(canvas, session), self.choices(session)
        left = layout.free.below(layout.plan.choice_pitch_px * len(choices.shown) + 4)
        if len(self.ask.seats) == 1 and left.height_px >= LINE_PX:
            name = Area(left.x_px + 2, left.y_px, left.width_px - 4, min(16, left.height_px))
            name_badge(layout, name, session, session.badge(self.ask.seats[0]), MAIN_WORDS)

    def heading(self, session: Session) -> str:
        """The question."""
        return session.translate.say(self.ask.says)

    def choices(self, session: Session) -> ChoiceList[str]:
        """The answers."""
        return ChoiceList(self.ask.choices, self.cursor, session.plan.choices)

    def label(self, item: str, session: Session) -> str:
        """An answer in words."""
        return session.translate.say(self.ask.labels[self.ask.choices.index(item)])

    def keys(self, session: Session) -> Keys:
        """The keys of the list; UNDO takes back what led here, as everywhere."""
        t, first = session.translate, say("CHOOSE ONE FIRST")
        keys = self.choices(session).keys(self.chosen, self.moved, t("OK=THIS ONE"))
        if self.cursor is None:
            keys[Key.OK] = KeyUse(lambda at: at.decline(first), t("OK=THIS ONE"))
        return {**keys, Key.UNDO: KeyUse(undo, t("UNDO=BACK"))}

    def chosen(self, item: str, controller: Controller) -> None:
        """Answer."""
        self.choose(item, controller)

    def choose(self, choice: str, controller: Controller) -> bool:
        """One of the answers."""
        if choice not in self.ask.choices:
            return False
        controller.answer(self.ask, self.ask.seats[0] if len(self.ask.seats) == 1 else None, choice)
        return True
