"""Debian's packages: installed into a folder for the box; those of kernel and firmware taken apart beside it.

This is the slow part, for the packages' own scripts run under an emulated processor. It is made once for each
lock and kept in build/image.
"""

import hashlib
import platform
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from image import lock
from image.commands import CannotBuild, run
from image.layout import ARCH, HERE, SUITE
from image.lock import Package

KEYRING: Final = "/usr/share/keyrings/debian-archive-keyring.gpg"
COMPONENTS: Final = "main non-free-firmware"
"""The firmware of the Raspberry Pi and of its wireless chip is not free software."""


def sources() -> str:
    """Lines for a sources.list of our Debian. Raises `CannotBuild` where apt has no mirror of Debian."""
    asked = ("apt-get", "indextargets", "--format", "$(CODENAME) $(REPO_URI)", "Origin: Debian")
    listed = run(*asked, epoch=0).decode().splitlines()
    here = platform.freedesktop_os_release().get("VERSION_CODENAME", "")
    mirrors = dict(line.split(" ", 1) for line in reversed(listed))
    if here not in mirrors:
        raise CannotBuild("apt of this machine has no mirror of Debian: see /etc/apt/sources.list")
    lines = [(mirrors[here], SUITE), (mirrors.get(f"{here}-updates", mirrors[here]), f"{SUITE}-updates")]
    if security := mirrors.get(f"{here}-security"):
        lines.append((security, f"{SUITE}-security"))
    return "".join(f"deb [signed-by={KEYRING}] {mirror} {suite} {COMPONENTS}\n" for mirror, suite in lines)


_LEFT_OUT: Final = ("/usr/share/doc/*", "/usr/share/man/*", "/usr/share/locale/*", "/usr/share/info/*")
_LEFT_IN: Final = ("/usr/share/doc/*/copyright",)
_EPOCH: Final = 1_790_000_000
"""For what the packages write themselves. The same for every build, so that the folder can be kept."""
_TODAY: Final = "For today's versions: make image LOCK=1"


@dataclass(frozen=True, slots=True)
class Base:
    """Debian in a tar archive, and the other packages unpacked."""

    folder: Path

    @property
    def root(self) -> Path:
        return self.folder / "root.tar"

    @property
    def boot(self) -> Path:
        """A folder with the files of kernel, firmware, U-Boot and busybox."""
        return self.folder / "boot"

    def packages(self, title: str) -> list[Package]:
        lines = (self.folder / f"{title}.txt").read_text().splitlines()
        return [Package(*line.split(" ")) for line in lines]

    @property
    def kernel_version(self) -> str:
        """Such as 6.12.48+deb13-arm64."""
        return next((self.boot / "usr/lib/modules").iterdir()).name


def base(cache: Path, *, new_lock: bool) -> Base:
    """Make it or find it, in the locked versions, or with `new_lock` in today's, which are locked then.

    Raises `CannotBuild`, for instance if the mirror has other versions by now.
    """
    if new_lock:
        made = _made(cache / "base-new", None)
        lock.FILE.write_text(
            lock.text(*(made.packages(title) for title in (lock.INSTALLED, lock.TAKEN_APART)))
        )
        kept = cache / f"base-{_key()}"
        shutil.rmtree(kept, ignore_errors=True)
        made.folder.rename(kept)
        return Base(kept)
    expected = {title: lock.locked(title) for title in (lock.INSTALLED, lock.TAKEN_APART)}
    kept = cache / f"base-{_key()}"
    if not kept.exists():
        try:
            made = _made(cache / "base-new", expected)
        except CannotBuild as why:
            raise CannotBuild(f"{why}\nA package of the lock may be gone. {_TODAY}") from why
        for title, packages in expected.items():
            if other := lock.difference(made.packages(title), packages):
                raise CannotBuild(f"not as in packages.lock: {other}. {_TODAY}")
        made.folder.rename(kept)
    return Base(kept)


def _key() -> str:
    """The name of what was made of this lock in this way."""
    ways = b"".join((HERE / name).read_bytes() for name in ("base.py", "commands.py"))
    return hashlib.sha256(lock.FILE.read_bytes() + ways).hexdigest()[:12]


def _made(folder: Path, expected: dict[str, list[Package]] | None) -> Base:
    shutil.rmtree(folder, ignore_errors=True)
    (folder / "debs").mkdir(parents=True)
    (folder / "sources.list").write_text(sources())
    if expected is None:
        root = lock.wanted(HERE / "packages.txt")
        others = lock.wanted(HERE / "boot_packages.txt")
    else:
        root, others = ([f"{deb.name}={deb.version}" for deb in some] for some in expected.values())
    # apt of this machine, with the lists of the new Debian. Of the kernel it is the package behind the name.
    kernel = "$(apt-cache depends linux-image-arm64 | sed -n 's/.*Depends: \\(linux-image-[0-9].*\\)/\\1/p')"
    names = " ".join(kernel if package == "linux-image-arm64" else package for package in others)
    run(
        *("mmdebstrap", "--quiet", f"--arch={ARCH}", "--variant=essential", f"--include={','.join(root)}"),
        *(f"--dpkgopt=path-exclude={pattern}" for pattern in _LEFT_OUT),
        *(f"--dpkgopt=path-include={pattern}" for pattern in _LEFT_IN),
        f"--customize-hook=export APT_CONFIG=$MMDEBSTRAP_APT_CONFIG; cd {folder.resolve()}/debs && "
        f"apt-get -q=2 download {names}",
        f"--customize-hook=dpkg-query --admindir=$1/var/lib/dpkg -W -f='${{Package}} ${{Version}}\\n' "
        f">'{folder.resolve()}/{lock.INSTALLED}.txt'",
        *(SUITE, folder / "root.tar", folder / "sources.list"),
        epoch=_EPOCH,
    )
    taken = []
    for deb in sorted((folder / "debs").iterdir()):
        said = run("dpkg-deb", "-W", "--showformat=${Package} ${Version}", deb, epoch=_EPOCH)
        taken.append(said.decode())
        run("dpkg-deb", "-x", deb, folder / "boot", epoch=_EPOCH)
    (folder / f"{lock.TAKEN_APART}.txt").write_text("".join(f"{line}\n" for line in taken))
    shutil.rmtree(folder / "debs")
    (folder / "sources.list").unlink()
    return Base(folder)
