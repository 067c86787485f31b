"""Text files as the editors of any computer write them: with a byte order mark, with CR, in UTF-16."""

import codecs
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from companion.text.errors import CompanionError, did_you_mean, quoted
from companion.text.sentence import say
from companion.values import Value
from firmware.bounded_file import read_bounded
from firmware.text.os_errors import reason_of

LARGEST_BYTES: Final = 64_000
_UTF_16: Final = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)


class TextLine(Value):
    """A line `name = value`; `number` counts from 1."""

    number: int
    name: str
    value: str


def normal(content: bytes) -> bytes:
    """The content as UTF-8 without a byte order mark, with LF alone; what is no text stays as it is."""
    try:
        text = content.decode("utf-16" if content.startswith(_UTF_16) else "utf-8-sig")
    except UnicodeDecodeError:
        return content
    return text.replace("\r\n", "\n").replace("\r", "\n").encode()


def read(file: Path) -> bytes | None:
    """The content of a file as `normal` gives it; None if there is none. Raises `CompanionError`."""
    try:
        return normal(read_bounded(file, LARGEST_BYTES))
    except FileNotFoundError:
        return None
    except OSError as error:
        raise CompanionError(
            say("{file} cannot be read: {strerror}", file=file.name, strerror=reason_of(error)),
            say("write the file on the card again"),
        ) from error


def lines(content: bytes, file: str, names: Sequence[str]) -> list[TextLine]:
    """The lines of a file that say something; `#` begins a comment line. Raises `CompanionError`."""
    found = []
    try:
        text = content.decode()
    except UnicodeDecodeError as error:
        raise CompanionError(
            say("{file} is not a text file", file=file), say("save the file as UTF-8 text")
        ) from error
    for number, raw in enumerate(text.split("\n"), start=1):
        line = raw.strip()
        if not line or line.startswith("#"):
            continue
        name, sign, value = (part.strip() for part in line.partition("="))
        if not sign:
            raise CompanionError(
                say("{file}, line {number}: {came} has no =", file=file, number=number, came=quoted(line)),
                say("write it like this: {name} = ...", name=names[0]),
            )
        if name.lower() not in names:
            raise CompanionError(
                say("{file}, line {number}: there is no {came}", file=file, number=number, came=quoted(name)),
                did_you_mean(name.lower(), names),
            )
        if len(value) > 1 and value[0] == value[-1] == '"':
            value = value[1:-1]
        found.append(TextLine(number, name.lower(), value))
    return found
