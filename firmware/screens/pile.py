"""Cards that are counted one after the other: a pile, what a player took, the rows. A badge ends a pile."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from companion.ask import DIALLED, TYPED, AskKind, Gives, Wait
from companion.text import count
from firmware.display.glyphs import MEDIUM
from firmware.screens.base import Page
from firmware.screens.choose_player import ChoosePlayer
from firmware.screens.dial import dial_card, dial_number, keys_for_number
from firmware.screens.score_lines import HIGHEST
from firmware.session.actions import Action, BadgeAction, KeyAction
from hardware.ports import Key, Press, Signal

if TYPE_CHECKING:
    from companion.ask import Ask
    from firmware.display.canvas import Canvas
    from firmware.screens.base import Controller
    from firmware.session.session import Session


@dataclass(frozen=True, slots=True)
class Pile(Page):
    """Every scan adds a card; a badge says whose the pile is, OK that all is counted."""

    NAME: ClassVar[str] = "pile"
    asks: tuple[Ask, ...]

    def draw(self, canvas: Canvas, session: Session) -> None:
        """How many cards, what they count, and what can be done next."""
        t, match = session.translate, session.playing
        ask, whose, other = self.asks[0], self._whose, self._other
        second = other.labels[1] if other is not None and len(other.labels) > 1 else None
        board = match.board
        canvas.bar_title(t.say(ask.says))
        if ask.have:
            cards = count("{count} CARD", "{count} CARDS", len(ask.have))
            counted = t.say(board.hint if str(board.hint) else cards)
            canvas.text(2, 12, canvas.shorten(counted, 124, MEDIUM), MEDIUM)
        elif ask.wait is Wait.ALL:
            canvas.text(2, 12, MEDIUM.fit(session.name(ask.seats[0]), 124), MEDIUM)
        elif ask.kind is AskKind.LAY:
            canvas.body_line(0, t("THE CARDS IN THE ROWS"))
            canvas.body_line(1, t("COMPLETE THE SUM"))
        for place, fact in enumerate(board.facts[:1]):
            canvas.body_line(2 + place, t.say(fact))
        canvas.hint(0, 38, t("R3={what}", what=second) if second else t("R1=TYPE A CARD"))
        canvas.hint(0, 47, t("R2=TYPE SUM"))
        if whose:
            canvas.hint(76, 47, t("R4=WHO?"))
        canvas.footer(t("OK={what}", what=other.labels[0]) if other else t("BADGE=DONE"))

    def handle(self, action: Action, controller: Controller) -> bool:
        """A badge ends the pile, OK and R3 do what they say, the other keys type what cannot be scanned."""
        game, ask = controller.session.playing.game, self.asks[0]
        if isinstance(action, BadgeAction) and self._whose is not None:
            seat = controller.session.seat(action.badge)
            if seat is None:
                controller.signal(Signal.REFUSED)
                controller.say(controller.session.translate("BADGE {badge} NOT PLAYING", badge=action.badge))
            else:
                controller.propose(game.read(self._whose, seat, str(seat)))
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
                at.propose(at.session.playing.game.read(ask, owner, f"{TYPED}{points}"))

            dial_number(controller, title, range(HIGHEST + 1), 0, typed)
        elif action.key is Key.ROW_3 and self._other is not None and len(self._other.choices) > 1:
            controller.propose(game.read(self._other, None, self._other.choices[1]))
        elif action.key in (Key.ROW_4, Key.DOWN) and self._whose is not None:
            controller.open(ChoosePlayer(self._whose))
        elif action.key is Key.OK and self._other is not None:
            controller.propose(game.read(self._other, None, self._other.choices[0]))
        else:
            return False
        return True

    def keys_for(self, answer: str) -> tuple[Key, ...]:
        """R2 and the points, or the key of a word."""
        if answer.startswith(TYPED):
            return (Key.ROW_2, *keys_for_number(int(answer.removeprefix(TYPED))))
        words = self._other.choices if self._other is not None else ()
        keys = dict(zip(words, (Key.OK, Key.ROW_3), strict=False))
        return (keys[answer],) if answer in keys else ()

    @property
    def _whose(self) -> Ask | None:
        return next((ask for ask in self.asks if ask.kind is AskKind.CLAIM), None)

    @property
    def _other(self) -> Ask | None:
        return next((ask for ask in self.asks if ask.kind.gives is Gives.WORD), None)
