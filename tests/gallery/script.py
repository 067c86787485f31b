"""Scripts: what people did, word by word, for pictures, tests and bug reports.

A number is a card that is typed, `b3` the badge of player 3, `b3r2` its back: row 2, `+20` twenty seconds
that pass, `:TEXT` any other code, `#9` the ninth thing of a list, on whichever of its pages it stands,
`menu:NAMES` the menu and this thing of it, by its English words; everything else is a key (`OK`, `UNDO`,
`WHY`, `UP`, `R1` ...), with `hold-` before it when it is held down.
"""

import re
from collections.abc import Iterator

from companion.core.codes import badge_code, row_code
from companion.text.errors import CompanionError
from firmware.loop.react import handle_message, tick
from firmware.play.table import Table
from firmware.screens.parts.kinds import Menu
from firmware.session.actions import ROW_KEYS
from hardware.ports import Key, KeyPressed, Press, Scanned

_GAP_S = 1.5


def perform(script: str, table: Table) -> None:
    """Perform a script, 1.5 s per word. Raises `CompanionError` for an unknown word."""
    for word in _words(script, table):
        if word.startswith("+") and word[1:].isdigit():
            tick(table, table.now_s + int(word[1:]))
            continue
        tick(table, table.now_s + _GAP_S)
        handle_message(table, _message(word, table.now_s), table.now_s)


def _words(script: str, table: Table) -> Iterator[str]:
    """The words one by one; a thing of a list becomes the keys that lead to it in this language."""
    for word in script.split():
        if word.startswith("menu:"):
            yield "hold-OK"
            yield from _to_place(_place_in_menu(word[5:].replace("_", " "), table), table)
        elif word.startswith("#") and word[1:].isdigit():
            yield from _to_place(int(word[1:]) - 1, table)
        else:
            yield word


def _to_place(place: int, table: Table) -> Iterator[str]:
    """The keys that choose a thing of a list whose first page is shown; counted from 0."""
    front = table.front
    page, row = divmod(
        place, (front.plan(table.session) if isinstance(front, Menu) else table.session.plan).choices
    )
    yield from ("RIGHT",) * page
    yield f"R{row + 1}"


def _place_in_menu(words: str, table: Table) -> int:
    front = table.front
    items = front.items if isinstance(front, Menu) else ()
    for place, (says, _) in enumerate(items):
        if str(says) == words:
            return place
    there = ", ".join(str(says) for says, _ in items)
    raise CompanionError(f"{words!r} is not in the menu", f"it has: {there}")


def _message(word: str, now_s: float) -> KeyPressed | Scanned:
    if word.isdigit():
        return Scanned(word, typed=True)
    if word.startswith("b") and word[1:].isdigit():
        return Scanned(badge_code(int(word[1:])))
    if found := re.fullmatch(r"b([0-9]+)r([1-4])", word):
        return Scanned(row_code(int(found[1]), int(found[2]) - 1))
    if word.startswith(":"):
        return Scanned(word[1:])
    press = Press.LONG if word.startswith("hold-") else Press.SHORT
    name = word.removeprefix("hold-").upper()
    if name in ("R1", "R2", "R3", "R4"):
        return KeyPressed(ROW_KEYS[int(name[1]) - 1], press, now_s)
    if name not in Key.__members__:
        raise CompanionError(
            f"{word!r} is not a word of a script",
            "use a card, b1 to b10, b1r1 to b10r4, a key, menu:WORDS or +seconds",
        )
    return KeyPressed(Key[name], press, now_s)
