"""Catalogues for tests."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from firmware.text.catalogue import Catalogue, Entry
from tools.texts.po_file import entry_lines

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

HEADER: Final = "Content-Type: text/plain; charset=UTF-8"


def install(folder: Path, words: Mapping[str, str], language: str = "en") -> None:
    """Put a catalogue of a language into a folder of catalogues."""
    place = folder / language / "LC_MESSAGES"
    place.mkdir(parents=True, exist_ok=True)
    entries = {"": f"{HEADER}\nLanguage: xx\n", **words}
    text = "\n".join(entry_lines(Entry(template, forms=(said,))) for template, said in entries.items())
    (place / "nimmt.po").write_text(text, encoding="utf-8")


@dataclass(frozen=True)
class Listening(Catalogue):
    """A catalogue without a translation that remembers what was looked up."""

    asked: set[str] = field(default_factory=set)

    def template(self, context: str, template: str, plural: str, count: int) -> str:
        self.asked.update((template, plural or template))
        return super().template(context, template, plural, count)


def three_times_as_long(templates: Iterable[str]) -> dict[str, str]:
    """Each word three times as long, the fields and the names of keys unchanged."""
    return {template: " ".join(map(_longer, template.split(" "))) for template in templates}


def _longer(word: str) -> str:
    key, equals, action = word.rpartition("=")
    return word if "{" in word else key + equals + action * 3
