"""A table taken over as it lies: the cards of each row are scanned, then the finished turns are set."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar

from firmware.acts import ROW_KEYS, Act, CardAct, KeyAct
from firmware.screens.dial import dial_number
from firmware.screens.shown_card import shown_card
from firmware.screens.table import PER_PAGE, page_of
from hardware.ports import Key, Press, Signal

if TYPE_CHECKING:
    from firmware.canvas import Canvas
    from firmware.desk import Desk
    from firmware.world import World


_SHOWN = 5


def adopt(desk: Desk) -> None:
    """Ask for every stack of the table; as many as lie there now, four where none does yet."""
    match = desk.world.playing
    stacks = match.game.board(match.position.table).stacks
    desk.open(Adopt(((),) * (len(stacks) or PER_PAGE)))


@dataclass(frozen=True, slots=True)
class Adopt:
    """The rows so far, and the one that is being scanned (0-based)."""

    NAME: ClassVar[str] = "adopt"
    rows: tuple[tuple[str, ...], ...]
    at: int = 0

    def draw(self, canvas: Canvas, world: World) -> None:
        """All rows, a cursor at the one that takes the scans."""
        t = world.words
        canvas.bar_title(t("SCAN ROW {row}", row=self.at + 1), t("IN ORDER"))
        first = page_of(self.at)
        for index, row in enumerate(self.rows[first : first + PER_PAGE]):
            y_px = 13 + 10 * index
            if first + index == self.at:
                canvas.cursor(0, y_px)
            canvas.key(6, y_px, str(index + 1))
            for place, card in enumerate(row[-_SHOWN:]):
                canvas.text_right(38 + 20 * place, y_px, world.label(card))
        canvas.footer(t("OK=NEXT ROW"), t("UNDO=LAST"))

    def on(self, act: Act, desk: Desk) -> bool:
        """Scans fill the row, OK goes to the next one and after the last asks for the turn."""
        if isinstance(act, CardAct):
            if (card := shown_card(act, desk)) is None:
                return True
            row = self.rows[self.at]
            board = desk.world.playing.game.board(desk.world.playing.position.table)
            full = any(0 < stack.room <= len(row) for stack in board.stacks)
            if full or any(card in other for other in self.rows):
                desk.signal(Signal.REFUSED)
                desk.say(desk.world.words("{card} CANNOT BE THERE", card=desk.world.label(card)))
                return True
            desk.signal(Signal.ACCEPTED)
            desk.swap(self._with((*row, card)))
            return True
        if not isinstance(act, KeyAct) or act.press is not Press.SHORT:
            return False
        if act.key in ROW_KEYS:
            at = page_of(self.at) + ROW_KEYS.index(act.key)
            if at < len(self.rows):
                desk.swap(replace(self, at=at))
            return True
        if act.key is Key.UNDO and self.rows[self.at]:
            desk.swap(self._with(self.rows[self.at][:-1]))
            return True
        if act.key is Key.OK and self.at < len(self.rows) - 1:
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
        guess = max(0, -(-(lying - len(self.rows)) // len(match.players)))

        def adopt(turn: int, at: Desk) -> None:
            at.propose(at.world.playing.game.adopt(self.rows, turn))

        if not turns:
            adopt(0, desk)
            return
        title = desk.world.words("TURNS FINISHED?")
        dial_number(desk, title, range(turns), min(guess, turns - 1), adopt)
