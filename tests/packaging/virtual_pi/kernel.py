"""The kernel of the virtual Pi: Debian's own, with the two simulated devices that Debian leaves out.

Debian's configuration has neither gpio-sim nor the I2C bus of virtio. Their sources are in Debian's
linux-source; they are compiled against Debian's headers, in a Debian of their own, so that nothing of this
machine takes part. What boots is otherwise the kernel that everybody gets.
"""

import shutil
import subprocess
import tempfile
import zlib
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from tests.systemd import debian

WORKSHOP: Final = (
    *("linux-headers-amd64", "linux-source", "gcc", "make", "xz-utils", "kmod"),
    *("busybox-static", "cpio", "ca-certificates"),
)
TO_MOUNT: Final = ("virtio_pci", "virtio_blk", "crc32c_generic", "crc32c_intel", "ext4")
TO_LIVE: Final = (
    *("virtio_console", "virtio_rng", "gpio-sim", "i2c-virtio", "i2c-dev", "spidev"),
    *("xhci_pci", "usbserial", "ftdi_sio", "cdc_acm", "usbhid", "i6300esb", "autofs4", "configfs"),
)
_BUILD: Final = """\
set -eu
cd /root
version=$(ls -d /usr/src/linux-headers-*-amd64 | sed 's/.*linux-headers-//' | tail -n 1)
apt-get -q=2 update
apt-get -q=2 download linux-image-"$version"
dpkg-deb -x linux-image-"$version"_*.deb image
[ -d image/lib ] || ln -s usr/lib image/lib
mkdir source devices
tar -xJf /usr/src/linux-source-*.tar.xz -C source --strip-components=1 --wildcards \
    '*/drivers/gpio/gpio-sim.c' '*/drivers/gpio/gpiolib.h' \\
    '*/drivers/i2c/busses/i2c-virtio.c' '*/kernel/irq/irq_sim.c'
cp source/drivers/gpio/gpiolib.h source/drivers/i2c/busses/i2c-virtio.c source/kernel/irq/irq_sim.c devices
cp source/drivers/gpio/gpio-sim.c devices/gpio_sim_main.c
# irq_to_desc is not there for modules; generic_handle_irq is, and comes to the same.
sed -i 's/handle_simple_irq(irq_to_desc(irqnum));/generic_handle_irq(irqnum);/' devices/irq_sim.c
printf 'obj-m := gpio-sim.o i2c-virtio.o\\ngpio-sim-y := gpio_sim_main.o irq_sim.o\\n' >devices/Kbuild
make -s -C /usr/src/linux-headers-"$version" M="$PWD/devices" modules
modules=image/lib/modules/$version
mkdir "$modules/extra"
strip --strip-debug devices/*.ko
cp devices/*.ko "$modules/extra"
depmod -b image "$version"

needed() { # the files of modules and of what they need, in the order in which they are loaded
    for one; do modprobe -d image -S "$version" --show-depends "$one" || true; done \\
        | sed -n 's/^insmod \\([^ ]*\\).*/\\1/p' | awk '!seen[$0]++'
}

put() { # a module into a folder, without what it is packed in: busybox cannot unpack it
    case $1 in
        *.xz) xz -dc "$1" >"$2/$(basename "$1" .xz)" ;;
        *) cp "$1" "$2" ;;
    esac
}

mkdir -p initrd/bin initrd/dev initrd/root initrd/modules
cp /bin/busybox initrd/bin
needed %(to_mount)s | while read -r file; do
    put "$file" initrd/modules
    basename "$file" .xz >>initrd/modules/order
done
cp /root/init initrd/init
(cd initrd && find . | cpio --quiet -o -H newc) >out/initrd.cpio

kept=out/modules/lib/modules/$version
mkdir -p "$kept/kernel"
needed %(to_mount)s %(to_live)s | while read -r file; do
    put "$file" "$kept/kernel"
done
cp "$modules"/modules.order "$modules"/modules.builtin "$modules"/modules.builtin.modinfo "$kept"
depmod -b out/modules "$version"
cp image/boot/vmlinuz-"$version" out/vmlinuz
echo "$version" >out/version
"""
_INIT: Final = """\
#!/bin/busybox sh
# As short as it can be: load what the disk needs, mount it, go.
/bin/busybox mount -t devtmpfs dev /dev
cd /modules
while read -r file; do /bin/busybox insmod "$file"; done <order
turns=0
while [ ! -b /dev/vda ] && [ $turns -lt 500 ]; do /bin/busybox usleep 10000; turns=$((turns + 1)); done
/bin/busybox mount -t ext4 -o noatime /dev/vda /root || exec /bin/busybox poweroff -f
/bin/busybox mount --move /dev /root/dev
exec /bin/busybox switch_root /root /sbin/init
"""


@dataclass(frozen=True, slots=True)
class Kernel:
    """What QEMU starts, and the modules that belong on the card."""

    folder: Path

    @property
    def image(self) -> Path:
        return self.folder / "vmlinuz"

    @property
    def initrd(self) -> Path:
        """What mounts the card."""
        return self.folder / "initrd.cpio"

    @property
    def modules(self) -> Path:
        """A folder with lib/modules in it."""
        return self.folder / "modules"

    @property
    def version(self) -> str:
        return (self.folder / "version").read_text().strip()


def kernel(suite: str, cache: Path) -> Kernel:
    """The kernel of that Debian; made once and kept in `cache`. Needs root, mmdebstrap and the network."""
    made = cache / f"kernel-{suite}-{zlib.crc32(Path(__file__).read_bytes()):08x}"
    if not made.exists():
        for old in cache.glob(f"kernel-{suite}-*"):
            shutil.rmtree(old)
        with tempfile.TemporaryDirectory(prefix="nimmt-kernel-", dir="/var/tmp") as place:
            workshop = Path(place) / "root"
            debian.unpack(suite, WORKSHOP, cache, workshop)
            home = workshop / "root"
            (home / "init").write_text(_INIT)
            (home / "init").chmod(0o755)
            (home / "out").mkdir()
            words = {"to_mount": " ".join(TO_MOUNT), "to_live": " ".join(TO_LIVE)}
            (home / "build").write_text(_BUILD % words)
            done = subprocess.run(
                ["chroot", str(workshop), "sh", "/root/build"],
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
                check=False,
            )
            if done.returncode:
                raise RuntimeError(f"the modules could not be made:\n{done.stdout}")
            draft = made.with_suffix(".new")
            shutil.rmtree(draft, ignore_errors=True)
            shutil.copytree(home / "out", draft)
            draft.rename(made)
    return Kernel(made)
