"""The page of one player's turn: what may be played, taken or drawn."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar

from companion.ask import Gives
from companion.text import count
from firmware.screens.base import Page
from firmware.screens.choice import ChoiceList, Chosen
from firmware.screens.dial import dial_card, dial_on_key
from firmware.session.actions import Action, KeyAction
from hardware.ports import Key, Press

if TYPE_CHECKING:
    from companion.ask import Ask
    from companion.board import Board, Stack
    from firmware.display.canvas import Canvas
    from firmware.screens.base import Controller
    from firmware.session.session import Session

_FACTS = 5
_PITCH_PX = 10


@dataclass(frozen=True, slots=True)
class OnTurn(Page):
    """A scan plays a card. Where stacks may be taken, their keys take them; OK does the one other thing.

    With the cursor behind the last stack, OK sets a card with keys that cannot be scanned.
    """

    NAME: ClassVar[str] = "on_turn"
    asks: tuple[Ask, ...]
    cursor: int | None = None

    @property
    def takes(self) -> Ask | None:
        """The question whose answer is a stack."""
        return next((ask for ask in self.asks if ask.kind.gives is Gives.STACK), None)

    @property
    def other(self) -> Ask | None:
        """The question that OK answers: to draw, to keep, to end the move."""
        return next((ask for ask in self.asks if ask.kind.gives is Gives.WORD), None)

    def draw(self, canvas: Canvas, session: Session) -> None:
        """Whose turn it is with how many cards, and either the stacks or the facts of the table."""
        t, match = session.translate, session.playing
        board = match.board
        ask = self.asks[0]
        seat = ask.seats[0]
        in_hand = t.say(count("{count} CARD", "{count} CARDS", board.hands[seat])) if board.hands else ""
        canvas.bar_title(session.short_name(seat, 20 - len(in_hand)), in_hand)
        if self.takes is None:
            self._facts(canvas, session, board)
        else:
            self._stacks(canvas, session, board)

    def handle(self, action: Action, controller: Controller) -> bool:
        """Keys take stacks, set cards and end the move."""
        if not isinstance(action, KeyAction) or action.press is not Press.SHORT:
            return False
        if action.key is Key.OK and self.cursor is None and self.other is not None:
            self._answer(self.other, self.other.choices[0], controller)
            return True
        if self.takes is None:
            return dial_on_key(action, controller)
        if action.key in (Key.LEFT, Key.RIGHT):
            return False  # they show the standings and all cards, here as on every page of a turn
        match self._choices.key(action):
            case Chosen(None):
                controller.close()
                dial_card(controller)
            case Chosen(str(choice)):
                self._answer(self.takes, choice, controller)
            case ChoiceList(cursor=cursor):
                controller.show(replace(self, cursor=cursor))
            case _:
                return False
        return True

    def keys_for(self, answer: str) -> tuple[Key, ...]:
        """OK for the one other thing, the keys of the list for a stack."""
        if self.other is not None and self.cursor is None and answer == self.other.choices[0]:
            return (Key.OK,)
        return self._choices.keys_to(answer)

    @property
    def _choices(self) -> ChoiceList[str | None]:
        """The stacks that may be taken, and behind them, without a row, a card that is set with keys."""
        return ChoiceList((*(self.takes.choices if self.takes else ()), None), self.cursor, without_row=1)

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
        t, stacks, choices = session.translate, self._takeable(board), self._choices
        typing = self.cursor is not None and self.cursor >= len(stacks)
        for row, place in enumerate(choices.shown):
            stack, y_px = stacks[place], 12 + _PITCH_PX * row
            canvas.key(0, y_px, str(row + 1))
            canvas.text_right(30, y_px, session.label(stack.cards[-1]))
            canvas.text(33, y_px, "→")
            canvas.text(41, y_px, canvas.shorten(t.say(stack.fits), 65))
            if not stack.covered:
                canvas.text_right(126, y_px, f"×{len(stack.cards)}")
            if place == self.cursor:
                canvas.invert(10, y_px - 1, 118, 9)
        right = choices.page_number
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
    def _answer(ask: Ask, choice: str, controller: Controller) -> None:
        controller.propose(controller.session.playing.game.read(ask, ask.seats[0], choice))
