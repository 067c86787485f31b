"""Where the socket is, and how a program gets to it however long the path is."""

from __future__ import annotations

import os
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

NAME: Final = "table.sock"

OF_THE_SERVICE: Final = Path("/run/nimmt") / NAME

_LONGEST: Final = 100
"""Bytes of a path that fit into the address of a Unix socket, with room for a draft's name."""


def place(environ: Mapping[str, str], journal: Path) -> Path:
    """The socket of a program that runs in this environment with this journal.

    A service has a folder for it in memory; else it is beside the journal.
    """
    if folder := environ.get("RUNTIME_DIRECTORY", "").partition(":")[0]:
        return Path(folder).absolute() / NAME
    return journal.absolute().with_name(NAME)


def found(environ: Mapping[str, str], journal: Path, own: Path | None) -> Path:
    """The socket of the game on this machine: of its service, unless a journal of one's `own` is meant."""
    return OF_THE_SERVICE if own is None and OF_THE_SERVICE.exists() else place(environ, journal)


@contextmanager
def reachable(path: Path) -> Iterator[str]:
    """The path as the address of a socket, while the block runs; a long one is shortened."""
    if len(os.fsencode(path)) <= _LONGEST:
        yield str(path)
        return
    folder = os.open(path.parent, os.O_PATH | os.O_DIRECTORY)
    try:
        yield f"/proc/self/fd/{folder}/{path.name}"
    finally:
        os.close(folder)
