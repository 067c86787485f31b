"""The section `[screen]`: when the display dims, its language and its letters."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from firmware.text.translation import ASK, DIGIT_CHOICES, LANGUAGES
from hardware.options import option

SIZES: Final = ("normal", "large")
"""How large the letters of the display are (`firmware.display.plan.Size`)."""


_DAY_S: Final = 86_400.0


@dataclass(frozen=True, slots=True)
class ScreenOptions:
    """When the display dims, and its language."""

    dim_after_s: float = option(
        "seconds without any input before the display is dimmed; 0 means never", 60.0, low=0.0, high=_DAY_S
    )
    hide_after_s: float = option(
        "seconds without any input before the display goes dark; a scan wakes it and counts, "
        "a key only wakes it; 0 means never",
        300.0,
        low=0.0,
        high=_DAY_S,
    )
    shift_every_s: float = option(
        "seconds between two shifts of the picture by one pixel, to prevent burn-in; 0 means never",
        60.0,
        low=0.0,
        high=_DAY_S,
    )
    language: str = option(
        "the language of every text, until another one is chosen at the device; `ask`: the first page of a "
        "new device asks, in English until somebody has answered",
        "en",
        among=(*LANGUAGES, ASK),
    )
    digits: str = option(
        "the digits of counts and points: those of the language, or `latin` as on the cards",
        "language",
        among=DIGIT_CHOICES,
    )
    size: str = option(
        (
            "how large the letters are: `normal`, or `large` for panels of 1.3 inches and less, with fewer "
            "lines on a page"
        ),
        "normal",
        among=SIZES,
    )
    heartbeat_s: float = option(
        "seconds between two blinks of the dot that shows that the program is running; 0 means no dot",
        1.0,
        low=0.0,
        high=60.0,
    )
