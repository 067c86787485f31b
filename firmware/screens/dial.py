"""Something that is dialled with keys: a number, such as a limit, or a card that cannot be scanned."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar

from firmware.acts import ROW_KEYS, Act, KeyAct
from firmware.glyphs import LARGE
from hardware.ports import Key, Press

if TYPE_CHECKING:
    from collections.abc import Callable

    from firmware.canvas import Canvas
    from firmware.desk import Desk
    from firmware.world import World

_STEPS = {
    Key.ROW_1: -10,
    Key.ROW_2: -1,
    Key.ROW_3: 1,
    Key.ROW_4: 10,
    Key.UP: 1,
    Key.DOWN: -1,
    Key.LEFT: -10,
    Key.RIGHT: 10,
    Key.TURN_LEFT: -1,
    Key.TURN_RIGHT: 1,
}
_OPENS = (*ROW_KEYS, Key.UP, Key.DOWN)


def dial_number(
    desk: Desk, title: str, numbers: range, begin: int, chosen: Callable[[int, Desk], None]
) -> None:
    """Ask for one of some numbers, beginning at `begin`; they wrap around."""
    names = tuple(map(str, numbers))
    desk.open(Dial(title, names, numbers.index(begin), lambda name, at: chosen(int(name), at)))


def dial_card(desk: Desk, begin: str = "", chosen: Callable[[str, Desk], None] | None = None) -> None:
    """Ask for a card of the game in play, beginning at one of them; it is played, or given to `chosen`."""
    match = desk.world.playing
    cards = match.game.cards(match.position.table)
    if not cards:
        desk.say(desk.world.words("NO CARD IS KNOWN HERE"))
        return
    at = cards.index(begin) if begin in cards else (len(cards) - 1) // 2
    desk.open(Dial(desk.world.words("WHICH CARD?"), cards, at, chosen or (lambda card, to: to.play(card))))


def dials(act: Act, desk: Desk) -> bool:
    """Open the dial for a card that cannot be scanned: any row key begins beside the end of its row."""
    if not isinstance(act, KeyAct) or act.press is not Press.SHORT or act.key not in _OPENS:
        return False
    match = desk.world.playing
    stacks = match.game.board(match.position.table).stacks
    begin = ""
    if act.key in ROW_KEYS and ROW_KEYS.index(act.key) < len(stacks):
        cards = match.game.cards(match.position.table)
        end = stacks[ROW_KEYS.index(act.key)].cards[-1]
        begin = cards[min(len(cards) - 1, cards.index(end) + 1)] if end in cards else ""
    dial_card(desk, begin)
    return True


@dataclass(frozen=True, slots=True)
class Dial:
    """One of `names`, which wrap around; OK hands it to `chosen`."""

    NAME: ClassVar[str] = "dial"
    title: str
    names: tuple[str, ...]
    at: int
    chosen: Callable[[str, Desk], None]

    def draw(self, canvas: Canvas, world: World) -> None:
        """The number or card, large, and what the keys do to it."""
        t, name = world.words, self.names[self.at]
        canvas.bar_title(self.title)
        if name.isdigit():
            canvas.text_centre(64, 13, name, LARGE)
        else:
            canvas.text_centre(64, 12, world.words.say(world.playing.game.named(name)))
            canvas.card(50, 22, world.label(name), emphasised=True)
        for place, step in enumerate(("-10", "-1", "+1", "+10")):
            x_px = 2 + 32 * place
            canvas.text(canvas.key(x_px, 43, str(place + 1)), 43, step)
        canvas.footer(t("OK=TAKE IT"), t("UNDO=NO"))

    def on(self, act: Act, desk: Desk) -> bool:
        """Keys change it; a scan is answered by the page below."""
        if not isinstance(act, KeyAct) or act.press is not Press.SHORT:
            return False
        if act.key in _STEPS:
            desk.swap(replace(self, at=(self.at + _STEPS[act.key]) % len(self.names)))
            return True
        if act.key is Key.OK:
            desk.close()
            self.chosen(self.names[self.at], desk)
            return True
        return False
