"""A question that is answered with a stack: which row is taken."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from companion.core.ask import Ask
from companion.core.cards import Seat
from companion.text.sentence import say
from companion.values import replace
from firmware.display.layout import Area, Big, Layout
from firmware.screens.parts.base import Controller, Keys, KeyUse, Page
from firmware.screens.parts.choice import ChoiceList, without_views
from firmware.screens.parts.player_names import LONGEST_IN_LIST
from firmware.screens.turn.table import BESIDE_HEADS_PX, are_rows, draw_heads, draw_rows, row_area
from hardware.ports import Key, Signal

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

    def keys(self, session: Session) -> Keys:
        """A row key takes the stack beside it; OK that at the cursor."""
        keys = self._choices.keys(self._choose, self._move)
        if self.cursor is None:
            first = say("CHOOSE ONE FIRST")
            keys[Key.OK] = KeyUse(lambda at: at.decline(first), help=first)
        return without_views(keys, self._choices)

    def _choose(self, choice: str, controller: Controller) -> None:
        self.choose(choice, controller)

    def _move(self, cursor: int, controller: Controller) -> None:
        controller.show(replace(self, cursor=cursor))

    def choose(self, choice: str, controller: Controller) -> bool:
        """One of the stacks."""
        if choice not in self.ask.choices:
            return False
        controller.answer(self.ask, self.owner, choice)
        return True

    def take_badge(self, badge: int, controller: Controller) -> bool:
        """A badge says whose card it is, where that is not known."""
        session = controller.session
        if not self._takes_badges(session):
            return False
        seat = session.seat(badge)
        if seat is None:
            controller.decline(say("BADGE {badge} NOT PLAYING", badge=badge))
        elif seat not in self.ask.seats:
            controller.decline(say("{name} HAS PLAYED", name=session.short_name(seat, 8)))
        else:
            controller.signal(Signal.ACCEPTED)
            controller.show(replace(self, owner=seat))
        return True

    def take_row(self, badge: int, row: int, controller: Controller) -> bool:
        """The back of a badge says whose card it is, and which row."""
        if not self._takes_badges(controller.session):
            return False
        seat = controller.session.seat(badge)
        if seat is None:
            controller.decline(say("BADGE {badge} NOT PLAYING", badge=badge))
        else:
            controller.answer(self.ask, seat, self.ask.choices[row])
        return True

    def _takes_badges(self, session: Session) -> bool:
        return self._asks_whose and are_rows(self._stacks(session))

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
