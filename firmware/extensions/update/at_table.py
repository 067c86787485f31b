"""Updates as a page of the display sees them: look for one, let it be written, see how far it is.

The game may not write to the first partition. It leaves a wish in its folder in memory, systemd then starts
`nimmt update --wanted` as root, and that program says in a file how far it is. Looking at a stick may take
seconds, so a thread does it.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from enum import Enum, auto
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Protocol

from companion.text.codec import decode_text, encode_text
from companion.text.errors import CompanionError
from companion.text.sentence import say
from companion.values import Value, replace
from firmware.bounded_file import publish, read_bounded
from firmware.flashed.slots import BootPartition

if TYPE_CHECKING:
    from firmware.extensions.update.on_drive import Found

WISH: Final = Path("/run/nimmt/update-wanted")
PROGRESS: Final = Path("/run/table-update/progress.json")
_MOST_BYTES: Final = 10_000


class Stage(Enum):
    """How far an update is."""

    LOOKING = auto()
    NONE = auto()
    FOUND = auto()
    WRITING = auto()
    REFUSED = auto()
    WRITTEN = auto()


class UpdateSeen(Value):
    """What a page shows: the version, per cent while it is written, and why it was refused."""

    stage: Stage
    version: str = ""
    percent: int = 0
    refused: CompanionError | None = None
    of: int = 1
    """How many updates are on the drives; this one is the newest."""
    older_than: str = ""
    """The version that runs, if the update is older."""


class Updates(Protocol):
    """What a page may ask for. The methods return at once; one thread uses them."""

    def look(self) -> None:
        """Look for an update; unless one is being written."""

    def begin(self) -> None:
        """Write the update that was found, even if it is older than what runs."""

    def seen(self) -> UpdateSeen:
        """How far it is now."""


def _newest_on_a_drive() -> Found | None:
    from firmware.extensions.update.on_drive import Drives  # what unpacks an update is not for every start

    return Drives().newest()


class StickUpdates:
    """The updates of this machine. `newest` looks for one.

    `wish` and `progress` are files in memory.
    """

    def __init__(
        self,
        newest: Callable[[], Found | None] = _newest_on_a_drive,
        wish: Path = WISH,
        progress: Path = PROGRESS,
        card: BootPartition | None = None,
    ) -> None:
        self._newest = newest
        self._card = card or BootPartition()
        self._wish, self._progress = wish, progress
        self._seen = UpdateSeen(Stage.NONE)
        self._file: Path | None = None

    def look(self) -> None:
        if self.seen().stage in {Stage.LOOKING, Stage.WRITING, Stage.WRITTEN}:
            return
        self._seen = UpdateSeen(Stage.LOOKING)
        threading.Thread(target=self._look, name="update", daemon=True).start()

    def _look(self) -> None:
        try:
            found = self._newest()
        except CompanionError as error:
            self._seen = _refused(error)
        else:
            if found is None:
                self._seen = UpdateSeen(Stage.NONE)
                return
            self._file = found.path
            older_than = self._card.newer_than(found.version)
            self._seen = UpdateSeen(Stage.FOUND, found.version, of=found.of, older_than=older_than)

    def begin(self) -> None:
        if self._file is None or self._seen.stage is not Stage.FOUND:
            return
        self._seen = replace(self._seen, stage=Stage.WRITING)
        try:
            publish(json.dumps([str(self._file), self._seen.version]).encode(), self._wish)
        except OSError as error:
            fault = say("the update cannot be started: {error}", error=error)
            self._seen = _refused(CompanionError(fault, say("start the box again")))

    def seen(self) -> UpdateSeen:
        """What was found, or what the program says that writes it."""
        # While the wish is there nobody has taken it, and what is said is about an earlier update.
        if self._seen.stage is Stage.WRITING and not self._wish.exists():
            self._seen = _told(self._progress, self._seen)
        return self._seen


def _refused(error: CompanionError) -> UpdateSeen:
    return UpdateSeen(Stage.REFUSED, refused=error)


def _told(file: Path, before: UpdateSeen) -> UpdateSeen:
    """The newest word of the program that writes; it is as before if there is none yet."""
    try:
        said = json.loads(read_bounded(file, _MOST_BYTES))
        if said["fault"] is not None:
            return _refused(CompanionError(decode_text(said["fault"]), decode_text(said["fix"])))
        percent = int(said["percent"])
    except (OSError, ValueError, KeyError, TypeError, CompanionError):
        return before
    stage = Stage.WRITTEN if percent >= 100 else Stage.WRITING  # noqa: PLR2004 - per cent
    return replace(before, stage=stage, percent=percent)


def wished(wish: Path) -> tuple[Path, str] | None:
    """The file that was wished for, and the version that somebody has seen and chosen; None without a wish.

    The wish is in a folder of the game's user, so no link is followed.
    """
    try:
        path, version = json.loads(read_bounded(wish, _MOST_BYTES, follow=False))
        return Path(path), str(version)
    except (OSError, ValueError, TypeError, RecursionError):
        return None


def tell(progress: Path, percent: int, error: CompanionError | None = None) -> None:
    """Say how far the update is, or why it was refused. Raises `OSError`."""
    said: dict[str, Any] = {
        "percent": percent,
        "fault": None if error is None else encode_text(error.fault_text),
        "fix": None if error is None else encode_text(error.fix_text),
    }
    publish(json.dumps(said).encode(), progress)
