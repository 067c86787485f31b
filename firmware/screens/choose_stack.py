"""A question that is answered with a stack: which row is taken."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar

from firmware.screens.base import Page
from firmware.screens.choice import ChoiceList, Chosen
from firmware.screens.table import CARD_X_PX, CARD_Y_PX, are_rows, draw_stacks
from firmware.session.actions import Action, KeyAction
from hardware.ports import Key, Press, Signal

if TYPE_CHECKING:
    from companion.ask import Ask
    from companion.board import Stack
    from firmware.display.canvas import Canvas
    from firmware.screens.base import Controller
    from firmware.session.session import Session


@dataclass(frozen=True, slots=True)
class ChooseStack(Page):
    """One of several stacks. The cheapest is marked, and none is chosen beforehand."""

    NAME: ClassVar[str] = "choose_stack"
    ask: Ask
    cursor: int | None = None

    def draw(self, canvas: Canvas, session: Session) -> None:
        """The stacks with their cost, and the card that takes one."""
        t, stacks, choices = session.translate, self._stacks(session), self._choices
        title, hint = t.say(self.ask.says), t("ROW?") if are_rows(stacks) else ""
        canvas.bar_title(title, hint if canvas.title_holds(title, hint) else "")
        draw_stacks(canvas, session, stacks, choices.first)
        board = session.playing.board
        fewest = -1 if board.hands else min(stack.heads for stack in stacks)
        for row, place in enumerate(choices.shown):
            if stacks[place].heads == fewest:
                canvas.invert(82, 11 + 13 * row + 2, 16, 9)
            if place == self.cursor:
                canvas.frame(9, 10 + 13 * row, 30, 14)
        if self.ask.card:
            canvas.card(CARD_X_PX, CARD_Y_PX, session.label(self.ask.card), emphasised=True)
        if choices.page_number:
            canvas.text_centre(114, 48, choices.page_number)

    def handle(self, action: Action, controller: Controller) -> bool:
        """A row key takes the stack beside it; OK takes the one at the cursor."""
        if not isinstance(action, KeyAction) or action.press is not Press.SHORT:
            return False
        if action.key in (Key.LEFT, Key.RIGHT) and not self._choices.page_number:
            return False  # they show the standings and all cards, here as on every page of a turn
        match self._choices.key(action):
            case Chosen(choice):
                controller.propose(controller.session.playing.game.read(self.ask, None, choice))
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

    def _stacks(self, session: Session) -> tuple[Stack, ...]:
        board = session.playing.board
        by_choice = {stack.choice: stack for stack in board.stacks}
        return tuple(by_choice[choice] for choice in self.ask.choices)
