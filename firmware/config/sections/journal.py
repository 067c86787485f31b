"""The section `[journal]`: where matches are stored, and how many."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from companion.text.errors import CompanionError, quoted
from companion.text.sentence import say
from companion.values import Value
from hardware.options import option

if TYPE_CHECKING:
    from collections.abc import Mapping


class JournalOptions(Value):
    """Where the matches are stored, and how many."""

    path: Annotated[
        str,
        option(
            "the journal file; if empty, `journal.sqlite` in `$STATE_DIRECTORY` (set by systemd), else in "
            "`~/.local/state/nimmt`"
        ),
    ] = ""

    keep_matches: Annotated[
        int,
        option(
            "how many matches the journal keeps; when there are more, the oldest finished ones are removed "
            "while nobody plays; 0 keeps all",
            low=0,
            high=1_000_000,
        ),
    ] = 0

    def __post_init__(self) -> None:
        try:
            place = Path(self.path).expanduser()
        except RuntimeError as error:
            raise CompanionError(
                say("the home folder in path = {path} is not known", path=quoted(self.path)),
                say("write the whole path"),
            ) from error
        if self.path and os.path.isdir(place):  # noqa: PTH112 - it raises nothing for a name that is too long
            raise CompanionError(
                say("path = {path} is a folder", path=quoted(self.path)),
                say("write the path of a file, such as one in it"),
            )

    def place(self, environ: Mapping[str, str]) -> Path:
        """The journal file as an absolute path, from the key or from `environ`; nothing is created."""
        if self.path:
            return Path(self.path).expanduser().absolute()
        if state := environ.get("STATE_DIRECTORY", "").partition(":")[0]:
            return Path(state).absolute() / "journal.sqlite"
        if state := environ.get("XDG_STATE_HOME", ""):
            return Path(state).absolute() / "nimmt" / "journal.sqlite"
        return Path("~/.local/state/nimmt/journal.sqlite").expanduser()
