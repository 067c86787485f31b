"""`nimmt print script`: what somebody reads aloud who records a voice for the table."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from companion.text.sentence import literal, say
from firmware.commands.declared import Sheet
from firmware.extensions.speech import phrases
from firmware.paper import frame
from firmware.paper.pen import FAINT, RULE, Pen, Type

if TYPE_CHECKING:
    import argparse

    from firmware.paper.stock import Paper
    from firmware.text.translation import Translator

_HIGHEST: Final = 104
"""Of the cards; points are rarely more."""

_LINE_MM: Final = 6.0
_GAP_MM: Final = 8.0
_COLUMNS: Final = 2
_WORDS: Final = Type(11)
_NUMBER: Final = Type(8, colour=FAINT)


def words_of(language: str) -> list[str]:
    """Everything that a voice of this language says but names, each once: the numbers, then the words."""
    return [*map(str, range(_HIGHEST + 1)), *dict.fromkeys(phrases.words(language))]


def _printed(
    _: argparse.Namespace, paper: Paper, t: Translator, shaped: Callable[[str], str]
) -> tuple[bytes, int]:
    """The PDF of the list, and the number of its pages."""
    pen = Pen(paper, "nimmt-companion", t.say, shaped if t.right_to_left else None)
    rest, pages = list(enumerate(words_of(t.language), 1)), 0
    while rest:
        about = say("Read each line aloud, and save it under its own words, such as “goes to row.wav”")
        room = frame.page(pen, say("Words for a voice"), about)
        pages += 1
        width = (room.width - (_COLUMNS - 1) * _GAP_MM) / _COLUMNS
        lines = int((room.height - _LINE_MM) / _LINE_MM)
        for column in range(_COLUMNS):
            here, rest = rest[:lines], rest[lines:]
            x, y = room.x + column * (width + _GAP_MM), room.y
            for number, words in here:
                y += _LINE_MM
                pen.text(t.number(number), (x + 8, y), _NUMBER, align="right")
                pen.text(literal(words), (x + 12, y), _WORDS, fit=width - 12)
                pen.line((x, y + 1.5), (x + width, y + 1.5), width=0.15, colour=RULE)
    return pen.finished(), pages


SCRIPT: Final = Sheet(draw=_printed)
