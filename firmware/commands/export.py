"""`nimmt export`: matches for other programs, paper and phones: printed, in a folder or on a USB drive."""

from __future__ import annotations

import argparse
import sys
from argparse import RawDescriptionHelpFormatter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from companion.text.errors import CompanionError
from companion.text.sentence import Text, say
from companion.values import Value
from firmware.commands.declared import AT_HOME, Command, Example
from firmware.commands.stored import OpenJournal, opened, place
from firmware.config.configuration import load
from firmware.history import bgstats, usb_stick
from firmware.history.atomic_file import write_whole
from firmware.history.chart import PlayerLook, chart_of
from firmware.history.csv_export import as_csv
from firmware.history.log_lines import exported
from firmware.journal.errors import DamagedMatch
from firmware.journal.store import MatchEntry
from firmware.paper.badges import MARKS
from firmware.plugins import parts

if TYPE_CHECKING:
    from firmware.history.played_match import PlayedMatch
    from firmware.history.report import Section

EXPORTS: Final[Mapping[str, Text]] = {
    "jsonl": say("the log, one record per line, for nimmt import and nimmt replay"),
    "csv": say("one line per deal and player, for spreadsheets"),
    "html": say("one page with standings, chart and story, for phones and for paper (A4)"),
    "bgstats": say("for the app BG Stats: a play file, and a link that adds the play"),
    "svg": say("the chart of a match as vector graphics"),
    "png": say("the chart of a match as a bitmap"),
}

KIOSK: Final = "kiosk"
"""In the place of a match: the counts of a kiosk."""

LOOKS: Final[Mapping[int, PlayerLook]] = {mark.number: PlayerLook(mark.colour, mark.shape) for mark in MARKS}
"""Colours and shapes in charts and reports, the same as on the printed badges."""


class Export(Value):
    """The matches that were asked for, oldest first; `damages` are those that were met in them so far."""

    stored: OpenJournal
    numbers: Sequence[int]
    damages: dict[int, DamagedMatch]

    @property
    def entries(self) -> Iterator[MatchEntry]:
        """The lines of the matches in the journal, one after the other."""
        for number in self.numbers:
            try:
                yield self.stored.journal.entry(number)
            except DamagedMatch as bad:
                self.damages[number] = bad

    def one(self) -> PlayedMatch:
        """The only match. Raises `CompanionError` if there are several."""
        if len(self.numbers) > 1:
            raise CompanionError(
                say("a chart shows one match, not {numbers}", numbers=len(self.numbers)),
                say("give the number of the match: nimmt export 3 ..."),
            )
        return self.read(self.stored.journal.entry(self.numbers[0]))

    def read(self, entry: MatchEntry) -> PlayedMatch:
        """A match, read back up to a damage in it."""
        past = self.stored.past(entry)
        if past.damage is not None:
            self.damages[entry.id] = past.damage
        return past


class _Matches(Value):
    """The matches, read back one after the other, each time that they are gone through."""

    export: Export
    finished: bool = False
    """Of several matches only the finished ones; a single match as it is."""

    def __iter__(self) -> Iterator[PlayedMatch]:
        for past in map(self.export.read, self.export.entries):
            if past.winners or not self.finished or len(self.export.numbers) == 1:
                yield past


def _jsonl(export: Export) -> Iterator[bytes]:
    for entry in export.entries:
        try:
            for line in exported(export.stored.journal, entry):
                yield f"{line}\n".encode()
        except DamagedMatch as bad:
            export.damages[entry.id] = bad


def _csv(export: Export) -> Iterator[bytes]:
    return map(str.encode, as_csv(_Matches(export)))


def _sections() -> list[Section]:
    """What optional parts say of a match in a report: the entry points `nimmt.reports`."""
    return [section for _, section in parts("nimmt.reports")]


def _html(export: Export) -> Iterator[bytes]:
    from firmware.history.report import as_html

    stored = export.stored
    parts = as_html(_Matches(export), LOOKS, stored.translate, _sections())
    return map(str.encode, parts)


def _svg(export: Export) -> Iterator[bytes]:
    from firmware.history.chart import as_svg

    t = export.stored.translate
    yield as_svg(chart_of(export.one(), LOOKS), t, t("The totals after each deal")).encode()


def _png(export: Export) -> Iterator[bytes]:
    from firmware.history.chart_png import as_png

    yield as_png(chart_of(export.one(), LOOKS), export.stored.translate)


def _bgstats(export: Export) -> Iterator[bytes]:
    return map(str.encode, bgstats.file(_Matches(export, finished=True)))


FORMATS: Final[Mapping[str, tuple[Callable[[Export], Iterator[bytes]], str]]] = {
    "jsonl": (_jsonl, "jsonl"),
    "csv": (_csv, "csv"),
    "html": (_html, "html"),
    "bgstats": (_bgstats, "bgsplay"),
    "svg": (_svg, "svg"),
    "png": (_png, "png"),
}
"""The function for each format, and the file name extension."""


def run(args: argparse.Namespace, find: Callable[[], usb_stick.Mount] = usb_stick.newest) -> int:
    """Write the matches. Raises `CompanionError`, and leaves no partial file.

    A match that is damaged is written up to the damage and named; the exit status is then 1.
    """
    make, ending = FORMATS[args.format]
    folder: Path | None = find().folder if args.usb else args.to
    if args.match == KIOSK:
        return _export_counts(args, folder)
    with opened(args) as stored:
        last = stored.chosen(args.match)
        export = Export(stored, _numbers(args, stored, last), {})
        content = make(export)
        if folder is None:
            _print(content, ending)
        else:
            if folder.exists() and not folder.is_dir():
                raise CompanionError(
                    say("{folder} is not a folder", folder=folder),
                    say("give a folder; the file name is generated"),
                )
            target = folder / f"{_name(export, last)}.{ending}"
            write_whole(target, content)
            print(target)
        if args.format == "bgstats":
            for past in _Matches(export, finished=True):
                print(bgstats.link(past), file=sys.stdout if folder else sys.stderr)
        missing = stored.journal.fault_of_count() if args.all else None
        t = stored.translate
    for bad in export.damages.values():
        print(f"nimmt: {t.say(bad.fault_text)}\n  {t.say(bad.fix_text)}", file=sys.stderr)
    if missing is not None:
        print(
            f"nimmt: {t.say(missing)}\n  {t('a backup may have the others: nimmt restore')}", file=sys.stderr
        )
    return 1 if export.damages or missing else 0


def _export_counts(args: argparse.Namespace, folder: Path | None) -> int:
    """Write the counts of a kiosk, which lie beside the journal. Raises `CompanionError`."""
    from firmware.kiosk.counts import FILE, Counts

    file = place(args, load(args.config)).with_name(FILE)
    if not file.exists():
        raise CompanionError(
            say("there are no counts of a kiosk: {file}", file=file),
            say("they are written when the first visitor has gone: see docs/kiosk.md"),
        )
    content = Counts(file).as_csv().encode()
    if folder is None:
        _print([content], "csv")
    else:
        write_whole(folder / FILE, content)
        print(folder / FILE)
    return 0


def _numbers(args: argparse.Namespace, stored: OpenJournal, last: MatchEntry) -> Sequence[int]:
    if args.all:
        return [entry.id for entry in stored.journal.each_match()]
    return [entry.id for entry in stored.evening(last)] if args.evening else [last.id]


def _name(export: Export, chosen: MatchEntry) -> str:
    first, last = export.numbers[0], export.numbers[-1]
    started_at = (chosen if last == chosen.id else export.stored.journal.entry(last)).started_at
    day = "".join(letter for letter in started_at[:10] if letter.isalnum() or letter == "-")
    numbers = f"match-{last}" if first == last else f"matches-{first}-to-{last}"
    return "-".join(filter(None, ("nimmt", day, numbers)))


def _print(content: Iterable[bytes], ending: str) -> None:
    if ending == "png" and sys.stdout.isatty():
        raise CompanionError(
            say("a picture cannot be printed in the terminal"), say("give a folder with --to, or use --usb")
        )
    output: Any = sys.stdout
    output.flush()
    if hasattr(output, "buffer"):
        output.buffer.writelines(content)
    else:
        output.writelines(part.decode() for part in content)
    output.flush()


def _match_or_kiosk(word: str) -> int | str:
    """The number of a match, or the word for the counts of a kiosk."""
    return word if word == KIOSK else int(word)


def _options(parser: argparse.ArgumentParser) -> None:
    parser.formatter_class = RawDescriptionHelpFormatter
    formats = "\n".join(f"  {name:8} {text}" for name, text in EXPORTS.items())
    parser.epilog = f"formats:\n{formats}\n\n{parser.epilog}"
    parser.add_argument(
        "match",
        type=_match_or_kiosk,
        nargs="?",
        metavar="MATCH",
        help="the number of the match (default: the newest); `kiosk`: what visitors of a kiosk did, by day",
    )
    parser.add_argument(
        "--format", choices=tuple(EXPORTS), default="jsonl", help="the format (default: jsonl), see below"
    )
    which = parser.add_mutually_exclusive_group()
    which.add_argument("--all", action="store_true", help="every match in the journal")
    which.add_argument(
        "--evening", action="store_true", help="also the matches before it on the same evening"
    )
    where = parser.add_mutually_exclusive_group()
    where.add_argument(
        "--to",
        type=Path,
        metavar="FOLDER",
        help="write to this folder, under a generated name (default: print)",
    )
    where.add_argument("--usb", action="store_true", help="write to the USB drive that was mounted last")


COMMAND = Command(
    help="write matches for spreadsheets, browsers, printers and other programs",
    run=run,
    options=_options,
    config=True,
    journal=True,
    epilog="More, with examples: docs/records.md",
    examples=(
        Example("nimmt export 1 --format csv", given=AT_HOME, lines=6),
        Example("nimmt export --all --format html --to .", given=AT_HOME),
    ),
)
