"""The pages of a turn that all play together: laying out rows, the table between turns, cards coming in."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Final

from companion.ask import Ask, AskKind
from firmware.display.glyphs import MEDIUM, SMALL
from firmware.screens.base import Page
from firmware.screens.choice import PER_PAGE
from firmware.screens.dial import dial_on_key

if TYPE_CHECKING:
    from companion.board import Stack
    from firmware.display.canvas import Canvas
    from firmware.screens.base import Controller
    from firmware.session.actions import Action
    from firmware.session.session import Session

# A panel keeps its pixels in strips of 8 rows: what begins at a multiple of 8 touches as few as it can.
CARDS_Y_PX = 16

BESIDE_PX: Final = 79
"""Where what a page says begins, right of the rows; there are 49 px for it, eight columns of SMALL."""
CARD_X_PX: Final = 101
CARD_Y_PX: Final = 16
"""The place of the card that a page of the table is about."""
_CENTRED_PX: Final = 40
_MEDIUM_CARDS: Final = 4


def are_rows(stacks: tuple[Stack, ...]) -> bool:
    """Whether these are rows that have room beside them."""
    return 0 < len(stacks) <= PER_PAGE and all(stack.room for stack in stacks)


def draw_rows(canvas: Canvas, session: Session, stacks: tuple[Stack, ...], first: int = 0) -> None:
    """Four stacks in the left 77 px: key, last card, places or number of cards.

    They are at the same place on all pages of a turn: what stays the same is not sent to the panel again, and
    nobody has to look for it. Of a covered stack the last card alone: nobody may know how many cards it has.
    """
    for place, stack in enumerate(stacks[first : first + PER_PAGE]):
        y_px = 11 + 13 * place
        canvas.key(0, y_px + 3, str(place + 1))
        end = session.label(stack.cards[-1]) if stack.cards else "–"
        if end.isdigit():
            canvas.text_right(36, y_px, end, MEDIUM)
        else:
            canvas.text_right(36, y_px + 3, end)
        if stack.covered:
            continue
        if stack.room:
            canvas.boxes(41, y_px + 3, min(len(stack.cards), stack.room), stack.room)
        else:
            canvas.text(44, y_px + 3, f"×{len(stack.cards)}")
    if are_rows(stacks):
        canvas.vline(BESIDE_PX - 2, 11, 52, dotted=True)


def draw_stacks(canvas: Canvas, session: Session, stacks: tuple[Stack, ...], first: int = 0) -> None:
    """The same in the left 98 px, with the heads of each stack unless they are hidden."""
    draw_rows(canvas, session, stacks, first)
    for place, stack in enumerate(stacks[first : first + PER_PAGE]):
        y_px = 11 + 13 * place
        if not stack.covered:
            canvas.text_right(89, y_px + 3, str(stack.heads))
            canvas.icon(90, y_px + 3, "bull")


def beside_rows(canvas: Canvas, session: Session, stacks: tuple[Stack, ...]) -> int:
    """Draw the rows; the left edge of the 49 px for all else, in the middle where a game has no rows."""
    if not are_rows(stacks):
        return _CENTRED_PX
    draw_rows(canvas, session, stacks)
    return BESIDE_PX


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
        if match.newest:
            canvas.footer(t("UNDO=LAST CARD"))
        elif session.has_result_before:
            canvas.footer(t("UNDO=LAST RESULT"))

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
        board = match.board
        canvas.bar_title(t.say(board.hint))
        draw_stacks(canvas, session, board.stacks)
        canvas.text_centre(115, 16, t("TURN"))
        canvas.text_centre(115, 25, str(board.turn), MEDIUM)
        canvas.text_centre(115, 40, t("SCAN"))
        canvas.text_centre(115, 48, f"0/{self.ask.need}")

    def handle(self, action: Action, controller: Controller) -> bool:
        """Keys set a card that cannot be scanned."""
        return dial_on_key(action, controller)


@dataclass(frozen=True, slots=True)
class Collecting(Page):
    """The cards of a turn come in, in any order."""

    NAME: ClassVar[str] = "collecting"
    ask: Ask

    def draw(self, canvas: Canvas, session: Session) -> None:
        """The rows, the newest card lit, and the others in ascending order."""
        t, match = session.translate, session.playing
        board = match.board
        have, need = self.ask.have, self.ask.need
        to_go = t("{left} TO GO", left=need - len(have))
        canvas.bar_title(t("TURN {turn}/{turns}", turn=board.turn, turns=board.turns), to_go)
        x_px = beside_rows(canvas, session, board.stacks)
        newest = have[-1]
        canvas.card(x_px + CARD_X_PX - BESIDE_PX, CARD_Y_PX, session.label(newest), emphasised=True)
        order = match.game.cards(match.position.table)
        others = sorted(have[:-1], key=order.index)
        # Three digits and the gap between two columns: 23 + 3 + 23 px, or 17 + 9 + 17 px.
        font, y_px, pitch_px = (MEDIUM, 34, 16) if need - 2 <= _MEDIUM_CARDS else (SMALL, 32, 8)
        for place, card in enumerate(others):
            line, column = divmod(place, 2)
            canvas.text_right(x_px + 23 + 26 * column, y_px + pitch_px * line, session.label(card), font)

    def handle(self, action: Action, controller: Controller) -> bool:
        """Keys set a card that cannot be scanned."""
        return dial_on_key(action, controller)
