"""What is known of an update until it is confirmed: what was wrong before it, and whether it stayed."""

import json
from pathlib import Path
from typing import Any, Final

from companion.core.codec import read, to_line
from companion.text.errors import CompanionError
from companion.text.sentence import say
from companion.values import Value, replace
from firmware.bounded_file import keep as keep_file
from firmware.bounded_file import read_bounded
from firmware.flashed.slots import SLOTS, BootPartition


def state(card: BootPartition) -> dict[str, Any]:
    """What there is to say about the slots, for people and programs. Raises `CompanionError`."""
    running = card.running
    if running is None:
        raise not_an_image()
    return {
        "running": running,
        "confirmed": card.confirmed,
        "on_trial": card.on_trial,
        "next_start_tries": card.tried,
        "versions": {slot: card.version(slot) for slot in SLOTS},
    }


def not_an_image() -> CompanionError:
    """The error of a machine that has no slots."""
    return CompanionError(
        say("this machine was not flashed as an image of nimmt-companion, so it has nothing to update"),
        say("install the newer package instead: sudo apt install ./nimmt-companion_*.deb"),
    )


FILE: Final = Path("/data/table/last-update.json")
_MOST_BYTES: Final = 10_000


class LastUpdate(Value):
    """An update that was written and is not confirmed."""

    slot: str
    version: str
    troubles: tuple[str, ...] = ()
    """What was wrong with the version before: it does not count against the one on trial."""
    told: bool = False
    """Somebody could read that it went back."""


def keep(update: LastUpdate, file: Path = FILE) -> None:
    """Write it. Raises `OSError`."""
    keep_file(to_line(update), file)


def kept(file: Path = FILE) -> LastUpdate | None:
    """The newest update; None if there is none, or nothing that could be understood."""
    try:
        return read(json.loads(read_bounded(file, _MOST_BYTES)), LastUpdate, FILE.name)
    except (OSError, ValueError, RecursionError):
        return None


def confirmed(file: Path = FILE) -> None:
    """Nothing is to be known of it any more. Raises `OSError`."""
    file.unlink(missing_ok=True)


def went_back(card: BootPartition, file: Path = FILE) -> CompanionError | None:
    """What there is to tell if the newest update was tried and does not run. Raises `CompanionError`."""
    update, running = kept(file), card.running
    if update is None or running is None or update.slot in {running, card.tried}:
        return None
    return CompanionError(
        say("the update to version {version} was not confirmed, the version before runs again",
            version=update.version),
        say("try the update again, and leave the power on for some minutes"),
    )  # fmt: skip


def tell_once(card: BootPartition, root: Path) -> CompanionError | None:
    """As `went_back`, at the first start after it; `root` is that of the system.

    Raises `CompanionError` and `OSError`.
    """
    file = root / FILE.relative_to("/")
    update = kept(file)
    if update is None or update.told:
        return None
    told = went_back(card, file)
    if told is not None:
        keep(replace(update, told=True), file)
    return told
