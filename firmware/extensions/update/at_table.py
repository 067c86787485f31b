"""Updates as a page of the display sees them: look for one, let it be written, see how far it is.

The game may not write to the first partition. It leaves a request in its folder in memory, systemd then
starts `nimmt update --wanted` as root, and that program writes into a file how far it is. A drive may take
seconds to read, so a thread does it.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from enum import Enum, auto
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from companion.text.codec import decode_text, encode_text
from companion.text.errors import CompanionError
from companion.text.sentence import say
from companion.values import Value, replace
from firmware.bounded_file import publish, read_bounded
from firmware.flashed.slots import BootPartition

if TYPE_CHECKING:
    from firmware.extensions.update.on_drive import FoundUpdate

REQUEST: Final = Path("/run/nimmt/update-wanted")
PROGRESS: Final = Path("/run/table-update/progress.json")
_MAX_BYTES: Final = 10_000


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


def _newest_on_a_drive() -> FoundUpdate | None:
    from firmware.extensions.update.on_drive import Drives  # what unpacks an update is not for every start

    return Drives().newest()


class DriveUpdates:
    """The updates on the drives of this machine; `newest` looks for one. One thread uses it, and never waits.

    `request` and `progress` are files in memory.
    """

    def __init__(
        self,
        newest: Callable[[], FoundUpdate | None] = _newest_on_a_drive,
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
        else:
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
            publish(json.dumps([str(self._file), self._state.version]).encode(), self._request)
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
    try:
        record = json.loads(read_bounded(file, _MAX_BYTES))
        if record["fault"] is not None:
            return _refused(CompanionError(decode_text(record["fault"]), decode_text(record["fix"])))
        percent = int(record["percent"])
    except (OSError, ValueError, KeyError, TypeError, CompanionError):
        return before
    stage = UpdateStage.WRITTEN if percent >= 100 else UpdateStage.WRITING  # noqa: PLR2004 - per cent
    return replace(before, stage=stage, percent=percent)


def requested(request: Path) -> tuple[Path, str] | None:
    """The file that was chosen, and the version that somebody has seen then; None without a request.

    The request is in a folder of the game's user, so no link is followed.
    """
    try:
        path, version = json.loads(read_bounded(request, _MAX_BYTES, follow=False))
        return Path(path), str(version)
    except (OSError, ValueError, TypeError, RecursionError):
        return None


def write_progress(progress: Path, percent: int, error: CompanionError | None = None) -> None:
    """Write how far the update is, or why it was refused. Raises `OSError`."""
    record: dict[str, Any] = {
        "percent": percent,
        "fault": None if error is None else encode_text(error.fault_text),
        "fix": None if error is None else encode_text(error.fix_text),
    }
    publish(json.dumps(record).encode(), progress)
