"""docs/screens.md: every screen with its caption; the pictures are written by `tools.pictures`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from firmware.display.letter_heights import as_table
from firmware.display.status_pictures import Notice
from firmware.scripted.captions import chapters
from firmware.scripted.gallery import DrawnScreen

_HEAD: Final = """\
# Screens

Every screen of the device, with what it shows and what you can do there. The pictures come from the program
itself: `make pictures` plays to each screen and writes this page. `nimmt screens FOLDER` writes the pictures
alone.

A number in a box is a key: 1 to 4 are the four row keys. In a terminal they are `q`, `w`, `e` and `r`.
"""

_STATUS: Final = {
    Notice.STARTING: "The machine starts. The first picture comes before the program does.",
    Notice.STOPPED: "The program has ended, the machine has not. Leave the plug in.",
    Notice.FAULT: "The program has ended with a fault. It starts again by itself, and nothing is lost.",
    Notice.BACK_SOON: "The same in a kiosk: strangers can play without the device meanwhile.",
    Notice.RESTARTING: "The machine goes down and comes up again.",
    Notice.OFF: "Everything is written. You may pull the plug.",
}


_LETTERS: Final = """\
## How large the letters are

The table says for each screen how high its main text is, on a panel of 2.42 inches and on one of 1.3 inches,
and under what angle a capital is seen from 1.2 m, which is across a table. ISO 9241-303 asks for 16 minutes
of arc at least. Pages that all around the table read say their main thing in letters of 14 px or more; the
letters of details are for those who sit near. `[screen] size = "large"` makes details larger too.
`nimmt screens --letters` prints this table, with `--config FILE` for your language and size.
"""


def as_markdown(screens: Iterable[DrawnScreen]) -> str:
    """The whole page, with the heights of these screens."""
    told = [_chapter(title, captions) for title, captions in chapters().items()]
    status = {status_name(notice): caption for notice, caption in _STATUS.items()}
    table = as_table((shown.name, shown.main_px, shown.smallest_px) for shown in screens)
    return "\n".join([_HEAD, *told, _chapter("While no game runs", status), _LETTERS, *table, ""])


def status_name(notice: Notice) -> str:
    """The name of the picture that stays on the display while no game runs."""
    return f"status-{notice.value}"


def _chapter(title: str, captions: Mapping[str, str]) -> str:
    rows = [f"| ![{name}](pictures/screens/{name}.png) | {caption} |" for name, caption in captions.items()]
    return "\n".join([f"## {title}", "", "| screen | what it shows |", "|---|---|", *rows, ""])
