"""Reads a file that `nimmt export` wrote."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.errors import CompanionError

if TYPE_CHECKING:
    from pathlib import Path


def text_of(path: Path) -> str:
    """The text of the file. Raises `CompanionError` with the reason if it cannot be read."""
    try:
        return path.read_text(encoding="utf-8")
    except FileNotFoundError as bad:
        raise CompanionError(f"there is no file {path}", "choose a file written by nimmt export") from bad
    except IsADirectoryError as bad:
        raise CompanionError(
            f"{path} is a folder", "choose a file in it that was written by nimmt export"
        ) from bad
    except PermissionError as bad:
        raise CompanionError(
            f"this user has no permission to read {path}", "change its permissions, or use sudo"
        ) from bad
    except OSError as bad:
        raise CompanionError(f"{path} cannot be read: {bad.strerror}", "try another copy of it") from bad
    except UnicodeDecodeError as bad:
        raise CompanionError(f"{path} is not a text file", "choose a file written by nimmt export") from bad
