"""How cards are called where no match is in play, and the card on top of a pile as a picture."""

from functools import lru_cache
from typing import Final

from companion.core import games
from companion.core.board import Board, Sign
from companion.core.game import AnyGame
from companion.values import Value
from firmware.display.glyphs import LARGE, MEDIUM, NARROW, SMALL
from firmware.display.layout import Area, Big, Layout
from firmware.session.session import Session
from firmware.text.translation import Translator


@lru_cache(maxsize=8)
def _made(game: str) -> AnyGame:
    module = games.module(game)
    return module.make(module.SEATS[0], {})


class CardsOfGame(Value):
    """The cards of the game named `game`, in a language."""

    game: str
    translate: Translator

    def label(self, card: str) -> str:
        """A card in up to 4 columns."""
        return self.translate.say(_made(self.game).label(card))

    def named(self, card: str) -> str:
        """A card in words, in capitals."""
        return self.translate.say(_made(self.game).named(card))

    def card_of(self, text: str) -> str | None:
        """The card that a scanned or typed text means, by its name or the number in its code; None: none."""
        deck = games.module(self.game).DECK
        if text in deck:
            return text
        return deck[int(text) - 1] if text.isdigit() and 0 < int(text) <= len(deck) else None

    def worth(self, card: str) -> int:
        return games.module(self.game).worth(card)

    @property
    def in_heads(self) -> bool:
        """Whether points are bullheads: they are where the cards are numbers."""
        return games.module(self.game).DECK[0].isdigit()


BEATS_PX: Final = 46
"""Width of what beats the card."""
_SYMBOL_PX: Final = 24


def draw_top(layout: Layout, area: Area, session: Session, top: Sign, detail: str = "") -> None:
    """The symbol, and beside it the colour, both in letters for all around the table; a detail below it."""
    t = session.translate
    symbol_px = 0
    if top.symbol:
        y_px = area.y_px + (area.height_px - _SYMBOL_PX) // 2
        layout.canvas.text(area.x_px, y_px, top.symbol, LARGE)
        layout.canvas.note_main(_SYMBOL_PX)
        symbol_px = _SYMBOL_PX + 4
    room = Area(area.x_px + symbol_px, area.y_px, area.width_px - symbol_px, area.height_px)
    layout.stack(room, (Big(t.say(top.word)), *((detail,) if detail else ())))


def draw_beats(layout: Layout, area: Area, session: Session, board: Board) -> None:
    """What may be played on the card, a symbol or word in each line."""
    t, canvas = session.translate, layout.canvas
    if not board.beats:
        return
    pitch_px = min(16, area.height_px // len(board.beats))
    large = pitch_px >= MEDIUM.capital_px + 1
    canvas.vline(area.x_px, area.y_px + 1, area.height_px - 2, dotted=True)
    for place, sign in enumerate(board.beats):
        line = Area(area.x_px + 4, area.y_px + pitch_px * place, area.width_px - 5, pitch_px)
        symbol_px, word = 0, t.say(sign.word)
        if sign.symbol:
            font = MEDIUM if large else SMALL
            if font.width_px(sign.symbol) + 3 + NARROW.width_px(word) > line.width_px:
                font = SMALL  # the word needs the room
            symbol_px = font.width_px(sign.symbol) + 3
            canvas.text(line.x_px, line.y_px + (line.height_px - font.capital_px) // 2, sign.symbol, font)
        room = Area(line.x_px + symbol_px, line.y_px, line.width_px - symbol_px, line.height_px)
        font, word = layout.fitted(word, room.width_px, (SMALL, NARROW))
        layout.put(room, word, font)
