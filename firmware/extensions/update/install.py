"""Writing an update into the slot that does not run."""

import hashlib
import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Final

from companion.text.errors import CompanionError
from companion.text.sentence import say
from firmware.bounded_file import keep, sync_folder
from firmware.extensions.update.last_update import running_slot
from firmware.extensions.update.update_file import FILES, SIGNATURE, UpdateFile
from firmware.flashed.slots import BROKEN, CONFIRMED, MANIFEST, TRIED, BootPartition, other

SPARE_BYTES: Final = 2_000_000
"""Room that is left on the card for the files that people edit."""


def install(update: UpdateFile, card: BootPartition, report: Callable[[int], None]) -> str:
    """Write it, and let the next start try it; gives the slot.

    `report` is called with per cent of the whole work, after each step and each portion that was written.
    Raises `CompanionError` and `OSError`. If the file is at fault, nothing was changed; if the card is, the
    slot that runs and U-Boot's choice are as they were.
    """
    slot = target(card)
    _refuse_too_large(update, card, slot)
    whole = update.manifest.size_bytes
    update.check(lambda done: report(40 * done // whole))
    card.repair(card.boot)
    with card.writable():
        for lost in card.boot.glob("FSCK*.REC"):  # what the repair made of clusters of no file
            lost.unlink()
        folder = card.boot / slot
        folder.mkdir(exist_ok=True)
        keep(b"this slot is being written\n", folder / BROKEN)
        # An earlier update that was not started yet must not be tried half overwritten.
        card.choose({CONFIRMED: card.confirmed, TRIED: ""})
        report(41)
        for old in sorted(folder.iterdir()):
            if old.name != BROKEN:
                shutil.rmtree(old) if old.is_dir() else old.unlink()
                report(42)
        done = 0
        for name, content in update.pieces():
            with (folder / name).open("wb") as file:
                for chunk in content:
                    file.write(chunk)
                    done += len(chunk)
                    report(42 + 40 * done // whole)
                file.flush()
                os.fsync(file.fileno())
        for number, (name, piece) in enumerate(update.manifest.files.items(), start=1):
            if _read_back(folder / name) != piece.sha256:
                fault = say("{name} was written, but reads back differently: the card is failing", name=name)
                raise CompanionError(fault, say("make a backup now, and flash another card"))
            report(82 + 4 * number)
        keep(update.signature, folder / SIGNATURE)
        keep(update.signed, folder / MANIFEST)
        report(98)
        (folder / BROKEN).unlink()
        sync_folder(folder)
        report(99)
        card.choose({TRIED: slot})
    report(100)
    return slot


def target(card: BootPartition) -> str:
    """The slot that an update goes to. Raises `CompanionError` where none may be written now."""
    running = running_slot(card)
    if card.on_trial:
        raise CompanionError(
            say("version {version} is on trial, and the other slot is the way back",
                version=card.version(running) or running),
            say("wait until it is confirmed, two minutes after its start: nimmt update --status"),
        )  # fmt: skip
    return other(running)


def _refuse_too_large(update: UpdateFile, card: BootPartition, slot: str) -> None:
    old_bytes = sum(file.stat().st_size for name in FILES if (file := card.boot / slot / name).is_file())
    room_bytes = card.free_bytes(card.boot) + old_bytes - SPARE_BYTES
    if update.manifest.size_bytes > room_bytes:
        raise CompanionError(
            say("the update needs {needs} MB, and the card has room for {room} MB",
                needs=update.manifest.size_bytes // 1_000_000 + 1, room=max(0, room_bytes // 1_000_000)),
            say("remove files of your own from the card's first partition, or flash the newest image"),
        )  # fmt: skip


def _read_back(file: Path) -> str:
    """The SHA-256 of what is on the card, not in memory."""
    with file.open("rb") as content:
        os.posix_fadvise(content.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)
        return hashlib.file_digest(content, "sha256").hexdigest()
