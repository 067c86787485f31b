"""The configuration of the game, read and changed by the owner's own programs, such as a page of settings.

The file is the owner's. It is changed only here, in the game's process: a client sends no file but new
values of keys. What would not be accepted at the next start is not written, and the file as it was stays
beside it. Only programs of the user of the game, and of root, may ask: the file has more than is seen at the
table.

For the thread of the server.
"""

from __future__ import annotations

import zlib
from typing import TYPE_CHECKING, Any, Final

from companion.text.codec import encode_text
from companion.text.errors import CompanionError
from companion.text.sentence import Text, say
from firmware.bounded_file import read_bounded
from firmware.config.configuration import LARGEST_BYTES, parse
from firmware.config.editing import changed
from firmware.config.last_good import keep
from firmware.config.problem import ConfigError
from firmware.table_socket.acts import CHANGED, REFUSED, MalformedLine
from firmware.text.os_errors import reason_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from firmware.config.editing import Changes

PREVIOUS: Final = ".previous"
"""What is put behind the name of the file for the one that it was before the newest change."""

_NO_FILE: Final = CompanionError(
    say("the game runs without a configuration file"), say("start it with: nimmt run --config FILE")
)
_FIELDS: Final = frozenset({"kind", "id", "set", "of", "restart"})


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

    def answer(self, record: Mapping[str, Any]) -> tuple[dict[str, Any], Callable[[], None] | None]:
        """Read, change or restart; gives the answer, and what is to be done once it is sent.

        Blocks for syncs of the disk. Raises `MalformedLine`.
        """
        if unknown := sorted(set(record) - _FIELDS):
            raise MalformedLine(f"'settings' has an unknown field {unknown[0]!r}", f"use {sorted(_FIELDS)}")
        then = None
        try:
            if "set" in record:
                if record.get("of") != self._hash():
                    return {"accepted": False, "why": CHANGED}, None
                self._write(_changes(record["set"]))
            if record.get("restart") is True:
                then = self._restart_of()
            return {"accepted": True, **self._state()}, then
        except ConfigError as bad:
            return {**_refused(bad), "problems": _listed(bad)}, None
        except CompanionError as bad:
            return _refused(bad), None

    def _restart_of(self) -> Callable[[], None]:
        if self._restart is None:
            raise CompanionError(say("nobody would start the game again"), say("end it and start it again"))
        return self._restart

    def _state(self) -> dict[str, Any]:
        """What the file says, whether the game uses it already, and whether it can start again by itself."""
        content = self._read()
        is_used = _hashed(content) == self._used
        return {
            **({} if is_used else {"problems": _problems(content, str(self._file))}),
            "file": str(self._file),
            "text": content.decode(errors="replace"),
            "of": _hashed(content),
            "in_use": is_used,
            "can_restart": self._restart is not None,
        }

    def _write(self, changes: Changes) -> None:
        before = self._read()
        try:
            text = before.decode()
        except UnicodeDecodeError as bad:
            raise CompanionError(
                say("the file is not UTF-8"), say("save it as UTF-8 text with an editor")
            ) from bad
        assert self._file is not None  # noqa: S101 - it was read
        new = changed(text, changes, self._file.name).encode()
        file = self._file.resolve()
        previous = file.with_name(file.name + PREVIOUS)
        try:
            mode = file.stat().st_mode & 0o777
            keep(before, previous)
            previous.chmod(mode)
            keep(new, file)
            file.chmod(mode)
        except OSError as error:
            raise CompanionError(
                say("{file} cannot be written: {cause}", file=str(file), cause=reason_of(error)),
                say("change it with an editor as its owner, or give the user of the game its folder"),
            ) from error

    def _read(self) -> bytes:
        if self._file is None:
            raise _NO_FILE
        try:
            return read_bounded(self._file, LARGEST_BYTES)
        except OSError as error:
            raise CompanionError(
                say("{file} cannot be read: {cause}", file=str(self._file), cause=reason_of(error)),
                say("give a file that exists and can be read"),
            ) from error

    def _hash(self) -> str:
        try:
            return _hashed(self._read())
        except CompanionError:
            return ""


def _hashed(content: bytes) -> str:
    """What tells one content from another; it is no secret."""
    # hashlib would cost every start some memory
    return f"{zlib.crc32(content):08x}-{len(content)}"


def _refused(bad: CompanionError) -> dict[str, Any]:
    return {"accepted": False, "why": REFUSED, "fault": _text(bad.fault_text), "fix": _text(bad.fix_text)}


def _text(text: Text) -> dict[str, Any]:
    """For every language; `says` is English: the owner reads it on a page, nobody at the table."""
    return {**encode_text(text), "says": str(text)}


def _problems(content: bytes, name: str) -> list[dict[str, Any]]:
    """Why the game cannot use a file; nothing if it can."""
    try:
        parse(content.decode(errors="replace"), name)
    except ConfigError as bad:
        return _listed(bad)
    return []


def _listed(bad: ConfigError) -> list[dict[str, Any]]:
    return [
        {
            "path": one.path,
            "came": one.came,
            **({} if one.position is None else {"position": _text(one.position)}),
            "fault": _text(one.fault_text),
            "fix": _text(one.fix_text),
        }
        for one in bad.problems
    ]


def _changes(given: object) -> Changes:
    """The changes of a request. Raises `MalformedLine`."""
    if isinstance(given, dict) and all(isinstance(values, dict) for values in given.values()):
        return given
    raise MalformedLine("'set' is no object of sections", 'use such as {"table": {"names": ["Ana"]}}')
