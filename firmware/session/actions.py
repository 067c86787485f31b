"""What a player did, whatever device it came through: a key, a card, a badge, a control code.

Messages of devices become actions here; pages and the table decide what an action leads to.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from typing import Final

from companion.core import codes
from companion.core.codes import BadgeCode, CardCode, Control, ControlCode, RowCode, UnknownCode
from companion.text.digits import in_latin_digits
from companion.text.sentence import literal, say
from companion.values import Value, replace
from hardware.ports import OWN_KEYS, Key, KeyPressed, KeyReleased, Message, Press, Scanned


class KeyAction(Value):
    """A key was pressed, or its control code scanned.

    `down` says that the key is still held: a `KeyReleased` will follow, which no scanned code has.
    """

    key: Key
    press: Press = Press.SHORT
    down: bool = False


class NumberAction(Value):
    """A number was typed that can be no card: below zero, or of more than three digits."""

    number: int


class BadgeAction(Value):
    """A player's badge was scanned, or the player's own key pressed; 1 to 10.

    `at_s` is the monotonic time of the press by the kernel's clock; None for a scan.
    """

    badge: int
    at_s: float | None = None


class NameAction(Value):
    """The name of a badge was typed elsewhere, whatever page is in front; empty: it has none any more."""

    badge: int
    name: str


class LanguageAction(Value):
    """Two keys were held down together: the list of languages is wanted."""


class ChoiceAction(Value):
    """The open question was answered elsewhere: one of its choices, as keys or a scan would give it."""

    choice: str


Action = (
    KeyAction
    | NumberAction
    | BadgeAction
    | NameAction
    | LanguageAction
    | ChoiceAction
    | CardCode
    | RowCode
    | ControlCode
    | UnknownCode
)
"""A code is an action itself, except for one that stands for a key, and a badge, which has a key, too."""

ROW_KEYS: Final = (Key.ROW_1, Key.ROW_2, Key.ROW_3, Key.ROW_4)

_NUMBER: Final = re.compile(r"-[0-9]{1,5}|[0-9]{4,5}")
"""Points that are typed as they are written. Up to three digits may be a card as well."""

_KEYS: Final = {
    Control.OK: KeyAction(Key.OK),
    Control.UNDO: KeyAction(Key.UNDO),
    Control.ROW_1: KeyAction(Key.ROW_1),
    Control.ROW_2: KeyAction(Key.ROW_2),
    Control.ROW_3: KeyAction(Key.ROW_3),
    Control.ROW_4: KeyAction(Key.ROW_4),
    Control.MORE: KeyAction(Key.UP),
    Control.LESS: KeyAction(Key.DOWN),
    Control.WHY: KeyAction(Key.WHY),
    Control.MENU: KeyAction(Key.OK, Press.LONG),
}


def typed_number(action: Action) -> int | None:
    """The number that was typed, or scanned without the code of a game; None if the action is none."""
    if isinstance(action, NumberAction):
        return action.number
    return int(action.card) if isinstance(action, CardCode) and not action.game else None


def action_of(
    message: KeyPressed | Scanned, *, plain_numbers: bool, box: int = 1, layout: str = ""
) -> tuple[Action, str]:
    """The action behind a message of an input. OK pressed twice is WHY, for boards without that key.

    Typed text is read as typed, in the digits of any script: `plain_numbers` is about what a scanner reads.
    It is read by the keys of `layout`, or else of any that make a code of it, and the one that has is given.
    """
    if isinstance(message, KeyPressed):
        if message.key in OWN_KEYS:
            return BadgeAction(OWN_KEYS.index(message.key) + 1, message.at_s), layout
        if message.key is Key.OK and message.press is Press.DOUBLE:
            return KeyAction(Key.WHY), layout
        return KeyAction(message.key, message.press, down=message.press is Press.LONG), layout
    plain = plain_numbers or message.typed
    text = in_latin_digits(message.text) if message.typed else message.text
    if plain and _NUMBER.fullmatch(text):
        return NumberAction(int(text)), layout
    ways = {layout: text, "": text, **dict(message.otherwise)}
    read = {way: codes.read(ways[way], plain_numbers=plain, box=box, typed=message.typed) for way in ways}
    found = [way for way, code in read.items() if not isinstance(code, UnknownCode)]
    like = [way for way, code in read.items() if isinstance(code, UnknownCode) and code.why != codes.UNKNOWN]
    way = [*found, *like, layout][0]
    code = read[way]
    if isinstance(code, UnknownCode) and way and code.why == codes.UNKNOWN:
        code = replace(code, fix=say("{layout} keys: set the scanner to a US keyboard", layout=literal(way)))
    if found and not (isinstance(code, CardCode) and not code.game):  # a bare number may be any
        layout = way
    if isinstance(code, BadgeCode):
        return BadgeAction(code.number), layout
    return _KEYS.get(code.control, code) if isinstance(code, ControlCode) else code, layout


KEYS: Final = (Key.ROW_1, Key.ROW_3)

CHORD_S: Final = 1.2
"""After the long presses, which come after 0.8 s: two seconds together."""

TOGETHER_S: Final = 0.5
"""Two presses that begin further apart are not meant together."""


class Chord(Value):
    """Two keys that are held together: since when each is. Times are monotonic seconds, passed in.

    A long press of one of them alone does nothing on any page.
    """

    since_s: Mapping[Key, float] = {}

    @property
    def held(self) -> bool:
        """Whether both keys are held down."""
        since_s = self.since_s.values()
        return len(since_s) == len(KEYS) and max(since_s) - min(since_s) <= TOGETHER_S

    def after(self, message: Message, now_s: float) -> Chord:
        """The chord after a message. Any other key that is pressed ends it."""
        if isinstance(message, KeyPressed) and message.key in KEYS and message.press is Press.LONG:
            return Chord({**self.since_s, message.key: now_s})
        if isinstance(message, KeyReleased):
            return Chord({key: since for key, since in self.since_s.items() if key is not message.key})
        return Chord() if isinstance(message, KeyPressed) else self

    def due(self, now_s: float) -> bool:
        """Whether both keys have been held for long enough."""
        return self.held and now_s - max(self.since_s.values()) >= CHORD_S


SWITCH_OFF_S: Final = 3.0
"""Longer than any other kind of press, and short enough to be comfortable."""


class Hold(Value):
    """A key that is held down until something happens: since when; None while none is. Monotonic seconds."""

    since_s: float | None = None

    @property
    def held(self) -> bool:
        return self.since_s is not None

    def left(self, now_s: float) -> int:
        """Whole seconds that are left, from 3 down to 1; 0 when the time is up or no key is held."""
        return 0 if self.since_s is None else max(0, math.ceil(SWITCH_OFF_S - (now_s - self.since_s)))

    def due(self, now_s: float) -> bool:
        """Whether the key has been held for long enough."""
        return self.since_s is not None and now_s - self.since_s >= SWITCH_OFF_S
