"""What can be done now, in words: opened by the code HELP."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from companion.core.ask import Ask, AskKind, Gives, Wait
from companion.values import replace
from firmware.display.layout import Layout, paginate
from firmware.screens.parts.base import Controller, Page
from firmware.session.actions import Action, KeyAction
from hardware.ports import Key, Press

if TYPE_CHECKING:
    from firmware.display.canvas import Canvas
    from firmware.session.session import Session


class Help(Page):
    """The open question, how it is answered, and what the keys do. `part` is which page of it, from 0."""

    NAME: ClassVar[str] = "help"
    part: int = 0

    def draw(self, canvas: Canvas, session: Session) -> None:
        """A part of the text."""
        t, layout = session.translate, Layout(canvas, session.plan)
        pages = self._pages(session)
        layout.title(t("WHAT NOW?"), t.digits(f"{self.part + 1}/{len(pages)}") if len(pages) > 1 else "")
        layout.hints(t("OK=MORE") if self.part + 1 < len(pages) else t("OK=BACK"), t("UNDO=BACK"))
        layout.lines(pages[self.part])

    def handle(self, action: Action, controller: Controller) -> bool:
        """OK turns the page; after the last one it closes."""
        if not isinstance(action, KeyAction) or (action.key, action.press) != (Key.OK, Press.SHORT):
            return False
        if self.part + 1 < len(self._pages(controller.session)):
            controller.show(replace(self, part=self.part + 1))
        else:
            controller.close()
        return True

    def _pages(self, session: Session) -> list[list[str]]:
        t, match = session.translate, session.match
        ask = match.asks[0] if match is not None and match.asks else None
        now = (t.say(ask.says), _how(session, ask)) if ask is not None else ()
        keys = t("HOLD OK: MENU. UNDO: TAKE BACK. LEFT: STANDINGS. RIGHT: ALL CARDS. WHY: THE REASON.")
        return paginate(session.plan, *filter(None, (*now, keys)))


def _how(session: Session, ask: Ask) -> str:
    """How a question is answered."""
    t = session.translate
    if ask.kind is AskKind.PLAY and ask.wait is Wait.ALL:
        return t("SCAN THE CARD OF EACH PLAYER, IN ANY ORDER. WITHOUT A SCANNER: A ROW KEY SETS A CARD.")
    match ask.kind.gives:
        case Gives.CARD:
            return t("SCAN THE CARD. WITHOUT A SCANNER, THE KEYS SET IT.")
        case Gives.PLAYER:
            return t("SCAN THE BADGE OF THE PLAYER, OR PRESS THE KEY BESIDE THE NAME.")
        case Gives.STACK | Gives.WORD:
            return t("PRESS THE KEY WITH THE NUMBER OF YOUR CHOICE.")
