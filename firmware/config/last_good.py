"""Keeping a copy of the last configuration that worked, written completely or not at all."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

from firmware.bounded_file import read_bounded


def keep(content: bytes, store: Path) -> None:
    """Make `store` hold `content`. Blocks for two syncs of the disk, or not at all if it already does.

    If the power fails, `store` is the old file or the new one. Missing folders are created. Raises `OSError`;
    then `store` is unchanged.
    """
    with suppress(OSError):
        if read_bounded(store, len(content)) == content:
            return
    import tempfile  # it brings seven modules along, and nearly every start ends above

    store.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=store.parent, prefix=f".{store.name}.")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        Path(name).replace(store)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
    # The new name is in the folder, and the folder may still be in memory only.
    folder = os.open(store.parent, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)
