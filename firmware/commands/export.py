"""`nimmt export`: matches for other programs, paper and phones: printed, in a folder or on a USB drive."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from companion.errors import CompanionError
from firmware.commands.stored import opened
from firmware.history import bgstats, usb_stick
from firmware.history.atomic_file import write_whole
from firmware.history.chart import Look, chart_of
from firmware.history.csv_export import as_csv
from firmware.history.log_lines import exported
from paper.marks import MARKS

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

    from firmware.commands.stored import Stored
    from firmware.history.played_match import PlayedMatch
    from firmware.journal.store import MatchEntry

LOOKS: Final[Mapping[int, Look]] = {mark.number: Look(mark.colour, mark.shape) for mark in MARKS}
"""Colours and shapes in charts and reports, the same as on the printed badges."""


@dataclass(frozen=True, slots=True)
class Export:
    """The matches that were asked for, oldest first."""

    stored: Stored
    entries: Sequence[MatchEntry]

    @property
    def matches(self) -> list[PlayedMatch]:
        """The matches, read back."""
        return [self.stored.past(entry) for entry in self.entries]

    def one(self) -> PlayedMatch:
        """The only match. Raises `CompanionError` if there are several."""
        if len(self.entries) > 1:
            raise CompanionError(
                f"a chart shows one match, not {len(self.entries)}",
                "give the number of the match: nimmt export 3 ...",
            )
        return self.matches[0]


def _jsonl(export: Export) -> bytes:
    lines = (line for entry in export.entries for line in exported(export.stored.journal, entry))
    return "".join(f"{line}\n" for line in lines).encode()


def _csv(export: Export) -> bytes:
    return as_csv(export.matches).encode()


def _html(export: Export) -> bytes:
    from firmware.history.report import as_html

    stored = export.stored
    return as_html(export.matches, LOOKS, stored.translate, stored.config.screen.language).encode()


def _svg(export: Export) -> bytes:
    from firmware.history.chart_svg import as_svg

    args = export.stored.translate
    return as_svg(chart_of(export.one(), LOOKS), args, args("The totals after each deal")).encode()


def _png(export: Export) -> bytes:
    from firmware.history.chart_png import as_png

    return as_png(chart_of(export.one(), LOOKS), export.stored.translate)


def _bgstats(export: Export) -> bytes:
    return bgstats.file(_finished(export)).encode()


FORMATS: Final[Mapping[str, tuple[Callable[[Export], bytes], str]]] = {
    "jsonl": (_jsonl, "jsonl"),
    "csv": (_csv, "csv"),
    "html": (_html, "html"),
    "bgstats": (_bgstats, "bgsplay"),
    "svg": (_svg, "svg"),
    "png": (_png, "png"),
}
"""The function for each format, and the file name extension."""


def run(args: argparse.Namespace, find: Callable[[], usb_stick.Mount] = usb_stick.newest) -> int:
    """Write the matches. Raises `CompanionError`, and leaves no partial file."""
    make, ending = FORMATS[args.format]
    folder: Path | None = find().folder if args.usb else args.to
    with opened(args) as stored:
        export = Export(stored, _chosen(args, stored))
        content = make(export)
        if folder is None:
            _print(content, ending)
        else:
            if folder.exists() and not folder.is_dir():
                raise CompanionError(f"{folder} is not a folder", "give a folder; the file name is generated")
            target = folder / f"{_name(export)}.{ending}"
            write_whole(target, content)
            print(target)
        if args.format == "bgstats":
            for past in _finished(export):
                print(bgstats.link(past), file=sys.stdout if folder else sys.stderr)
    return 0


def _chosen(args: argparse.Namespace, stored: Stored) -> list[MatchEntry]:
    last = stored.chosen(args.match)
    if args.all:
        return stored.journal.matches()
    return stored.evening(last) if args.evening else [last]


def _finished(export: Export) -> list[PlayedMatch]:
    """Of several matches the finished ones; a single match as it is."""
    matches = export.matches
    return [past for past in matches if past.winners] if len(matches) > 1 else matches


def _name(export: Export) -> str:
    first, last = export.entries[0], export.entries[-1]
    day = "".join(letter for letter in last.started_at[:10] if letter.isalnum() or letter == "-")
    numbers = f"match-{last.id}" if first is last else f"matches-{first.id}-to-{last.id}"
    return "-".join(filter(None, ("nimmt", day, numbers)))


def _print(content: bytes, ending: str) -> None:
    if ending == "png" and sys.stdout.isatty():
        raise CompanionError(
            "a picture cannot be printed in the terminal", "give a folder with --to, or use --usb"
        )
    output: Any = sys.stdout
    output.flush()
    getattr(output, "buffer", output).write(content if hasattr(output, "buffer") else content.decode())
    output.flush()
