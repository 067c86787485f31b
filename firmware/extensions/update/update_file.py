"""Reading an update: a tar file of plain files in a known order, whose manifest is signed.

The manifest says which version it is, and the size and checksum of each file.

Only what an update has is read: headers of POSIX "ustar" for regular files. Links, long names, sparse files
and all other extensions of tar are refused before anything is made of them.
Source: POSIX.1-2017, pax, "ustar Interchange Format".
"""

import hashlib
import json
import re
import subprocess
import tempfile
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import IO, Annotated, Final

from msgspec import Meta, ValidationError, convert

from companion.text.errors import CompanionError, quoted
from companion.text.sentence import say
from companion.values import Value
from firmware.flashed.slots import MANIFEST
from firmware.history import usb_stick
from firmware.text.os_errors import unreadable

FORMAT: Final = 1
ARCHITECTURE: Final = "arm64"
SIGNATURE: Final = "manifest.sig"
FILES: Final = ("cmdline", "initrd", "kernel", "root.sfs")
"""The files of a slot; U-Boot starts none that lacks one of them."""

LARGEST_BYTES: Final = 1_000_000_000


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
    try:
        found = convert(said, Manifest)
    except ValidationError as error:
        raise damaged() from error
    if found.files.keys() != set(FILES):
        raise CompanionError(
            say("the update has the files {came}", came=quoted(sorted(found.files))),
            say("an update has these: {known}", known=FILES),
        )
    return Manifest(found.version, {name: found.files[name] for name in FILES})


def damaged() -> CompanionError:
    """The error of a file that makes no sense."""
    return CompanionError(
        say("the update is damaged"), say("download or copy it again, and compare its SHA-256 sum")
    )


KEY: Final = Path("/usr/share/nimmt/update.pub")
CHUNK_BYTES: Final = 1 << 20

_BLOCK: Final = 512
_SIGNATURE_BYTES: Final = 64
_MOST_MANIFEST_BYTES: Final = 64_000
_OCTAL: Final = re.compile(rb" *([0-7]{1,11})[ \0]*")


class UpdateFile(Value):
    """An update whose manifest is signed. Nothing is known of its other files before `check`."""

    path: Path
    manifest: Manifest
    signed: bytes
    """The manifest as it is in the file."""
    signature: bytes

    def pieces(self) -> Iterator[tuple[str, Iterator[bytes]]]:
        """The files of the slot in their order, each in portions; read each to its end before the next.

        Raises `CompanionError` at the first thing that is not as the manifest says, `OSError`.
        """
        with self.path.open("rb") as file:
            _small(file, MANIFEST, _MOST_MANIFEST_BYTES)
            _small(file, SIGNATURE, _SIGNATURE_BYTES)
            for name, piece in self.manifest.files.items():
                if _header(file) != (name, piece.size):
                    raise damaged()
                yield name, _content(file, piece)
            if file.read(_BLOCK).strip(b"\0"):
                raise CompanionError(
                    say("the update continues after its last file"), say("use the file as it was published")
                )

    def check(self, told: Callable[[int], None]) -> None:
        """Read it to its end; `told` is called with the bytes that were read so far. Raises as `pieces`."""
        done = 0
        for _, content in self.pieces():
            for chunk in content:
                done += len(chunk)
                told(done)


def read(path: Path, key: Path = KEY) -> UpdateFile:
    """The update at `path`, if the owner of `key` has signed it. Raises `CompanionError`."""
    try:
        with path.open("rb") as file:
            if not path.is_file():
                raise damaged()
            signed = _small(file, MANIFEST, _MOST_MANIFEST_BYTES)
            signature = _small(file, SIGNATURE, _SIGNATURE_BYTES)
    except OSError as error:
        raise unreadable(path, error, say("give a file whose name ends with .update")) from error
    verify(signed, signature, key)
    return UpdateFile(path, read_manifest(signed), signed, signature)


def version_of(path: Path) -> str:
    """The version that a file claims to be, without a check of its signature. Raises `CompanionError`."""
    try:
        with path.open("rb") as file:
            return read_manifest(_small(file, MANIFEST, _MOST_MANIFEST_BYTES)).version
    except OSError as error:
        raise damaged() from error


def verify(signed: bytes, signature: bytes, key: Path) -> None:
    """Raise `CompanionError` unless this is the signature (Ed25519) of these bytes by the key's owner."""
    if not key.is_file():
        raise CompanionError(
            say("this image has no key ({key}), so no update can be checked", key=key),
            say("flash an image that was built with a key"),
        )
    with tempfile.TemporaryDirectory(prefix="nimmt-update-") as folder:
        text, sealed = Path(folder, MANIFEST), Path(folder, SIGNATURE)
        text.write_bytes(signed)
        sealed.write_bytes(signature)
        try:
            done = subprocess.run(  # noqa: S603 - the key is one of this machine
                ["/usr/bin/openssl", "pkeyutl", "-verify", "-pubin", "-inkey", str(key), "-rawin",
                 "-in", str(text), "-sigfile", str(sealed)],
                capture_output=True, check=False,
            )  # fmt: skip
        except OSError as error:
            raise CompanionError(
                say("the signature cannot be checked: {error}", error=error), say("install openssl")
            ) from error
    if done.returncode:
        raise CompanionError(
            say("the signature of the update is wrong: it was not made for this box, or was changed"),
            say("use the file as it was published"),
        )


def _small(file: IO[bytes], name: str, most_bytes: int) -> bytes:
    came, size = _header(file)
    if came != name:
        raise CompanionError(
            say("the update has {came} where {name} should be", came=quoted(came), name=name),
            say("give a file whose name ends with .update"),
        )
    if size > most_bytes:
        raise damaged()
    content = file.read(size)
    if len(content) != size or len(file.read(-size % _BLOCK)) != -size % _BLOCK:
        raise damaged()
    return content


def _content(file: IO[bytes], piece: Piece) -> Iterator[bytes]:
    left, digest = piece.size, hashlib.sha256()
    while left:
        chunk = file.read(min(left, CHUNK_BYTES))
        if not chunk:
            raise damaged()
        left -= len(chunk)
        digest.update(chunk)
        yield chunk
    file.read(-piece.size % _BLOCK)
    if digest.hexdigest() != piece.sha256:
        raise damaged()


def _header(file: IO[bytes]) -> tuple[str, int]:
    """The name and the size in bytes of the next file. Raises `CompanionError` for all but a plain file."""
    block = file.read(_BLOCK)
    if len(block) != _BLOCK or block[257:262] != b"ustar":
        raise CompanionError(say("this is not an update"), say("give a file whose name ends with .update"))
    size, checksum = _OCTAL.fullmatch(block[124:136]), _OCTAL.fullmatch(block[148:156])
    blanked = block[:148] + b" " * 8 + block[156:]
    if not size or not checksum or int(checksum[1], 8) != sum(blanked):
        raise damaged()
    name = block[:100].rstrip(b"\0").decode("ascii", errors="replace")
    if block[156:157] not in {b"0", b"\0"} or block[345:500].strip(b"\0"):
        raise CompanionError(
            say("{name} in the update is not a plain file", name=quoted(name)),
            say("use the file as it was published"),
        )
    return name, int(size[1], 8)


ENDING: Final = ".update"


def newest(mounts: Path = usb_stick.MOUNTS, blocks: Path = usb_stick.BLOCKS) -> tuple[Path, str] | None:
    """The update that was written last, in the top folder of a stick, and the version that it claims to be.

    None if there is none. Blocks while the stick is read, which may take seconds. Raises `CompanionError` if
    there are only files that are no update.
    """
    found: list[tuple[float, Path]] = []
    for mount in usb_stick.plugged_in(mounts, blocks):
        try:
            found += [(file.stat().st_mtime, file) for file in mount.folder.glob(f"*{ENDING}")]
        except OSError:
            continue  # it was pulled out
    bad: CompanionError | None = None
    for _, file in sorted(found, reverse=True):
        if file.name.startswith("."):
            continue  # macOS leaves such beside every file that it copies
        try:
            return file, version_of(file)
        except CompanionError as error:
            bad = bad or error
    if bad is not None:
        raise bad
    return None
