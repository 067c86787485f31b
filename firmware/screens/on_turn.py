"""The page of somebody who plays alone (S50, S60): what may be played, taken or drawn. It rules nothing."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar

from companion.ask import Gives
from companion.text import count
from firmware.screens.dial import dial_card, dials
from firmware.screens.table import PER_PAGE, page_of
from firmware.screens.taking import moved
from firmware.session.actions import ROW_KEYS, Action, KeyAction
from hardware.ports import Key, Press

if TYPE_CHECKING:
    from companion.ask import Ask
    from companion.board import Board, Stack
    from firmware.display.canvas import Canvas
    from firmware.play.controller import Controller
    from firmware.session.session import Session

_FACTS = 5
_PITCH_PX = 10


@dataclass(frozen=True, slots=True)
class OnTurn:
    """A scan plays a card. Where stacks may be taken, their keys take them; OK does the one other thing.

    With the cursor behind the last stack, OK dials a card that cannot be scanned.
    """

    NAME: ClassVar[str] = "on_turn"
    asks: tuple[Ask, ...]
    cursor: int | None = None

    @property
    def takes(self) -> Ask | None:
        """The question that is answered with a stack."""
        return next((ask for ask in self.asks if ask.kind.gives is Gives.STACK), None)

    @property
    def other(self) -> Ask | None:
        """The question that OK answers: to draw, to keep, to end the move."""
        return next((ask for ask in self.asks if ask.kind.gives is Gives.WORD), None)

    def draw(self, canvas: Canvas, session: Session) -> None:
        """Whose turn it is with how many cards, and either the stacks or what is known of the table."""
        t, match = session.translate, session.playing
        board = match.game.board(match.position.table)
        ask = self.asks[0]
        seat = ask.seats[0]
        in_hand = t.say(count("{count} CARD", "{count} CARDS", board.hands[seat])) if board.hands else ""
        canvas.bar_title(canvas.fit(session.name(seat), 20 - len(in_hand)), in_hand)
        if self.takes is None:
            self._facts(canvas, session, board)
        else:
            self._stacks(canvas, session, board)

    def on(self, action: Action, controller: Controller) -> bool:
        """Keys take stacks, dial cards and end the move."""
        if not isinstance(action, KeyAction) or action.press is not Press.SHORT:
            return False
        if action.key is Key.OK and self.cursor is None and self.other is not None:
            self._answer(self.other, 0, controller)
            return True
        if self.takes is None:
            return dials(action, controller)
        places = len(self.takes.choices)
        if action.key in ROW_KEYS:
            place = page_of(self.cursor or 0) + ROW_KEYS.index(action.key)
            if place < places:
                self._answer(self.takes, place, controller)
            return True
        if action.key in (Key.UP, Key.DOWN, Key.TURN_LEFT, Key.TURN_RIGHT):
            page = replace(self, cursor=moved(self.cursor, action, places + 1))
            controller.swap(page) if controller.pages else controller.open(page)
            return True
        if action.key is Key.OK and self.cursor is not None:
            if self.cursor < places:
                self._answer(self.takes, self.cursor, controller)
            else:
                controller.close()
                dial_card(controller)
            return True
        return False

    def _facts(self, canvas: Canvas, session: Session, board: Board) -> None:
        t = session.translate
        says = self.asks[0].says
        facts = (says, *(fact for fact in board.facts if fact != says))
        for place, fact in enumerate(facts[:_FACTS]):
            canvas.body_line(place, t.say(fact))
        other = self.other
        left = t("OK={what}", what=other.labels[0]) if other else t("SCAN THE CARD")
        undo = t("UNDO=LAST") if session.playing.newest else ""
        canvas.footer(left, undo if canvas.footer_holds(left, undo) else "")

    def _stacks(self, canvas: Canvas, session: Session, board: Board) -> None:
        t, stacks = session.translate, self._takeable(board)
        typing = self.cursor is not None and self.cursor >= len(stacks)
        first = page_of(min(self.cursor or 0, max(0, len(stacks) - 1)))
        for place, stack in enumerate(stacks[first : first + PER_PAGE]):
            y_px = 12 + _PITCH_PX * place
            canvas.key(0, y_px, str(place + 1))
            canvas.text_right(30, y_px, session.label(stack.cards[-1]))
            canvas.text(33, y_px, "→")
            canvas.text(41, y_px, canvas.fit(t.say(stack.fits), 11))
            canvas.text_right(126, y_px, f"×{len(stack.cards)}")
            if first + place == self.cursor:
                canvas.invert(10, y_px - 1, 118, 9)
        right = f"{first // PER_PAGE + 1}/{-(-len(stacks) // PER_PAGE)}" if len(stacks) > PER_PAGE else ""
        if typing:
            canvas.footer(t("OK=TYPE A CARD"), right)
        elif self.cursor is not None:
            canvas.footer(t("OK=TAKE PILE"), right)
        elif self.other is not None:
            canvas.footer(t("OK={what}", what=self.other.labels[0]), right)
        else:
            canvas.footer(t.say(board.facts[0]) if board.facts else "", right or t("1-4=TAKE PILE"))

    def _takeable(self, board: Board) -> tuple[Stack, ...]:
        by_choice = {stack.choice: stack for stack in board.stacks}
        return tuple(by_choice[choice] for choice in self.takes.choices) if self.takes else ()

    @staticmethod
    def _answer(ask: Ask, place: int, controller: Controller) -> None:
        controller.propose(controller.session.playing.game.read(ask, ask.seats[0], ask.choices[place]))
