"""Cards that are counted one after the other: a pile, what a player took, the rows. A badge ends a pile."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, ClassVar

from companion.core.ask import DIALLED, TYPED, Ask, AskKind, Gives, Wait
from companion.text.sentence import count
from firmware.display.layout import Area, Big, Layout
from firmware.display.plan import MAIN_WORDS
from firmware.screens.parts.base import Controller, Keys, KeyUse, Page
from firmware.screens.parts.dial import dial_card, dial_number
from firmware.screens.parts.player_names import name_badge
from firmware.screens.parts.score_lines import HIGHEST
from firmware.screens.turn.choose_player import ChoosePlayer
from hardware.ports import Key, Signal

if TYPE_CHECKING:
    from firmware.display.canvas import Canvas
    from firmware.session.session import Session


class Pile(Page):
    """Every scan adds a card; a badge says whose the pile is, OK that all is counted."""

    NAME: ClassVar[str] = "pile"
    asks: tuple[Ask, ...]

    def draw(self, canvas: Canvas, session: Session) -> None:
        """How many cards, what they count, and what can be done next."""
        t, match, layout = session.translate, session.playing, Layout(canvas, session.plan)
        ask, keys, board, bar = self.asks[0], self.keys(session), match.board, layout.plan.row_bar
        layout.title(t.say(ask.says))
        done = keys[Key.OK].hint if Key.OK in keys else t("BADGE=DONE")
        last = (keys[Key.ROW_3].hint if Key.ROW_3 in keys else "") or keys[Key.ROW_1].hint
        if bar:
            layout.hints(done)
            layout.hints(keys[Key.ROW_2].hint, keys[Key.ROW_4].hint if Key.ROW_4 in keys else "")
            layout.hints(last)
        else:
            layout.hint_lines(done, last)
        free = layout.free
        if ask.have:
            cards = count("{count} CARD", "{count} CARDS", len(ask.have))
            counted = t.say(board.hint if str(board.hint) else cards)
            first: str | None = counted
        else:
            first = None
        facts = tuple(t.say(fact) for fact in board.facts[:1])
        if first is not None:
            layout.stack(free, (Big(first), *facts))
        elif ask.wait is Wait.ALL:
            name = Area(2, free.y_px + 2, free.width_px - 4, 15)
            name_badge(layout, name, session, session.badge(ask.seats[0]), MAIN_WORDS)
            layout.stack(free.below(18), facts)
        elif ask.kind is AskKind.LAY and bar:  # else the title has to say it
            layout.paragraph(t("THE CARDS IN THE ROWS COMPLETE THE SUM"), *facts)
        else:
            layout.paragraph(*facts)

    def keys(self, session: Session) -> Keys:
        """OK and R3 do what they say, the other keys type what cannot be scanned."""
        t, whose, other = session.translate, self._whose, self._other
        keys: Keys = {Key.ROW_2: KeyUse(self._type_sum, t("R2=TYPE SUM"))}
        if other is not None:
            ok = t("OK={what}", what=other.labels[0])
            keys[Key.OK] = KeyUse(partial(self._say, other.choices[0]), ok)
        if whose is not None:
            who = KeyUse(lambda at: at.open(ChoosePlayer(whose)), t("R4=WHO?"))
            keys |= dict.fromkeys((Key.ROW_4, Key.DOWN), who)
        if other is not None and len(other.choices) > 1:
            second = t("R3={what}", what=other.labels[1]) if len(other.labels) > 1 else ""
            keys[Key.ROW_3] = KeyUse(partial(self._say, other.choices[1]), second)
        return keys | dict.fromkeys((Key.ROW_1, Key.UP), KeyUse(_type_card, t("R1=TYPE A CARD")))

    def take_badge(self, badge: int, controller: Controller) -> bool:
        """A badge ends the pile."""
        if self._whose is None:
            return False
        seat = controller.session.seat(badge)
        if seat is None:
            controller.signal(Signal.REFUSED)
            controller.say(controller.session.translate("BADGE {badge} NOT PLAYING", badge=badge))
        else:
            controller.answer(self._whose, seat, str(seat))
        return True

    def _type_sum(self, controller: Controller) -> None:
        t, session = controller.session.translate, controller.session
        title = t("SUM OF THE ROWS")
        if self._whose is not None:
            title = t("SUM FOR {name}", name=session.short_name(self.asks[0].seats[0], 8))

        def typed(points: int, at: Controller) -> None:
            self.choose(f"{TYPED}{points}", at)

        dial_number(controller, title, range(HIGHEST + 1), 0, typed)

    def _say(self, choice: str, controller: Controller) -> None:
        self.choose(choice, controller)

    def choose(self, choice: str, controller: Controller) -> bool:
        """The points of the pile, or a word."""
        if choice.startswith(TYPED):
            ask = self.asks[0]
            controller.answer(ask, None if self._whose is None else ask.seats[0], choice)
        elif self._other is not None and choice in self._other.choices:
            controller.answer(self._other, None, choice)
        else:
            return False
        return True

    @property
    def _whose(self) -> Ask | None:
        return next((ask for ask in self.asks if ask.kind is AskKind.CLAIM), None)

    @property
    def _other(self) -> Ask | None:
        return next((ask for ask in self.asks if ask.kind.gives is Gives.WORD), None)


def _type_card(controller: Controller) -> None:
    dial_card(controller, chosen=lambda card, at: at.play(f"{DIALLED}{card}"))
