"""`nimmt print`: PDF sheets: card labels, badges, commands, table cards, scanner setup."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from companion.text.errors import CompanionError
from companion.text.sentence import Decimals, count, say
from firmware.commands.language import spoken
from firmware.config.configuration import load
from firmware.extensions.tournament import print_sheets as print_tournament
from firmware.paper.document import document
from firmware.paper.errors import InvalidRequest
from firmware.paper.print_job import PrintRequest, paper_of, print_job
from firmware.paper.stock import SHEETS
from firmware.text.os_errors import reason_of
from firmware.text.translation import runs_right_to_left

if TYPE_CHECKING:
    import argparse

    from firmware.paper.document import Document
    from firmware.text.translation import Translator


def run(args: argparse.Namespace) -> int:
    """Write the file and print which paper each page needs. Raises `CompanionError` if that fails."""
    load(args.config)  # says what is wrong with it
    translate = spoken(args.config)
    if args.sheet == "labels":
        _list_labels(translate)
        return 0
    file = args.out or Path(f"{'-'.join(('nimmt', args.sheet, *filter(None, [args.game]))).lower()}.pdf")
    if args.sheet in print_tournament.SHEETS:
        return _print_tournament(args, translate, file)
    if args.log is not None:
        raise InvalidRequest(
            say("a log belongs to the sheets of a tournament"),
            say("print seating or results, or leave --log out"),
        )
    printed = document(print_job(_asked(args)), translate.say, _shaped if translate.right_to_left else None)
    _write(file, printed.pdf)
    _tell(file, printed, translate)
    return 0


def _print_tournament(args: argparse.Namespace, t: Translator, file: Path) -> int:
    pdf, pages = print_tournament.sheet(args.sheet, args.log, paper_of(_asked(args)), t, _shaped)
    _write(file, pdf)
    print(file)
    print("  " + t.say(count("{count} page", "{count} pages", pages)))
    return 0


def _write(file: Path, pdf: bytes) -> None:
    try:
        file.write_bytes(pdf)
    except OSError as bad:
        raise CompanionError(
            say("{file} cannot be written: {strerror}", file=file, strerror=reason_of(bad)),
            say("choose another file with --out"),
        ) from bad


def _shaped(text: str) -> str:
    from firmware.display.persian import in_display_order  # needs libraries that other languages do not

    return in_display_order("\u200f" + text if runs_right_to_left(text) else text)


def _asked(args: argparse.Namespace) -> PrintRequest:
    given = {name: value for name, value in vars(args).items() if name in PrintRequest.__dataclass_fields__}
    return PrintRequest(**given, guide=not args.no_guide)


def _tell(file: Path, printed: Document, t: Translator) -> None:
    print(file)
    for pages in printed.pages:
        what, paper = t.say(pages.what), t.say(pages.paper)
        if pages.first == pages.last:
            print("  " + t("page {page}: {what}; {paper}", page=pages.first, what=what, paper=paper))
        else:
            span = t(
                "pages {first}-{last}: {what}; {paper}",
                first=pages.first,
                last=pages.last,
                what=what,
                paper=paper,
            )
            print("  " + span)
    print("  " + t("module {size} mm; print at 100 % (“actual size”)", size=Decimals(printed.module_mm, 2)))


def _list_labels(t: Translator) -> None:
    for sheet in SHEETS:
        grid = sheet.grid
        width, height = (t.decimals(Decimals(one, 1)) for one in (grid.width, grid.height))
        size = f"{width} x {height} mm"
        numbers = ", ".join(sheet.numbers)
        print(f"{sheet.paper.title:6}  {size:16}  {grid.columns:2} x {grid.rows:2}  {sheet.maker}: {numbers}")
        about = t.say(sheet.about)
        # The isolate keeps it below the maker, where a terminal would begin the line at the right.
        print(f"{'':36}" + (f"\u2067{about}\u2069" if t.right_to_left else about))
