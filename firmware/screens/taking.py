"""Questions that are answered with a stack or with a player: which row, who played the card, to whom."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar

from companion.cards import Seat
from companion.game import AskKind
from firmware.screens.table import PER_PAGE, draw_stacks, page_of
from firmware.session.actions import ROW_KEYS, Action, BadgeAction, KeyAction
from hardware.ports import Key, Press, Signal

if TYPE_CHECKING:
    from companion.game import Ask, Stack
    from firmware.display.canvas import Canvas
    from firmware.play.controller import Controller
    from firmware.session.session import Session

_ON = (Key.DOWN, Key.TURN_RIGHT, Key.RIGHT)
_BACK = (Key.UP, Key.TURN_LEFT, Key.LEFT)


def moved(cursor: int | None, action: KeyAction, places: int) -> int | None:
    """The cursor after a key, None if the key does not move it; the first key brings it."""
    if action.press is not Press.SHORT or action.key not in (*_ON, *_BACK):
        return None
    if cursor is None:
        return 0 if action.key in _ON else places - 1
    return (cursor + (1 if action.key in _ON else -1)) % places


@dataclass(frozen=True, slots=True)
class ChooseStack:
    """S14: one of several stacks. The cheapest is marked, and nothing is chosen beforehand."""

    NAME: ClassVar[str] = "choose_stack"
    ask: Ask
    cursor: int | None = None

    def draw(self, canvas: Canvas, session: Session) -> None:
        """The stacks with their cost, and the card."""
        t, stacks = session.translate, self._stacks(session)
        first = page_of(self.cursor or 0)
        canvas.bar_title(t.say(self.ask.says))
        draw_stacks(canvas, session, stacks, first)
        board = session.playing.game.board(session.playing.position.table)
        fewest = -1 if board.hands else min(stack.heads for stack in stacks)
        for place, stack in enumerate(stacks[first : first + PER_PAGE]):
            if stack.heads == fewest:
                canvas.invert(82, 11 + 13 * place + 2, 16, 9)
            if first + place == self.cursor:
                canvas.frame(9, 10 + 13 * place, 30, 14)
        if self.ask.card:
            canvas.card(101, 12, session.label(self.ask.card), emphasised=True)
        canvas.text_centre(114, 33, t("WHICH"))
        canvas.text_centre(114, 42, t("ONE?"))
        if len(stacks) > PER_PAGE:
            canvas.text_centre(114, 53, f"{first // PER_PAGE + 1}/{-(-len(stacks) // PER_PAGE)}")

    def handle(self, action: Action, controller: Controller) -> bool:
        """A row key takes the stack beside it; OK takes the one under the cursor."""
        if not isinstance(action, KeyAction):
            return False
        if action.press is Press.SHORT and action.key in ROW_KEYS:
            place = page_of(self.cursor or 0) + ROW_KEYS.index(action.key)
            return place >= len(self.ask.choices) or self._take(place, controller)
        if (cursor := moved(self.cursor, action, len(self.ask.choices))) is not None:
            page = replace(self, cursor=cursor)
            controller.swap(page) if controller.pages else controller.open(page)
            return True
        if action.key is Key.OK and action.press is Press.SHORT:
            if self.cursor is None:
                controller.signal(Signal.REFUSED)
                controller.say(controller.session.translate("CHOOSE ONE FIRST"))
                return True
            return self._take(self.cursor, controller)
        return False

    def _stacks(self, session: Session) -> tuple[Stack, ...]:
        board = session.playing.game.board(session.playing.position.table)
        by_choice = {stack.choice: stack for stack in board.stacks}
        return tuple(by_choice[choice] for choice in self.ask.choices)

    def _take(self, place: int, controller: Controller) -> bool:
        controller.propose(controller.session.playing.game.read(self.ask, None, self.ask.choices[place]))
        return True


@dataclass(frozen=True, slots=True)
class ChoosePlayer:
    """S15: which player, by badge or with the cursor: who played the card that takes, who is given one."""

    NAME: ClassVar[str] = "choose_player"
    ask: Ask
    cursor: int | None = None

    def draw(self, canvas: Canvas, session: Session) -> None:
        """The card, and everybody it may be about."""
        t = session.translate
        canvas.bar_title(t.say(self.ask.says))
        if self.ask.card:
            canvas.card(100, 12, session.label(self.ask.card), emphasised=True)
        few = len(self.ask.choices) <= 4  # noqa: PLR2004 - one line each, and names have room
        for place, seat in enumerate(self._seats()):
            line, x_px = (place, 2) if few else (place // 2, 2 + 49 * (place % 2))
            y_px = 11 + 9 * line
            canvas.text(x_px + 15, y_px, canvas.fit(session.name(seat), 11 if few else 5))
            canvas.text_right(x_px + 12, y_px, str(session.badge(seat)))
            if place == self.cursor:
                canvas.invert(x_px - 1, y_px - 1, 83 if few else 47, 9)
        if len(self.ask.choices) <= 8:  # noqa: PLR2004 - four lines of two
            canvas.text_centre(114, 32, t("SCAN"))
            canvas.text_centre(114, 41, t("BADGE"))
            canvas.footer(t("OK=THIS ONE"), t("UNDO=BACK"))

    def handle(self, action: Action, controller: Controller) -> bool:
        """A badge claims; a row key claims for the first four; OK for the one under the cursor."""
        if isinstance(action, BadgeAction):
            seat = controller.session.seat(action.badge)
            if seat is None:
                controller.signal(Signal.REFUSED)
                controller.say(controller.session.translate("BADGE {badge} IS NOT IN", badge=action.badge))
                return True
            return self._claim(seat, controller)
        if not isinstance(action, KeyAction) or action.press is not Press.SHORT:
            return False
        if action.key in ROW_KEYS and ROW_KEYS.index(action.key) < len(self.ask.choices):
            return self._claim(self._seats()[ROW_KEYS.index(action.key)], controller)
        if (cursor := moved(self.cursor, action, len(self.ask.choices))) is not None:
            page = replace(self, cursor=cursor)
            controller.swap(page) if controller.pages else controller.open(page)
            return True
        if action.key is Key.OK:
            if self.cursor is None:
                controller.signal(Signal.REFUSED)
                controller.say(controller.session.translate("CHOOSE A PLAYER"))
                return True
            return self._claim(self._seats()[self.cursor], controller)
        return False

    def _seats(self) -> tuple[Seat, ...]:
        return tuple(Seat(int(choice)) for choice in self.ask.choices)

    def _claim(self, seat: Seat, controller: Controller) -> bool:
        answers = seat if self.ask.kind is AskKind.CLAIM else self.ask.seats[0]
        controller.propose(controller.session.playing.game.read(self.ask, answers, str(seat)))
        return True
