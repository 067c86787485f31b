"""The camera at the table. A box without one imports nothing else of this part."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, ClassVar

from companion.core.ask import Ask
from firmware.extensions.camera.config import CameraOptions
from firmware.extensions.camera.seen_elsewhere import SeeCard, scan
from firmware.play.page import AnyPage
from firmware.play.table import Extension, Item, Table
from firmware.session.actions import Action
from hardware.ports import ExtensionMessage, Message

if TYPE_CHECKING:
    from firmware.extensions.camera.service import CameraService


class CameraTable(Extension):
    """The camera of the configuration, if there is one, and cards that other programs have seen."""

    ACTS: ClassVar = (SeeCard,)

    def __init__(self) -> None:
        self.service: CameraService | None = None
        """What it does; None while there is no camera in the configuration."""
        self._post: Callable[[Message], None] | None = None

    def start(self, post: Callable[[Message], None]) -> None:
        self._post = post

    def close(self) -> None:
        if self.service is not None:
            self.service.close()

    def tick(self, table: Table) -> None:
        if self._post and self.service is None and table.config.section(CameraOptions).driver != "off":
            from firmware.extensions.camera.service import started

            self.service = started(table.config, self._post)
        if self.service is not None:
            self.service.tick(table)

    def handle_message(self, message: ExtensionMessage, table: Table) -> bool:
        if isinstance(message, SeeCard):
            scan(message, table)
            return True
        return self.service is not None and self.service.handle_message(message, table)

    def answer(self, action: Action, table: Table) -> bool:
        return self.service is not None and self.service.answer(action, table)

    def take_card(self, card: str, ask: Ask | None, table: Table) -> bool:
        if self.service is not None:
            self.service.take_card(card, ask, table)
        return False

    def page(self, page: AnyPage, table: Table) -> AnyPage:
        return page if self.service is None else self.service.page(page, table.session)

    def menu(self, table: Table) -> tuple[Item, ...]:
        return () if self.service is None else self.service.menu(table)
