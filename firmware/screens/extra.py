"""S24: one card more than players, right after a ruling: two cards stuck together, or a slip."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from firmware.acts import Act, CardAct, KeyAct
from hardware.ports import Key, Press, Signal

if TYPE_CHECKING:
    from firmware.canvas import Canvas
    from firmware.desk import Desk
    from firmware.world import World


@dataclass(frozen=True, slots=True)
class TooMany:
    """The cards that were ruled on, and the one that came on top."""

    NAME: ClassVar[str] = "too_many"
    turn: tuple[str, ...]
    extra: str

    def draw(self, canvas: Canvas, world: World) -> None:
        """How many there are, and the ways out."""
        t = world.words
        canvas.bar_title(t("{cards} CARDS, {players} PLAY", cards=len(self.turn) + 1, players=len(self.turn)))
        canvas.card(50, 12, world.label(self.extra), emphasised=True)
        canvas.text(2, 31, t("STUCK? SCAN WHICH TO"))
        canvas.text(2, 40, t("REMOVE. R1: SCAN ANEW"))
        canvas.footer(t("R2=NEXT TURN"), t("UNDO=NO"))

    def on(self, act: Act, desk: Desk) -> bool:
        """A scan takes that card away; R1 begins the turn anew; R2 begins the next one with it."""
        game = desk.world.playing.game
        if isinstance(act, CardAct):
            if act.card == self.extra:
                desk.close()
                desk.signal(Signal.ACCEPTED)
            elif act.card in self.turn:
                desk.close()
                desk.propose(game.correct((act.card,), (self.extra,)))
            else:
                desk.signal(Signal.REFUSED)
                desk.say(desk.world.words("ONE OF THESE CARDS"))
            return True
        if not isinstance(act, KeyAct) or act.press is not Press.SHORT:
            return False
        if act.key is Key.ROW_1:
            desk.close()
            desk.propose(game.correct(self.turn, ()))
            return True
        if act.key is Key.ROW_2:
            desk.close()
            desk.acknowledge("ruling")
            desk.play(self.extra)
            return True
        return False
