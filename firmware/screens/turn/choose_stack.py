"""A question that is answered with a stack: which row is taken."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from companion.core.ask import Ask
from companion.core.cards import Seat
from companion.text.sentence import say
from companion.values import replace
from firmware.display.layout import Area, Big, Layout
from firmware.screens.parts.base import Controller, Page
from firmware.screens.parts.choice import ChoiceList, ChosenItem
from firmware.screens.parts.player_names import LONGEST_IN_LIST
from firmware.screens.turn.table import BESIDE_HEADS_PX, are_rows, draw_heads, draw_rows, row_area
from firmware.session.actions import Action, BadgeAction, KeyAction, RowAction
from hardware.ports import Key, Press, Signal

if TYPE_CHECKING:
    from companion.core.board import Stack
    from firmware.display.canvas import Canvas
    from firmware.session.session import Session


class ChooseStack(Page):
    """One of several stacks. The cheapest is marked, and none is chosen beforehand.

    Where it is not known who chooses, the back of a badge answers both: whose card it is, and which row. The
    badge itself may be scanned first; `owner` is its player.
    """

    NAME: ClassVar[str] = "choose_stack"
    TITLE_ASKS: ClassVar[bool] = True
    ask: Ask
    cursor: int | None = None
    owner: Seat | None = None

    def draw(self, canvas: Canvas, session: Session) -> None:
        """The stacks with their cost, and the card that takes one."""
        t, layout = session.translate, Layout(canvas, session.plan)
        stacks, choices = self._stacks(session), self._choices
        rows, board = are_rows(stacks), session.playing.board
        if layout.plan.row_bar:  # else the rows begin at the upper edge
            layout.title(*self._title(session, layout))
        draw_rows(layout, session, stacks, choices.first)
        draw_heads(layout, session, stacks, choices.first)
        fewest = -1 if board.hands else min(stack.heads for stack in stacks)
        for row, place in enumerate(choices.shown):
            area = row_area(layout, row)
            if stacks[place].heads == fewest:
                canvas.invert(68, area.y_px + (area.height_px - 9) // 2, 23, 9)
            if place == self.cursor:
                high_px = layout.plan.row_font.capital_px + 2
                canvas.invert(10, area.y_px + (area.height_px - high_px) // 2, 28, high_px)
        free = layout.free
        side = Area(BESIDE_HEADS_PX, free.y_px + 1, free.width_px - BESIDE_HEADS_PX, free.height_px - 1)
        if rows:
            layout.stack(side, (Big(session.label(self.ask.card)), Big(t("ROW?"))))
        else:
            card = (Big(session.label(self.ask.card)),) if self.ask.card else ()
            page = (t.digits(choices.page_number),) if choices.page_number and not layout.plan.row_bar else ()
            layout.stack(Area(64, side.y_px, 62, side.height_px), (*card, Big(t("PILE?")), *page))

    def handle(self, action: Action, controller: Controller) -> bool:
        """A row key takes the stack beside it; OK that at the cursor; a badge says whose card it is."""
        if isinstance(action, BadgeAction | RowAction):
            return self._handle_badge(action, controller)
        if not isinstance(action, KeyAction) or action.press is not Press.SHORT:
            return False
        if action.key in (Key.LEFT, Key.RIGHT) and not self._choices.page_number:
            return False  # they show the standings and all cards, here as on every page of a turn
        match self._choices.key(action):
            case ChosenItem(choice):
                self.choose(choice, controller)
            case ChoiceList(cursor=cursor):
                controller.show(replace(self, cursor=cursor))
            case None if action.key is Key.OK:
                controller.signal(Signal.REFUSED)
                controller.say(controller.session.translate("CHOOSE ONE FIRST"))
            case None:
                return False
        return True

    def choose(self, choice: str, controller: Controller) -> bool:
        """One of the stacks."""
        if choice not in self.ask.choices:
            return False
        controller.answer(self.ask, self.owner, choice)
        return True

    def _handle_badge(self, action: BadgeAction | RowAction, controller: Controller) -> bool:
        session = controller.session
        if not self._asks_whose or not are_rows(self._stacks(session)):
            return False
        seat = session.seat(action.badge)
        if seat is None:
            controller.decline(say("BADGE {badge} NOT PLAYING", badge=action.badge))
        elif isinstance(action, RowAction):
            controller.answer(self.ask, seat, self.ask.choices[action.row])
        elif seat not in self.ask.seats:
            controller.decline(say("{name} HAS PLAYED", name=session.short_name(seat, 8)))
        else:
            controller.signal(Signal.ACCEPTED)
            controller.show(replace(self, owner=seat))
        return True

    def _title(self, session: Session, layout: Layout) -> tuple[str, str]:
        """The question, and beside it the page or what else may be scanned."""
        t = session.translate
        if self.owner is not None:
            return t("{name}: WHICH ROW?", name=session.short_name(self.owner, LONGEST_IN_LIST)), ""
        says, number = t.say(self.ask.says), t.digits(self._choices.page_number)
        if not number and self._asks_whose and layout.title_holds(says, t("BADGE")):
            return says, t("BADGE")
        return says, number

    @property
    def _asks_whose(self) -> bool:
        """Whether it is not known who chooses."""
        return len(self.ask.seats) > 1

    @property
    def _choices(self) -> ChoiceList[str]:
        return ChoiceList(self.ask.choices, self.cursor)

    def _stacks(self, session: Session) -> tuple[Stack, ...]:
        board = session.playing.board
        by_choice = {stack.choice: stack for stack in board.stacks}
        return tuple(by_choice[choice] for choice in self.ask.choices)
