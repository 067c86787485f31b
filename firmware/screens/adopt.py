"""A table taken over as it lies: the cards of each row are scanned, then the finished turns are set."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar

from firmware.acts import ROW_KEYS, Act, CardAct, KeyAct
from firmware.screens.dial import Dial
from hardware.ports import Key, Press, Signal

if TYPE_CHECKING:
    from firmware.canvas import Canvas
    from firmware.desk import Desk
    from firmware.world import World

_ROWS = 4
_PLACES = 5


@dataclass(frozen=True, slots=True)
class Adopt:
    """The rows so far, and the one that is being scanned (0-based)."""

    NAME: ClassVar[str] = "adopt"
    rows: tuple[tuple[str, ...], ...] = ((),) * _ROWS
    at: int = 0

    def draw(self, canvas: Canvas, world: World) -> None:
        """All rows, a cursor at the one that takes the scans."""
        t = world.words
        canvas.bar_title(t("SCAN ROW {row}", row=self.at + 1), t("IN ORDER"))
        for index, row in enumerate(self.rows):
            y_px = 13 + 10 * index
            if index == self.at:
                canvas.cursor(0, y_px)
            canvas.key(6, y_px, str(index + 1))
            for place, card in enumerate(row):
                canvas.text_right(38 + 20 * place, y_px, card)
        canvas.footer(t("OK=NEXT ROW"), t("UNDO=LAST"))

    def on(self, act: Act, desk: Desk) -> bool:
        """Scans fill the row, OK goes to the next one and after the last asks for the turn."""
        if isinstance(act, CardAct):
            row = self.rows[self.at]
            if len(row) >= _PLACES or any(act.card in other for other in self.rows):
                desk.signal(Signal.REFUSED)
                desk.say(desk.world.words("{card} CANNOT BE THERE", card=act.card[:4]))
                return True
            desk.signal(Signal.ACCEPTED)
            desk.swap(self._with((*row, act.card)))
            return True
        if not isinstance(act, KeyAct) or act.press is not Press.SHORT:
            return False
        if act.key in ROW_KEYS:
            desk.swap(replace(self, at=ROW_KEYS.index(act.key)))
            return True
        if act.key is Key.UNDO and self.rows[self.at]:
            desk.swap(self._with(self.rows[self.at][:-1]))
            return True
        if act.key is Key.OK and self.at < _ROWS - 1:
            desk.swap(replace(self, at=self.at + 1))
            return True
        if act.key is Key.OK:
            self._ask_turn(desk)
            return True
        return False

    def _with(self, row: tuple[str, ...]) -> Adopt:
        return replace(self, rows=tuple(row if at == self.at else old for at, old in enumerate(self.rows)))

    def _ask_turn(self, desk: Desk) -> None:
        match = desk.world.playing
        lying = sum(map(len, self.rows))
        turns = match.game.board(match.position.table).turns
        guess = max(0, -(-(lying - _ROWS) // len(match.players)))

        def adopt(turn: int, at: Desk) -> None:
            at.propose(at.world.playing.game.adopt(self.rows, turn))

        desk.open(Dial(desk.world.words("TURNS FINISHED?"), min(guess, turns - 1), 0, turns - 1, adopt))
