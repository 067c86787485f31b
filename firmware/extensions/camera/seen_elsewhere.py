"""Cards whose faces another program has read, such as the page for phones; also at a box without a camera."""

from typing import ClassVar

from companion.core import codes, games
from companion.core.codes import CardCode, UnknownCode
from companion.text.sentence import say
from firmware.play.acts import Code, SocketAct
from firmware.play.table import Table
from hardware.ports import Signal


class SeeCard(SocketAct, tag="see"):
    """A card whose face was read; `code` is the one with which a deck was taught it."""

    IS_INPUT: ClassVar[bool] = True
    code: Code


def scan(seen: SeeCard, table: Table) -> None:
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
