"""A full, locked or failing disk under the whole program: a refusal on the display, then play continues."""

import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from tests.patience import PATIENCE_S
from tests.whole import reading
from tests.whole.live_device import NIMMT, LiveDevice
from tests.whole.scripted import Shown, known_evening
from tests.whole.table import Table, on_disk

AN_EVENING = 3


def seated(device: LiveDevice) -> Table:
    table = Table(device, known_evening(AN_EVENING))
    table.sit_down()
    return table


def play_until_a_step_is_next(table: Table, codes: int) -> None:
    """Play so many codes, and a few more where the next one would make no step of the match."""
    table.play(codes)
    moments = table.plan.moments
    while moments[table.at].place[0] == "joined" or moments[table.at].place == moments[table.at + 1].place:
        table.play(1)


def refusal_of_next(table: Table) -> str:
    """Scan the next code: what the display says if it is refused, empty if it is taken.

    The refusal is closed again, and the question beneath it must be the one before. The device may have found
    the fault by itself, too, at any moment: then its page is closed as well.
    """
    told: list[str] = []
    others: set[str] = set()
    here, there = table.shows(table.at), table.shows(table.at + 1)
    pages = [""]  # their titles, the one in front last; "" is the question
    sent = closed = 0  # each UNDO closes one page; one more would take a step back

    def noted(seen: Shown) -> bool:
        """Keep the list of pages; whether every UNDO has closed one."""
        nonlocal closed
        name = "" if seen in here else seen.heading
        if name in pages:
            kept = pages.index(name) + 1
            closed += len(pages) - kept
            del pages[kept:]
        else:
            pages.append(name)
        return closed >= sent

    def answered(seen: Shown) -> bool:
        noted(seen)
        others.update(pages[1:])
        if seen.heading == "NOT POSSIBLE":
            told.append(reading.body(seen.picture))
        return bool(told) or seen in there

    table.scan()
    if not table.device.wait_for(answered, PATIENCE_S / 10):
        # What the device has found by itself may lie on the refusal until both close: people scan again.
        assert others, "nothing is shown for a card"
        table.scan()
        assert table.device.wait_for(answered)
    if not told:
        table.at = table.sent
        return ""
    closed = 0
    while pages[-1]:
        if closed >= sent:
            table.device.scan("6NC-UNDOL")  # OK would turn the page
            sent = closed + 1
        if not table.device.wait_for(noted, PATIENCE_S / 10):
            closed = sent  # what was closed gave way to a page that was never in front before
    assert table.device.newest in here
    return told[0]


def all_is_kept(table: Table, journal: Path) -> bool:
    """Whether the journal holds what the display has shown, and nothing else."""
    found, (_, number, count) = on_disk(journal), table.plan.moments[table.at].place
    return found.place == ("played", number, count) and found.steps == table.plan.records[number][:count]


def copied(journal: Path, folder: Path) -> Path:
    """A copy of a journal whose disk only the device can see; nothing may be written meanwhile."""
    for file in (journal, journal.with_name(journal.name + "-wal")):
        shutil.copyfile(file, folder / file.name)
    return folder / journal.name


@contextmanager
def filled(folder: Path) -> Iterator[None]:
    """Take all the room that is left on the disk of a folder."""
    ballast = folder / "ballast"
    with ballast.open("wb", buffering=0) as file:
        for block in (65536, 4096, 512, 1):
            with suppress(OSError):
                while file.write(bytes(block)):
                    pass
    yield
    ballast.unlink()


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[LiveDevice]:
    """A device whose journal lies on a disk of 512 KiB, in a file system that vanishes with it."""
    disk = tmp_path / "disk"
    disk.mkdir()
    alone = ["unshare", "--map-root-user", "--mount", "sh", "-c"]
    mount = f'mount -t tmpfs -o size=512k none {disk} && exec "$@"'
    try:
        subprocess.run([*alone, mount, "sh", "true"], check=True, capture_output=True)
    except (OSError, subprocess.CalledProcessError):
        pytest.skip("this machine lets nobody mount a small disk")
    with LiveDevice(tmp_path, [*alone, mount, "sh", *NIMMT], journal="disk/journal.sqlite") as device:
        yield device


def test_on_a_full_disk_a_step_is_refused_with_the_reason_and_play_goes_on_when_there_is_room(
    small_disk: LiveDevice, tmp_path: Path
) -> None:
    table = seated(small_disk)
    journal = Path(f"/proc/{small_disk.pid}/root{small_disk.journal}")  # the disk as the device sees it
    for _ in range(2):
        play_until_a_step_is_next(table, 12)
        with filled(journal.parent):
            for _ in range(3):
                step = table.plan.moments[table.at].place[2] + 1
                told = refusal_of_next(table)
                fault = f"STEP {step} OF MATCH 1 WAS NOT SAVED: THE DISK IS FULL."
                assert told.startswith(reading.alike(f"{fault} FREE SOME SPACE ON THE DISK"))
        assert all_is_kept(table, copied(journal, tmp_path))
        assert refusal_of_next(table) == ""
    table.play(8)
    assert all_is_kept(table, copied(journal, tmp_path))
