"""The section `[screen]`: when the display dims, its language and its letters."""

from __future__ import annotations

from typing import Annotated, Final

from companion.values import Value
from firmware.text.translation import ASK, DIGIT_CHOICES, LANGUAGES
from hardware.options import option

SIZES: Final = ("normal", "large")
"""How large the letters of the display are (`firmware.display.plan.Size`)."""


_DAY_S: Final = 86_400.0


class ScreenOptions(Value):
    """When the display dims, and its language."""

    dim_after_s: Annotated[
        float,
        option("seconds without any input before the display is dimmed; 0 means never", low=0.0, high=_DAY_S),
    ] = 60.0
    hide_after_s: Annotated[
        float,
        option(
            "seconds without any input before the display goes dark; a scan wakes it and counts, "
            "a key only wakes it; 0 means never",
            low=0.0,
            high=_DAY_S,
        ),
    ] = 300.0
    shift_every_s: Annotated[
        float,
        option(
            "seconds between two shifts of the picture by one pixel, to prevent burn-in; 0 means never",
            low=0.0,
            high=_DAY_S,
        ),
    ] = 60.0
    language: Annotated[
        str,
        option(
            "the language of every text, until another one is chosen at the device; `ask`: the first page "
            "of a new device asks, in English until somebody has answered",
            among=(*LANGUAGES, ASK),
        ),
    ] = "en"
    digits: Annotated[
        str,
        option(
            "the digits of counts and points: those of the language, or `latin` as on the cards",
            among=DIGIT_CHOICES,
        ),
    ] = "language"
    size: Annotated[
        str,
        option(
            "how large the letters are: `normal`, or `large` for panels of 1.3 inches and less, with fewer "
            "lines on a page",
            among=SIZES,
        ),
    ] = "normal"
    heartbeat_s: Annotated[
        float,
        option(
            "seconds between two blinks of the dot that shows that the program is running; 0 means no dot",
            low=0.0,
            high=60.0,
        ),
    ] = 1.0
