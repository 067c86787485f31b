"""What is known of an update until it is confirmed: what was wrong before it, and whether it stayed.

A version on trial is confirmed when the service has been well for two minutes without a break. "Well" is what
the service says of itself in its status file. A fault that was there before the update does not count against
it: it would keep every update away.
"""

from collections.abc import Callable, Collection, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

from companion.core.codec import to_line
from companion.text.errors import CompanionError
from companion.text.sentence import say
from companion.values import Value, replace
from firmware.bounded_file import keep, read_json
from firmware.flashed.slots import CONFIRMED, SLOTS, TRIED, BootPartition
from firmware.flashed.uboot_env import BadEnvironment
from firmware.service.status import ReadStatus


def state(card: BootPartition) -> dict[str, Any]:
    """What there is to say about the slots, for people and programs. Raises `CompanionError`."""
    return {
        "running": running_slot(card),
        "confirmed": card.confirmed,
        "on_trial": card.on_trial,
        "next_start_tries": card.tried,
        "versions": {slot: card.version(slot) for slot in SLOTS},
    }


def running_slot(card: BootPartition) -> str:
    """The slot that runs. Raises `CompanionError` on a machine that has none."""
    if card.running is None:
        raise CompanionError(
            say("this machine was not flashed with an image of nimmt-companion, so it has nothing to update"),
            say("install the newer package instead: sudo apt install ./nimmt-companion_*.deb"),
        )
    return card.running


FILE: Final = Path("/data/table/last-update.json")


class LastUpdate(Value):
    """An update that was written and is not confirmed."""

    slot: str
    version: str
    troubles: tuple[str, ...] = ()
    """What was wrong with the version before: it does not count against the one on trial."""
    told: bool = False
    """Somebody could read that it went back."""


def save(update: LastUpdate, file: Path = FILE) -> None:
    """Write it. Raises `OSError`."""
    keep(to_line(update), file)


def load(file: Path = FILE) -> LastUpdate | None:
    """The newest update; None if there is none, or nothing that could be understood."""
    return read_json(file, LastUpdate)


def went_back(card: BootPartition, file: Path = FILE) -> CompanionError | None:
    """What there is to tell if the newest update was tried and does not run. Raises `CompanionError`."""
    update, running = load(file), card.running
    if update is None or running is None or update.slot in {running, card.tried}:
        return None
    return CompanionError(
        say("the update to version {version} was not confirmed: the old version is running again",
            version=update.version),
        say("try the update again, and leave the power on for some minutes"),
    )  # fmt: skip


def tell_once(card: BootPartition, root: Path) -> CompanionError | None:
    """As `went_back`, at the first start after it; `root` is that of the system.

    Raises `CompanionError` and `OSError`.
    """
    file = root / FILE.relative_to("/")
    update = load(file)
    if update is None or update.told:
        return None
    told = went_back(card, file)
    if told is not None:
        save(replace(update, told=True), file)
    return told


WELL_S: Final = 120.0
PATIENCE_S: Final = 900.0
"""After this time without two good minutes the trial has failed."""

LOOK_EVERY_S: Final = 5.0
NEEDED: Final = ("display", "buttons")
"""Devices without which nobody could use the box: a new fault of one of them counts as well."""


def troubles(said: Mapping[str, Any]) -> frozenset[str]:
    """The ids of what is wrong in a status and would count against an update."""
    return frozenset(
        issue["id"] for issue in said["issues"] if issue["severity"] == "fault" or issue["id"] in NEEDED
    )


def wrong_with(seen: ReadStatus | None, before: Collection[str]) -> str:
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
    look: Callable[[], ReadStatus | None],
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
    logged = ""
    while now_s() - begun_s < PATIENCE_S:
        seen = look()
        wrong = wrong_with(seen, before)
        if wrong != logged:
            log(wrong or "the service is well")
            logged = wrong
        if wrong or seen is None:
            well = None
        elif well is None or well[0] != seen.said["pid"]:
            well = seen.said["pid"], now_s()
        elif now_s() - well[1] >= WELL_S:
            return True
        wait(LOOK_EVERY_S)
    return False


def confirm_slot(card: BootPartition) -> str:
    """Make the slot that runs the one that is always started; gives it.

    Raises `CompanionError` and `OSError`.
    """
    running = running_slot(card)
    # Variables that cannot be read were not read by U-Boot either: it starts this slot whenever it can.
    with suppress(BadEnvironment), card.writable():
        card.choose({CONFIRMED: running, TRIED: ""})
    card.on_trial_mark.unlink(missing_ok=True)
    return running
