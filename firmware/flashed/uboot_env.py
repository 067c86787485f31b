"""U-Boot's variables in its file `uboot.env`: a CRC-32, then texts `name=value`, each with a zero byte.

Source: U-Boot, doc/usage/environment.rst, and include/env_internal.h (an environment without redundancy).
"""

import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from companion.text.errors import CompanionError
from companion.text.sentence import say
from firmware.bounded_file import keep, read_bounded

NAME: Final = "uboot.env"
_CRC_BYTES: Final = 4


class BadEnvironment(CompanionError):
    """The file is damaged; U-Boot does not use it either, and takes the variables that it was built with."""


def read(file: Path) -> dict[str, str]:
    """The variables. Raises `BadEnvironment`, and `OSError` if the file cannot be read."""
    return parsed(read_bounded(file), file.name)


def change(file: Path, changes: Mapping[str, str]) -> None:
    """Set some variables, and remove those that are set to nothing; all others stay.

    If the power fails, the file is the old one or the new one, as far as a FAT can guarantee that. Raises
    `BadEnvironment` and `OSError`.
    """
    content = read_bounded(file)
    variables = {**parsed(content, file.name), **changes}
    keep(written({name: value for name, value in variables.items() if value}, len(content)), file)


def parsed(content: bytes, file: str) -> dict[str, str]:
    """The variables in the content of the file of this name. Raises `BadEnvironment`."""
    crc, texts = int.from_bytes(content[:_CRC_BYTES], "little"), content[_CRC_BYTES:]
    if not texts or zlib.crc32(texts) != crc:
        raise BadEnvironment(
            say("the variables of U-Boot in {file} are damaged", file=file),
            say("copy {file} from the image to the card again", file=file),
        )
    whole = texts.partition(b"\0\0")[0].decode(errors="replace")
    return {name: value for name, _, value in (one.partition("=") for one in whole.split("\0")) if name}


def written(variables: Mapping[str, str], size_bytes: int) -> bytes:
    """The content of a file of this size. Raises `CompanionError` if they do not fit."""
    texts = b"".join(f"{name}={value}\0".encode() for name, value in variables.items()) + b"\0"
    room_bytes = size_bytes - _CRC_BYTES
    if len(texts) > room_bytes:
        raise CompanionError(
            say("there is no room for another variable of U-Boot"),
            say("copy {file} from the image to the card again", file=NAME),
        )
    texts = texts.ljust(room_bytes, b"\0")
    return zlib.crc32(texts).to_bytes(_CRC_BYTES, "little") + texts
