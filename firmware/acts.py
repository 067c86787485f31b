"""What people did, whatever device it came through: a key, a card, a badge, an order, a foreign code.

Messages of devices become acts here; what an act leads to is decided by pages and the desk.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from companion import codes
from companion.codes import BadgeCode, CardCode, CommandCode, ForeignCode, Verb
from hardware.ports import OWN_KEYS, Key, KeyPressed, Press, Scanned


@dataclass(frozen=True, slots=True)
class KeyAct:
    """A key was pressed, or its command code scanned.

    `down` says that the key is still held: a `KeyReleased` will follow, which no scanned code has.
    """

    key: Key
    press: Press = Press.SHORT
    down: bool = False


@dataclass(frozen=True, slots=True)
class CardAct:
    """A card was scanned or typed; `game` is its code's two characters, empty for a bare number."""

    card: str
    game: str = ""


@dataclass(frozen=True, slots=True)
class BadgeAct:
    """A player's badge was scanned, or the player's own key pressed; 1 to 10.

    `at_s` is the monotonic time of the press by the kernel's clock; None for a scan.
    """

    badge: int
    at_s: float | None = None


@dataclass(frozen=True, slots=True)
class OrderAct:
    """An order that no key stands for."""

    verb: Verb


@dataclass(frozen=True, slots=True)
class ForeignAct:
    """A code that is not ours."""

    text: str
    why: str


Act = KeyAct | CardAct | BadgeAct | OrderAct | ForeignAct

ROW_KEYS: Final = (Key.ROW_1, Key.ROW_2, Key.ROW_3, Key.ROW_4)

_KEYS: Final = {
    Verb.OK: KeyAct(Key.OK),
    Verb.UNDO: KeyAct(Key.UNDO),
    Verb.ROW_1: KeyAct(Key.ROW_1),
    Verb.ROW_2: KeyAct(Key.ROW_2),
    Verb.ROW_3: KeyAct(Key.ROW_3),
    Verb.ROW_4: KeyAct(Key.ROW_4),
    Verb.MORE: KeyAct(Key.UP),
    Verb.LESS: KeyAct(Key.DOWN),
    Verb.WHY: KeyAct(Key.WHY),
    Verb.TOTALS: KeyAct(Key.LEFT),
    Verb.ROWS: KeyAct(Key.RIGHT),
    Verb.MENU: KeyAct(Key.OK, Press.LONG),
}


def act_of(message: KeyPressed | Scanned, *, plain_numbers: bool, box: int = 1) -> Act:
    """What a message of an input means. OK pressed twice is WHY, for boards without that key."""
    if isinstance(message, KeyPressed):
        if message.key in OWN_KEYS:
            return BadgeAct(OWN_KEYS.index(message.key) + 1, message.at_s)
        if message.key is Key.OK and message.press is Press.DOUBLE:
            return KeyAct(Key.WHY)
        return KeyAct(message.key, message.press, down=message.press is Press.LONG)
    match codes.read(message.text, plain_numbers=plain_numbers, box=box):
        case CardCode(game, card):
            return CardAct(card, game)
        case BadgeCode(number):
            return BadgeAct(number)
        case CommandCode(verb):
            return _KEYS.get(verb, OrderAct(verb))
        case ForeignCode(text, why):
            return ForeignAct(text, why)
