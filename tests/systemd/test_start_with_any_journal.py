"""Whatever lies in the place of the journal: the box starts, and has the match as it was or says why not.

The suite tries a part of the damages, the same part in every run. `NIMMT_EXAMPLES=100` tries all of them.
"""

import itertools
import os
import random
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

import pytest
from msgspec.structs import replace

from companion.text.errors import CompanionError
from firmware.config.configuration import choose, load
from firmware.journal.errors import JournalError
from firmware.journal.store import Journal
from firmware.loop.runtime import Runtime, open_table
from firmware.service.safe_mode import SafeStart, safe_start
from firmware.session.session import Session
from firmware.text.translation import Translator
from tests.examples import TIMES
from tests.firmware.evening import EXAMPLE_1, device
from tests.gallery.script import perform

PAGE: Final = 512
SIMULATED: Final = replace(load(None), display=choose("display", "simulated"))


@dataclass(frozen=True)
class Start:
    """One start: what is on the display, what is played, and what people are told.

    `match` is the match in play as agreed, as it stands, and all its steps; None without a match.
    """

    picture: bytes
    match: Any
    matches: list[Any]
    told: tuple[str, ...]
    safe: bool


def started(journal: Path) -> Start:
    """Switch the box on as the installed service does: where the usual start is refused, there is a safe one.

    It takes milliseconds: all is in this process, the display is simulated, the folder is in memory.
    """
    ready = SafeStart(SIMULATED, journal, ())
    safe = False
    try:
        runtime = Runtime(ready.config, ready.journal)
    except CompanionError:
        safe = True
        folder = journal.parent / "run"
        ready = safe_start(None, journal, folder / "last-good.toml", folder / "journal.sqlite", {})
        runtime = Runtime(replace(ready.config, display=SIMULATED.display), ready.journal)
    with closing(runtime):
        for fault in ready.faults:
            runtime.app.post(fault)
        runtime.app.stop()
        runtime.app.run()
        faults = runtime.session.faults.values()
        match, number = runtime.session.match, runtime.session.match_id
        return Start(
            runtime.devices["display"].frames[-1].tobytes(),
            (match.terms, match.position, list(runtime.journal.reader.steps(number)))
            if match and number
            else None,
            runtime.journal.reader.matches(),
            tuple(fault.fault for fault in [*faults, *ready.faults]),
            safe,
        )


@contextmanager
def box_with(content: bytes) -> Iterator[Path]:
    """The place of the journal of a box, with this file in it."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "journal.sqlite"
        path.write_bytes(content)
        yield path


def played() -> bytes:
    """A journal of a few small pages with a match in its first turn, as one file: the same bytes each time.

    So a number of a random damage means the same damage in every run.
    """
    with TemporaryDirectory() as folder:
        path = Path(folder) / "journal.sqlite"
        with opened(path) as journal:
            session = Session(journal, SIMULATED, Translator(SIMULATED.screen.language))
            table = open_table(session, SIMULATED, lambda _: None, now_s=0.0)
            perform("R1 b1 b2 OK R1 R1 12 37 43 58 14", table)
        with closing(sqlite3.connect(path, isolation_level=None)) as db:
            db.execute("PRAGMA journal_mode = DELETE")
            db.execute(f"PRAGMA page_size = {PAGE}")
            db.execute("VACUUM")
            db.execute("PRAGMA journal_mode = WAL")
        with opened(path):
            pass
        return path.read_bytes()


@contextmanager
def opened(path: Path) -> Iterator[Journal]:
    """The journal of a box whose clock stands still, and whose matches are not given identities by chance."""
    journal, _ = Journal.open(path, wall=lambda: "2026-01-02T03:04:05Z", identity=lambda: "0123456789abcdef")
    with closing(journal):
        yield journal


@pytest.fixture(scope="module")
def sound() -> bytes:
    return played()


@pytest.fixture(scope="module")
def as_it_was(sound: bytes) -> Start:
    with box_with(sound) as path:
        found = started(path)
    assert len(found.match[-1]) == 5
    assert not found.told
    return found


def part(damages: Sequence[int], of: int) -> Sequence[int]:
    """Every so many of them, or more if more examples are wanted.

    `of` is odd, so that each bit of a byte has its turn.
    """
    assert of % 2
    return damages[:: max(1, round(of / TIMES))]


def holds(found: Start, as_it_was: Start) -> bool:
    """The promise: a picture, and the match as it was or a sentence."""
    return any(found.picture) and (bool(found.told) or found == as_it_was)


def with_bit(content: bytes, bit: int) -> bytes:
    changed = bytearray(content)
    changed[bit // 8] ^= 1 << bit % 8
    return bytes(changed)


def with_random_damage(content: bytes, seed: int) -> bytes:
    """Up to four times bytes or pages are overwritten, zeroed, swapped or lost, or the end is cut off."""
    chance = random.Random(seed)
    changed = bytearray(content)
    for _ in range(chance.randint(1, 4)):
        length = chance.choice((1, 2, 8, 64, PAGE, PAGE))
        one, other = (chance.randrange(0, len(content), PAGE if length == PAGE else 1) for _ in range(2))
        piece, kind = changed[one : one + length], chance.randrange(6)
        if kind == 0:
            changed[one : one + length] = chance.randbytes(len(piece))
        elif kind == 1:
            changed[one : one + length] = bytes(len(piece))
        elif kind == 2:
            changed[other : other + length] = piece
        elif kind == 3:
            changed[one : one + length], changed[other : other + length] = (
                changed[other : other + length],
                piece,
            )
        elif kind == 4:
            del changed[one : one + length]
        else:
            del changed[one:]
    return bytes(changed)


def flipped_bits(content: bytes) -> Iterator[tuple[object, bytes]]:
    return ((bit, with_bit(content, bit)) for bit in part(range(len(content) * 8), of=401))


def random_damages(content: bytes) -> Iterator[tuple[object, bytes]]:
    return ((seed, with_random_damage(content, seed)) for seed in part(range(10_000), of=101))


def lost_ends(content: bytes) -> Iterator[tuple[object, bytes]]:
    return ((length, content[:length]) for length in part(range(len(content)), of=301))


@pytest.mark.slow
@pytest.mark.parametrize("damages", [flipped_bits, random_damages, lost_ends])
def test_after_any_damage_the_match_is_as_it_was_or_people_are_told(
    sound: bytes, as_it_was: Start, damages: Callable[[bytes], Iterator[tuple[object, bytes]]]
) -> None:
    broken: list[object] = []  # all of them are to be seen, not only the first
    for name, content in damages(sound):
        with box_with(content) as path:
            try:
                if not holds(started(path), as_it_was):
                    broken.append(name)
            except Exception as error:  # noqa: BLE001
                broken.append((name, repr(error)))
    assert broken == []


def page_of_notes(content: bytes) -> int:
    """Where the page with the row of the notes begins."""
    with box_with(content) as path, closing(sqlite3.connect(path)) as db:
        (number,) = db.execute("SELECT rootpage FROM sqlite_schema WHERE name = 'note'").fetchone()
    return (int(number) - 1) * PAGE


def test_a_match_in_play_is_not_forgotten_silently_when_the_notes_are_lost(sound: bytes) -> None:
    at = page_of_notes(sound) + 3  # of the page: how many rows it has
    assert sound[at : at + 2] == b"\0\1"
    with box_with(sound[:at] + b"\0\0" + sound[at + 2 :]) as path:
        assert started(path).told


def with_version(content: bytes, version: int) -> bytes:
    return content[:60] + version.to_bytes(4, "big") + content[64:]


@pytest.mark.parametrize("version", [0, 1, 2, 3, 4, 5, 99, 2**31 - 1, 2**32 - 1])
def test_the_journal_of_any_other_version_is_told_and_kept_unchanged(sound: bytes, version: int) -> None:
    if version == int.from_bytes(sound[60:64], "big"):
        pytest.skip("that is the version of today")
    content = with_version(sound, version)
    with box_with(content) as path:
        found = started(path)
        assert found.told
        assert not found.safe
        assert content in [file.read_bytes() for file in path.parent.iterdir()]
        assert not started(path).told  # it is told once, and the box goes on with its new journal


def foreign(statement: str) -> bytes:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "other.sqlite"
        with closing(sqlite3.connect(path)) as other:
            other.executescript(statement)
        return path.read_bytes()


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\0" * 4096,
        b"Dear diary,\n" * 500,
        b"PK\3\4" + b"\0" * 3000,
        b"SQLite format 3\0" + b"\xff" * 9000,
        foreign("CREATE TABLE recipes (name TEXT); INSERT INTO recipes VALUES ('soup')"),
        foreign("PRAGMA application_id = 911100237; PRAGMA user_version = 2; CREATE TABLE step (a)"),
        foreign("PRAGMA application_id = 911100237; PRAGMA user_version = 1; CREATE TABLE step (a)"),
    ],
    ids=["empty", "zeros", "text", "zip", "garbage", "foreign", "foreign tables", "foreign older tables"],
)
def test_what_is_no_journal_is_put_aside_and_told(content: bytes) -> None:
    with box_with(content) as path:
        found = started(path)
        assert any(found.picture)
        assert found.told
        assert not found.safe
        assert content in [file.read_bytes() for file in path.parent.iterdir()]


def snapshot(path: Path) -> tuple[int, ...]:
    """What must not change of what lies at a path; when it was last read may."""
    now = path.lstat()
    return now.st_mode, now.st_ino, now.st_size, now.st_mtime_ns


@pytest.mark.parametrize(
    ("made", "says"),
    [
        (Path.mkdir, "is a folder"),
        (os.mkfifo, "is not a file"),
        (lambda path: path.symlink_to("/dev/full"), "is not a file"),
        (lambda path: path.symlink_to("/dev/zero"), "is not a file"),
        (lambda path: path.symlink_to(path.with_name("drive") / "journal.sqlite"), "is a link to"),
        (lambda path: path.symlink_to(path), "is a link to"),
        (lambda path: path.with_name(f"{path.name}.lock").mkdir(), ""),
        (lambda path: path.with_name(f"{path.name}.new").mkdir(), ""),
    ],
    ids=["folder", "pipe", "full", "zero", "link to nowhere", "link to itself", "lock", "draft"],
)
def test_where_no_journal_can_be_the_box_plays_in_memory_and_says_so(
    tmp_path: Path, made: Callable[[Path], object], says: str
) -> None:
    path = tmp_path / "journal.sqlite"
    made(path)
    before = {file.name: snapshot(file) for file in tmp_path.iterdir()}
    found = started(path)
    assert any(found.picture)
    assert found.safe
    assert len(found.told) > 1
    assert says in " ".join(found.told)
    assert before.items() <= {file.name: snapshot(file) for file in tmp_path.iterdir()}.items()
    if says:
        with pytest.raises(JournalError, match=says):
            Journal.read(path)


JUMPS = ("1970-01-01T00:00:07Z", "2026-05-01T20:15:00Z", "1999-12-31T23:59:59Z", "2099-01-01T00:00:00Z")


def test_a_clock_that_jumps_by_years_changes_neither_order_nor_question(tmp_path: Path) -> None:
    with device(tmp_path / "steady", EXAMPLE_1) as at:
        steady = at.match.asks, at.match.position, at.match.steps
    clock = itertools.cycle(JUMPS)
    jumping, _ = Journal.open(tmp_path / "jumping" / "journal.sqlite", wall=lambda: next(clock))
    with closing(jumping):
        config = load(None)
        session = Session(jumping, config, Translator())
        table = open_table(session, config, lambda _signal: None)
        for word in EXAMPLE_1.split():
            perform(word, table)
    with device(tmp_path / "jumping") as at:
        assert (at.match.asks, at.match.position, at.match.steps) == steady
