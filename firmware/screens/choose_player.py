"""A question that is answered with a player: who played the card, who is given one."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar, Final

from companion.ask import AskKind
from companion.cards import Seat
from firmware.screens.base import Page
from firmware.screens.choice import PER_PAGE, ChoiceList, Chosen
from firmware.screens.player_names import LONGEST_IN_LIST, PLAYERS_PER_PAGE
from firmware.screens.refusal import Refusal
from firmware.screens.table import are_rows, beside_rows
from firmware.session.actions import Action, BadgeAction, KeyAction
from hardware.ports import Key, Press, Signal

if TYPE_CHECKING:
    from companion.ask import Ask
    from companion.board import Stack
    from firmware.display.canvas import Canvas
    from firmware.screens.base import Controller
    from firmware.session.session import Session

_BESIDE_A_DIGIT_PX: Final = 36
"""Width of a name that has room beside the rows and the digit of its key."""


@dataclass(frozen=True, slots=True)
class ChoosePlayer(Page):
    """Which player, by badge or with the cursor."""

    NAME: ClassVar[str] = "choose_player"
    ask: Ask
    cursor: int | None = None

    def draw(self, canvas: Canvas, session: Session) -> None:
        """The card, and every player it may be about; beside the rows where four names do."""
        match = session.playing
        stacks = match.board.stacks
        if self.ask.card and are_rows(stacks) and len(self.ask.choices) <= PER_PAGE:
            self._draw_beside_rows(canvas, session, stacks)
        else:
            self._draw_list(canvas, session)

    def _draw_beside_rows(self, canvas: Canvas, session: Session, stacks: tuple[Stack, ...]) -> None:
        t, title = session.translate, session.translate.say(self.ask.says)
        # The card is in the title. Each name is on the line of its row key, with the digit of the key where
        # the names leave room for it; else the title says how to answer.
        seats = [Seat(int(choice)) for choice in self.ask.choices]
        short = all(canvas.width_px(session.name(seat)) <= _BESIDE_A_DIGIT_PX for seat in seats)
        canvas.bar_title(title, "" if short or not canvas.title_holds(title, t("BADGE")) else t("BADGE"))
        x_px = beside_rows(canvas, session, stacks)
        for place, seat in enumerate(seats):
            y_px = 14 + 13 * place
            if short:
                canvas.text(x_px + 2, y_px, str(place + 1))
            canvas.text(x_px + (10 if short else 1), y_px, session.short_name(seat, 6 if short else 8))
            if place == self.cursor:
                canvas.invert(x_px, y_px - 1, 49, 9)

    def _draw_list(self, canvas: Canvas, session: Session) -> None:
        t = session.translate
        canvas.bar_title(t.say(self.ask.says))
        if self.ask.card:
            canvas.card(100, 12, session.label(self.ask.card), emphasised=True)
        few = len(self.ask.choices) <= PER_PAGE  # one line each, and names have room
        for place, choice in enumerate(self.ask.choices):
            seat = Seat(int(choice))
            line, x_px = (place, 2) if few else (place // 2, 2 + 49 * (place % 2))
            y_px = 11 + 9 * line
            canvas.text(x_px + 15, y_px, session.short_name(seat, 11 if few else 5))
            canvas.text_right(x_px + 12, y_px, str(session.badge(seat)))
            if place == self.cursor:
                canvas.invert(x_px - 1, y_px - 1, 83 if few else 47, 9)
        if len(self.ask.choices) <= 8:  # noqa: PLR2004 - four lines of two
            canvas.text_centre(114, 32, t("SCAN"))
            canvas.text_centre(114, 41, t("BADGE"))
            canvas.footer(t("OK=THIS ONE"), t("UNDO=BACK"))

    def handle(self, action: Action, controller: Controller) -> bool:
        """A badge answers; so does a row key for the first four, and OK for the player under the cursor."""
        if isinstance(action, BadgeAction):
            seat = controller.session.seat(action.badge)
            if seat is None:
                controller.signal(Signal.REFUSED)
                controller.say(controller.session.translate("BADGE {badge} NOT PLAYING", badge=action.badge))
            else:
                self._answer(seat, controller)
            return True
        if not isinstance(action, KeyAction) or action.press is not Press.SHORT:
            return False
        if action.key in (Key.LEFT, Key.RIGHT) and not self._choices.page_number:
            return False  # they show the standings and all cards, here as on every page of a turn
        match self._choices.key(action):
            case Chosen(choice):
                self._answer(Seat(int(choice)), controller)
            case ChoiceList(cursor=cursor):
                controller.show(replace(self, cursor=cursor))
            case None if action.key is Key.OK:
                controller.signal(Signal.REFUSED)
                controller.say(controller.session.translate("CHOOSE A PLAYER"))
            case None:
                return False
        return True

    def keys_for(self, answer: str) -> tuple[Key, ...]:
        """The keys of the list."""
        return self._choices.keys_to(answer)

    @property
    def _choices(self) -> ChoiceList[str]:
        return ChoiceList(self.ask.choices, self.cursor, per_page=PLAYERS_PER_PAGE)

    def _refuse(self, seat: Seat, controller: Controller) -> None:
        """Say why this player cannot be chosen; the badge of the one who chooses is scanned most often."""
        t, name = controller.session.translate, controller.session.short_name(seat, LONGEST_IN_LIST)
        chooses = seat == self.ask.seats[0]
        fault = t("{name} chooses another player", name=name) if chooses else t("not {name}", name=name)
        controller.signal(Signal.REFUSED)
        controller.open(Refusal(fault, t("scan the badge of another player"), t("ANOTHER PLAYER")))

    def _answer(self, seat: Seat, controller: Controller) -> None:
        if self.ask.kind is AskKind.WHOM and str(seat) not in self.ask.choices:
            self._refuse(seat, controller)
            return
        # Who played a card is answered by that player, whom to give one by the player who is asked.
        answers = seat if self.ask.kind is AskKind.CLAIM else self.ask.seats[0]
        controller.propose(controller.session.playing.game.read(self.ask, answers, str(seat)))
