"""Sheets in a language, and those that are made beforehand for whoever has no terminal.

The card has them in its folder `print`, and a release as a file: for each language and size of paper the same
sheets, whose names begin with the number of the step in which they are printed.
"""

import re
from collections.abc import Iterator
from typing import Final

from companion.core import games
from companion.values import Value
from firmware.paper.cards import EVERY_GAME, chosen
from firmware.paper.print_job import Document, PrintRequest, SheetKind, document, print_job
from firmware.paper.stock import Paper
from firmware.text.translation import LANGUAGES, Translator, runs_right_to_left, translator

FOLDER: Final = "print"
"""Where they are on the card."""

LABELS: Final = {Paper.A4: "L4731", Paper.LETTER: "5167"}
"""The label sheets that are easily bought and hold a deck on one or two sheets: docs/printing.md."""


class ReadySheet(Value):
    """A sheet that is made beforehand, and the name of its file, without the ending."""

    name: str
    request: PrintRequest


def ready_sheets(paper: Paper) -> tuple[ReadySheet, ...]:
    """The sheets for this paper, in the order in which they are printed."""

    def plain(name: str, kind: SheetKind, game: str | None = None) -> ReadySheet:
        return ReadySheet(name, PrintRequest(kind.value, game=game, paper=paper.value))

    labels = []
    for key in chosen(EVERY_GAME):
        name = f"2-labels-{re.sub('[^a-z0-9]+', '-', str(games.module(key).TITLE).lower()).strip('-')}"
        pack = LABELS[paper]
        labels += [
            ReadySheet(f"{name}-on-{pack}", PrintRequest(SheetKind.CARDS.value, game=key, labels=pack)),
            plain(f"{name}-on-plain-paper", SheetKind.CARDS, key),
        ]
    return (
        plain("1-test-page", SheetKind.TEST_PAGE),
        *labels,
        plain("3-badges", SheetKind.BADGES),
        plain("4-control-sheet", SheetKind.CONTROL),
        plain("5-table-cards", SheetKind.TABLE_CARD, EVERY_GAME),
        plain("6-scanner", SheetKind.SCANNER),
    )


class ReadyFile(Value):
    """A sheet in a language; `name` has slashes, such as print/en-A4/1-test-page.pdf."""

    name: str
    request: PrintRequest
    language: str

    def pdf(self) -> bytes:
        """Its bytes, the same on any day and machine."""
        return printed(self.request, translator(self.language)).pdf


def ready_files() -> Iterator[ReadyFile]:
    """Every sheet for every paper in every language."""
    for language, about in LANGUAGES.items():
        for paper in Paper if about.complete else ():
            for sheet in ready_sheets(paper):
                name = f"{FOLDER}/{language}-{paper.title}/{sheet.name}.pdf"
                yield ReadyFile(name, sheet.request, language)


def printed(request: PrintRequest, translate: Translator) -> Document:
    """The document of a request for whoever reads this language. Raises `InvalidRequest` or `UnknownGame`."""
    return document(print_job(request), translate.say, shaped if translate.right_to_left else None)


def shaped(text: str) -> str:
    """A line in the order in which a pen draws its letters, which is another one in Persian."""
    from firmware.display.persian import in_display_order  # needs libraries that other languages do not

    return in_display_order("\u200f" + text if runs_right_to_left(text) else text)
