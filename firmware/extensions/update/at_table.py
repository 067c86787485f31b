"""Updates as a page of the display sees them: look for one, let it be written, see how far it is.

The game may not write to the first partition. It leaves a request in its folder in memory, systemd then
starts `nimmt update --wanted` as root, and that program writes into a file how far it is. A drive may take
seconds to read, so a thread does it.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from enum import Enum, auto
from pathlib import Path
from typing import TYPE_CHECKING, Final

from companion.core.codec import to_json
from companion.text.errors import CompanionError
from companion.text.sentence import say
from companion.values import Value, replace
from firmware.bounded_file import publish, read_json
from firmware.card import faults
from firmware.flashed.slots import BootPartition

if TYPE_CHECKING:
    from firmware.extensions.update.on_drive import FoundUpdate

REQUEST: Final = Path("/run/nimmt/update-wanted")
PROGRESS: Final = Path("/run/table-update/progress.json")


class UpdateStage(Enum):
    """How far an update is."""

    SEARCHING = auto()
    NONE = auto()
    FOUND = auto()
    WRITING = auto()
    REFUSED = auto()
    WRITTEN = auto()


class UpdateState(Value):
    """What a page shows: the version, per cent while it is written, and why it was refused."""

    stage: UpdateStage
    version: str = ""
    percent: int = 0
    refused: CompanionError | None = None
    of: int = 1
    """How many updates are on the drives; this one is the newest."""
    older_than: str = ""
    """The version that runs, if the update is older."""


class DriveUpdates:
    """The updates on the drives of this machine; `newest` looks for one. One thread uses it, and never waits.

    `request` and `progress` are files in memory.
    """

    def __init__(
        self,
        newest: Callable[[], FoundUpdate | None],
        request: Path = REQUEST,
        progress: Path = PROGRESS,
        card: BootPartition | None = None,
    ) -> None:
        self._newest = newest
        self._card = card or BootPartition()
        self._request, self._progress = request, progress
        self._state = UpdateState(UpdateStage.NONE)
        self._file: Path | None = None

    def search(self) -> None:
        """Look for an update; unless one is being written."""
        if self.state().stage in {UpdateStage.SEARCHING, UpdateStage.WRITING, UpdateStage.WRITTEN}:
            return
        self._state = UpdateState(UpdateStage.SEARCHING)
        threading.Thread(target=self._search, name="update", daemon=True).start()

    def _search(self) -> None:
        try:
            found = self._newest()
        except CompanionError as error:
            self._state = _refused(error)
            return
        if found is None:
            self._state = UpdateState(UpdateStage.NONE)
            return
        self._file = found.path
        older_than = self._card.newer_than(found.version)
        self._state = UpdateState(UpdateStage.FOUND, found.version, of=found.of, older_than=older_than)

    def install(self) -> None:
        """Write the update that was found, even if it is older than what runs."""
        if self._file is None or self._state.stage is not UpdateStage.FOUND:
            return
        self._state = replace(self._state, stage=UpdateStage.WRITING)
        try:
            publish(to_json((str(self._file), self._state.version)), self._request)
        except OSError as error:
            fault = say("the update cannot be started: {error}", error=error)
            self._state = _refused(CompanionError(fault, say("start the box again")))

    def state(self) -> UpdateState:
        """What was found, or how far the program is that writes it."""
        # While the request is there nobody has read it, and the progress is that of an earlier update.
        if self._state.stage is UpdateStage.WRITING and not self._request.exists():
            self._state = _read_progress(self._progress, self._state)
        return self._state


def _refused(error: CompanionError) -> UpdateState:
    return UpdateState(UpdateStage.REFUSED, refused=error)


def _read_progress(file: Path, before: UpdateState) -> UpdateState:
    """How far the program is that writes; it is as before if it has not said so yet."""
    for _, error in faults.kept(file):
        return _refused(error)
    percent = read_json(file, int)
    if percent is None:
        return before
    stage = UpdateStage.WRITTEN if percent >= 100 else UpdateStage.WRITING  # noqa: PLR2004 - per cent
    return replace(before, stage=stage, percent=percent)


def write_progress(progress: Path, percent: int) -> None:
    """Write how far the update is; `faults.keep` writes why it was refused. Raises `OSError`."""
    publish(to_json(percent), progress)
