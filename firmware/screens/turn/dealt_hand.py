"""A hand is scanned when it is dealt. The page never shows a card: everybody looks at it."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from firmware.display.layout import Area, Big, Layout
from firmware.display.plan import MAIN
from firmware.screens.parts.base import Controller, Keys, KeyUse, Page
from firmware.screens.parts.player_names import name_badge
from hardware.ports import Key

if TYPE_CHECKING:
    from companion.core.ask import Ask
    from firmware.display.canvas import Canvas
    from firmware.session.session import Session


class DealtHand(Page):
    """Whose hand is scanned, and how many of its cards were."""

    NAME: ClassVar[str] = "dealt_hand"
    asks: tuple[Ask, ...]

    def draw(self, canvas: Canvas, session: Session) -> None:
        """The player, large, and the count."""
        t, match, layout = session.translate, session.playing, Layout(canvas, session.plan)
        ask = self.asks[0]
        layout.title(self.heading(session), t("DEAL {deal}", deal=match.position.deal))
        layout.hints(*self.hints(session))
        free = layout.free
        name = Area(2, free.y_px + 1, free.width_px - 4, min(24, free.height_px - 16))
        name_badge(layout, name, session, session.badge(ask.seats[0]), MAIN)
        count = session.translate.digits(f"{len(ask.have)}/{ask.need}")
        layout.stack(free.below(name.height_px + 3), (Big(count),))

    def heading(self, session: Session) -> str:
        """The title."""
        return session.translate.say(self.asks[0].says)

    def keys(self, session: Session) -> Keys:
        """R4 plays this deal without known hands; UNDO brings them back."""
        t, without = session.translate, self.asks[1]
        play = KeyUse(
            lambda at: self.choose(without.choices[0], at), t("R4={what}", what=t.say(without.labels[0]))
        )
        return {Key.ROW_4: play}

    def choose(self, choice: str, controller: Controller) -> bool:
        """To play without known hands."""
        without = self.asks[1]
        if choice not in without.choices:
            return False
        controller.answer(without, None, choice)
        return True
