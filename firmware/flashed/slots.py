"""The two slots of the card: which one runs, which one is confirmed, which one is tried at the next start."""

import fcntl
import os
import re
import shutil
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Final

from companion.text.sentence import say
from companion.values import Value
from firmware.bounded_file import read_bounded, read_json
from firmware.flashed import uboot_env
from firmware.flashed.versions import is_older
from firmware.text.os_errors import unreadable

SLOTS: Final = ("a", "b")
MANIFEST: Final = "manifest.json"
BROKEN: Final = "broken"
"""While this file is in a slot, U-Boot passes it over."""

CONFIRMED: Final = "nimmt_slot"
TRIED: Final = "nimmt_try"

BOOT: Final = Path("/boot/nimmt")
"""Only root may read its files: one of them is wifi.txt."""
COMMAND_LINE: Final = Path("/proc/cmdline")
ON_TRIAL: Final = Path("/run/table/on-trial")
"""There while the version that runs is not the confirmed one, for everybody to see; the initrd makes it."""
VERSION: Final = Path("/usr/share/nimmt/version")
"""The version of the image that runs, in its root: the game may not read the one in its slot."""

_RUNS: Final = re.compile(r"(?:^|\s)nimmt\.slot=([ab])(?:\s|$)")


def _run(*words: str) -> tuple[bool, str]:
    """Run a program of the system; whether it succeeded, and what it said."""
    import subprocess  # the game reads the slots at its start, and mounts nothing

    done = subprocess.run(words, capture_output=True, text=True, check=False)  # noqa: S603 - none from outside
    return not done.returncode, (done.stderr.strip() or done.stdout.strip())


def remount(boot: Path, how: str) -> None:
    """Mount the first partition again, "rw" or "ro". Raises `OSError`."""
    mounted, said = _run("/usr/bin/mount", "-o", f"remount,{how}", str(boot))
    if not mounted:
        raise OSError(said or f"{boot} cannot be mounted")


def repair(boot: Path) -> None:
    """Check the file system of the first partition and repair it, while it is mounted read-only.

    A lost power supply leaves clusters that belong to no file, and a mark that nothing else removes. Raises
    `OSError`.
    """
    repair_device(Path(_run("/usr/bin/findmnt", "-no", "SOURCE", str(boot))[1]))


def repair_device(device: Path) -> None:
    """As `repair`, for its device or a file with such a file system. Raises `OSError`."""
    # It ends with the same status when it has repaired something and when it cannot read.
    check = partial(_run, "/usr/sbin/fsck.vfat", "-a", str(device))
    sound, said = check()
    if not sound:
        sound, said = check()
    if not sound:
        raise OSError(said or f"{device} cannot be checked")


class _Version(Value):
    version: str


class BootPartition(Value):
    """The first partition at `boot`, which is mounted read-only except for changes.

    `command_line` is the file with the kernel's command line, `version_file` that with the version that runs;
    `remount` makes the partition writable, or read-only again; `repair` checks its file system.
    """

    boot: Path = BOOT
    command_line: Path = COMMAND_LINE
    on_trial_mark: Path = ON_TRIAL
    version_file: Path = VERSION
    remount: Callable[[Path, str], None] = remount
    free_bytes: Callable[[Path], int] = lambda boot: shutil.disk_usage(boot).free
    repair: Callable[[Path], None] = repair

    @property
    def running(self) -> str | None:
        """The slot that runs; None on a machine that was not flashed as an image."""
        try:
            found = _RUNS.search(read_bounded(self.command_line).decode(errors="replace"))
        except OSError:
            return None
        return found[1] if found else None

    @property
    def confirmed(self) -> str:
        """The slot that U-Boot starts if nothing is tried. Raises `CompanionError`."""
        slot = self._variables().get(CONFIRMED, SLOTS[0])
        return slot if slot in SLOTS else SLOTS[0]

    @property
    def tried(self) -> str | None:
        """The slot that the next start tries, if any. Raises `CompanionError`."""
        slot = self._variables().get(TRIED, "")
        return slot if slot in SLOTS else None

    @property
    def on_trial(self) -> bool:
        """Whether the version that runs is not confirmed: any reset goes back to the other one."""
        return self.running is not None and self.on_trial_mark.exists()

    def version(self, slot: str) -> str | None:
        """The version in a slot; None if it is empty or incomplete."""
        folder = self.boot / slot
        if (folder / BROKEN).exists():
            return None
        said = read_json(folder / MANIFEST, _Version)
        return None if said is None else said.version

    def newer_than(self, version: str) -> str:
        """The version that runs, if it is newer than this one; else empty, also where it is not known."""
        try:
            runs = read_bounded(self.version_file).decode(errors="replace").strip()
        except OSError:
            return ""
        return runs if is_older(version, runs) else ""

    def choose(self, changes: Mapping[str, str]) -> None:
        """Change variables of U-Boot, inside `writable`. Raises `CompanionError` and `OSError`."""
        uboot_env.change(self.boot / uboot_env.NAME, changes)

    @contextmanager
    def writable(self) -> Iterator[None]:
        """Mount the partition for writing while the block runs. Waits for other programs. Raises `OSError`.

        Not for a block within such a block.
        """
        folder = os.open(self.boot, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        try:
            # Two programs may write at once: who is ready first must not take the other's card away.
            fcntl.flock(folder, fcntl.LOCK_EX)
            self.remount(self.boot, "rw")
            try:
                yield
            finally:
                os.sync()
                with suppress(OSError):  # it is busy, say; the next start mounts it read-only
                    self.remount(self.boot, "ro")
        finally:
            os.close(folder)

    def _variables(self) -> dict[str, str]:
        try:
            return uboot_env.read(self.boot / uboot_env.NAME)
        except OSError as error:
            raise unreadable(
                error.filename,
                error,
                say("check whether the card's first partition is mounted at {boot}", boot=self.boot),
            ) from error


def other(slot: str) -> str:
    return SLOTS[1 - SLOTS.index(slot)]
