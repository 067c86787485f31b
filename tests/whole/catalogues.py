"""Compiled catalogues for tests, as `msgfmt` makes them, without its program."""

from __future__ import annotations

import gettext
import struct
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

HEADER: Final = "Content-Type: text/plain; charset=UTF-8\nLanguage: xx\n"


def compiled(words: Mapping[str, str]) -> bytes:
    """A catalogue with its header, in the format of GNU gettext."""
    entries = sorted({"": HEADER, **words}.items())
    tables, texts = [], b""
    begin = 28 + 16 * len(entries)
    for column in (0, 1):
        for entry in entries:
            text = entry[column].encode()
            tables.append(struct.pack("<2I", len(text), begin + len(texts)))
            texts += text + b"\0"
    originals, translations = 28, 28 + 8 * len(entries)
    return (
        struct.pack("<7I", 0x950412DE, 0, len(entries), originals, translations, 0, 0)
        + b"".join(tables)
        + texts
    )


def install(folder: Path, words: Mapping[str, str], language: str = "en") -> None:
    """Put a catalogue of a language into a folder of catalogues."""
    place = folder / language / "LC_MESSAGES"
    place.mkdir(parents=True, exist_ok=True)
    (place / "nimmt.mo").write_bytes(compiled(words))


class Listening(gettext.NullTranslations):
    """A catalogue without a translation that remembers what was looked up."""

    def __init__(self) -> None:
        super().__init__()
        self.asked: set[str] = set()

    def gettext(self, message: str) -> str:
        self.asked.add(message)
        return message

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        self.asked |= {msgid1, msgid2}
        return msgid1 if n == 1 else msgid2


def three_times_as_long(templates: Iterable[str]) -> dict[str, str]:
    """Each word three times as long, the fields and the names of keys unchanged."""
    return {template: " ".join(map(_longer, template.split(" "))) for template in templates}


def _longer(word: str) -> str:
    key, equals, action = word.rpartition("=")
    return word if "{" in word else key + equals + action * 3
