"""The manifest of an update: which version it is, and the size and checksum of each of its files."""

import json
import re
from typing import Any, Final

from companion.text.errors import CompanionError, quoted
from companion.text.sentence import say
from companion.values import Value

FORMAT: Final = 1
ARCHITECTURE: Final = "arm64"
SIGNATURE: Final = "manifest.sig"
FILES: Final = ("cmdline", "initrd", "kernel", "root.sfs")
"""The files of a slot; U-Boot starts none that lacks one of them."""

LARGEST_BYTES: Final = 1_000_000_000
_VERSION: Final = re.compile(r"[0-9][0-9A-Za-z.+~-]{0,39}")
_SHA256: Final = re.compile(r"[0-9a-f]{64}")


class Piece(Value):
    """One file of a slot."""

    name: str
    size_bytes: int
    sha256: str


class Manifest(Value):
    """What an update is. `pieces` come in the file in this order."""

    version: str
    pieces: tuple[Piece, ...]

    @property
    def size_bytes(self) -> int:
        """The room that the slot needs."""
        return sum(piece.size_bytes for piece in self.pieces)


def read(content: bytes) -> Manifest:
    """The manifest in this JSON text. Raises `CompanionError`, which names what came and what would do."""
    try:
        said = json.loads(content)
    except (ValueError, RecursionError) as error:
        raise damaged() from error
    if not isinstance(said, dict) or not isinstance(said.get("format"), int):
        raise damaged()
    if said["format"] > FORMAT:
        raise CompanionError(
            say("the update has format {came}, this version knows up to {known}", came=said["format"],
                known=FORMAT),
            say("install an older update first, or flash the newest image"),
        )  # fmt: skip
    if said.get("architecture") != ARCHITECTURE:
        raise CompanionError(
            say("the update is for {came}, this box is {here}", came=quoted(said.get("architecture")),
                here=ARCHITECTURE),
            say("take the file whose name ends with {here}.update", here=ARCHITECTURE),
        )  # fmt: skip
    version, files = said.get("version"), said.get("files")
    if not isinstance(version, str) or not _VERSION.fullmatch(version) or not isinstance(files, dict):
        raise damaged()
    if sorted(files) != sorted(FILES):
        raise CompanionError(
            say("the update has the files {came}", came=quoted(sorted(map(str, files)))),
            say("an update has these: {known}", known=FILES),
        )
    return Manifest(version, tuple(_piece(name, files[name]) for name in sorted(files)))


def _piece(name: str, said: Any) -> Piece:  # noqa: ANN401 - from a file
    if not isinstance(said, dict):
        raise damaged()
    size, digest = said.get("size"), said.get("sha256")
    if type(size) is not int or not 0 < size <= LARGEST_BYTES or not isinstance(digest, str):
        raise damaged()
    if not _SHA256.fullmatch(digest):
        raise damaged()
    return Piece(name, size, digest)


def damaged() -> CompanionError:
    """The error of a file that makes no sense."""
    return CompanionError(
        say("the update is damaged"), say("download or copy it again, and compare its SHA-256 sum")
    )
