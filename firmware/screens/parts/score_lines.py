"""A score for each player in one or two columns, one of which is being set."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Final

from companion.core.cards import Seat
from companion.core.score_sheet import points_range
from companion.text.sentence import say
from firmware.display.layout import Area, Layout
from firmware.display.plan import LOW
from firmware.screens.parts.base import Controller, Held, Keys, KeyUse
from firmware.screens.parts.player_names import name_badge
from hardware.ports import Key

if TYPE_CHECKING:
    from firmware.display.canvas import Canvas
    from firmware.session.session import Session

STEPS: Final[Mapping[Key | Held, int]] = {
    Key.ROW_1: -10,
    Key.ROW_2: -1,
    Key.ROW_3: 1,
    Key.ROW_4: 10,
    Key.TURN_LEFT: -1,
    Key.TURN_RIGHT: 1,
    Held(Key.ROW_1): -1000,
    Held(Key.ROW_2): -100,
    Held(Key.ROW_3): 100,
    Held(Key.ROW_4): 1000,
}
"""What a key does to the number that is set."""

HIGHEST: Final = 999
"""The most points of a pile or of rows that can be dialled."""
CHANGES: Final = say("CHANGE THE NUMBER")

_PLACES: Final = 5


def step_keys(steps: Mapping[Key | Held, int], stepped: Callable[[int, Controller], object]) -> Keys:
    """Keys that change a number; `stepped` is given by how much."""
    return {key: KeyUse(partial(stepped, step), help=CHANGES) for key, step in steps.items()}


def number_keys(number: int, changed: Callable[[int, Controller], object], *, negative: bool) -> Keys:
    """Keys that set points; `changed` is given the number that they lead to."""
    lowest, most = points_range(negative=negative)

    def stepped(step: int, controller: Controller) -> None:
        changed(max(lowest, min(most, number + step)), controller)

    return step_keys(STEPS, stepped)


def can_be_negative(session: Session) -> bool:
    """Whether a deal can bring points below zero."""
    return session.playing.scoring.negative


def draw_scores(
    layout: Layout, session: Session, scores: Sequence[tuple[Seat, str]], lit: Seat | None
) -> None:
    """Name and score, up to five below each other, else two columns; the line of `lit` is inverted.

    Where the lines of the plan have no room, they are lower.
    """
    plan, free, canvas = layout.plan, layout.free, layout.canvas
    columns = 1 if len(scores) <= min(_PLACES, free.height_px // plan.pitch_px) else 2
    lines = -(-len(scores) // columns)
    pitch_px = min(plan.pitch_px, free.height_px // max(1, lines))
    fonts = plan.text if pitch_px >= plan.pitch_px else LOW
    wide_px = free.width_px // columns
    top_px = free.y_px + (1 if pitch_px * lines < free.height_px else 0)
    for place, (seat, score) in enumerate(scores):
        column, row = divmod(place, lines)
        if plan.right_to_left:
            column = columns - 1 - column
        area = Area(wide_px * column, top_px + pitch_px * row, wide_px - (columns - 1), pitch_px)
        inner = Area(area.x_px + 2, area.y_px, area.width_px - 4, area.height_px)
        font, score = layout.fitted(score, inner.width_px, fonts)  # noqa: PLW2901 - as it is set
        layout.put(inner, score, font, end=True)
        score_px = font.width_px(score) + 4
        name_px = inner.x_px + (score_px if plan.right_to_left else 0)
        name = Area(name_px, inner.y_px, inner.width_px - score_px, inner.height_px)
        name_badge(layout, name, session, session.badge(seat), fonts)
        if seat == lit:
            canvas.invert(area.x_px, area.y_px, area.width_px, area.height_px)


def draw_steps(canvas: Canvas, y_px: int) -> None:
    """The effects of the row keys on the number."""
    for place, step in enumerate(("-10", "-1", "+1", "+10")):
        x_px = 2 + 32 * place
        canvas.text(canvas.key(x_px, y_px, str(place + 1)), y_px, step)
