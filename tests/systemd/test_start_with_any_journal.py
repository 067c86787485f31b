"""Whatever lies in the place of the journal: the box starts, and has the match as it was or says why not.

The suite tries a part of the damages, the same part in every run. `NIMMT_EXAMPLES=100` tries all of them.
"""

import os
import random
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Final

import pytest

from firmware.journal.store import Journal
from firmware.loop.runtime import open_table
from firmware.session.session import Session
from firmware.text.translation import Translator
from tests.examples import TIMES
from tests.gallery.script import perform
from tests.systemd.start_of_the_box import SIMULATED, Start, box_with, folder_in_memory, started

PAGE: Final = 512


def played() -> bytes:
    """A journal of a few small pages with a match in its first turn, as one file: the same bytes each time.

    So a number of a random damage means the same damage in every run.
    """
    with folder_in_memory() as folder:
        path = folder / "journal.sqlite"
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
    """Some bytes overwritten, a stretch zeroed or copied elsewhere, the end cut off, or several of these."""
    chance = random.Random(seed)
    changed = bytearray(content)
    for _ in range(chance.randint(1, 4)):
        at, length = chance.randrange(len(content)), chance.choice((1, 2, 8, 64, 512))
        kind = chance.randrange(5)
        if kind == 0:
            changed[at : at + length] = chance.randbytes(len(changed[at : at + length]))
        elif kind == 1:
            changed[at : at + length] = bytes(len(changed[at : at + length]))
        elif kind == 2:
            to = chance.randrange(len(content))
            changed[to : to + length] = changed[at : at + length]
        elif kind == 3:
            del changed[at:]
        else:
            changed[at : at + 1] = (
                bytes([changed[at] ^ 1 << chance.randrange(8)]) if at < len(changed) else b""
            )
    return bytes(changed)


def pages(content: bytes) -> list[bytes]:
    return [content[at : at + PAGE] for at in range(0, len(content), PAGE)]


def with_pages(content: bytes) -> Iterator[tuple[str, bytes]]:
    """Two pages swapped, one copied over another, one zeroed, one twice."""
    whole = pages(content)
    for a in range(len(whole)):
        yield f"page {a + 1} zeroed", b"".join([*whole[:a], bytes(PAGE), *whole[a + 1 :]])
        yield f"page {a + 1} missing", b"".join([*whole[:a], *whole[a + 1 :]])
        for b in range(len(whole)):
            if a < b:
                changed = [*whole]
                changed[a], changed[b] = whole[b], whole[a]
                yield f"pages {a + 1} and {b + 1} swapped", b"".join(changed)
            if a != b:
                changed = [*whole]
                changed[b] = whole[a]
                yield f"page {a + 1} over page {b + 1}", b"".join(changed)


def flipped_bits(content: bytes) -> Iterator[tuple[object, bytes]]:
    return ((bit, with_bit(content, bit)) for bit in part(range(len(content) * 8), of=401))


def random_damages(content: bytes) -> Iterator[tuple[object, bytes]]:
    return ((seed, with_random_damage(content, seed)) for seed in part(range(10_000), of=201))


def lost_pages_and_ends(content: bytes) -> Iterator[tuple[object, bytes]]:
    damages = list(with_pages(content))
    yield from (damages[number] for number in part(range(len(damages)), of=9))
    yield from ((length, content[:length]) for length in part(range(len(content)), of=301))


@pytest.mark.slow
@pytest.mark.parametrize("damages", [flipped_bits, random_damages, lost_pages_and_ends])
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
    with folder_in_memory() as folder:
        path = folder / "other.sqlite"
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


@pytest.mark.parametrize(
    "made",
    [
        Path.mkdir,
        os.mkfifo,
        lambda path: path.symlink_to("/dev/full"),
        lambda path: path.symlink_to("/dev/zero"),
        lambda path: path.symlink_to(path.with_name("drive") / "journal.sqlite"),
        lambda path: path.symlink_to(path),
        lambda path: path.with_name(f"{path.name}.lock").mkdir(),
        lambda path: path.with_name(f"{path.name}.new").mkdir(),
    ],
    ids=["folder", "pipe", "full", "zero", "link to nowhere", "link to itself", "lock", "draft"],
)
def test_where_no_journal_can_be_the_box_plays_in_memory_and_says_so(made: Callable[[Path], object]) -> None:
    with folder_in_memory() as folder:
        path = folder / "journal.sqlite"
        made(path)
        before = sorted(file.name for file in folder.iterdir())
        found = started(path)
        assert any(found.picture)
        assert found.safe
        assert len(found.told) > 1
        assert [name for name in before if not os.path.lexists(folder / name)] == []
