"""What was wrong with the files on the card, kept in memory for the game to show."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Final

from companion.text.codec import decode_text, encode_text
from companion.text.errors import CompanionError
from firmware.bounded_file import read_bounded

if TYPE_CHECKING:
    from collections.abc import Sequence

FILE: Final = Path("/run/table/faults.json")
_MOST_BYTES: Final = 100_000


def keep(faults: Sequence[tuple[str, CompanionError]], file: Path) -> None:
    """Write them; each with the name of its file. Raises `OSError`."""
    said = [
        {"file": name, "fault": encode_text(bad.fault_text), "fix": encode_text(bad.fix_text)}
        for name, bad in faults
    ]
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(json.dumps(said))
    file.chmod(0o644)


def kept(file: Path = FILE) -> list[tuple[str, CompanionError]]:
    """Those that were written; none if there is no such file."""
    try:
        said = json.loads(read_bounded(file, _MOST_BYTES))
        return [
            (str(one["file"]), CompanionError(decode_text(one["fault"]), decode_text(one["fix"])))
            for one in said
        ]
    except (OSError, ValueError, KeyError, TypeError, CompanionError):
        return []
