"""Setting something with keys: a number, such as a limit, or a card that cannot be scanned."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, ClassVar

from companion.core.ask import AskKind
from companion.text.sentence import say
from companion.values import replace
from firmware.display.layout import Area, Big, Layout
from firmware.screens.parts.base import Controller, Page
from firmware.screens.parts.score_lines import draw_steps
from firmware.session.actions import ROW_KEYS, Action, KeyAction, typed_number
from hardware.ports import Key, Press

if TYPE_CHECKING:
    from firmware.display.canvas import Canvas
    from firmware.session.session import Session

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
_HELD_STEPS = {Key.ROW_1: -50, Key.ROW_2: -5, Key.ROW_3: 5, Key.ROW_4: 50}
"""What a key does that is held down: with it any card is four presses away on average."""

_OPENS = (*ROW_KEYS, Key.UP, Key.DOWN)


def dial_number(
    controller: Controller, title: str, numbers: range, begin: int, chosen: Callable[[int, Controller], None]
) -> None:
    """Ask for one of some numbers, starting at `begin`; they wrap around."""
    names = tuple(map(str, numbers))
    at = numbers.index(begin)
    controller.open(Dial(title, names, at, lambda name, to: chosen(int(name), to), counts=True))


def dial_card(
    controller: Controller, begin: str = "", chosen: Callable[[str, Controller], None] | None = None
) -> None:
    """Ask for a card of the game in play, starting at one of them; it is played, or passed to `chosen`."""
    match = controller.session.playing
    cards = match.game.cards(match.position.table)
    if not cards:
        controller.say(controller.session.translate("NO CARDS KNOWN HERE"))
        return
    at = cards.index(begin) if begin in cards else (len(cards) - 1) // 2
    controller.open(
        Dial(
            controller.session.translate("WHICH CARD?"), cards, at, chosen or (lambda card, to: to.play(card))
        )
    )


def dial_on_key(action: Action, controller: Controller) -> bool:
    """Open the dial for a card that cannot be scanned; False if the action is no key for it.

    A row key begins beside the end of its row: the card that is played is most often one that fits there.
    """
    if not isinstance(action, KeyAction) or action.press is not Press.SHORT or action.key not in _OPENS:
        return False
    match = controller.session.playing
    stacks = match.board.stacks
    begin = ""
    if action.key in ROW_KEYS and ROW_KEYS.index(action.key) < len(stacks):
        cards = match.game.cards(match.position.table)
        end = stacks[ROW_KEYS.index(action.key)].cards[-1]
        begin = cards[min(len(cards) - 1, cards.index(end) + 1)] if end in cards else ""
    dial_card(controller, begin)
    return True


class Dial(Page):
    """One of `names`, which wrap around; OK passes it to `chosen`. `counts`: they are numbers, not cards."""

    NAME: ClassVar[str] = "dial"
    title: str
    names: tuple[str, ...]
    at: int
    chosen: Callable[[str, Controller], None]
    counts: bool = False

    def is_secret(self, session: Session) -> bool:
        """While it sets a card of a hand that nobody else may know."""
        match = session.match
        return match is not None and bool(match.asks) and match.asks[0].kind is AskKind.HOLD

    def draw(self, canvas: Canvas, session: Session) -> None:
        """The number or card, large, and what the keys do to it."""
        t, name, layout = session.translate, self.names[self.at], Layout(canvas, session.plan)
        layout.title(self.title)
        if layout.plan.row_bar:
            layout.hints(t("OK=CONFIRM"), t("UNDO=BACK"))
        free = layout.free
        steps_px = free.bottom_px - 10
        room = Area(free.x_px, free.y_px + 1, free.width_px, steps_px - free.y_px - 2)
        if name.isdigit():
            layout.stack(room, (Big(name),))
        else:
            layout.stack(room, (Big(session.label(name)), t.say(session.playing.game.named(name))))
        draw_steps(canvas, steps_px)

    def handle(self, action: Action, controller: Controller) -> bool:
        """Keys change it, a number that is typed takes it; a scan is answered by the page below."""
        number = typed_number(action) if self.counts else None
        if number is not None:
            if str(number) in self.names:
                self._take(str(number), controller)
            else:
                first, last = int(self.names[0]), int(self.names[-1])
                controller.decline(say("FROM {first} TO {last}", first=first, last=last))
            return True
        if not isinstance(action, KeyAction):
            return False
        steps = {Press.SHORT: _STEPS, Press.LONG: _HELD_STEPS}.get(action.press, {})
        if action.key in steps:
            controller.show(replace(self, at=(self.at + steps[action.key]) % len(self.names)))
            return True
        if action.key is Key.OK and action.press is Press.SHORT:
            self._take(self.names[self.at], controller)
            return True
        return False

    def _take(self, name: str, controller: Controller) -> None:
        controller.close()
        self.chosen(name, controller)
