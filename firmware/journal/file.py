"""The files of a journal: locked by one process, created whole or not at all, renamed, never overwritten.

Beside the file `x` are `x-wal` and `x-shm`, which belong to it while it is open
(https://www.sqlite.org/wal.html), and `x.lock`, which says who has it open.
"""

import fcntl
import os
import re
import sqlite3
import stat
from collections.abc import Callable
from contextlib import closing, suppress
from functools import lru_cache, partial
from pathlib import Path
from typing import Any, Final

from firmware.bounded_file import sync_folder
from firmware.journal.errors import JournalError, refusal

BUSY_TIMEOUT_S: Final = 1.0  # the table waits meanwhile

_READ_TEXT: Final = partial(str, encoding="utf-8", errors="replace")
_WAS_HERE: Final = b"\n"
_SIDE_FILES: Final = ("-wal", "-shm", "-journal")


class Database(sqlite3.Connection):
    """A connection for `sqlite3.connect(..., factory=Database)`.

    SQLite quotes the file in its messages: the name of a table, a statement of the schema. Python decodes
    them strictly, so that one flipped bit there raises `UnicodeDecodeError`, which is no `sqlite3.Error`.

    The schema of a file is not trusted (https://www.sqlite.org/pragma.html#pragma_trusted_schema), and cells
    are checked when a page is read. A damaged text is read as another one, whose seal is then wrong.
    """

    def __init__(self, *arguments: Any, **options: Any) -> None:  # noqa: ANN401 - as sqlite3 has them
        super().__init__(*arguments, **options)
        self.text_factory = _READ_TEXT
        super().execute("PRAGMA trusted_schema = OFF")
        super().execute("PRAGMA cell_size_check = ON")

    def execute(self, sql: str, parameters: Any = (), /) -> sqlite3.Cursor:  # noqa: ANN401 - as sqlite3 has it
        """Like that of `sqlite3.Connection`, but raises nothing else for a damaged file than for others."""
        try:
            return super().execute(sql, parameters)
        except UnicodeDecodeError as error:
            damage = sqlite3.DatabaseError("its schema makes no sense")
            damage.sqlite_errorcode = sqlite3.SQLITE_CORRUPT
            raise damage from error


def hold(path: Path) -> tuple[int, bool]:
    """Lock the journal for this process: an open descriptor that holds the lock until it is closed.

    Also whether there was a journal before (`remember`). The lock is that of the file itself,
    whatever symbolic links lead to it. Creates missing folders. Raises `JournalError` naming the process that
    has the lock, and for a path at which no file can be.
    """
    what = "the journal cannot be opened"
    refuse_no_file(path)
    try:
        path = path.resolve()
        make_folder(path.parent)
        lock = os.open(beside(path, ".lock"), os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
    except OSError as error:
        raise refusal(error, path, what) from error
    try:
        # Not SQLite's own locks: they let two writers take turns, and each would count its own steps.
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        give_to_owner_of_folder(beside(path, ".lock"))
        for part in (path, *(beside(path, side) for side in ("-wal", "-shm"))):
            _close_to_others(part)
        was_here = os.pread(lock, 20, 0).endswith(_WAS_HERE)
        os.ftruncate(lock, 0)
        os.pwrite(lock, str(os.getpid()).encode() + _WAS_HERE * was_here, 0)
    except BlockingIOError as error:
        pid = os.pread(lock, 20, 0).decode(errors="replace").strip()
        os.close(lock)
        holder = f"process {pid}" if pid else "another process"
        raise JournalError(
            f"the journal {path} is in use by {holder}",
            "stop the other nimmt (sudo systemctl stop nimmt-companion), or use another journal",
        ) from error
    except OSError as error:
        os.close(lock)
        raise refusal(error, path, what) from error
    return lock, was_here


def remember(lock: int) -> None:
    """Note in the lock that there is a journal now: one that is gone later is missed."""
    os.pwrite(lock, _WAS_HERE, os.fstat(lock).st_size)


def refuse_no_file(path: Path) -> None:
    """Raise `JournalError` if `path` is something else than a file, or a place for one."""
    try:
        mode = path.stat().st_mode
    except ValueError as error:
        raise JournalError(f"{str(path)!r} cannot be the path of a file", "give another path") from error
    except OSError as error:
        # A link into a drive that is not mounted: a new file would hide the matches on that drive.
        if os.path.islink(path):  # noqa: PTH114 - it raises nothing for a name that is too long
            raise JournalError(
                f"the journal {path} is a link to {path.readlink()}, which cannot be found",
                "insert the drive that holds it, or remove the link to start a new journal",
            ) from error
        return  # there is none yet, or its folder may not be entered: opening it tells more
    if not stat.S_ISREG(mode):
        fault = f"the journal {path} is not a file"
        if stat.S_ISDIR(mode):
            fault = f"the journal {path} is a folder"
        raise JournalError(fault, "give the path of a file")


def connected(path: Path, how: str) -> sqlite3.Connection:
    """A connection, with the parameters of https://www.sqlite.org/uri.html such as `mode=ro`."""
    return sqlite3.connect(
        f"{path.absolute().as_uri()}?{how}",
        uri=True,
        timeout=BUSY_TIMEOUT_S,
        isolation_level=None,
        factory=Database,
    )


def connected_to_read(path: Path) -> sqlite3.Connection:
    """A connection that cannot write and leaves nothing beside the file.

    Without a write-ahead log no process has the file open and all is in it. To say so keeps SQLite from
    making side files, which it may not do in another user's folder.
    """
    return connected(path, "mode=ro" if beside(path, "-wal").exists() else "mode=ro&immutable=1")


def connect(path: Path) -> sqlite3.Connection:
    """A connection for writing, for the calling thread only, with one sync per commit.

    It begins with an empty log unless a reader needs the old one. Raises sqlite3.Error, also if the file is
    read-only.
    """
    db = connected(path, "mode=rw")  # never makes a file: a new one comes from `install`
    try:
        db.execute("PRAGMA journal_mode = WAL")
        # NORMAL does not sync on commit: the last plays would be lost.
        db.execute("PRAGMA synchronous = FULL")
        db.execute("PRAGMA wal_autocheckpoint = 0")  # else every so often a play waits for three syncs
        db.execute("PRAGMA foreign_keys = ON")
        try_writing(db)
        # What an earlier sync failed to write may still be read back from memory, and later steps that
        # follow it in the log would be lost with it when the power goes (https://lwn.net/Articles/752063/).
        checkpoint(db)
    except BaseException:
        db.close()
        raise
    return db


def _close_to_others(path: Path) -> None:
    """Let nobody but its owner and its group read a journal: it has names, and cards of hands."""
    with suppress(OSError):  # it is somebody else's
        mode = path.stat().st_mode
        if mode & 0o007:
            path.chmod(mode & 0o770)


def try_writing(db: sqlite3.Connection) -> None:
    """Start a write without touching the disk, and roll it back; raises sqlite3.Error if that fails."""
    db.execute("BEGIN IMMEDIATE")  # on a file that was opened read-only SQLite quietly begins to read
    try:
        db.execute("DELETE FROM note WHERE FALSE")
    finally:
        if db.in_transaction:
            db.execute("ROLLBACK")


def checkpoint(db: sqlite3.Connection) -> None:
    """Merge the log into the file and empty it, as far as no reader needs it; raises sqlite3.Error."""
    db.execute("PRAGMA busy_timeout = 0")
    try:
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
    finally:
        db.execute(f"PRAGMA busy_timeout = {BUSY_TIMEOUT_S * 1000:.0f}")


def install(path: Path, fill: Callable[[sqlite3.Connection], None]) -> None:
    """Put a database that `fill` writes at `path`, completely or not at all, replacing what was there.

    Raises OSError, sqlite3.Error, and what `fill` raises.
    """
    made = draft(path, fill)
    quarantine_side_files(path)
    made.replace(path)
    sync_folder(path.parent)


def draft(path: Path, fill: Callable[[sqlite3.Connection], None]) -> Path:
    """A database beside `path` that `fill` has written; it is removed if that fails."""
    make_folder(path.parent)
    made = beside(path, ".new")
    _remove(made)
    try:
        made.touch(0o640)
        with closing(sqlite3.connect(made, isolation_level=None, factory=Database)) as db:
            fill(db)
        give_to_owner_of_folder(made)
    except BaseException:
        with suppress(OSError):
            _remove(made)
        raise
    return made


def quarantine(path: Path, before: str = ".damaged-") -> Path:
    """Rename an unusable file with its side files; gives its new place, with `before` and a number."""
    aside = free_name(path, before)
    rename(path, aside)
    return aside


def rename(path: Path, to: Path) -> None:
    """Rename a file with its side files."""
    # The file goes first: stopped half-way, the next start finds side files without a file and
    # keeps them too. The other way round it would find an older state of a match and trust it.
    path.rename(to)
    move_side_files(path, to)
    sync_folder(path.parent)


def quarantine_side_files(path: Path) -> Path | None:
    """Rename a log so that it is not used with another file; gives its new place, if it existed."""
    # SQLite deletes a log that it finds beside an empty file, and replays one beside a full file.
    if not log_bytes(path):
        return None
    aside = free_name(path, ".damaged-")
    move_side_files(path, aside)
    return aside


def move_side_files(path: Path, aside: Path) -> None:
    """Rename the side files of a renamed file as well."""
    for end in _SIDE_FILES:
        with suppress(FileNotFoundError):
            beside(path, end).rename(beside(aside, end))


def quarantined_by_older_version(path: Path) -> list[Path]:
    """The journals that were put aside because they were newer than the program at that time."""
    wanted = re.compile(re.escape(path.name) + r"\.newer-v[0-9]+-[0-9]+")
    try:
        return sorted(file for file in path.parent.iterdir() if wanted.fullmatch(file.name))
    except OSError:
        return []


def free_name(path: Path, before: str, behind: str = "") -> Path:
    """A name with a number that does not exist yet."""
    n = 1
    while any(beside(path, f"{before}{n}{behind}{end}").exists() for end in ("", *_SIDE_FILES)):
        n += 1
    return beside(path, f"{before}{n}{behind}")


@lru_cache(maxsize=16)  # asked for several times a step
def beside(path: Path, end: str) -> Path:
    """The file with this suffix added to its name."""
    return path.with_name(path.name + end)


def identity(path: Path) -> tuple[tuple[int, int] | None, tuple[int, int] | None]:
    """Which files `path` and its write-ahead log are now, as device and inode; None if there is none."""
    return file_status(path)[0], file_status(beside(path, "-wal"))[0]


def log_bytes(path: Path) -> int:
    """How long the write-ahead log is, in bytes."""
    return file_bytes(beside(path, "-wal"))


def file_bytes(path: Path) -> int:
    """How long a file is, in bytes; 0 if it cannot be read."""
    return file_status(path)[1]


def free_bytes(path: Path) -> int:
    """How many bytes the disk of a file has left for this user; 0 if it cannot be asked."""
    try:
        disk = os.statvfs(path.parent)
    except OSError:
        return 0
    return disk.f_bavail * disk.f_frsize


def give_to_owner_of_folder(file: Path) -> None:
    """Give a file to the owner of its folder: the service could not write what root has made there."""
    made, owner = file.stat(), file.parent.stat()
    if os.geteuid() == 0 and made.st_uid != owner.st_uid:
        os.chown(file, owner.st_uid, owner.st_gid)


def make_folder(folder: Path) -> None:
    """Create a folder with its parents; on the disk when this returns."""
    missing = [place for place in (folder, *folder.parents) if not place.exists()]
    folder.mkdir(parents=True, exist_ok=True)
    for place in missing:
        sync_folder(place.parent)


def _remove(path: Path) -> None:
    for file in (path, *(beside(path, end) for end in _SIDE_FILES)):
        file.unlink(missing_ok=True)


def file_status(path: Path) -> tuple[tuple[int, int] | None, int]:
    """Device and inode of a file, and its length in bytes; None and 0 if it cannot be read."""
    try:
        found = path.stat()
    except OSError:
        return None, 0
    return (found.st_dev, found.st_ino), found.st_size
