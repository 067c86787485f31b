"""`nimmt export`: matches for other programs, paper and phones: printed, in a folder or on a USB drive."""

import argparse
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from companion.text.errors import CompanionError
from firmware.bounded_file import write_whole
from firmware.commands.declared import about_records, flag, one_of, option, path
from firmware.commands.records import OTHERS, chosen, complain, opened, place
from firmware.config.configuration import load
from firmware.history import bgstats, usb_stick
from firmware.history.chart import as_svg, looks_of
from firmware.history.exported import as_jsonl
from firmware.history.played_match import PlayedMatch
from firmware.history.spreadsheets import as_csv, as_csv_for_people, as_xlsx
from firmware.history.stored_matches import MatchExport, MatchHistory
from firmware.journal.rows import MatchEntry
from firmware.paper.badges import LOOKS
from firmware.plugins import parts

KIOSK: Final = "kiosk"
"""In the place of a match: the counts of a kiosk."""


def _html(export: MatchExport) -> Iterator[str]:
    """With what optional parts say of a match: `Part.report`."""
    from firmware.history.report import as_html  # with the rules of the games, as a chart

    sections = [section for _, section in parts("report")]
    return as_html(export, LOOKS, export.stored.translate, sections)


def _svg(export: MatchExport) -> Iterator[bytes]:
    past, t = _only(export), export.stored.translate
    yield as_svg(past, looks_of(past, LOOKS), t).encode()


def _only(export: MatchExport) -> PlayedMatch:
    """The only match. Raises `CompanionError` if there are several."""
    if len(export.numbers) > 1:
        raise CompanionError(
            f"a chart shows one match, not {len(export.numbers)}",
            "give the number of the match: nimmt export 3 ...",
        )
    for past in export:
        return past
    raise export.damages[export.numbers[0]]


def _text(make: Callable[[MatchExport], Iterator[str]]) -> Callable[[MatchExport], Iterator[bytes]]:
    return lambda export: map(str.encode, make(export))


FORMATS: Final[Mapping[str, tuple[Callable[[MatchExport], Iterator[bytes]], str, str]]] = {
    "jsonl": (_text(as_jsonl), "jsonl", "the log, one record per line, for nimmt import and nimmt replay"),
    "csv": (_text(as_csv), "csv", "one line per deal and player, for programs"),
    "csv-people": (_text(as_csv_for_people), "people.csv", "as spreadsheets of this language open it"),
    "xlsx": (as_xlsx, "xlsx", "a workbook of the same, for any spreadsheet, in the language of the box"),
    "html": (_text(_html), "html", "one page with standings, chart and story, for phones and for paper (A4)"),
    "bgstats": (
        _text(lambda export: bgstats.file(export.finished())),
        "bgsplay",
        "for the app BG Stats: a play file, and a link that adds the play",
    ),
    "svg": (_svg, "svg", "the chart of a match as vector graphics"),
}
"""The function for each format, the file name extension, and what it is for."""


def run(args: argparse.Namespace, find: Callable[[], usb_stick.Mount] = usb_stick.newest) -> int:
    """Write the matches. Raises `CompanionError`, and leaves no partial file.

    A match that is damaged is written up to the damage and named; the exit status is then 1.
    """
    make, ending, _ = FORMATS[args.format]
    folder: Path | None = find().folder if args.usb else args.to
    if args.match == KIOSK:
        return _export_counts(args, folder)
    with opened(args) as stored:
        last = stored.chosen(None) if args.all else chosen(stored, args.match)
        numbers = _numbers(args, stored, last)
        export = MatchExport(stored, numbers, {}, several=len(numbers) > 1)
        content = make(export)
        if folder is None:
            _print(content)
        else:
            if folder.exists() and not folder.is_dir():
                raise CompanionError(f"{folder} is not a folder", "give a folder; the file name is generated")
            target = folder / f"{_name(export, last)}.{ending}"
            write_whole(target, content)
            print(target)
        if args.format == "bgstats":
            for past in export.finished():
                print(bgstats.link(past), file=sys.stdout if folder else sys.stderr)
        missing = stored.journal.fault_of_count() if args.all else None
    for bad in export.damages.values():
        complain(bad.fault, bad.fix)
    if missing is not None:
        complain(missing, OTHERS)
    return 1 if export.damages or missing else 0


def _export_counts(args: argparse.Namespace, folder: Path | None) -> int:
    """Write the counts of a kiosk, which lie beside the journal. Raises `CompanionError`."""
    from firmware.kiosk.counts import FILE, Counts

    file = place(args, load(args.config)).with_name(FILE)
    if not file.exists():
        raise CompanionError(
            f"there are no counts of a kiosk: {file}",
            "they are written when the first visitor has gone: see docs/kiosk.md",
        )
    content = Counts(file).as_csv().encode()
    if folder is None:
        _print([content])
    else:
        write_whole(folder / FILE, content)
        print(folder / FILE)
    return 0


def _numbers(args: argparse.Namespace, stored: MatchHistory, last: MatchEntry) -> Sequence[int]:
    if args.all:
        return [entry.id for entry in stored.journal.each_match()]
    return [entry.id for entry in stored.evening(last)] if args.evening else [last.id]


def _name(export: MatchExport, chosen: MatchEntry) -> str:
    first, last = export.numbers[0], export.numbers[-1]
    started_at = (chosen if last == chosen.id else export.stored.journal.entry(last)).started_at
    day = "".join(letter for letter in started_at[:10] if letter.isalnum() or letter == "-")
    numbers = f"match-{last}" if first == last else f"matches-{first}-to-{last}"
    return "-".join(filter(None, ("nimmt", day, numbers)))


def _print(content: Iterable[bytes]) -> None:
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


def _list_formats(parser: argparse.ArgumentParser) -> None:
    formats = "\n".join(f"  {name:10} {text}" for name, (_, _, text) in FORMATS.items())
    parser.epilog = f"formats:\n{formats}\n\n{parser.epilog}"


COMMAND = about_records(
    help="write matches for spreadsheets, browsers, printers and other programs",
    run=run,
    options=(
        _list_formats,
        option(
            "match",
            type=_match_or_kiosk,
            nargs="?",
            metavar="MATCH",
            help="the number of the match (default: the newest with a finished deal); `kiosk`: what "
            "visitors of a kiosk did, by day",
        ),
        option(
            "--format", choices=tuple(FORMATS), default="jsonl", help="the format (default: jsonl), see below"
        ),
        one_of(
            flag("--all", help="every match in the journal"),
            flag("--evening", help="also the matches before it on the same evening"),
        ),
        one_of(
            path(
                "--to", metavar="FOLDER", help="write to this folder, under a generated name (default: print)"
            ),
            flag("--usb", help="write to the USB drive that was mounted last"),
        ),
    ),
    examples=(
        "nimmt export 1 --format csv",
        "nimmt export --all --format html --to .",
    ),
)
