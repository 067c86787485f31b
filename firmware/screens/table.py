"""The pages of a turn before it is ruled on: rows being laid, the table at rest, cards coming in."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from companion.game import Ask, Verb
from firmware.acts import ROW_KEYS, Act, KeyAct
from firmware.glyphs import MEDIUM
from firmware.screens.dial import Dial
from hardware.ports import Key, Press

if TYPE_CHECKING:
    from companion.game import Stack
    from firmware.canvas import Canvas
    from firmware.desk import Desk
    from firmware.world import World

_DIAL_KEYS = (*ROW_KEYS, Key.UP, Key.DOWN)


def dials(act: Act, desk: Desk) -> bool:
    """Open the dial for a card that cannot be scanned: any row key begins beside the end of its row."""
    if not isinstance(act, KeyAct) or act.press is not Press.SHORT or act.key not in _DIAL_KEYS:
        return False
    match = desk.world.playing
    board = match.game.board(match.position.table)
    begin = board.deck // 2
    if act.key in ROW_KEYS and ROW_KEYS.index(act.key) < len(board.stacks):
        begin = min(board.deck, int(board.stacks[ROW_KEYS.index(act.key)].cards[-1]) + 1)
    title = desk.world.words("TYPE A CARD NUMBER")
    desk.open(Dial(title, begin, 1, board.deck, lambda number, at: at.play(str(number))))
    return True


def draw_stacks(canvas: Canvas, stacks: tuple[Stack, ...]) -> None:
    """The rows: key, last card, places, heads; the left 98 pixels below a title bar."""
    for index, stack in enumerate(stacks[:4]):
        y_px = 11 + 13 * index
        canvas.key(0, y_px + 3, str(index + 1))
        canvas.text_right(36, y_px, stack.cards[-1], MEDIUM)
        canvas.boxes(41, y_px + 3, min(len(stack.cards), stack.room or 5), stack.room or 5)
        canvas.text_right(89, y_px + 3, str(stack.heads))
        canvas.icon(90, y_px + 3, "bull")


@dataclass(frozen=True, slots=True)
class Deal:
    """S09: the rows are laid, or the cards of an open draft picked, one scan each."""

    NAME: ClassVar[str] = "deal"
    ask: Ask

    def draw(self, canvas: Canvas, world: World) -> None:
        """The four places, or whose pick it is."""
        t, match = world.words, world.playing
        have = self.ask.have
        count = f"{len(have)}/{self.ask.need}"
        if self.ask.verb is Verb.PICK:
            canvas.bar_title(t("OPEN DRAFT"), count)
            canvas.text_centre(64, 20, canvas.fit(world.name(self.ask.seats[0]), 12), MEDIUM)
            canvas.text_centre(64, 37, t("TAKE A CARD, SCAN IT"))
        else:
            canvas.bar_title(t("DEAL {deal}: 10 EACH", deal=match.position.deal), count)
            for place in range(4):
                number = int(have[place]) if place < len(have) else None
                canvas.card(3 + 32 * place, 15, number, emphasised=place == len(have) - 1)
            canvas.text_centre(64, 38, t("SCAN THE 4 ROW CARDS"))
        canvas.footer(t("UNDO=LAST"))

    def on(self, act: Act, desk: Desk) -> bool:
        """Keys dial a number."""
        if isinstance(act, KeyAct) and act.key in ROW_KEYS and act.press is Press.SHORT:
            desk.open(
                Dial(
                    desk.world.words("TYPE A CARD NUMBER"),
                    1,
                    1,
                    desk.world.playing.game.board(desk.world.playing.position.table).deck,
                    lambda number, at: at.play(str(number)),
                )
            )
            return True
        return dials(act, desk)


@dataclass(frozen=True, slots=True)
class Home:
    """S10: the table at rest, waiting for the cards of the turn."""

    NAME: ClassVar[str] = "home"
    ask: Ask

    def draw(self, canvas: Canvas, world: World) -> None:
        """The rows, what takes one, and how many cards are awaited."""
        t, match = world.words, world.playing
        board = match.game.board(match.position.table)
        canvas.bar_title(t.say(board.hint))
        draw_stacks(canvas, board.stacks)
        canvas.vline(100, 11, 51, dotted=True)
        canvas.text_centre(115, 11, t("TURN"))
        canvas.text_centre(115, 20, str(board.turn), MEDIUM)
        canvas.text_centre(115, 40, t("SCAN"))
        canvas.text_centre(115, 49, f"0/{self.ask.need}")

    def on(self, act: Act, desk: Desk) -> bool:
        """Keys dial a number."""
        return dials(act, desk)


@dataclass(frozen=True, slots=True)
class Collecting:
    """S11: cards come in, in any order."""

    NAME: ClassVar[str] = "collecting"
    ask: Ask

    def draw(self, canvas: Canvas, world: World) -> None:
        """The cards so far, sorted, the newest one lit."""
        t, match = world.words, world.playing
        board = match.game.board(match.position.table)
        have, need = self.ask.have, self.ask.need
        canvas.bar_title(t("TURN {turn}/{turns}", turn=board.turn, turns=board.turns), f"{len(have)}/{need}")
        cards = sorted(map(int, have))
        many = need > 4  # noqa: PLR2004 - one line of cards
        for place in range(need):
            number = cards[place] if place < len(cards) else None
            x_px, y_px = 3 + 32 * (place % 4), (11 + 18 * (place // 4)) if many else 13
            canvas.card(x_px, y_px, number, emphasised=number is not None and str(number) == have[-1])
        left = need - len(have)
        if many:
            canvas.text(74, 53, t("{left} TO GO", left=left)) if need > 8 else canvas.footer(  # noqa: PLR2004
                t("UNDO=LAST"), t("{left} TO GO", left=left)
            )
            return
        to_go = t("1 CARD TO GO") if left == 1 else t("{left} CARDS TO GO", left=left)
        canvas.text(2, 35, to_go)
        canvas.text(2, 44, t("ANY ORDER IS FINE"))
        canvas.footer(t("UNDO=TAKE BACK {card}", card=have[-1]))

    def on(self, act: Act, desk: Desk) -> bool:
        """Keys dial a number."""
        return dials(act, desk)
