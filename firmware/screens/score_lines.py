"""A score for each player in one or two columns, one of which is being set."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from companion.score_sheet import points_range
from hardware.ports import Key, Press

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from companion.cards import Seat
    from firmware.display.canvas import Canvas
    from firmware.session.actions import KeyAction
    from firmware.session.session import Session

STEPS: Final[Mapping[Key, int]] = {
    Key.ROW_1: -10,
    Key.ROW_2: -1,
    Key.ROW_3: 1,
    Key.ROW_4: 10,
    Key.TURN_LEFT: -1,
    Key.TURN_RIGHT: 1,
}
"""What a key does to the number that is set."""

HIGHEST: Final = 999
"""The most points of a pile or of rows that can be dialled."""

HOLDING: Final[Mapping[Key, int]] = {
    Key.ROW_1: -1000,
    Key.ROW_2: -100,
    Key.ROW_3: 100,
    Key.ROW_4: 1000,
}
"""The same for a key that is held down."""

_PLACES: Final = 5


def step_number(number: int, action: KeyAction, *, negative: bool) -> int | None:
    """The number after a key; None if it is no key for numbers."""
    steps = {Press.SHORT: STEPS, Press.LONG: HOLDING}.get(action.press, {})
    if action.key not in steps:
        return None
    lowest, most = points_range(negative=negative)
    return max(lowest, min(most, number + steps[action.key]))


def can_be_negative(session: Session) -> bool:
    """Whether a deal can bring points below zero."""
    return session.playing.scoring.negative


def draw_scores(
    canvas: Canvas, session: Session, scores: Sequence[tuple[Seat, str]], lit: Seat | None
) -> None:
    """Name and score, five below each other, then a second column; the line of `lit` is inverted."""
    wide = len(scores) <= _PLACES
    for place, (seat, score) in enumerate(scores):
        x_px, y_px = (0 if place < _PLACES else 65), 11 + 9 * (place % _PLACES)
        left_px = canvas.text_right(x_px + (124 if wide else 61), y_px, score)
        columns = min(12 if wide else 6, (left_px - x_px - 2) // 6)
        canvas.text(x_px + 2, y_px, session.short_name(seat, columns))
        if seat == lit:
            canvas.invert(x_px, y_px - 1, 127 if wide else 63, 9)


def draw_steps(canvas: Canvas, y_px: int) -> None:
    """The effects of the row keys on the number."""
    for place, step in enumerate(("-10", "-1", "+1", "+10")):
        x_px = 2 + 32 * place
        canvas.text(canvas.key(x_px, y_px, str(place + 1)), y_px, step)
