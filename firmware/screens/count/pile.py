"""Cards that are counted one after the other: a pile, what a player took, the rows. A badge ends a pile."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from companion.core.ask import DIALLED, TYPED, Ask, AskKind, Gives, Wait
from companion.text.sentence import count
from firmware.display.layout import Area, Big, Layout
from firmware.display.plan import MAIN_WORDS
from firmware.screens.parts.base import Controller, Page
from firmware.screens.parts.dial import dial_card, dial_number
from firmware.screens.parts.player_names import name_badge
from firmware.screens.parts.score_lines import HIGHEST
from firmware.screens.turn.choose_player import ChoosePlayer
from firmware.session.actions import Action, BadgeAction, KeyAction
from hardware.ports import Key, Press, Signal

if TYPE_CHECKING:
    from firmware.display.canvas import Canvas
    from firmware.session.session import Session


class Pile(Page):
    """Every scan adds a card; a badge says whose the pile is, OK that all is counted."""

    NAME: ClassVar[str] = "pile"
    asks: tuple[Ask, ...]

    def draw(self, canvas: Canvas, session: Session) -> None:
        """How many cards, what they count, and what can be done next."""
        t, match, layout = session.translate, session.playing, Layout(canvas, session.plan)
        ask, whose, other = self.asks[0], self._whose, self._other
        second = other.labels[1] if other is not None and len(other.labels) > 1 else None
        board, bar = match.board, layout.plan.row_bar
        layout.title(t.say(ask.says))
        done = t("OK={what}", what=other.labels[0]) if other else t("BADGE=DONE")
        last = t("R3={what}", what=second) if second else t("R1=TYPE A CARD")
        if bar:
            layout.hints(done)
            layout.hints(t("R2=TYPE SUM"), t("R4=WHO?") if whose else "")
            layout.hints(last)
        else:
            layout.hint_lines(done, last)
        free = layout.free
        if ask.have:
            cards = count("{count} CARD", "{count} CARDS", len(ask.have))
            counted = t.say(board.hint if str(board.hint) else cards)
            first: str | None = counted
        else:
            first = None
        facts = tuple(t.say(fact) for fact in board.facts[:1])
        if first is not None:
            layout.stack(free, (Big(first), *facts))
        elif ask.wait is Wait.ALL:
            name = Area(2, free.y_px + 2, free.width_px - 4, 15)
            name_badge(layout, name, session, session.badge(ask.seats[0]), MAIN_WORDS)
            layout.stack(free.below(18), facts)
        elif ask.kind is AskKind.LAY and bar:  # else the title has to say it
            layout.paragraph(t("THE CARDS IN THE ROWS COMPLETE THE SUM"), *facts)
        else:
            layout.paragraph(*facts)

    def handle(self, action: Action, controller: Controller) -> bool:
        """A badge ends the pile, OK and R3 do what they say, the other keys type what cannot be scanned."""
        ask = self.asks[0]
        if isinstance(action, BadgeAction) and self._whose is not None:
            seat = controller.session.seat(action.badge)
            if seat is None:
                controller.signal(Signal.REFUSED)
                controller.say(controller.session.translate("BADGE {badge} NOT PLAYING", badge=action.badge))
            else:
                controller.answer(self._whose, seat, str(seat))
            return True
        if not isinstance(action, KeyAction) or action.press is not Press.SHORT:
            return False
        if action.key in (Key.ROW_1, Key.UP):
            dial_card(controller, chosen=lambda card, at: at.play(f"{DIALLED}{card}"))
        elif action.key is Key.ROW_2:
            owner = None if self._whose is None else ask.seats[0]
            rows = controller.session.translate("SUM OF THE ROWS")
            title = (
                rows
                if owner is None
                else controller.session.translate(
                    "SUM FOR {name}", name=controller.session.short_name(owner, 8)
                )
            )

            def typed(points: int, at: Controller) -> None:
                self.choose(f"{TYPED}{points}", at)

            dial_number(controller, title, range(HIGHEST + 1), 0, typed)
        elif action.key is Key.ROW_3 and self._other is not None and len(self._other.choices) > 1:
            self.choose(self._other.choices[1], controller)
        elif action.key in (Key.ROW_4, Key.DOWN) and self._whose is not None:
            controller.open(ChoosePlayer(self._whose))
        elif action.key is Key.OK and self._other is not None:
            self.choose(self._other.choices[0], controller)
        else:
            return False
        return True

    def choose(self, choice: str, controller: Controller) -> bool:
        """The points of the pile, or a word."""
        if choice.startswith(TYPED):
            ask = self.asks[0]
            controller.answer(ask, None if self._whose is None else ask.seats[0], choice)
        elif self._other is not None and choice in self._other.choices:
            controller.answer(self._other, None, choice)
        else:
            return False
        return True

    @property
    def _whose(self) -> Ask | None:
        return next((ask for ask in self.asks if ask.kind is AskKind.CLAIM), None)

    @property
    def _other(self) -> Ask | None:
        return next((ask for ask in self.asks if ask.kind.gives is Gives.WORD), None)
