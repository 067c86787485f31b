"""`nimmt print`: PDF sheets: card labels, badges, commands, table cards, scanner setup."""

import argparse
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Final

from companion.text.sentence import Decimals, count, say
from firmware import plugins
from firmware.commands.declared import (
    Command,
    Example,
    Sheet,
    add_options,
    decimal,
    flag,
    number,
    offered,
    option,
    path,
)
from firmware.commands.language import spoken
from firmware.config.configuration import load
from firmware.paper.print_job import Document, PrintRequest, paper_of
from firmware.paper.ready_sheets import printed, shaped
from firmware.paper.stock import SHEETS, InvalidRequest
from firmware.text.os_errors import unwritable
from firmware.text.translation import Translator

_GROUP: Final = "nimmt.sheets"

_LENGTHS: Final = {
    "margin-left": (say("from the paper's left edge to the first label, in mm"), None),
    "margin-top": (say("from the paper's top edge to the first label, in mm"), None),
    "label-width": (say("the width of a label, in mm"), None),
    "label-height": (say("the height of a label, in mm"), None),
    "gap-across": (say("horizontal gap between labels, in mm (default 0)"), 0.0),
    "gap-down": (say("vertical gap between labels, in mm (default 0)"), 0.0),
}


def run(args: argparse.Namespace) -> int:
    """Write the file and print which paper each page needs. Raises `CompanionError` if that fails."""
    load(args.config)  # says what is wrong with it
    translate = spoken(args.config)
    if args.sheet == "labels":
        _list_labels(translate)
        return 0
    file = args.out or Path(f"{'-'.join(('nimmt', args.sheet, *filter(None, [args.game]))).lower()}.pdf")
    added = dict(_added())
    if args.sheet in added:
        pdf, pages = added[args.sheet].draw(args, paper_of(_asked(args)), translate, shaped)
        return _written(file, pdf, [translate.say(count("{count} page", "{count} pages", pages))])
    for sheet, of_part in added.items():
        for name in of_part.own:
            if getattr(args, name) is not None:
                raise InvalidRequest(
                    say("--{option} is for other sheets, such as {sheet}", option=name, sheet=sheet),
                    say("leave it out, or print that sheet"),
                )
    document = printed(_asked(args), translate)
    return _written(file, document.pdf, _about(document, translate))


def _written(file: Path, pdf: bytes, about: Iterable[str]) -> int:
    try:
        file.write_bytes(pdf)
    except OSError as bad:
        raise unwritable(file, bad, say("choose another file with --out")) from bad
    print(file)
    for line in about:
        print(f"  {line}")
    return 0


def _asked(args: argparse.Namespace) -> PrintRequest:
    given = {name: value for name, value in vars(args).items() if name in PrintRequest.__struct_fields__}
    return PrintRequest(**given, guide=not args.no_guide)


def _about(document: Document, t: Translator) -> Iterator[str]:
    for pages in document.pages:
        what, paper = t.say(pages.what), t.say(pages.paper)
        if pages.first == pages.last:
            yield t("page {page}: {what}; {paper}", page=pages.first, what=what, paper=paper)
        else:
            facts = {"first": pages.first, "last": pages.last, "what": what, "paper": paper}
            yield t("pages {first}-{last}: {what}; {paper}", **facts)
    yield t("module {size} mm; print at 100 % (“actual size”)", size=Decimals(document.module_mm, 2))


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


def _added() -> Iterator[tuple[str, Sheet]]:
    """The sheets of installed parts, each with its name."""
    for point in plugins.entry_points(_GROUP):
        with suppress(plugins.NotInstalled):
            yield point.name, offered(point, Sheet, say("the sheet {name}", name=point.name))


def _word(parser: argparse.ArgumentParser) -> None:
    sheet = parser.add_argument(
        "sheet",
        metavar="SHEET",
        help="cards, badges, control, table-card, scanner, test-page, all%(added)s; "
        "labels lists label sheets",
    )
    # argparse fills in what is an attribute of the option
    vars(sheet)["added"] = "".join(f", {name}" for name, _ in _added())


def _of_added(parser: argparse.ArgumentParser) -> None:
    for _, sheet in _added():
        add_options(parser, sheet.options)


COMMAND = Command(
    help="make a PDF of card labels, badges, the control sheet, a table card or the scanner setup sheet",
    run=run,
    options=(
        _word,
        option("--game", metavar="NAME", help="the game: six, ..., or all (default: the first game)"),
        option("--deck", default="full", metavar="DECK", help="full (default), or known:N for N players"),
        option("--only", default="", metavar="CARDS", help="some cards or badges only, such as 17,55,90-99"),
        number(
            "--box",
            default=1,
            help="the number of the box, if you have several boxes of the same game (default 1)",
        ),
        option("--paper", metavar="SIZE", help="a4 (default) or letter"),
        option(
            "--labels", metavar="NUMBER", help="the product number of the label sheets, such as L4731 or 5167"
        ),
        number("--skip", default=0, help="number of labels already used on the first sheet"),
        number("--columns", help="custom label sheet: number of columns"),
        number("--rows", help="custom label sheet: number of rows"),
        *(
            option(f"--{name}", type=decimal, default=default, metavar="MM", help=str(about))
            for name, (about, default) in _LENGTHS.items()
        ),
        option(
            "--code",
            default="datamatrix",
            metavar="KIND",
            help="datamatrix (default), qr, or code128 for older scanners",
        ),
        option(
            "--module",
            type=decimal,
            metavar="MM",
            help="the size of the code's smallest element, 0.2 to 1.0 mm",
        ),
        flag("--no-guide", help="without the page that shows where to put the labels"),
        path("--out", help="the PDF file to write (default: nimmt-SHEET.pdf, nimmt-SHEET-GAME.pdf)"),
        _of_added,
    ),
    config=True,
    epilog="Print at 100 % (“actual size”). docs/printing.md explains how to label a new box of cards.",
    examples=(Example("nimmt print cards --labels L4731"), Example("nimmt print labels", lines=6)),
)
