"""How long tests wait for something that must happen: so long that only a hang is as slow."""

import os
import threading
import time
from collections.abc import Callable
from typing import Final, TypeVar

T = TypeVar("T")
PATIENCE_S: Final = float(os.environ.get("NIMMT_PATIENCE", "300"))
"""The end of a run that hangs. It decides nothing else: a test that is slower than this on any machine waits
for something that does not come."""


def comes(ready: Callable[[], bool], look_s: float = 0.003, within_s: float = PATIENCE_S) -> bool:
    """Whether something begins to hold; it is asked every `look_s` seconds."""
    pause = threading.Event()  # nobody sets it: waiting for it is asking again a little later
    deadline_s = time.monotonic() + within_s
    while not ready():
        if time.monotonic() > deadline_s:
            return False
        pause.wait(look_s)
    return True


def threads_are_again(count: int) -> bool:
    """Whether so many threads are left; one that was told to leave may need a moment."""
    return comes(lambda: threading.active_count() == count)


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
