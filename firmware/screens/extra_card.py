"""One card more than players, just after a ruling: two cards stuck together, or a wrong scan."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from firmware.screens.base import Page, Result
from firmware.session.actions import Action, CardAction, KeyAction
from hardware.ports import Key, Press, Signal

if TYPE_CHECKING:
    from firmware.display.canvas import Canvas
    from firmware.screens.base import Controller
    from firmware.session.session import Session


@dataclass(frozen=True, slots=True)
class ExtraCard(Page):
    """The cards of the turn, and the one that is too many."""

    NAME: ClassVar[str] = "extra_card"
    turn: tuple[str, ...]
    extra: str

    def draw(self, canvas: Canvas, session: Session) -> None:
        """The number of cards, and the options."""
        t = session.translate
        canvas.bar_title(
            t("{cards} CARDS, {players} PLAYERS", cards=len(self.turn) + 1, players=len(self.turn))
        )
        canvas.card(50, 12, session.label(self.extra), emphasised=True)
        canvas.text(2, 31, t("SCAN CARD TO REMOVE,"))
        canvas.text(2, 40, t("OR R1=RESCAN THE TURN"))
        canvas.footer(t("R2=NEXT TURN"), t("UNDO=BACK"))

    def handle(self, action: Action, controller: Controller) -> bool:
        """A scan removes that card; R1 starts the turn again; R2 starts the next turn with the extra card."""
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
            controller.acknowledge(Result.RULING)
            controller.play(self.extra)
            return True
        return False
