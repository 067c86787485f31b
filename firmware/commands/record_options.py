"""The options of the commands about played matches. Imported with every command, so it imports little."""

from __future__ import annotations

from argparse import RawDescriptionHelpFormatter
from pathlib import Path
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from argparse import ArgumentParser
    from collections.abc import Mapping

RECORDS: Final[Mapping[str, str]] = {
    "matches": "list the newest matches in the journal; * marks the winner",
    "show": "show a match turn by turn: who took what, and why",
    "review": "show what a hard robot would have played, where hands are known",
    "stats": "show statistics by badge and game: wins, points and cards taken",
    "export": "write matches for spreadsheets, browsers, printers and other programs",
    "import": "import matches from exported JSON lines into the journal",
    "erase": "remove a person from all stored data; the totals stay",
    "backup": "make a verified copy of the whole journal, even during play",
    "restore": "replace the journal with a backup, and keep the old journal",
}
"""The commands that read or write the journal; each takes --journal and --config."""

EXPORTS: Final[Mapping[str, str]] = {
    "jsonl": "the log, one record per line, for nimmt import and nimmt replay",
    "csv": "one line per deal and player, for spreadsheets",
    "html": "one page with standings, chart and story, for phones and for paper (A4)",
    "bgstats": "for the app BG Stats: a play file, and a link that adds the play",
    "svg": "the chart of a match as vector graphics",
    "png": "the chart of a match as a bitmap",
}

KIOSK: Final = "kiosk"
"""In the place of a match: the counts of a kiosk."""


def add_record_options(made: Mapping[str, ArgumentParser]) -> None:
    """Add every option of these commands."""
    for name in RECORDS:
        made[name].epilog = "More, with examples: docs/records.md"
    for name in ("show", "review"):
        made[name].add_argument(
            "match", type=int, nargs="?", help="the number of the match (default: the newest)"
        )
    made["export"].add_argument(
        "match",
        type=_match_or_kiosk,
        nargs="?",
        metavar="MATCH",
        help="the number of the match (default: the newest); `kiosk`: what visitors of a kiosk did, by day",
    )
    made["matches"].add_argument("--all", action="store_true", help="every match (default: the newest 20)")
    _export(made["export"])
    how = made["show"].add_mutually_exclusive_group()
    how.add_argument("--story", action="store_true", help="turn by turn, with names (the default)")
    how.add_argument("--steps", action="store_true", help="every step, including those that were undone")
    made["review"].add_argument("--json", action="store_true", help="every play as JSON")
    made["stats"].add_argument("--json", action="store_true", help="the numbers as JSON")
    made["import"].add_argument(
        "file", type=Path, help="JSON lines from nimmt export, with one or more matches"
    )
    made["erase"].add_argument("badge", type=int, help="the number on the badge, 1 to 10")
    made["erase"].add_argument(
        "again", type=int, nargs="?", help="the same number again to confirm; without it nothing is erased"
    )
    made["backup"].add_argument(
        "to", type=Path, nargs="?", metavar="TO", help="a new file or a folder (default: this folder)"
    )
    made["backup"].add_argument(
        "--usb", action="store_true", help="write to the USB drive that was mounted last"
    )
    made["restore"].add_argument("file", type=Path, help="a file from nimmt backup")


def _match_or_kiosk(word: str) -> int | str:
    """The number of a match, or the word for the counts of a kiosk."""
    return word if word == KIOSK else int(word)


def _export(command: ArgumentParser) -> None:
    command.formatter_class = RawDescriptionHelpFormatter
    formats = "\n".join(f"  {name:8} {text}" for name, text in EXPORTS.items())
    docs = command.epilog
    command.epilog = "formats:"
    command.epilog += f"\n{formats}\n\n{docs}"
    command.add_argument(
        "--format", choices=tuple(EXPORTS), default="jsonl", help="the format (default: jsonl), see below"
    )
    which = command.add_mutually_exclusive_group()
    which.add_argument("--all", action="store_true", help="every match in the journal")
    which.add_argument(
        "--evening", action="store_true", help="also the matches before it on the same evening"
    )
    where = command.add_mutually_exclusive_group()
    where.add_argument(
        "--to",
        type=Path,
        metavar="FOLDER",
        help="write to this folder, under a generated name (default: print)",
    )
    where.add_argument("--usb", action="store_true", help="write to the USB drive that was mounted last")
