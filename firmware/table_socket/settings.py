"""The configuration of the game, read and changed by the owner's own programs, such as a page of settings.

The file is the owner's. It is changed only here, in the game's process: a client sends no file but new
values of keys. What would not be accepted at the next start is not written, and the file as it was stays
beside it. Only programs of the user of the game, and of root, may ask: the file has more than is seen at the
table.

For the thread of the server; any thread may call `change`.
"""

import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Final

from msgspec import UNSET

from companion.text.errors import CompanionError
from companion.text.files import NotText
from firmware.bounded_file import keep, read_bounded
from firmware.config.configuration import LARGEST_BYTES, parse_bytes
from firmware.config.editing import Changes, changed
from firmware.config.keys import ConfigError, Problem
from firmware.table_socket.acts import SettingsRequest
from firmware.table_socket.messages import SettingsAnswer, in_english
from firmware.text.os_errors import unreadable, unwritable
from firmware.text.toml import toml_in

PREVIOUS: Final = ".previous"
"""What is put behind the name of the file for the one that it was before the newest change."""


class Settings:
    """The configuration file of a running game; None if it has none.

    `restart` ends the game so that it is started again; None where nobody would start it. `is_used`: the game
    could use the file as it is now.
    """

    def __init__(
        self, file: Path | None, restart: Callable[[], None] | None = None, *, is_used: bool = True
    ) -> None:
        self._file = file
        self._restart = restart
        self._used = self._hash() if is_used else ""

    def answer(self, request: SettingsRequest) -> tuple[SettingsAnswer, Callable[[], None] | None]:
        """Read, change or restart; gives the answer, and what is to be done once it is sent.

        Blocks for syncs of the disk.
        """
        try:
            if request.new is not None:
                if request.of != self._hash():
                    return SettingsAnswer(request.id, accepted=False, why="changed"), None
                self.change(request.new)
            if not request.restart:
                return self._state(request.id), None
            if self._restart is not None:
                return self._state(request.id), self._restart
            bad = CompanionError("nobody would start the game again", "end it and start it again")
        except CompanionError as error:
            bad = error
        problems = bad.problems if isinstance(bad, ConfigError) else UNSET
        return SettingsAnswer(request.id, False, "refused", *in_english(bad), problems), None  # noqa: FBT003

    def _state(self, id_: str) -> SettingsAnswer:
        """What the file says, whether the game uses it already, and whether it can start again by itself."""
        content = self._read()
        is_used = _hashed(content) == self._used
        return SettingsAnswer(
            id_,
            accepted=True,
            problems=UNSET if is_used else _problems(content, str(self._file)),
            file=str(self._file),
            text=_text_of(content),
            of=_hashed(content),
            in_use=is_used,
            can_restart=self._restart is not None,
        )

    def change(self, changes: Changes) -> None:
        """Write the file with these changes; the one before stays beside it. Raises `CompanionError`."""
        before = self._read()
        assert self._file is not None  # noqa: S101 - it was read
        line_end = "\r\n" if b"\r\n" in before else "\n"
        new = changed(toml_in(before), changes, self._file.name).replace("\n", line_end).encode()
        file = self._file.resolve()
        previous = file.with_name(file.name + PREVIOUS)
        try:
            mode = file.stat().st_mode & 0o777
            keep(before, previous, mode)
            keep(new, file, mode)
        except OSError as error:
            raise unwritable(
                file, error, "change it with an editor as its owner, or give the user of the game its folder"
            ) from error

    def _read(self) -> bytes:
        if self._file is None:
            fix = "start it with: nimmt run --config FILE"
            raise CompanionError("the game runs without a configuration file", fix)
        try:
            return read_bounded(self._file, LARGEST_BYTES)
        except OSError as error:
            raise unreadable(self._file, error, "give a file that exists and can be read") from error

    def _hash(self) -> str:
        try:
            return _hashed(self._read())
        except CompanionError:
            return ""


def _hashed(content: bytes) -> str:
    """What tells one content from another; it is no secret."""
    # hashlib would cost every start some memory
    return f"{zlib.crc32(content):08x}-{len(content)}"


def _text_of(content: bytes) -> str:
    try:
        return toml_in(content)
    except NotText:
        return content.decode(errors="replace")


def _problems(content: bytes, name: str) -> tuple[Problem, ...]:
    """Why the game cannot use a file; nothing if it can."""
    try:
        parse_bytes(content, name)
    except ConfigError as bad:
        return bad.problems
    return ()
