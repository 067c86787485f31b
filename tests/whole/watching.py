"""Looking at a display until it shows something; what a device is, others know."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")


def watch(
    new_pictures: Callable[[], list[T]], seen: Callable[[T], bool], within_s: float, look_s: float
) -> bool:
    """Look every `look_s` for a new picture of which `seen` is true; False if there is none in time.

    `seen` is asked about every new picture, also about those that come with the one that is waited for.
    """
    pause = threading.Event()  # nobody sets it: waiting for it is looking again a little later
    deadline_s = time.monotonic() + within_s
    while True:
        if any([seen(picture) for picture in new_pictures()]):  # noqa: C419 - each one is looked at
            return True
        if time.monotonic() > deadline_s:
            return False
        pause.wait(look_s)
