"""The pages of a turn that all play together: laying out rows, the table between turns, cards coming in."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from companion.ask import Ask, AskKind
from firmware.display.glyphs import MEDIUM
from firmware.screens.base import Page
from firmware.screens.choice import PER_PAGE
from firmware.screens.dial import dial_on_key

if TYPE_CHECKING:
    from companion.board import Stack
    from firmware.display.canvas import Canvas
    from firmware.screens.base import Controller
    from firmware.session.actions import Action
    from firmware.session.session import Session

PER_LINE = 4
# A panel keeps its pixels in strips of 8 rows. A card of 16 rows that begins at a strip touches only two.
CARDS_Y_PX = 16


def draw_stacks(canvas: Canvas, session: Session, stacks: tuple[Stack, ...], first: int = 0) -> None:
    """Four stacks in the left 98 px: key, last card, places or number of cards, heads unless hidden."""
    for place, stack in enumerate(stacks[first : first + PER_PAGE]):
        y_px = 11 + 13 * place
        canvas.key(0, y_px + 3, str(place + 1))
        end = session.label(stack.cards[-1]) if stack.cards else "–"
        if end.isdigit():
            canvas.text_right(36, y_px, end, MEDIUM)
        else:
            canvas.text_right(36, y_px + 3, end)
        if stack.room:
            canvas.boxes(41, y_px + 3, min(len(stack.cards), stack.room), stack.room)
        else:
            canvas.text(44, y_px + 3, f"×{len(stack.cards)}")
        if not stack.covered:
            canvas.text_right(89, y_px + 3, str(stack.heads))
            canvas.icon(90, y_px + 3, "bull")


@dataclass(frozen=True, slots=True)
class Deal(Page):
    """Cards that are laid out or picked before play goes on, one scan each."""

    NAME: ClassVar[str] = "deal"
    ask: Ask

    def draw(self, canvas: Canvas, session: Session) -> None:
        """The places of the cards, or who picks one."""
        t, match = session.translate, session.playing
        have, need = self.ask.have, self.ask.need
        count = f"{len(have)}/{need}"
        if self.ask.kind is AskKind.PICK:
            canvas.bar_title(t("OPEN DRAFT"), count)
            canvas.text_centre(64, 20, canvas.fit(session.name(self.ask.seats[0]), 12), MEDIUM)
            canvas.text_centre(64, 37, t.say(self.ask.says))
        else:
            canvas.bar_title(t("DEAL {deal}", deal=match.position.deal), count)
            left_px = 64 - 16 * min(need, PER_PAGE) + 3
            for place in range(need):
                label = session.label(have[place]) if place < len(have) else None
                canvas.card(left_px + 32 * place, CARDS_Y_PX, label, emphasised=place == len(have) - 1)
            canvas.text_centre(64, 38, t.say(self.ask.says))
        canvas.footer(t("UNDO=LAST CARD") if match.newest else "")

    def handle(self, action: Action, controller: Controller) -> bool:
        """Keys set a card that cannot be scanned."""
        return dial_on_key(action, controller)


@dataclass(frozen=True, slots=True)
class Home(Page):
    """The table between two turns, waiting for the cards of the next one."""

    NAME: ClassVar[str] = "home"
    ask: Ask

    def draw(self, canvas: Canvas, session: Session) -> None:
        """The rows, what takes one, and how many cards are expected."""
        t, match = session.translate, session.playing
        board = match.game.board(match.position.table)
        canvas.bar_title(t.say(board.hint))
        draw_stacks(canvas, session, board.stacks)
        canvas.vline(100, 11, 51, dotted=True)
        canvas.text_centre(115, 11, t("TURN"))
        canvas.text_centre(115, 20, str(board.turn), MEDIUM)
        canvas.text_centre(115, 40, t("SCAN"))
        canvas.text_centre(115, 49, f"0/{self.ask.need}")

    def handle(self, action: Action, controller: Controller) -> bool:
        """Keys set a card that cannot be scanned."""
        return dial_on_key(action, controller)


@dataclass(frozen=True, slots=True)
class Collecting(Page):
    """The cards of a turn come in, in any order."""

    NAME: ClassVar[str] = "collecting"
    ask: Ask

    def draw(self, canvas: Canvas, session: Session) -> None:
        """The cards so far in ascending order, the newest one lit."""
        t, match = session.translate, session.playing
        board = match.game.board(match.position.table)
        have, need = self.ask.have, self.ask.need
        to_go = t("{left} TO GO", left=need - len(have))
        canvas.bar_title(t("TURN {turn}/{turns}", turn=board.turn, turns=board.turns), to_go)
        order = match.game.cards(match.position.table)
        cards = sorted(have, key=order.index)
        one_line = need <= PER_LINE
        for place in range(need):
            card = cards[place] if place < len(cards) else None
            line, column = divmod(place, PER_LINE)
            y_px = CARDS_Y_PX if one_line else 11 + 18 * line
            canvas.card(3 + 32 * column, y_px, card and session.label(card), emphasised=card == have[-1])
        if one_line:
            canvas.text(2, 40, t("ANY ORDER IS FINE"))
            canvas.footer(t("UNDO=TAKE BACK {card}", card=have[-1]))
        elif need <= 2 * PER_LINE:
            canvas.footer(t("UNDO=LAST CARD"))

    def handle(self, action: Action, controller: Controller) -> bool:
        """Keys set a card that cannot be scanned."""
        return dial_on_key(action, controller)
