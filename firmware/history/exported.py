"""Reading a file that `nimmt export` wrote: its text, or in words why not."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.errors import CompanionError

if TYPE_CHECKING:
    from pathlib import Path


def text_of(path: Path) -> str:
    """The text of the file. Raises `CompanionError`, which says why it cannot be read."""
    try:
        return path.read_text(encoding="utf-8")
    except FileNotFoundError as bad:
        raise CompanionError(f"there is no file {path}", "name a file written by nimmt export") from bad
    except IsADirectoryError as bad:
        raise CompanionError(f"{path} is a folder", "name a file in it, written by nimmt export") from bad
    except PermissionError as bad:
        raise CompanionError(
            f"{path} may not be read by this user", "change its rights, or use sudo"
        ) from bad
    except OSError as bad:
        raise CompanionError(f"{path} cannot be read: {bad.strerror}", "name another copy of it") from bad
    except UnicodeDecodeError as bad:
        raise CompanionError(f"{path} is no text", "name a file written by nimmt export") from bad
