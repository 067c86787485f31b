"""A journal of evenings that were played: stored matches of the referee, with badges and times."""

import json
import sqlite3
from collections.abc import Sequence
from contextlib import closing, redirect_stderr, redirect_stdout
from functools import cache
from io import BytesIO, TextIOWrapper
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from companion.match import log
from companion.match.match import begin
from companion.match.tally import tally_after
from firmware.cli import main as cli
from firmware.config.configuration import load
from firmware.history.played_match import PlayedMatch, read_in_portions
from firmware.history.portions import done
from firmware.journal.store import Journal
from firmware.journal.writes import Append, Note

LOGS = Path(__file__).parents[1] / "companion" / "samples"
MATCHES: dict[str, list[int]] = {
    "match-of-four": [3, 1, 7, 2],
    "match-corrected": [1, 4, 7],
    "score-put-right": [3, 8, 1],
    "eleven-of-four": [1, 2, 3, 4],
    "ciao-of-four": [4, 3, 2, 1],
    "score-in-teams": [1, 2, 3, 7],
}
"""Which matches, and the badges of their seats."""
NAMES = ("Max", "Alí", "Sara & Co")
TOTALS: dict[str, dict[str, Any]] = json.loads((LOGS / "totals.json").read_text())


def logged(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (LOGS / f"{name}.jsonl").read_text().splitlines()]


def stored(
    journal: Journal, header: dict[str, Any], records: Sequence[dict[str, Any]], *, tallies: bool = True
) -> int:
    """Store a match as a device does; its number. Without `tallies` as one whose game is not installed."""
    match_id, before = journal.begin(header), begin(log.read_header(header))
    for number, record in enumerate(records, start=1):
        after = before.then(log.read_step(record, before.game)) if tallies else before
        journal.write(
            [
                Append(
                    match_id,
                    number,
                    log.without_sentences(record),
                    tally=tally_after(before, after) if tallies else None,
                )
            ]
        )
        before = after
    return match_id


def tampered(path: Path, *statements: str) -> None:
    """Change the file of a journal behind its back."""
    with closing(sqlite3.connect(path)) as shell:
        for statement in statements:
            shell.execute(statement)
        shell.commit()


@cache
def _journal(names: tuple[str, ...], *, tallies: bool) -> dict[str, bytes]:
    """The files of a journal with these matches; it is written once, and every test gets a copy."""
    quarters = count()

    def wall() -> str:
        minute, second = divmod(15 * next(quarters), 60)
        return f"2026-02-21T{minute // 60:02}:{minute % 60:02}:{second:02}Z"

    with TemporaryDirectory() as folder:
        journal, _ = Journal.open(Path(folder, "journal.sqlite"), wall=wall)
        with closing(journal):
            for name in names:
                header, *records = logged(name)
                stored(journal, {**header, "badges": MATCHES[name]}, records, tallies=tallies)
        return {file.name: file.read_bytes() for file in Path(folder).iterdir()}


def with_a_match_in_play(folder: Path) -> "Evenings":
    """Three matches that are over, and one of the badges 4, 3, 9 and 7 that is not."""
    evenings = Evenings(folder, ("match-corrected", "score-put-right", "score-in-teams"))
    with closing(Journal.open(evenings.path, wall=lambda: "2026-02-21T23:00:00Z")[0]) as journal:
        header, *records = logged("match-of-four")
        journal.write([Note("open", stored(journal, {**header, "badges": [4, 3, 9, 7]}, records[:40]))])
    return evenings


class Evenings:
    """The journal at `path`, which nobody has open, and a configuration with `NAMES`."""

    def __init__(self, folder: Path, names: Sequence[str] = tuple(MATCHES), *, tallies: bool = True) -> None:
        folder.mkdir(exist_ok=True)
        self.path = folder / "journal.sqlite"
        self.config = folder / "table.toml"
        self.config.write_text(
            f"[table]\nnames = {json.dumps(NAMES, ensure_ascii=False)}\n", encoding="utf-8"
        )
        self.names = list(names)
        for name, data in _journal(tuple(names), tallies=tallies).items():
            (folder / name).write_bytes(data)

    def past(self, number: int) -> PlayedMatch:
        """A match as the commands read it."""
        with closing(Journal.read(self.path)) as journal:
            entry = journal.matches()[number - 1]
            return done(read_in_portions(journal, entry, load(self.config).table.names))

    def run(self, *words: str) -> int:
        """A command about this journal: its exit status."""
        return cli.main([*words, "--journal", str(self.path), "--config", str(self.config)])

    def said(self, *words: str) -> str:
        """What a command that succeeds prints."""
        status, out, err = self.told(*words)
        assert status == 0, err
        return out

    def refused(self, *words: str) -> str:
        """What a command that cannot be done prints: fault and fix."""
        status, _, err = self.told(*words)
        assert status == 1
        assert err.startswith("nimmt: ")
        assert len(err.strip().splitlines()) == 2
        return err

    def told(self, *words: str) -> tuple[int, str, str]:
        """A command about this journal: its exit status, what it prints, and its complaints."""
        files = BytesIO(), BytesIO()
        out, err = (TextIOWrapper(file, "utf-8", newline="", write_through=True) for file in files)
        with redirect_stdout(out), redirect_stderr(err):
            status = self.run(*words)
        return status, files[0].getvalue().decode(), files[1].getvalue().decode()
