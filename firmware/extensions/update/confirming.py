"""Watching a version on trial until the service has been well for two minutes without a break.

"Well" is what the service says of itself in its status file. A fault that was there before the update does
not count against it: it would keep every update away.
"""

from collections.abc import Callable, Collection, Mapping
from typing import Any, Final

from companion.values import Value
from firmware.extensions.update.last_update import not_an_image
from firmware.flashed.slots import CONFIRMED, TRIED, BootPartition

WELL_S: Final = 120.0
PATIENCE_S: Final = 900.0
"""After this time without two good minutes the trial has failed."""

LOOK_EVERY_S: Final = 5.0
NEEDED: Final = ("display", "buttons")
"""Devices without which nobody could use the box: a new fault of one of them counts as well."""


class ServiceStatus(Value):
    """What the service says of itself; `hangs` if it has not said anything for a while."""

    said: Mapping[str, Any]
    hangs: bool


def troubles(said: Mapping[str, Any]) -> frozenset[str]:
    """The ids of what is wrong in a status and would count against an update."""
    return frozenset(
        issue["id"] for issue in said["issues"] if issue["severity"] == "fault" or issue["id"] in NEEDED
    )


def wrong_with(seen: ServiceStatus | None, before: Collection[str]) -> str:
    """What counts against the version on trial, for the log; empty if it is well.

    `before` are the troubles that the version before had as well.
    """
    if seen is None:
        return "the service is not running"
    if seen.hangs:
        return "the service does not respond"
    if seen.said["mode"] != "normal":
        return "the service is in safe mode"
    return ", ".join(sorted(troubles(seen.said) - set(before)))


def watch(
    look: Callable[[], ServiceStatus | None],
    before: Collection[str],
    now_s: Callable[[], float],
    wait: Callable[[float], object],
    log: Callable[[str], None],
) -> bool:
    """Wait until the service has been well for `WELL_S`, True; or for `PATIENCE_S` in all, False.

    When the service is restarted, the time begins again.
    """
    begun_s = now_s()
    well: tuple[int, float] | None = None  # which process, and since when
    said = ""
    while now_s() - begun_s < PATIENCE_S:
        seen = look()
        wrong = wrong_with(seen, before)
        if wrong != said:
            log(wrong or "the service is well")
            said = wrong
        if wrong or seen is None:
            well = None
        elif well is None or well[0] != seen.said["pid"]:
            well = seen.said["pid"], now_s()
        elif now_s() - well[1] >= WELL_S:
            return True
        wait(LOOK_EVERY_S)
    return False


def confirm(card: BootPartition) -> str:
    """Make the slot that runs the one that is always started; gives it.

    Raises `CompanionError` and `OSError`.
    """
    running = card.running
    if running is None:
        raise not_an_image()
    with card.writable():
        card.choose({CONFIRMED: running, TRIED: ""})
    return running
