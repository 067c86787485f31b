"""The section `[sound]`: whether the buzzer sounds."""

from __future__ import annotations

from dataclasses import dataclass

from hardware.options import option


@dataclass(frozen=True, slots=True)
class SoundOptions:
    """Whether signals are also sounded."""

    on: bool = option(
        "whether the buzzer sounds; signals are always shown on the display as well", default=True
    )
