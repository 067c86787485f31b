"""What a page is: a picture of the world, and an answer to what people do. No page is here."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Protocol

if TYPE_CHECKING:
    from firmware.display.canvas import Canvas
    from firmware.play.controller import Controller
    from firmware.session.actions import Action
    from firmware.session.session import Session


class Page(Protocol):
    """One question on the glass. A page is a value: to change it, the desk is given another one."""

    NAME: ClassVar[str]
    """A short name, unique among the pages."""

    def draw(self, canvas: Canvas, session: Session) -> None:
        """Draw the page; the same page and world give the same bits."""

    def handle(self, action: Action, controller: Controller) -> bool:
        """Answer what people did; False leaves it to the desk."""
