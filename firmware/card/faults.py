"""What there is to tell at the start of a flashed box, kept in memory for the game to show.

An optional part can have something to tell as well (`Part.start`), as an alert with the name of the part. It
names a function that is called as root, with the card and the root of the system: at the first start after a
file of the card or `/data/table/last-update.json` has changed.
It gives what there is to tell as a `CompanionError`, or None, and may raise `CompanionError` and `OSError`:
then there is nothing to tell.
"""

from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

from companion.core.codec import to_json
from companion.text.codec import decode_text, encode_text
from companion.text.errors import CompanionError
from firmware.bounded_file import publish, read_json
from firmware.flashed.slots import BootPartition
from firmware.plugins import parts

FILE: Final = Path("/run/table/faults.json")


def of_parts(card: BootPartition, root: Path) -> list[tuple[str, CompanionError]]:
    """What the optional parts have to tell at this start, each with the name of its alert."""
    found = []
    for name, tell in parts("start"):
        with suppress(CompanionError, OSError):
            if (told := tell(card, root)) is not None:
                found.append((name, told))
    return found


def keep(faults: Sequence[tuple[str, CompanionError]], file: Path) -> None:
    """Write them; each with the name of its device or alert. Raises `OSError`."""
    said = [(name, encode_text(bad.fault_text), encode_text(bad.fix_text)) for name, bad in faults]
    publish(to_json(said), file)


def kept(file: Path = FILE) -> list[tuple[str, CompanionError]]:
    """Those that were written; none if there is no such file, or it is damaged."""
    with suppress(KeyError, CompanionError):
        said = read_json(file, list[tuple[str, dict[str, Any], dict[str, Any]]]) or ()
        return [(name, CompanionError(decode_text(fault), decode_text(fix))) for name, fault, fix in said]
    return []
