"""A question with a few answers in words: the symbol of a joker, again or reverse, thanked or not."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar

from firmware.screens.base import Page
from firmware.screens.choice import ChoiceList, Chosen, draw_choices
from firmware.session.actions import Action, KeyAction
from hardware.ports import Key, Press, Signal

if TYPE_CHECKING:
    from companion.ask import Ask
    from firmware.display.canvas import Canvas
    from firmware.screens.base import Controller
    from firmware.session.session import Session


@dataclass(frozen=True, slots=True)
class Decide(Page):
    """The answers as a list; none is chosen beforehand."""

    NAME: ClassVar[str] = "decide"
    ask: Ask
    cursor: int | None = None

    def draw(self, canvas: Canvas, session: Session) -> None:
        """The question, who answers it, and the answers."""
        t, choices = session.translate, self._choices
        canvas.bar_title(t.say(self.ask.says))
        draw_choices(canvas, choices, [t.say(label) for label in self.ask.labels])
        who = session.short_name(self.ask.seats[0], 8) if len(self.ask.seats) == 1 else ""
        canvas.footer(who or t("OK=THIS ONE"), choices.page_number or t("UNDO=BACK"))

    def handle(self, action: Action, controller: Controller) -> bool:
        """A key of the list answers."""
        if not isinstance(action, KeyAction) or action.press is not Press.SHORT:
            return False
        match self._choices.key(action):
            case Chosen(answer):
                seat = self.ask.seats[0] if len(self.ask.seats) == 1 else None
                controller.propose(controller.session.playing.game.read(self.ask, seat, answer))
            case ChoiceList(cursor=cursor):
                controller.show(replace(self, cursor=cursor))
            case None if action.key is Key.OK:
                controller.signal(Signal.REFUSED)
                controller.say(controller.session.translate("CHOOSE ONE FIRST"))
            case None:
                return False
        return True

    def keys_for(self, answer: str) -> tuple[Key, ...]:
        """The keys of the list."""
        return self._choices.keys_to(answer)

    @property
    def _choices(self) -> ChoiceList[str]:
        return ChoiceList(self.ask.choices, self.cursor)
