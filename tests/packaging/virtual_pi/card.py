"""The memory card of the virtual Pi: Debian, our packages as anybody installs them, the hands of the test."""

import hashlib
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from tests.packaging.virtual_pi.kernel import Kernel
from tests.systemd import debian

GUEST: Final = Path(__file__).parent / "guest"
SIZE: Final = "2G"
_BASE: Final = (
    *("systemd", "systemd-sysv", "udev", "dbus", "polkitd", "kmod", "python3", "python3-spidev"),
    *("debconf", "ca-certificates"),
)
_PLACES: Final = {
    "agent.py": "usr/local/lib/virtual-pi/agent.py",
    "pins.sh": "usr/local/lib/virtual-pi/pins.sh",
    "virtual-pi-agent.service": "etc/systemd/system/virtual-pi-agent.service",
    "virtual-pi-pins.service": "etc/systemd/system/virtual-pi-pins.service",
    "pi.conf": "etc/systemd/system/nimmt-.service.d/virtual-pi.conf",
    "nimmt.toml": "etc/nimmt/nimmt.toml",
}
# They look for work at any time, and would measure themselves.
_ASLEEP: Final = ("apt-daily.timer", "apt-daily-upgrade.timer", "dpkg-db-backup.timer", "e2scrub_all.timer")


def card(suite: str, debs: Sequence[Path], kernel: Kernel, cache: Path) -> Path:
    """An image with one ext4 file system; made once for the same packages.

    Needs root, mmdebstrap and the network.
    """
    seal = hashlib.sha256(
        b"".join(deb.read_bytes() for deb in debs) + kernel.version.encode() + SIZE.encode()
    )
    for file in sorted([*GUEST.iterdir(), Path(__file__)]):
        seal.update(file.read_bytes())
    made = cache / f"card-{suite}-{seal.hexdigest()[:12]}.img"
    if not made.exists():
        for old in cache.glob(f"card-{suite}-*.img"):
            old.unlink()
        with tempfile.TemporaryDirectory(prefix="nimmt-card-", dir="/var/tmp") as place:
            root = Path(place) / "root"
            debian.unpack(suite, _BASE, cache, root)
            _furnish(root, debs, kernel)
            draft = made.with_suffix(".new")
            draft.unlink(missing_ok=True)
            subprocess.run(
                ["mke2fs", "-q", "-t", "ext4", "-L", "card", "-d", str(root), str(draft), SIZE],
                stdout=subprocess.DEVNULL,
                check=True,
            )
            draft.rename(made)
    return made


def _furnish(root: Path, debs: Sequence[Path], kernel: Kernel) -> None:
    for deb in debs:
        shutil.copy(deb, root / "root")
    for command in (["update"], ["install", "-y", *(f"/root/{deb.name}" for deb in debs)], ["clean"]):
        done = subprocess.run(
            ["chroot", str(root), "apt-get", "-q=2", *command],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
            env={"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "DEBIAN_FRONTEND": "noninteractive", "LC_ALL": "C"},
        )
        if done.returncode:
            raise RuntimeError(f"apt-get {' '.join(command)} gave {done.returncode}:\n{done.stdout}")
    for deb in debs:
        (root / "root" / deb.name).unlink()
    for name, place in _PLACES.items():
        (root / place).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(GUEST / name, root / place)
    shutil.copytree(kernel.modules / "lib", root / "usr/lib", dirs_exist_ok=True)
    units = root / "etc/systemd/system"
    for name in ("virtual-pi-agent.service", "virtual-pi-pins.service"):
        (units / "sysinit.target.wants").mkdir(exist_ok=True)
        (units / "sysinit.target.wants" / name).symlink_to(f"../{name}")
    for name in _ASLEEP:
        (units / name).unlink(missing_ok=True)
        (units / name).symlink_to("/dev/null")
    (root / "etc/hostname").write_text("virtual-pi\n")
