"""The status file: what the running program says of itself to other programs, replaced atomically.

Why a file and not a socket: a program that hangs cannot answer, but its last status and the age of it can
still be read; and the game needs no further thread and takes no input from it. The file is in memory
(`/run`), so that it does not wear the card. It holds no names.
"""

from __future__ import annotations

import json
import logging
import os
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from companion.values import Value
from firmware import __version__
from firmware.bounded_file import publish, read_bounded

if TYPE_CHECKING:
    from firmware.service.health import Issue
    from firmware.session.session import Session

_LOG: Final = logging.getLogger(__name__)

FORMAT: Final = 1
SILENT_S: Final = 15.0
"""A program whose status is older than this hangs: it writes every few seconds."""
OF_THE_SERVICE: Final = Path("/run/nimmt/status.json")


def place(environ: Mapping[str, str]) -> Path | None:
    """The file of the program that runs in this environment; None if there is no such folder."""
    if folder := runtime_folder(environ):
        return folder.absolute() / OF_THE_SERVICE.name
    if given := environ.get("XDG_RUNTIME_DIR", ""):
        return Path(given).absolute() / "nimmt" / OF_THE_SERVICE.name
    return None


def runtime_folder(environ: Mapping[str, str]) -> Path | None:
    """The folder in memory that the service manager made for us."""
    given = environ.get("RUNTIME_DIRECTORY", "").partition(":")[0]
    return Path(given) if given else None


def of_match(session: Session) -> dict[str, Any] | None:
    """The match in play, without names; None between matches. `over`: only the result is shown."""
    match = session.match
    if match is None:
        return None
    return {
        "id": session.match_id,
        "game": match.terms.game,
        "deal": match.position.deal,
        "turn": match.board.turn,
        "players": len(match.players),
        "asks": [ask.kind.value for ask in match.asks],
        "over": not match.asks,
    }


def described(
    session: Session, issues: Sequence[Issue], parts: Mapping[str, object] | None = None, *, safe: bool
) -> dict[str, Any]:
    """The whole status except for the time; `parts`: what optional parts say of themselves."""
    match = of_match(session)
    return {
        "format": FORMAT,
        "version": __version__,
        "pid": os.getpid(),
        "mode": "safe" if safe else "normal",
        "playing": match is not None and not match["over"],
        "match": match,
        "journal": session.journal_care.state(),
        "issues": [issue.as_json() for issue in issues],
        **(parts or {}),
    }


class StatusFile:
    """Writes the file; a folder that cannot be written is logged once, and no more is tried. One thread."""

    def __init__(self, path: Path | None) -> None:
        self._path = path

    def write(self, status: Mapping[str, Any], now_s: float) -> None:
        """Replace the file. `now_s` is monotonic: its age is known whatever the wall clock shows."""
        if self._path is None:
            return
        try:
            publish(json.dumps({**status, "said_at_s": now_s}).encode() + b"\n", self._path)
        except OSError as error:
            _LOG.warning("the status file can no longer be written: %s", error)
            self._path = None

    def remove(self) -> None:
        """Remove the file at the end of the program."""
        if self._path is not None:
            with suppress(OSError):
                self._path.unlink(missing_ok=True)


class ReadStatus(Value):
    """The newest word of a program that is there; `age_s` is its age."""

    said: Mapping[str, Any]
    age_s: float

    @property
    def hangs(self) -> bool:
        return self.age_s > SILENT_S


def seen(path: Path, now_s: Callable[[], float] = time.monotonic) -> ReadStatus | None:
    """The status of the program; None where none is running, also where one has left its file."""
    try:
        said = json.loads(read_bounded(path, follow=False))
        age_s = now_s() - float(said["said_at_s"])
        alive = Path(f"/proc/{int(said['pid'])}").exists()
    except (OSError, ValueError, KeyError, TypeError, OverflowError, RecursionError):
        return None
    return ReadStatus(said, age_s) if alive and age_s >= 0 else None


def of_this_machine(environ: Mapping[str, str]) -> ReadStatus | None:
    """The status of the service, else of a program that was started by hand."""
    by_hand = place(environ)
    return seen(OF_THE_SERVICE) or (seen(by_hand) if by_hand else None)
