"""Reading an update: a tar file of plain files in a known order, whose manifest is signed.

The manifest says which version it is, and the size and checksum of each file.

Each header is read alone (`TarInfo.frombuf`), and only plain files are taken: links, long names, sparse files
and all other extensions of tar are refused before anything is made of them, as `TarFile` would.
"""

import hashlib
import json
import os
import re
import subprocess
import tarfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Annotated, Any, BinaryIO, Final

from msgspec import Meta, ValidationError, convert

from companion.text.errors import CompanionError, quoted
from companion.text.sentence import say
from companion.values import Value
from firmware.bounded_file import open_regular, read_bounded
from firmware.flashed.slots import MANIFEST
from firmware.text.os_errors import reason_of, unreadable

FORMAT: Final = 1
ARCHITECTURE: Final = "arm64"
SIGNATURE: Final = "manifest.sig"
FILES: Final = ("cmdline", "initrd", "kernel", "root.sfs")
"""The files of a slot; U-Boot starts none that lacks one of them."""

LARGEST_BYTES: Final = 1_000_000_000
ENDING: Final = ".update"


class Piece(Value):
    """One file of a slot; `size` is in bytes."""

    size: Annotated[int, Meta(gt=0, le=LARGEST_BYTES)]
    sha256: Annotated[str, Meta(pattern=r"^[0-9a-f]{64}\Z")]


class Manifest(Value):
    """What an update is. The files come in the order of their names."""

    version: Annotated[str, Meta(pattern=r"^[0-9][0-9A-Za-z.+~-]{0,39}\Z")]
    files: Mapping[str, Piece]

    @property
    def size_bytes(self) -> int:
        """The room that the slot needs."""
        return sum(piece.size for piece in self.files.values())


def read_manifest(content: bytes) -> Manifest:
    """The manifest in this JSON text. Raises `CompanionError`, which names what came and what would do."""
    try:
        record = json.loads(content)
    except (ValueError, RecursionError) as error:
        raise damaged() from error
    if not isinstance(record, dict) or not isinstance(record.get("format"), int):
        raise damaged()
    if record["format"] > FORMAT:
        raise CompanionError(
            say("the update has format {came}, but this version reads only formats up to {known}",
                came=record["format"], known=FORMAT),
            say("install an older update first, or flash the newest image"),
        )  # fmt: skip
    if record.get("architecture") != ARCHITECTURE:
        raise CompanionError(
            say("the update is for {came}, this box is {here}", came=quoted(record.get("architecture")),
                here=ARCHITECTURE),
            say("take the file whose name ends with {here}.update", here=ARCHITECTURE),
        )  # fmt: skip
    try:
        found = convert(record, Manifest)
    except ValidationError as error:
        raise damaged() from error
    if found.files.keys() != set(FILES):
        raise damaged()
    return Manifest(found.version, {name: found.files[name] for name in FILES})


def damaged() -> CompanionError:
    """The error of a file that makes no sense."""
    return CompanionError(
        say("the update is damaged"), say("download or copy it again, and compare its SHA-256 sum")
    )


KEYS: Final = Path("/usr/share/nimmt/update.pub")
"""The public keys of those whose updates this box takes: one or more in PEM, one after the other."""

CHUNK_BYTES: Final = 1 << 20

_SIGNATURE_BYTES: Final = 64
_MAX_MANIFEST_BYTES: Final = 64_000
_PEM: Final = re.compile(rb"-----BEGIN PUBLIC KEY-----.+?-----END PUBLIC KEY-----\n?", re.DOTALL)


class UpdateFile(Value):
    """An update whose manifest is signed. Nothing is known of its other files before `check`."""

    file: BinaryIO
    manifest: Manifest
    signed: bytes
    """The manifest as it is in the file."""
    signature: bytes

    def pieces(self) -> Iterator[tuple[str, Iterator[bytes]]]:
        """The files of the slot in their order, each in portions; read each to its end before the next.

        Raises `CompanionError` at the first thing that is not as the manifest says, or cannot be read.
        """
        self.file.seek(0)
        _small(self.file, MANIFEST, _MAX_MANIFEST_BYTES)
        _small(self.file, SIGNATURE, _SIGNATURE_BYTES)
        for name, piece in self.manifest.files.items():
            if _header(self.file) != (name, piece.size):
                raise damaged()
            yield name, _content(self.file, piece)
        if _read(self.file, tarfile.BLOCKSIZE).strip(b"\0"):
            raise damaged()

    def check(self, report: Callable[[int], None]) -> None:
        """Read it to its end; `report` is called with the bytes that were read so far. Raises as `pieces`."""
        done = 0
        for _, content in self.pieces():
            for chunk in content:
                done += len(chunk)
                report(done)


def opened(path: Path) -> BinaryIO:
    """Open an update, not by a link. Raises `CompanionError`."""
    try:
        return open_regular(path, follow=False)
    except OSError as error:
        raise unreadable(path, error, say("give a file whose name ends with .update")) from error


def read(file: BinaryIO, keys: Path = KEYS) -> UpdateFile:
    """The update in this file, if the owner of one of `keys` has signed it. Raises `CompanionError`.

    Nobody knows yet who has made it, so root reads it without rights, and makes nothing of the bytes before
    the signature is found to be good.
    """
    with without_rights():
        signed = _small(file, MANIFEST, _MAX_MANIFEST_BYTES)
        signature = _small(file, SIGNATURE, _SIGNATURE_BYTES)
    verify(signed, signature, keys)
    return UpdateFile(file, read_manifest(signed), signed, signature)


def version_of(path: Path) -> str:
    """The version that a file claims to be, without a check of its signature. Raises `CompanionError`."""
    with opened(path) as file:
        return read_manifest(_small(file, MANIFEST, _MAX_MANIFEST_BYTES)).version


def verify(signed: bytes, signature: bytes, keys: Path) -> None:
    """Raise `CompanionError` unless this is a signature (Ed25519) of these bytes by one of these keys."""
    try:
        trusted = _PEM.findall(read_bounded(keys))
    except OSError:
        trusted = []
    if not trusted:
        raise CompanionError(
            say("this image has no key ({key}), so no update can be checked", key=keys),
            say("flash an image that was built with a key"),
        )
    try:
        good = any(_is_signed(signed, signature, key) for key in trusted)
    except OSError as error:
        raise CompanionError(
            say("the signature cannot be checked: {error}", error=error), say("install openssl")
        ) from error
    if not good:
        raise CompanionError(
            say("the signature of the update is wrong: it was not made for this box, or was changed"),
            say("use the file as it was published"),
        )


def _is_signed(signed: bytes, signature: bytes, key: bytes) -> bool:
    """Whether the owner of this key has signed it. openssl wants files, and gets them in memory."""
    # A program of root's is one of nobody's, for good.
    rights: dict[str, Any] = {} if os.geteuid() else {"user": NOBODY, "group": NOBODY, "extra_groups": ()}
    with ExitStack() as stack:

        def in_memory(content: bytes) -> str:
            file = stack.enter_context(os.fdopen(os.memfd_create("update"), "wb", buffering=0))
            file.write(content)
            files.append(file.fileno())
            return f"/dev/fd/{file.fileno()}"

        files: list[int] = []
        words = ["/usr/bin/openssl", "pkeyutl", "-verify", "-pubin", "-inkey", in_memory(key), "-rawin"]
        words += ["-in", in_memory(signed), "-sigfile", in_memory(signature)]
        done = subprocess.run(  # noqa: S603 - no word comes from outside
            words, capture_output=True, check=False, pass_fds=files, **rights
        )
    return done.returncode == 0


NOBODY: Final = 65534
"""The user and group that own nothing: Debian Policy, 9.2.2."""


@contextmanager
def without_rights() -> Iterator[None]:
    """Be nobody while the block runs, all threads of this process; who is not root stays who it is.

    Raises `OSError`.
    """
    if os.geteuid():
        yield
        return
    group, groups = os.getegid(), os.getgroups()
    os.setgroups(())
    try:
        os.setegid(NOBODY)
        os.seteuid(NOBODY)
        yield
    finally:
        os.seteuid(0)
        os.setegid(group)
        os.setgroups(groups)


def _no_update() -> CompanionError:
    return CompanionError(say("this is not an update"), say("give a file whose name ends with .update"))


def _read(file: BinaryIO, most_bytes: int) -> bytes:
    """The next bytes. Raises `CompanionError` where the drive gives none, for it was pulled out, say."""
    try:
        return file.read(most_bytes)
    except OSError as error:
        raise CompanionError(
            say("the update cannot be read: {why}", why=reason_of(error)),
            say("plug its USB drive in again, and begin again; if that does not help, try another one"),
        ) from error


def _small(file: BinaryIO, name: str, most_bytes: int) -> bytes:
    came, size = _header(file)
    if came != name:
        raise _no_update()
    if size > most_bytes:
        raise damaged()
    padding = -size % tarfile.BLOCKSIZE
    content = _read(file, size + padding)
    if len(content) != size + padding:
        raise damaged()
    return content[:size]


def _content(file: BinaryIO, piece: Piece) -> Iterator[bytes]:
    left, digest = piece.size, hashlib.sha256()
    while left:
        chunk = _read(file, min(left, CHUNK_BYTES))
        if not chunk:
            raise damaged()
        left -= len(chunk)
        digest.update(chunk)
        yield chunk
    _read(file, -piece.size % tarfile.BLOCKSIZE)
    if digest.hexdigest() != piece.sha256:
        raise damaged()


def _header(file: BinaryIO) -> tuple[str, int]:
    """The name and the size in bytes of the next file. Raises `CompanionError` for all but a plain file."""
    try:
        found = tarfile.TarInfo.frombuf(_read(file, tarfile.BLOCKSIZE), "ascii", "replace")
    except tarfile.HeaderError as error:
        raise _no_update() from error
    if found.type not in {tarfile.REGTYPE, tarfile.AREGTYPE} or found.size < 0:
        raise damaged()
    return found.name, found.size
