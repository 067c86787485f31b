"""docs/screens.md: every screen with its caption; the pictures are written by `tools.pictures`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from firmware.display.status_pictures import Notice
from firmware.scripted.captions import CHAPTERS

if TYPE_CHECKING:
    from collections.abc import Mapping

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
    Notice.RESTARTING: "The machine goes down and comes up again.",
    Notice.OFF: "Everything is written. You may pull the plug.",
}


def as_markdown() -> str:
    """The whole page."""
    chapters = [_chapter(title, captions) for title, captions in CHAPTERS.items()]
    status = {status_name(notice): caption for notice, caption in _STATUS.items()}
    return "\n".join([_HEAD, *chapters, _chapter("While no game runs", status)])


def status_name(notice: Notice) -> str:
    """The name of the picture that stays on the display while no game runs."""
    return f"status-{notice.value}"


def _chapter(title: str, captions: Mapping[str, str]) -> str:
    rows = [f"| ![{name}](pictures/screens/{name}.png) | {caption} |" for name, caption in captions.items()]
    return "\n".join([f"## {title}", "", "| screen | what it shows |", "|---|---|", *rows, ""])
