"""Setting something with keys: a number, such as a limit, or a card that cannot be scanned."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING, ClassVar, Final

from companion.core.ask import AskKind
from companion.text.sentence import say
from companion.values import replace
from firmware.display.layout import Area, Big, Layout
from firmware.screens.parts.base import Controller, Held, Keys, KeyUse, Page, back
from firmware.screens.parts.score_lines import draw_steps, step_keys
from firmware.session.actions import ROW_KEYS
from hardware.ports import Key

if TYPE_CHECKING:
    from firmware.display.canvas import Canvas
    from firmware.session.session import Session

_STEPS: Final[Mapping[Key | Held, int]] = {
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
    # Held down: with these any card is four presses away on average.
    Held(Key.ROW_1): -50,
    Held(Key.ROW_2): -5,
    Held(Key.ROW_3): 5,
    Held(Key.ROW_4): 50,
}

BY_KEYS: Final = say("SET A CARD BY KEYS")

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


def dial_keys() -> Keys:
    """The keys that open the dial for a card that cannot be scanned."""
    return {key: KeyUse(partial(dial_beside, key), help=BY_KEYS) for key in _OPENS}


def dial_beside(key: Key, controller: Controller) -> None:
    """Open the dial for a card that cannot be scanned.

    A row key begins beside the end of its row: the card that is played is most often one that fits there.
    """
    match = controller.session.playing
    stacks = match.board.stacks
    begin = ""
    if key in ROW_KEYS and ROW_KEYS.index(key) < len(stacks):
        cards = match.game.cards(match.position.table)
        end = stacks[ROW_KEYS.index(key)].cards[-1]
        begin = cards[min(len(cards) - 1, cards.index(end) + 1)] if end in cards else ""
    dial_card(controller, begin)


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
            layout.hints(*self.hints(session))
        free = layout.free
        steps_px = free.bottom_px - 10
        room = Area(free.x_px, free.y_px + 1, free.width_px, steps_px - free.y_px - 2)
        if name.isdigit():
            layout.stack(room, (Big(name),))
        else:
            layout.stack(room, (Big(session.label(name)), t.say(session.playing.game.named(name))))
        draw_steps(canvas, steps_px)

    def keys(self, session: Session) -> Keys:
        """Keys change it, OK takes it; a scan is answered by the page below."""
        t = session.translate
        return {
            Key.OK: KeyUse(partial(self._take, self.names[self.at]), t("OK=CONFIRM")),
            Key.UNDO: KeyUse(back, t("UNDO=BACK")),
            **step_keys(_STEPS, self._step),
        }

    def take_number(self, number: int, controller: Controller) -> bool:
        """A number that is typed is taken, where numbers are asked for."""
        if self.counts and str(number) in self.names:
            self._take(str(number), controller)
        elif self.counts:
            first, last = int(self.names[0]), int(self.names[-1])
            controller.decline(say("FROM {first} TO {last}", first=first, last=last))
        return self.counts

    def _step(self, step: int, controller: Controller) -> None:
        controller.show(replace(self, at=(self.at + step) % len(self.names)))

    def _take(self, name: str, controller: Controller) -> None:
        controller.close()
        self.chosen(name, controller)
