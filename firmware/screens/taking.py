"""The two questions about a taken row: which row, and who played the card."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar

from firmware.acts import ROW_KEYS, Act, BadgeAct, KeyAct
from firmware.screens.table import draw_stacks
from hardware.ports import Key, Press, Signal

if TYPE_CHECKING:
    from companion.cards import Seat
    from companion.game import Ask
    from firmware.canvas import Canvas
    from firmware.desk import Desk
    from firmware.world import World

_ON = (Key.DOWN, Key.TURN_RIGHT, Key.RIGHT)
_BACK = (Key.UP, Key.TURN_LEFT, Key.LEFT)


def moved(cursor: int | None, act: KeyAct, places: int) -> int | None:
    """The cursor after a key, None if the key does not move it; the first key brings it."""
    if act.press is not Press.SHORT or act.key not in (*_ON, *_BACK):
        return None
    if cursor is None:
        return 0 if act.key in _ON else places - 1
    return (cursor + (1 if act.key in _ON else -1)) % places


@dataclass(frozen=True, slots=True)
class ChooseRow:
    """S14: the lowest card fits nowhere. The cheapest row is marked, and nothing is chosen beforehand."""

    NAME: ClassVar[str] = "choose_row"
    ask: Ask
    cursor: int | None = None

    def draw(self, canvas: Canvas, world: World) -> None:
        """The rows with their cost, and the card."""
        t, match = world.words, world.playing
        board = match.game.board(match.position.table)
        canvas.bar_title(t("{card} FITS NOWHERE", card=self.ask.card))
        draw_stacks(canvas, board.stacks)
        fewest = min(stack.heads for stack in board.stacks)
        for index, stack in enumerate(board.stacks):
            if stack.heads == fewest:
                canvas.invert(82, 11 + 13 * index + 2, 16, 9)
            if index == self.cursor:
                canvas.frame(9, 10 + 13 * index, 30, 14)
        canvas.card(101, 12, int(self.ask.card), emphasised=True)
        canvas.text_centre(115, 33, t("TAKE"))
        canvas.text_centre(115, 42, t("ROW?"))

    def on(self, act: Act, desk: Desk) -> bool:
        """A row key takes its row; OK takes the one under the cursor."""
        if not isinstance(act, KeyAct):
            return False
        if act.press is Press.SHORT and act.key in ROW_KEYS:
            return self._take(ROW_KEYS.index(act.key), desk)
        if (cursor := moved(self.cursor, act, len(self.ask.choices))) is not None:
            page = replace(self, cursor=cursor)
            desk.swap(page) if desk.pages else desk.open(page)
            return True
        if act.key is Key.OK and act.press is Press.SHORT:
            if self.cursor is None:
                desk.signal(Signal.REFUSED)
                desk.say(desk.world.words("CHOOSE A ROW FIRST"))
                return True
            return self._take(self.cursor, desk)
        return False

    def _take(self, row: int, desk: Desk) -> bool:
        desk.propose(desk.world.playing.game.read(self.ask, None, self.ask.choices[row]))
        return True


@dataclass(frozen=True, slots=True)
class WhoPlayed:
    """S15: who played the card that takes."""

    NAME: ClassVar[str] = "who_played"
    ask: Ask
    cursor: int | None = None

    def draw(self, canvas: Canvas, world: World) -> None:
        """The card, and everybody it may belong to."""
        t = world.words
        canvas.bar_title(t("WHO PLAYED {card}?", card=self.ask.card))
        canvas.card(100, 12, int(self.ask.card), emphasised=True)
        for place, seat in enumerate(self.ask.seats):
            x_px, y_px = 2 + 49 * (place % 2), 11 + 9 * (place // 2)
            name = canvas.fit(world.name(seat), 5)
            canvas.text(x_px + 15, y_px, name)
            canvas.text_right(x_px + 12, y_px, str(world.badge(seat)))
            if place == self.cursor:
                canvas.invert(x_px - 1, y_px - 1, 47, 9)
        if len(self.ask.seats) <= 8:  # noqa: PLR2004 - four lines of two
            canvas.text_centre(114, 32, t("SCAN"))
            canvas.text_centre(114, 41, t("BADGE"))
            canvas.footer(t("OK=THIS ONE"), t("UNDO=BACK"))

    def on(self, act: Act, desk: Desk) -> bool:
        """A badge claims; a row key claims for the first four; OK for the one under the cursor."""
        if isinstance(act, BadgeAct):
            seat = desk.world.seat(act.badge)
            if seat is None:
                desk.signal(Signal.REFUSED)
                desk.say(desk.world.words("BADGE {badge} IS NOT IN", badge=act.badge))
                return True
            return self._claim(seat, desk)
        if not isinstance(act, KeyAct) or act.press is not Press.SHORT:
            return False
        if act.key in ROW_KEYS and ROW_KEYS.index(act.key) < len(self.ask.seats):
            return self._claim(self.ask.seats[ROW_KEYS.index(act.key)], desk)
        if (cursor := moved(self.cursor, act, len(self.ask.seats))) is not None:
            page = replace(self, cursor=cursor)
            desk.swap(page) if desk.pages else desk.open(page)
            return True
        if act.key is Key.OK:
            if self.cursor is None:
                desk.signal(Signal.REFUSED)
                desk.say(desk.world.words("CHOOSE A PLAYER FIRST"))
                return True
            return self._claim(self.ask.seats[self.cursor], desk)
        return False

    def _claim(self, seat: Seat, desk: Desk) -> bool:
        desk.propose(desk.world.playing.game.read(self.ask, seat, str(seat)))
        return True
