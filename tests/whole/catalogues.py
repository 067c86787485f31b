"""Catalogues for tests."""

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po

from firmware.text.translation import Catalogue, catalogue_of
from tools.texts import forms


def install(folder: Path, words: Mapping[str, str], language: str = "en") -> None:
    """Put a catalogue of a language into a folder of catalogues."""
    place = folder / language / "LC_MESSAGES"
    place.mkdir(parents=True, exist_ok=True)
    catalogue = Catalog()
    for template, said in words.items():
        catalogue.add(template, said)
    with (place / "nimmt.mo").open("wb") as file:
        write_mo(file, catalogue)


def translations(language: str) -> Iterator[tuple[tuple[str, ...], tuple[str, ...]]]:
    """Each text of the product with its plural, and its translations."""
    with catalogue_of(language).open("rb") as file:
        for message in read_po(file):
            if message.id:
                yield forms(message.id), forms(message.string)


class Listening(Catalogue):
    """A catalogue without a translation that remembers what was looked up."""

    def __init__(self) -> None:
        super().__init__()
        self.asked: set[str] = set()

    def template(self, context: str, template: str, plural: str, count: int) -> str:
        self.asked.update((template, plural or template))
        return super().template(context, template, plural, count)


def three_times_as_long(templates: Iterable[str]) -> dict[str, str]:
    """Each word three times as long, the fields and the names of keys unchanged."""
    return {template: " ".join(map(_longer, template.split(" "))) for template in templates}


def _longer(word: str) -> str:
    key, equals, action = word.rpartition("=")
    return word if "{" in word else key + equals + action * 3
