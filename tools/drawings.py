"""The drawings of the documentation: the screens that the program fills in, and the other languages.

docs/pictures has the drawings as SVG files, drawn by hand, in English. Where a path has `data-screen="NAME"`,
the lit pixels of that screen are filled in. The drawing of another language is the English one with the words
of docs/pictures/words.toml. Every text with a class must be translated there, except those of class "name".
"""

import re
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final
from xml.sax.saxutils import escape, unescape

from PIL.Image import Image

from firmware.text.translation import DEFAULT, LANGUAGES

PICTURES: Final = Path(__file__).parents[1] / "docs" / "pictures"
NAMES: Final = ("overview", *(f"card-{number}" for number in range(1, 11)))
"""The drawings that there are in every language."""

_TEXT: Final = re.compile(r'(<title>|<text class="([^"]*)"[^>]*>)([^<]+)')
_SCREEN: Final = re.compile(r'(<path data-screen="([\w-]+)"[^>]* d=")[^"]*')
_HEAD: Final = re.compile(r'(?<=<g class="head">).*?(?=</g>)', re.DOTALL)
_CARD_WIDTH: Final = 360


def file_name(name: str, language: str) -> str:
    return f"{name}.svg" if language == DEFAULT else f"{name}-{language}.svg"


def words() -> dict[str, dict[str, str]]:
    """For each language but English what it says for every text."""
    return tomllib.loads((PICTURES / "words.toml").read_text(encoding="utf-8"))


def drawn(name: str, language: str, screens: Mapping[str, Image]) -> str:
    """A drawing in a language. Raises `KeyError` for a text without translation or an unknown screen."""
    text = (PICTURES / file_name(name, DEFAULT)).read_text(encoding="utf-8")
    text = _SCREEN.sub(lambda path: path[1] + "".join(_lit(screens[path[2]])), text)
    if language != DEFAULT:
        said = words()[language]
        text = _TEXT.sub(lambda found: found[1] + escape(_said(unescape(found[3]), found[2], said)), text)
    return _HEAD.sub(_mirrored, text) if LANGUAGES[language].right_to_left else text


def _said(text: str, classes: str | None, said: Mapping[str, str]) -> str:
    return said.get(text, text) if classes and "name" in classes.split() else said[text]


def _mirrored(head: re.Match[str]) -> str:
    """The number and the title of a card at its right side."""
    there = re.sub(r'(?<=x=")\d+', lambda x: str(_CARD_WIDTH - int(x[0])), head[0])
    return there.replace('"start"', '"end"')


def _lit(picture: Image) -> Iterator[str]:
    """A path around the lit pixels of a picture of mode "1"."""
    pixels = picture.convert("L").tobytes()
    for row in range(picture.height):
        line = pixels[row * picture.width : (row + 1) * picture.width]
        for run in re.finditer(rb"\xff+", line):
            yield f"M{run.start()} {row}h{len(run[0])}v1h-{len(run[0])}z"
