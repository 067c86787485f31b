"""What of Debian's kernel goes onto the card: the modules that a box can use, and the device trees."""

import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from image.commands import CannotBuild, run
from image.initrd import dependencies, unpacked
from image.layout import HERE, OVERLAYS, TREES

KEPT: Final = (
    # The processors themselves.
    *("arch/", "crypto/", "lib/", "drivers/clk/bcm", "drivers/cpufreq/", "drivers/dma/", "drivers/firmware/"),
    *("drivers/mailbox/", "drivers/nvmem/", "drivers/pci/table/pcie-brcmstb", "drivers/pwm/pwm-bcm2835"),
    *("drivers/regulator/", "drivers/reset/", "drivers/soc/bcm/", "drivers/thermal/broadcom/"),
    *("drivers/char/hw_random/", "drivers/hwmon/raspberrypi", "drivers/watchdog/bcm2835", "drivers/leds/"),
    # Card, USB sticks, file systems.
    *("drivers/mmc/", "drivers/block/loop", "drivers/scsi/sd_mod", "drivers/scsi/scsi_"),
    *("fs/ext4/", "fs/jbd2/"),
    *("fs/mbcache", "fs/fat/", "fs/exfat/", "fs/nls/", "fs/overlayfs/", "fs/squashfs/", "fs/autofs/"),
    *("fs/configfs/", "drivers/usb/storage/"),
    # Scanner, camera, keyboard, display, keys, clock.
    *("drivers/usb/class/cdc-acm", "drivers/usb/common/", "drivers/usb/core/", "drivers/usb/dwc2/"),
    *("drivers/usb/host/", "drivers/usb/phy/", "drivers/usb/roles/", "drivers/usb/serial/"),
    *("drivers/phy/broadcom/", "drivers/media/usb/uvc/"),
    *("drivers/hid/hid.ko", "drivers/hid/hid-generic", "drivers/hid/usbhid/", "drivers/input/evdev"),
    *("drivers/gpio/", "drivers/pinctrl/", "drivers/i2c/busses/i2c-bcm2835", "drivers/i2c/i2c-dev"),
    *("drivers/spi/spi-bcm2835", "drivers/spi/spidev", "drivers/tty/serial/", "drivers/rtc/"),
    # Network, for those who want it.
    *("drivers/net/ethernet/broadcom/genet/", "drivers/net/mdio/", "drivers/net/phy/", "drivers/net/usb/"),
    *("drivers/net/wireless/broadcom/brcm80211/", "drivers/net/mii", "net/wireless/", "net/mac80211/"),
    *("net/rfkill/", "net/ipv6/"),
    # QEMU's machine without a model.
    "drivers/virtio/",
)
"""Beginnings of their paths; with them comes what they need. Others, such as sound, are left out."""


def chosen(needs: Mapping[str, list[str]]) -> set[str]:
    """The files of the modules to keep, with all that they need."""
    kept: set[str] = set()
    waiting = [file for file in needs if file.removeprefix("kernel/").startswith(KEPT)]
    while waiting:
        file = waiting.pop()
        if file not in kept:
            kept.add(file)
            waiting += needs[file]
    return kept


def copy_modules(all_modules: Path, root: Path, epoch: int) -> None:
    """Copy the chosen modules of lib/modules/VERSION into a root, with a list of their own.

    Without the packing of Debian: the squashfs packs as well, and xz costs a small board ten times as much.
    """
    version, needs = all_modules.name, dependencies(all_modules)
    to = root / "usr/lib/modules" / version
    for file in sorted(chosen(needs)):
        folder = (to / file).parent
        folder.mkdir(parents=True, exist_ok=True)
        name, content = unpacked(all_modules / file)
        (folder / name).write_bytes(content)
    for name in ("modules.builtin", "modules.builtin.modinfo", "modules.order"):
        shutil.copy2(all_modules / name, to / name)
    run("depmod", "-b", root / "usr", version, epoch=epoch)


def trees(boot: Path, version: str) -> dict[str, Path]:
    """The device trees of our boards in the unpacked kernel package, by their names. Raises `CannotBuild`."""
    folder = boot / f"usr/lib/linux-image-{version}/broadcom"
    found = {f"{name}.dtb": folder / f"{name}.dtb" for name in TREES}
    if lost := [name for name, file in found.items() if not file.is_file()]:
        raise CannotBuild(f"this kernel has no device tree {', '.join(lost)}")
    return found


def overlays(to: Path, epoch: int) -> dict[str, Path]:
    """Compile our overlays into a folder: their files by their names on the boot partition."""
    to.mkdir(parents=True, exist_ok=True)
    made = {}
    for name in OVERLAYS:
        file = to / f"{name}.dtbo"
        source = HERE / f"overlays/{name}.dts"
        run("dtc", "-q", "-@", "-I", "dts", "-O", "dtb", "-o", file, source, epoch=epoch)
        made[f"overlays/{name}.dtbo"] = file
    return made


def with_depmod(modules: Path, epoch: int) -> Path:
    """The same folder lib/modules/VERSION, now with modules.dep: Debian makes it only at an installation."""
    if not (modules / "modules.dep").exists():
        run("depmod", "-b", Path(*modules.parts[:-3]), modules.name, epoch=epoch)
    return modules
