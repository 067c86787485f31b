"""The page that prints: labels, badges and the other sheets as PDF, by the code of `nimmt print`.

Making one takes a small board some seconds, so it is for paired phones, one after the other.
"""

from __future__ import annotations

from collections.abc import Mapping
from html import escape
from typing import TYPE_CHECKING, Final

from companion.core import games
from companion.text.sentence import Text, say
from firmware.history.portions import Portions
from firmware.paper.cards import EVERY_GAME, chosen
from firmware.paper.print_job import EVERYTHING, PrintRequest, SheetKind
from firmware.paper.ready_sheets import LABELS, printed
from firmware.paper.stock import SHEETS, Paper
from firmware.paper.symbols import CodeKind
from firmware.text.translation import LANGUAGES, Translator
from network.web.frame import Page, words

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

_STEPS: Final = (
    say(
        "Print the test page, at 100 % (“actual size”): the line at its foot must be 50 mm long. Scan its "
        "codes. If the smaller ones are read too, go on."
    ),
    say("Print the labels, and stick one on the face of each card, always in the same place."),
    say("Print the badges and the control sheet on plain paper."),
)


def form(translate: Translator) -> str:
    """What can be printed, and on what, as HTML. It needs no script."""
    t = translate
    steps = "".join(f"<li>{words(t, step)}</li>" for step in _STEPS)
    kinds = _options(((kind, t.say(text)) for kind, text in _KINDS.items()), SheetKind.TEST_PAGE.value)
    titles = [(key, t.title(games.module(key).TITLE)) for key in chosen(EVERY_GAME)]
    named = _options([*titles, (EVERY_GAME, t("all games"))], titles[0][0])
    papers = "".join(
        f'<optgroup label="{paper.title}">{_options(_papers(paper, t), Paper.A4.value)}</optgroup>'
        for paper in Paper
    )
    codes = _options(((kind.value, kind.title) for kind in CodeKind), CodeKind.DATAMATRIX.value)
    languages = _options(((key, one.title) for key, one in LANGUAGES.items() if one.complete), t.language)
    fields = (
        ("sheet", say("What"), kinds),
        ("game", say("Game"), named),
        ("on", say("Paper"), papers),
        ("code", say("Code"), codes),
        ("language", say("Language"), languages),
    )
    selects = "".join(
        f'<label>{words(t, title)}<select name="{name}">{options}</select></label>'
        for name, title, options in fields
    )
    hint = say("Data Matrix is the smallest. If your scanner does not read it, take QR code, or Code 128.")
    return (
        f'<h1>{words(t, PRINT.title)}</h1><ol class="steps">{steps}</ol>'
        f'<form class="form" action="/print/file" method="get">{selects}'
        f'<p class="soft">{words(t, hint)}</p>'
        f'<button class="main">{words(t, say("Make the PDF"))}</button></form>'
    )


def _papers(paper: Paper, t: Translator) -> Iterable[tuple[str, str]]:
    """Plain paper, then the label sheets of this size, the usual one first."""
    yield paper.value, f"{t('plain paper')}, {paper.title}"
    usual = LABELS[paper]
    for sheet in sorted(SHEETS, key=lambda one: usual not in one.numbers):
        if sheet.paper is paper:
            number = usual if usual in sheet.numbers else sheet.numbers[0]
            yield number, f"{sheet.maker} {number}"


def _options(of: Iterable[tuple[str, str]], chosen_one: str) -> str:
    """Each text isolated: a select has one direction for all that it offers."""
    mark = " selected"
    return "".join(
        f'<option value="{escape(value)}"{mark if value == chosen_one else ""}>'
        f"\u2068{escape(text)}\u2069</option>"
        for value, text in of
    )


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
