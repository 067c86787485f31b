"""`nimmt print`: PDF sheets: card labels, badges, commands, table cards, scanner setup."""

import argparse
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Final

from companion.text.errors import did_you_mean, quoted
from firmware import plugins
from firmware.commands.declared import (
    Command,
    Sheet,
    add_options,
    counted,
    decimal,
    flag,
    number,
    offered,
    option,
    path,
)
from firmware.commands.language import spoken
from firmware.config.configuration import load
from firmware.paper.print_job import EVERYTHING, IN_ORDER, Document, PrintRequest, paper_of
from firmware.paper.ready_sheets import printed, shaped
from firmware.paper.stock import SHEETS, InvalidRequest, Paper
from firmware.text.os_errors import unwritable

_LENGTHS: Final = {
    "margin-left": ("from the paper's left edge to the first label, in mm", None),
    "margin-top": ("from the paper's top edge to the first label, in mm", None),
    "label-width": ("the width of a label, in mm", None),
    "label-height": ("the height of a label, in mm", None),
    "gap-across": ("horizontal gap between labels, in mm (default 0)", 0.0),
    "gap-down": ("vertical gap between labels, in mm (default 0)", 0.0),
}


def run(args: argparse.Namespace) -> int:
    """Write the file and print which paper each page needs. Raises `CompanionError` if that fails."""
    config = load(args.config)
    translate, args.rules = spoken(config, args.config), config.rules
    added = dict(_added())
    sheets = (*IN_ORDER, EVERYTHING, "labels", *added)
    args.sheet = args.sheet.lower()
    if args.sheet not in sheets:
        raise InvalidRequest(f"there is no sheet {quoted(args.sheet)}", did_you_mean(args.sheet, sheets))
    if args.sheet == "labels":
        _list_labels(paper_of(_asked(args)) if args.paper else None)
        return 0
    file = args.out or Path(f"{'-'.join(('nimmt', args.sheet, *filter(None, [args.game]))).lower()}.pdf")
    if args.sheet in added:
        pdf, pages = added[args.sheet].draw(args, paper_of(_asked(args)), translate, shaped)
        return _written(file, pdf, [counted(pages, "page")])
    for sheet, of_part in added.items():
        for name in of_part.own:
            if getattr(args, name) is not None:
                raise InvalidRequest(
                    f"--{name} is for other sheets, such as {sheet}", "leave it out, or print that sheet"
                )
    document = printed(_asked(args), translate)
    return _written(file, document.pdf, _about(document))


def _written(file: Path, pdf: bytes, about: Iterable[str]) -> int:
    try:
        file.write_bytes(pdf)
    except OSError as bad:
        raise unwritable(file, bad, "choose another file with --out") from bad
    print(file)
    for line in about:
        print(f"  {line}")
    return 0


def _asked(args: argparse.Namespace) -> PrintRequest:
    given = {name: value for name, value in vars(args).items() if name in PrintRequest.__struct_fields__}
    return PrintRequest(**given, guide=not args.no_guide)


def _about(document: Document) -> Iterator[str]:
    for pages in document.pages:
        which = f"page {pages.first}" if pages.first == pages.last else f"pages {pages.first}-{pages.last}"
        yield f"{which}: {pages.what}; {pages.paper}"
    yield f"module {document.module_mm:.2f} mm; print at 100 % (“actual size”)"


def _list_labels(paper: Paper | None) -> None:
    """The label sheets of a size of paper; None for every size."""
    for sheet in (sheet for sheet in SHEETS if paper in (None, sheet.paper)):
        grid = sheet.grid
        size = f"{grid.width:.1f} x {grid.height:.1f} mm"
        numbers = ", ".join(sheet.numbers)
        print(f"{sheet.paper.title:6}  {size:16}  {grid.columns:2} x {grid.rows:2}  {sheet.maker}: {numbers}")
        print(f"{'':36}{sheet.about}")


def _added() -> Iterator[tuple[str, Sheet]]:
    """The sheets of installed parts, each with its name."""
    for point in plugins.added("sheets"):
        with suppress(plugins.NotInstalled):
            yield point.name, offered(point, Sheet, f"the sheet {point.name}")


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
        number("--box", default=1, help="which box, if you have several of the same game (default 1)"),
        option("--paper", metavar="SIZE", help="a4 (default) or letter"),
        option("--labels", metavar="NUMBER", help="the number of the label sheets, such as L4731 or 5167"),
        number("--skip", default=0, help="number of labels already used on the first sheet"),
        number("--columns", help="custom label sheet: number of columns"),
        number("--rows", help="custom label sheet: number of rows"),
        *(
            option(f"--{name}", type=decimal, default=default, metavar="MM", help=str(about))
            for name, (about, default) in _LENGTHS.items()
        ),
        option("--code", default="datamatrix", metavar="KIND", help="datamatrix (default), qr, or code128"),
        option("--module", type=decimal, metavar="MM", help="a code's smallest element, 0.2 to 1.0 mm"),
        flag("--no-guide", help="without the page that shows where to put the labels"),
        path("--out", help="the PDF file to write (default: nimmt-SHEET.pdf, nimmt-SHEET-GAME.pdf)"),
        _of_added,
    ),
    config=True,
    epilog="Print at 100 % (“actual size”). docs/printing.md explains how to label a new box of cards.",
    examples=("nimmt print cards --labels L4731", "nimmt print labels"),
)
