"""The names of players as the display can show them: in its letters, in little room, unlike each other."""

from __future__ import annotations

from functools import lru_cache

from companion.text.names import one_spelling
from companion.text.sentence import Text, say
from firmware.display.glyphs import ELLIPSIS, SMALL, Font

_COLUMN_PX = 6


@lru_cache(maxsize=8)
def shown_names(names: tuple[str, ...]) -> tuple[str, ...]:
    """The names by badge number, from badge 1, in capitals and without characters that have no picture.

    A name that has no letter left is P1, P2 by its badge, and so is one that would look like an earlier one.
    """
    shown: list[str] = []
    for badge, name in enumerate(map(one_spelling, names), start=1):
        lacking = SMALL.lacks(name)
        left = " ".join("".join(" " if char in lacking else char for char in name).upper().split())
        drawn = [SMALL.spelled(other) for other in shown]
        empty = not any(map(str.isalnum, left))
        shown.append(f"P{badge}" if empty or SMALL.spelled(left) in drawn else left)
    return tuple(shown)


def short_name(names: tuple[str, ...], badge: int, columns: int) -> str:
    """A name of `shown_names` in at most `columns` letters of SMALL; see `fitting_name`."""
    return fitting_name(names, badge, columns * _COLUMN_PX - SMALL.gap_px, SMALL)


@lru_cache(maxsize=512)
def fitting_name(names: tuple[str, ...], badge: int, width_px: int, font: Font) -> str:
    """A name of `shown_names`, at most `width_px` wide; P and the number for a badge without a name.

    A longer one ends in …, and then in the badge number where another name becomes the same.
    """
    shown = shown_names(names)
    if badge > len(shown):
        return f"P{badge}"
    name, others = shown[badge - 1], (*shown[: badge - 1], *shown[badge:])
    short = font.fit(name, width_px)
    if short and short not in [font.fit(other, width_px) for other in others]:
        return short
    ends = (f"{name[:end].rstrip()}{ELLIPSIS}{badge}" for end in range(len(name), 0, -1))
    return next((text for text in ends if font.width_px(text) <= width_px), f"P{badge}")


def not_drawn(names: tuple[str, ...]) -> list[Text]:
    """A sentence for each name that the display shows in another way, with the letters that it lacks."""
    said = []
    for badge, (name, shown) in enumerate(zip(names, shown_names(names), strict=True), start=1):
        lacking = SMALL.lacks(name)
        if lacking:
            said.append(
                say(
                    "the display has no picture of {letters} in the name {name}; it shows {shown}",
                    letters=tuple(f"{char} (U+{ord(char):04X})" for char in lacking),
                    name=name,
                    shown=shown,
                )
            )
        elif shown == f"P{badge}" != name.upper():
            said.append(
                say(
                    "on the display the name {name} looks like an earlier one; it shows {shown}",
                    name=name,
                    shown=shown,
                )
            )
    return said
