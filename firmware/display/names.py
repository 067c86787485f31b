"""The names of players as the display can show them: in its letters, in little room, unlike each other."""

from functools import lru_cache
from typing import Final

from companion.core.codes import BADGES
from companion.text.names import one_spelling
from companion.text.sentence import Text, say
from firmware.display.glyphs import ELLIPSIS, SMALL, Font

_COLUMN_PX = 6

LABELS: Final = tuple(f"P{badge}" for badge in BADGES)
"""What players without a name are called, in English."""


@lru_cache(maxsize=8)
def shown_names(names: tuple[str, ...], labels: tuple[str, ...] = LABELS) -> tuple[str, ...]:
    """The names by badge number, from badge 1, in capitals and without characters that have no picture.

    A name that has no letter left is that of `labels`, and so is one that would look like an earlier one.
    """
    shown: list[str] = []
    for badge, name in enumerate(map(one_spelling, names), start=1):
        lacking = SMALL.lacks(name)
        left = " ".join("".join(" " if char in lacking else char for char in name).upper().split())
        drawn = [SMALL.spelled(other) for other in shown]
        none = left == f"P{badge}" or not any(map(str.isalnum, left))
        shown.append(label_of(badge, labels) if none or SMALL.spelled(left) in drawn else left)
    return tuple(shown)


def label_of(badge: int, labels: tuple[str, ...]) -> str:
    """What the player of a badge is called without a name; on an evening with many tables there are more."""
    return labels[badge - 1] if badge <= len(labels) else f"P{badge}"


def short_name(names: tuple[str, ...], badge: int, columns: int, labels: tuple[str, ...] = LABELS) -> str:
    """A name of `shown_names` in at most `columns` letters of SMALL; see `fitting_name`."""
    return fitting_name(names, badge, columns * _COLUMN_PX - SMALL.gap_px, SMALL, labels)


@lru_cache(maxsize=512)
def fitting_name(
    names: tuple[str, ...], badge: int, width_px: int, font: Font, labels: tuple[str, ...] = LABELS
) -> str:
    """A name of `shown_names`, at most `width_px` wide; without one that of `labels`, or the number.

    A longer one ends in …, and then in the badge number where another name becomes the same.
    """
    shown, label = shown_names(names, labels), label_of(badge, labels)
    if font.width_px(label) > width_px:
        label = label.split()[-1]
    if badge > len(shown):
        return label
    name, others = shown[badge - 1], (*shown[: badge - 1], *shown[badge:])
    short = font.fit(name, width_px)
    if short and short not in [font.fit(other, width_px) for other in others]:
        return short
    ends = (f"{name[:end].rstrip()}{ELLIPSIS}{badge}" for end in range(len(name), 0, -1))
    return next((text for text in ends if font.width_px(text) <= width_px), label)


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
                    "on the display the name {name} cannot be told from another one; it shows {shown}",
                    name=name,
                    shown=shown,
                )
            )
    return said
