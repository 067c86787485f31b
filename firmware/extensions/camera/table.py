"""The camera at the table, and cards whose faces another program has read, such as the page for phones.

A box without a camera imports nothing else of this part.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, ClassVar

from companion.core import codes, games
from companion.core.ask import Ask
from companion.core.codes import CardCode, UnknownCode
from companion.text.sentence import say
from firmware.extensions.camera.config import CameraOptions
from firmware.play.acts import Code, SocketAct
from firmware.play.page import AnyPage
from firmware.play.table import Extension, Item, Table
from firmware.session.actions import Action
from hardware.ports import ExtensionMessage, Message, Signal

if TYPE_CHECKING:
    from firmware.extensions.camera.service import CameraService


class SeeCard(SocketAct, tag="see"):
    """A card whose face was read; `code` is the one with which a deck was taught it."""

    IS_INPUT: ClassVar[bool] = True
    code: Code


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
            _scan(message, table)
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


def _scan(seen: SeeCard, table: Table) -> None:
    """Answer it as a scan of the first copy that can come: nobody sees which one it is."""
    from firmware.extensions.camera.cards_in_play import InPlay, in_no_hand
    from firmware.extensions.camera.pages import WhichCard

    session, meaning = table.session, codes.read(seen.code, plain_numbers=False, box=table.config.codes.box)
    match = session.match
    if match is not None and match.asks and isinstance(meaning, CardCode) and meaning.game == session.code:
        deck, number = games.module(match.box).DECK, int(meaning.card)
        card = deck[number - 1] if 0 < number <= len(deck) else ""
        copy = InPlay.of(match, session.notes.kept_cards).copy_of(card)
        if copy is not None and in_no_hand(copy, match):
            table.signal(Signal.REFUSED)
            table.interrupt(WhichCard((copy,), lambda _: None, doubtful=True))  # it can be shown again
            return
        if copy is not None:
            meaning = CardCode(meaning.game, str(deck.index(copy) + 1))
    table.act(meaning if isinstance(meaning, CardCode) else UnknownCode(seen.code, say("unknown code")))
