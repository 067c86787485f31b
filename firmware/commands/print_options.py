"""The options of `nimmt print`. Imported with every command, so it imports `argparse` only."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    import argparse

_LENGTHS: Final = {
    "margin-left": "from the paper's left edge to the first label, in mm",
    "margin-top": "from the paper's top edge to the first label, in mm",
    "label-width": "the width of a label, in mm",
    "label-height": "the height of a label, in mm",
    "gap-across": "horizontal gap between labels, in mm (default 0)",
    "gap-down": "vertical gap between labels, in mm (default 0)",
}


def add_print_options(command: argparse.ArgumentParser) -> None:
    """Every option of `nimmt print`. Which values will do is said by `firmware.paper.print_job`."""
    command.epilog = (
        "Print at 100 % (“actual size”). docs/printing.md explains how to label a new box of cards."
    )
    command.add_argument(
        "sheet",
        metavar="SHEET",
        help="cards, badges, control, table-card, scanner, test-page, all; of tournaments: seating, results; "
        "labels lists label sheets",
    )
    command.add_argument(
        "--game", metavar="NAME", help="the game: six, ..., or all (default: the first game)"
    )
    command.add_argument(
        "--deck", default="full", metavar="DECK", help="full (default), or known:N for N players"
    )
    command.add_argument(
        "--only", default="", metavar="CARDS", help="some cards or badges only, such as 17,55,90-99"
    )
    command.add_argument(
        "--box",
        type=int,
        default=1,
        metavar="N",
        help="the number of the box, if you have several boxes of the same game (default 1)",
    )
    command.add_argument(
        "--log",
        type=Path,
        metavar="FILE",
        help="for seating and results: the log of the tournament, as the page of the hub gives it",
    )
    command.add_argument("--paper", metavar="SIZE", help="a4 (default) or letter")
    command.add_argument(
        "--labels", metavar="NUMBER", help="the product number of the label sheets, such as L4731 or 5167"
    )
    command.add_argument(
        "--skip", type=int, default=0, metavar="N", help="number of labels already used on the first sheet"
    )
    command.add_argument("--columns", type=int, metavar="N", help="custom label sheet: number of columns")
    command.add_argument("--rows", type=int, metavar="N", help="custom label sheet: number of rows")
    for name, about in _LENGTHS.items():
        default = 0.0 if name.startswith("gap") else None
        command.add_argument(f"--{name}", type=float, default=default, metavar="MM", help=about)
    command.add_argument(
        "--code",
        default="datamatrix",
        metavar="KIND",
        help="datamatrix (default), qr, or code128 for older scanners",
    )
    command.add_argument(
        "--module", type=float, metavar="MM", help="the size of the code's smallest element, 0.2 to 1.0 mm"
    )
    command.add_argument(
        "--no-guide", action="store_true", help="without the page that shows where to put the labels"
    )
    command.add_argument(
        "--out",
        type=Path,
        metavar="FILE",
        help="the PDF file to write (default: nimmt-SHEET.pdf, nimmt-SHEET-GAME.pdf)",
    )
