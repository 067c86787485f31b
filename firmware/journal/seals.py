"""The seals of the rows, with which a damaged row is found.

Every row carries a seal, a CRC-32 over its content and its place. SQLite checks the
structure of its pages but not what is in them: a bit that flips inside a record would turn
card 57 into card 59, and no check of SQLite's would notice.

The seals of the steps of a match are a chain: the seal of a step is over all steps up to it, and the first
one begins with the identity of the match. The row of the match holds the number of its steps and the seal of
the last. So a step that is missing, swapped or from another match is found, and so is a match that has lost
its last steps.
"""

from __future__ import annotations

import zlib


def sealed(*content: str | int) -> int:
    """The seal of a row with this content, 0 to 2**32-1; raises ValueError if a text is not valid UTF-8."""
    return zlib.crc32("\n".join(map(str, content)).encode())


def seal_of_match(  # noqa: PLR0913, PLR0917 - the columns in their order
    number: int, uid: str, header: str, started_at: str, steps: int, last_at: str | None, chain: int
) -> int:
    """What `sealed` gives for the row of a match, in less time: a list asks for thousands."""
    return zlib.crc32(f"{number}\n{uid}\n{header}\n{started_at}\n{steps}\n{last_at or ''}\n{chain}".encode())


def first_link(uid: str) -> int:
    """What the chain of a match begins with, before its first step."""
    return zlib.crc32(uid.encode())


def link(before: int, number: int, text: str, at: str) -> int:
    """The seal of a step: over all steps up to it. `text` is the record as JSON."""
    return zlib.crc32(f"{number}\n{text}\n{at}\n".encode(), before)
