"""The section `[sound]`: whether the buzzer sounds."""

from __future__ import annotations

from typing import Annotated

from companion.values import Value
from hardware.options import option


class SoundOptions(Value):
    """Whether signals are also sounded."""

    on: Annotated[
        bool, option("whether the buzzer sounds; signals are always shown on the display as well")
    ] = True
