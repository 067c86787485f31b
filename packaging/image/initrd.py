"""The initrd: busybox, the kernel modules that reach the card, and one script. No initramfs-tools."""

import lzma
import stat
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from image.commands import CannotBuild, run
from image.layout import HERE

SCRIPT: Final = HERE / "boot/init"

MODULES: Final = (
    # The card readers of Pi 3 and Zero 2 W, and of Pi 4; their clocks, power and reset; the watchdog.
    *("sdhci-iproc", "bcm2835", "bcm2835-dma", "clk-raspberrypi", "gpio-raspberrypi-exp", "regulator-gpio"),
    *("reset-raspberrypi", "bcm2835_wdt"),
    # What is on it.
    *("loop", "squashfs", "overlay", "nls_cp437", "nls_ascii", "nls_iso8859-1", "nls_utf8", "vfat"),
    *("crc32c_generic", "libcrc32c", "ext4"),
)
"""What is built into the kernel is not among its modules; it is left out then."""
MUST: Final = ("sdhci-iproc", "bcm2835", "squashfs", "overlay", "vfat", "ext4", "loop")
_BUILT_IN: Final = "modules.builtin"


@dataclass
class Archive:
    """A cpio archive of the kind that Linux unpacks at its start. Owned by root, without times."""

    _bytes: bytearray = field(default_factory=bytearray)
    _number: int = 0

    def folder(self, name: str) -> None:
        self._add(name, stat.S_IFDIR | 0o755, b"", (0, 0))

    def file(self, name: str, content: bytes, mode: int = 0o644) -> None:
        self._add(name, stat.S_IFREG | mode, content, (0, 0))

    def device(self, name: str, major: int, minor: int) -> None:
        self._add(name, stat.S_IFCHR | 0o600, b"", (major, minor))

    def done(self) -> bytes:
        self._add("TRAILER!!!", 0, b"", (0, 0))
        return bytes(self._bytes)

    def _add(self, name: str, mode: int, content: bytes, device: tuple[int, int]) -> None:
        self._number += 1
        raw = name.encode() + b"\0"
        numbers = (self._number, mode, 0, 0, 1, 0, len(content), 0, 0, *device, len(raw), 0)
        self._bytes += b"070701" + "".join(f"{number:08X}" for number in numbers).encode() + raw
        self._pad()
        self._bytes += content
        self._pad()

    def _pad(self) -> None:
        self._bytes += b"\0" * (-len(self._bytes) % 4)


def plain(name: str) -> str:
    """The name of a module as the kernel has it: modules.dep writes some with a dash."""
    return name.replace("-", "_")


def dependencies(folder: Path) -> dict[str, list[str]]:
    """For each file of a module those that it needs, as depmod found out; `folder` is lib/modules/VERSION."""
    lines = (folder / "modules.dep").read_text().splitlines()
    return {file: rest.split() for file, _, rest in (line.partition(":") for line in lines)}


def module_name(file: str) -> str:
    """The name of the module in a file such as kernel/fs/ext4/ext4.ko.xz."""
    return plain(Path(file).name.partition(".ko")[0])


def in_order(names: Iterable[str], needs: Mapping[str, list[str]]) -> list[str]:
    """The files of the named modules in an order in which they can be loaded; unknown names are left out."""
    files = {module_name(file): file for file in needs}
    order: dict[str, None] = {}

    def add(file: str) -> None:
        for other in reversed(needs[file]):
            add(other)
        order.setdefault(file)

    for name in names:
        if plain(name) in files:
            add(files[plain(name)])
    return list(order)


def archive(modules: Path, busybox: bytes, script: bytes) -> bytes:
    """The unpacked initrd. Raises `CannotBuild` if the kernel has no way to the card."""
    needs = dependencies(modules)
    inside = (modules / _BUILT_IN).read_text().splitlines() if (modules / _BUILT_IN).exists() else []
    known = {module_name(file) for file in (*needs, *inside)}
    if lost := [name for name in MUST if plain(name) not in known]:
        raise CannotBuild(f"this kernel has no {', '.join(lost)}: the card could not be mounted")
    made = Archive()
    for name in ("bin", "dev", "modules", "proc", "sys"):
        made.folder(name)
    made.device("dev/console", 5, 1)
    made.file("bin/busybox", busybox, 0o755)
    made.file("init", script, 0o755)
    names = []
    for file in in_order(MODULES, needs):
        content, name = (modules / file).read_bytes(), Path(file).name
        if name.endswith(".xz"):  # busybox's insmod hands the file to the kernel as it is
            content, name = lzma.decompress(content), name.removesuffix(".xz")
        made.file(f"modules/{name}", content)
        names.append(name)
    made.file("modules/order", "".join(f"{name}\n" for name in names).encode())
    return made.done()


def initrd(modules: Path, busybox: Path, epoch: int) -> bytes:
    """The initrd for the kernel of this lib/modules/VERSION. The same files give the same bytes."""
    unpacked = archive(modules, busybox.read_bytes(), SCRIPT.read_bytes())
    return run("zstd", "-q", "-19", "-T1", "-c", epoch=epoch, stdin=unpacked)
