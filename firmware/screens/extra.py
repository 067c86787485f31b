"""S24: one card more than players, right after a ruling: two cards stuck together, or a slip."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from firmware.session.actions import Action, CardAction, KeyAction
from hardware.ports import Key, Press, Signal

if TYPE_CHECKING:
    from firmware.display.canvas import Canvas
    from firmware.play.controller import Controller
    from firmware.session.session import Session


@dataclass(frozen=True, slots=True)
class TooMany:
    """The cards that were ruled on, and the one that came on top."""

    NAME: ClassVar[str] = "too_many"
    turn: tuple[str, ...]
    extra: str

    def draw(self, canvas: Canvas, session: Session) -> None:
        """How many there are, and the ways out."""
        t = session.translate
        canvas.bar_title(
            t("{cards} CARDS, {players} PLAYERS", cards=len(self.turn) + 1, players=len(self.turn))
        )
        canvas.card(50, 12, session.label(self.extra), emphasised=True)
        canvas.text(2, 31, t("SCAN CARD TO REMOVE,"))
        canvas.text(2, 40, t("OR R1=RESCAN THE TURN"))
        canvas.footer(t("R2=NEXT TURN"), t("UNDO=BACK"))

    def on(self, action: Action, controller: Controller) -> bool:
        """A scan takes that card away; R1 begins the turn anew; R2 begins the next one with it."""
        game = controller.session.playing.game
        if isinstance(action, CardAction):
            if action.card == self.extra:
                controller.close()
                controller.signal(Signal.ACCEPTED)
            elif action.card in self.turn:
                controller.close()
                controller.propose(game.correct((action.card,), (self.extra,)))
            else:
                controller.signal(Signal.REFUSED)
                controller.say(controller.session.translate("SCAN ONE OF THESE"))
            return True
        if not isinstance(action, KeyAction) or action.press is not Press.SHORT:
            return False
        if action.key is Key.ROW_1:
            controller.close()
            controller.propose(game.correct(self.turn, ()))
            return True
        if action.key is Key.ROW_2:
            controller.close()
            controller.acknowledge("ruling")
            controller.play(self.extra)
            return True
        return False
