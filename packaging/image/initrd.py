"""The initrd: busybox, the kernel modules that reach the card, and one script. No initramfs-tools."""

import lzma
import os
from collections.abc import Iterable, Mapping
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
    # The buses of displays, and the classes of devices that a sandbox allows only once they exist: the
    # question of a new card waits for no module.
    *("i2c-bcm2835", "i2c-dev", "spi-bcm2835", "spidev", "usbserial", "cdc_acm"),
)
"""What is built into the kernel is not among its modules; it is left out then."""
MUST: Final = ("sdhci-iproc", "bcm2835", "squashfs", "overlay", "vfat", "ext4", "loop")
_BUILT_IN: Final = "modules.builtin"


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


def unpacked(module: Path) -> tuple[str, bytes]:
    """The name and the bytes of a module without its packing."""
    if module.suffix == ".xz":
        return module.stem, lzma.decompress(module.read_bytes())
    return module.name, module.read_bytes()


def lay(modules: Path, busybox: bytes, script: bytes, folder: Path) -> None:
    """Lay what is in the initrd into a new folder. Raises `CannotBuild` if the card cannot be reached."""
    needs = dependencies(modules)
    inside = (modules / _BUILT_IN).read_text().splitlines() if (modules / _BUILT_IN).exists() else []
    known = {module_name(file) for file in (*needs, *inside)}
    if lost := [name for name in MUST if plain(name) not in known]:
        raise CannotBuild(f"this kernel has no {', '.join(lost)}: the card could not be mounted")
    for name in ("bin", "dev", "modules", "proc", "sys"):
        (folder / name).mkdir(parents=True)
    (folder / "bin/busybox").write_bytes(busybox)
    (folder / "init").write_bytes(script)
    names = []
    for file in in_order(MODULES, needs):
        name, content = unpacked(modules / file)  # busybox's insmod hands the file to the kernel as it is
        (folder / "modules" / name).write_bytes(content)
        names.append(name)
    (folder / "modules/order").write_text("".join(f"{name}\n" for name in names))


def initrd(modules: Path, busybox: Path, folder: Path, epoch: int) -> bytes:
    """The initrd for the kernel of this lib/modules/VERSION. The same files give the same bytes.

    `folder` is a new one for its files. It needs no /dev/console: the kernel brings one of its own.
    """
    lay(modules, busybox.read_bytes(), SCRIPT.read_bytes(), folder)
    files = sorted(folder.rglob("*"))
    for file in files:
        file.chmod(0o755)
        os.utime(file, (epoch, epoch))
    names = "".join(f"{file.relative_to(folder)}\n" for file in files).encode()
    pack = ("cpio", "--quiet", "--reproducible", "--create", "--format=newc", "--owner=0:0")
    packed = run(*pack, epoch=epoch, stdin=names, cwd=folder)
    return run("zstd", "-q", "-19", "-T1", "-c", epoch=epoch, stdin=packed)
