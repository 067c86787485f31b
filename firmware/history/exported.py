"""Reads a file that `nimmt export` wrote."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from companion.protocol.referee import LONGEST_LINE
from companion.text.errors import CompanionError
from companion.text.sentence import Text, say
from firmware.text.os_errors import reason_of

if TYPE_CHECKING:
    from pathlib import Path

LARGEST_BYTES: Final = 256_000_000
"""Some thousand matches. What has no end, such as a device, is not read for ever."""

_WRITTEN: Final = say("choose a file written by nimmt export")


def text_of(path: Path) -> str:
    """The text of the file, or of a pipe. Raises `CompanionError` with the reason if it cannot be read."""
    try:
        return b"".join(_lines(path)).decode()
    except (OSError, UnicodeDecodeError) as bad:
        raise unreadable(path, bad, _WRITTEN) from bad


def unreadable(path: Path, bad: OSError | UnicodeDecodeError, wanted: Text | str) -> CompanionError:
    """The error for a file that a command cannot read; `wanted` says which file would do."""
    match bad:
        case FileNotFoundError():
            return CompanionError(say("there is no file {path}", path=path), wanted)
        case IsADirectoryError():
            return CompanionError(say("{path} is a folder", path=path), wanted)
        case PermissionError():
            fault = say("this user has no permission to read {path}", path=path)
            return CompanionError(fault, say("change its permissions, or use sudo"))
        case UnicodeDecodeError():
            return CompanionError(say("{path} is not a text file", path=path), wanted)
        case _:
            fault = say("{path} cannot be read: {strerror}", path=path, strerror=reason_of(bad))
            return CompanionError(fault, say("try another copy of it"))


def _lines(path: Path) -> Iterator[bytes]:
    left = LARGEST_BYTES
    with path.open("rb") as file:
        number = 0
        while line := file.readline(LONGEST_LINE + 1):
            number += 1
            left -= len(line)
            if len(line) > LONGEST_LINE:
                raise CompanionError(
                    say(
                        "line {number} of {path} is longer than {longest_line} bytes",
                        number=number,
                        path=path,
                        longest_line=LONGEST_LINE,
                    ),
                    _WRITTEN,
                )
            if left < 0:
                raise CompanionError(
                    say(
                        "{path} is larger than {largest_bytes} bytes", path=path, largest_bytes=LARGEST_BYTES
                    ),
                    say("export fewer matches into one file"),
                )
            yield line
