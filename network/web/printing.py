"""The page that prints: labels, badges and the other sheets as PDF, by the code of `nimmt print`.

Making one takes a small board some seconds, so it is for paired phones, one after the other.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

from companion.core import games
from companion.text.sentence import Text, say
from firmware.history.portions import Portions
from firmware.paper.cards import EVERY_GAME, chosen
from firmware.paper.print_job import EVERYTHING, PrintRequest, SheetKind
from firmware.paper.ready_sheets import LABELS, printed
from firmware.paper.stock import SHEETS, Paper
from firmware.paper.symbols import CodeKind
from firmware.text.translation import LANGUAGES, Translator
from network.web.frame import Page

if TYPE_CHECKING:
    from collections.abc import Iterable

PRINT: Final = Page("print", say("Print"))

MEDIA: Final = "application/pdf"

_KINDS: Final[Mapping[str, Text]] = {
    SheetKind.TEST_PAGE.value: say("1. Test page"),
    SheetKind.CARDS.value: say("2. Labels for the cards"),
    SheetKind.BADGES.value: say("3. Badges of the players"),
    SheetKind.CONTROL.value: say("4. Control sheet"),
    SheetKind.TABLE_CARD.value: say("5. Table card: the rules in short"),
    SheetKind.SCANNER.value: say("6. Scanner set-up, if it needs any"),
    EVERYTHING: say("All of them in one file"),
}
"""What is offered, by its name in requests."""


def choices(t: Translator) -> dict[str, Any]:
    """What can be printed, and on what, for the template: each value with its text."""
    titles = [(key, t.title(games.module(key).TITLE)) for key in chosen(EVERY_GAME)]
    return {
        "sheets": [(kind, t.say(text)) for kind, text in _KINDS.items()],
        "titles": [*titles, (EVERY_GAME, t("all games"))],
        "sizes": {paper.title: list(_papers(paper, t)) for paper in Paper},
        "codes": [(kind.value, kind.title) for kind in CodeKind],
        "languages": [(key, language.title) for key, language in LANGUAGES.items() if language.complete],
    }


def _papers(paper: Paper, t: Translator) -> Iterable[tuple[str, str]]:
    """Plain paper, then the label sheets of this size, the usual one first."""
    yield paper.value, f"{t('plain paper')}, {paper.title}"
    usual = LABELS[paper]
    for sheet in sorted(SHEETS, key=lambda sheet: usual not in sheet.numbers):
        if sheet.paper is paper:
            number = usual if usual in sheet.numbers else sheet.numbers[0]
            yield number, f"{sheet.maker} {number}"


def asked(query: Mapping[str, str]) -> PrintRequest:
    """The request of what was chosen; what it may hold is checked when it is made."""
    on = query.get("on", Paper.A4.value)
    is_plain = on in {paper.value for paper in Paper}
    return PrintRequest(
        query.get("sheet", SheetKind.TEST_PAGE.value),
        game=query.get("game"),
        paper=on if is_plain else None,
        labels=None if is_plain else on,
        code=query.get("code", CodeKind.DATAMATRIX.value),
    )


def made(request: PrintRequest, translate: Translator) -> Portions[bytes]:
    """The PDF. Raises `CompanionError` for what cannot be printed, and says what can."""
    yield
    return printed(request, translate).pdf
