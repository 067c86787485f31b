"""`nimmt print`: PDF sheets: card labels, badges, commands, table cards, scanner setup."""

import argparse
from contextlib import suppress
from pathlib import Path
from typing import Final

from companion.text.sentence import Decimals, count, say
from firmware import plugins
from firmware.commands.declared import Command, Example, Sheet, offered
from firmware.commands.language import spoken
from firmware.config.configuration import load
from firmware.paper.print_job import Document, PrintRequest, document, paper_of, print_job
from firmware.paper.stock import SHEETS, InvalidRequest
from firmware.text.os_errors import unwritable
from firmware.text.translation import Translator, runs_right_to_left

_GROUP: Final = "nimmt.sheets"

_LENGTHS: Final = {
    "margin-left": say("from the paper's left edge to the first label, in mm"),
    "margin-top": say("from the paper's top edge to the first label, in mm"),
    "label-width": say("the width of a label, in mm"),
    "label-height": say("the height of a label, in mm"),
    "gap-across": say("horizontal gap between labels, in mm (default 0)"),
    "gap-down": say("vertical gap between labels, in mm (default 0)"),
}


def run(args: argparse.Namespace) -> int:
    """Write the file and print which paper each page needs. Raises `CompanionError` if that fails."""
    load(args.config)  # says what is wrong with it
    translate = spoken(args.config)
    if args.sheet == "labels":
        _list_labels(translate)
        return 0
    file = args.out or Path(f"{'-'.join(('nimmt', args.sheet, *filter(None, [args.game]))).lower()}.pdf")
    added = {point.name: point for point in plugins.entry_points(_GROUP)}
    if args.sheet in added:
        return _print_added(_sheet(added[args.sheet]), args, translate, file)
    for point in added.values():
        with suppress(plugins.NotInstalled):
            for name in _sheet(point).own:
                if getattr(args, name) is not None:
                    raise InvalidRequest(
                        say("--{option} is for other sheets, such as {sheet}", option=name, sheet=point.name),
                        say("leave it out, or print that sheet"),
                    )
    printed = document(print_job(_asked(args)), translate.say, _shaped if translate.right_to_left else None)
    _write(file, printed.pdf)
    _tell(file, printed, translate)
    return 0


def _sheet(point: plugins.EntryPoint) -> Sheet:
    return offered(point, Sheet, say("the sheet {name}", name=point.name))


def _print_added(sheet: Sheet, args: argparse.Namespace, t: Translator, file: Path) -> int:
    pdf, pages = sheet.draw(args, paper_of(_asked(args)), t, _shaped)
    _write(file, pdf)
    print(file)
    print("  " + t.say(count("{count} page", "{count} pages", pages)))
    return 0


def _write(file: Path, pdf: bytes) -> None:
    try:
        file.write_bytes(pdf)
    except OSError as bad:
        raise unwritable(file, bad, say("choose another file with --out")) from bad


def _shaped(text: str) -> str:
    from firmware.display.persian import in_display_order  # needs libraries that other languages do not

    return in_display_order("\u200f" + text if runs_right_to_left(text) else text)


def _asked(args: argparse.Namespace) -> PrintRequest:
    given = {name: value for name, value in vars(args).items() if name in PrintRequest.__struct_fields__}
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


def _options(parser: argparse.ArgumentParser) -> None:
    sheet = parser.add_argument(
        "sheet",
        metavar="SHEET",
        help="cards, badges, control, table-card, scanner, test-page, all%(added)s; "
        "labels lists label sheets",
    )
    parser.add_argument("--game", metavar="NAME", help="the game: six, ..., or all (default: the first game)")
    parser.add_argument(
        "--deck", default="full", metavar="DECK", help="full (default), or known:N for N players"
    )
    parser.add_argument(
        "--only", default="", metavar="CARDS", help="some cards or badges only, such as 17,55,90-99"
    )
    parser.add_argument(
        "--box",
        type=int,
        default=1,
        metavar="N",
        help="the number of the box, if you have several boxes of the same game (default 1)",
    )
    parser.add_argument("--paper", metavar="SIZE", help="a4 (default) or letter")
    parser.add_argument(
        "--labels", metavar="NUMBER", help="the product number of the label sheets, such as L4731 or 5167"
    )
    parser.add_argument(
        "--skip", type=int, default=0, metavar="N", help="number of labels already used on the first sheet"
    )
    parser.add_argument("--columns", type=int, metavar="N", help="custom label sheet: number of columns")
    parser.add_argument("--rows", type=int, metavar="N", help="custom label sheet: number of rows")
    for name, about in _LENGTHS.items():
        default = 0.0 if name.startswith("gap") else None
        parser.add_argument(f"--{name}", type=float, default=default, metavar="MM", help=str(about))
    parser.add_argument(
        "--code",
        default="datamatrix",
        metavar="KIND",
        help="datamatrix (default), qr, or code128 for older scanners",
    )
    parser.add_argument(
        "--module", type=float, metavar="MM", help="the size of the code's smallest element, 0.2 to 1.0 mm"
    )
    parser.add_argument(
        "--no-guide", action="store_true", help="without the page that shows where to put the labels"
    )
    parser.add_argument(
        "--out",
        type=Path,
        metavar="FILE",
        help="the PDF file to write (default: nimmt-SHEET.pdf, nimmt-SHEET-GAME.pdf)",
    )
    names = ""
    for point in plugins.entry_points(_GROUP):
        with suppress(plugins.NotInstalled):
            _sheet(point).options(parser)
            names += f", {point.name}"
    vars(sheet)["added"] = names  # argparse fills in what is an attribute of the option


COMMAND = Command(
    help="make a PDF of card labels, badges, the control sheet, a table card or the scanner setup sheet",
    run=run,
    options=_options,
    config=True,
    epilog="Print at 100 % (“actual size”). docs/printing.md explains how to label a new box of cards.",
    examples=(
        Example("nimmt print cards --labels L4731"),
        Example("nimmt print labels", lines=6),
    ),
)
