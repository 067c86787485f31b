"""A race: the player whose card comes first has won. Who that is may be asked afterwards."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from companion.ask import Gives
from firmware.screens.base import Page
from firmware.screens.dial import dial_on_key
from firmware.session.actions import Action, KeyAction
from hardware.ports import Key, Press

if TYPE_CHECKING:
    from companion.ask import Ask
    from firmware.display.canvas import Canvas
    from firmware.screens.base import Controller
    from firmware.session.session import Session

_FACTS = 3
"""The card on top, the symbol that beats it, and its own in a higher colour."""


@dataclass(frozen=True, slots=True)
class Race(Page):
    """The first card that is accepted wins; a badge or a player's own key before it says whose it is."""

    NAME: ClassVar[str] = "race"
    asks: tuple[Ask, ...]

    def draw(self, canvas: Canvas, session: Session) -> None:
        """The card to beat, and who may not take part."""
        t, match = session.translate, session.playing
        ask = self.asks[0]
        board = match.board
        canvas.bar_title(t.say(ask.says))
        out = [seat for seat in match.players if seat not in ask.seats]
        if out:
            canvas.body_line(0, t("NOT {name}", name=session.short_name(out[0], 16)))
        for place, fact in enumerate(board.facts[:_FACTS], start=1):
            canvas.body_line(place, t.say(fact))
        canvas.body_line(4, t("FIRST CARD WINS"), invert=True)
        other = self._other
        left = t("OK={what}", what=other.labels[0]) if other else ""
        undo = t("UNDO=LAST")
        canvas.footer(left, undo if canvas.footer_holds(left, undo) else "")

    def handle(self, action: Action, controller: Controller) -> bool:
        """OK says that nobody can; the other keys set a card."""
        if not isinstance(action, KeyAction) or action.press is not Press.SHORT:
            return False
        if action.key is Key.OK and self._other is not None:
            other = self._other
            controller.propose(controller.session.playing.game.read(other, None, other.choices[0]))
            return True
        return dial_on_key(action, controller)

    def keys_for(self, answer: str) -> tuple[Key, ...]:
        """OK, if nobody can."""
        return (Key.OK,) if self._other is not None and answer == self._other.choices[0] else ()

    @property
    def _other(self) -> Ask | None:
        return next((ask for ask in self.asks if ask.kind.gives is Gives.WORD), None)
