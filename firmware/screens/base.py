"""What a page is: a picture of the world, and an answer to what people do. No page is here."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Protocol

if TYPE_CHECKING:
    from firmware.acts import Act
    from firmware.canvas import Canvas
    from firmware.desk import Desk
    from firmware.world import World


class Page(Protocol):
    """One question on the glass. A page is a value: to change it, the desk is given another one."""

    NAME: ClassVar[str]
    """A short name, unique among the pages."""

    def draw(self, canvas: Canvas, world: World) -> None:
        """Draw the page; the same page and world give the same bits."""

    def on(self, act: Act, desk: Desk) -> bool:
        """Answer what people did; False leaves it to the desk."""
