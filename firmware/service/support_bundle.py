"""The bundle for a bug report: the machine, the service and the newest match; no names, no secrets.

Every text goes through `Redaction`; nothing else enters the bundle. Cards and badges stay: a report without
them explains nothing, and they do not identify a person.
"""

import io
import os
import re
import subprocess
import tarfile
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Final

from companion.values import Value
from firmware.bounded_file import open_regular

PATIENCE_S: Final = 120.0
"""A command of the machine that takes so long hangs: reading a log from a faulty SD card may never end."""
LARGEST: Final = 2_000_000
"""A longer text is cut at the beginning: the fault is usually at the end."""

COMMANDS: Final[Mapping[str, str]] = {
    "log.txt": "journalctl --no-pager --output=short-monotonic --lines=3000 "
    "--unit=nimmt-companion.service --unit=nimmt-boot-picture.service",
    "kernel.txt": "journalctl --no-pager --output=short-monotonic --dmesg --lines=500",
    "service.txt": "systemctl --no-pager show nimmt-companion.service",
    "boot.txt": "systemd-analyze --no-pager critical-chain nimmt-companion.service",
    "disks.txt": "df -hT",
    "mounts.txt": "findmnt --noheadings /",
    "devices.txt": "ls -l /dev/serial/by-id /dev/nimmt-scanner /dev/i2c-1 /dev/gpiochip0",
    "usb.txt": "lsusb",
    "kernel-version.txt": "uname -srvm",
}
"""The commands that are run; a missing program is mentioned in its file."""

FILES: Final[Mapping[str, str]] = {
    "model.txt": "/proc/device-tree/model",
    "os-release.txt": "/etc/os-release",
    "config.txt": "/boot/firmware/config.txt",
    "cmdline.txt": "/proc/cmdline",
}

_SECRET: Final = re.compile(
    r"(?im)\b([\w.-]*(?:password|passwd|passphrase|secret|token|psk|api[_-]?key|credential)[\w.-]*)"
    r"(\s*[=:]\s*|\s+)(\"[^\"\n]*\"|'[^'\n]*'|\S+)"
)
_URL_LOGIN: Final = re.compile(r"(\w+://)[^\s/@:]+:[^\s/@]+@")
_MAC: Final = re.compile(r"\b[0-9a-fA-F]{2}(?:[:-][0-9a-fA-F]{2}){5}\b")
_IPV4: Final = re.compile(r"(?<!==)\b(?:\d{1,3}\.){3}\d{1,3}\b")
_IPV6: Final = re.compile(r"(?<![\w:])(?:[0-9a-fA-F]{1,4}:){3,7}(?::?[0-9a-fA-F]{1,4})+\b|\bfe80:[\w:%]+")
_SERIAL: Final = re.compile(r"(?i)\b(serial\w*\s*[=:]\s*)\S+")


class Redaction(Value):
    """`players` in the order of their badges; `others` are words such as the host name."""

    players: tuple[str, ...] = ()
    others: tuple[str, ...] = ()

    def __call__(self, text: str) -> str:
        """The text without names, secrets and addresses."""
        text = _SECRET.sub(r"\1\2[removed]", text)
        text = _URL_LOGIN.sub(r"\1[removed]@", text)
        text = _SERIAL.sub(r"\1[removed]", text)
        for pattern in (_MAC, _IPV6, _IPV4):
            text = pattern.sub("[address]", text)
        for badge, name in enumerate(self.players, start=1):
            text = _word(name).sub(f"P{badge}", text)
        for name in self.others:
            text = _word(name).sub("[name]", text)
        return text


def asked(command: Sequence[str]) -> str:
    """The output of a command, including errors; or the reason if there is none."""
    try:
        done = subprocess.run(  # noqa: S603 - fixed words, see COMMANDS
            [*command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=PATIENCE_S, check=False
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return f"{command[0]}: {error}\n"
    return done.stdout.decode(errors="replace")


def read(file: Path) -> str:
    """The end of a file's text; or the reason if it cannot be read. A pipe or a device has no end."""
    try:
        with open_regular(file) as opened:
            size = opened.seek(0, os.SEEK_END)  # files of the kernel say that they are empty
            opened.seek(max(0, size - LARGEST))
            return opened.read(LARGEST).decode(errors="replace").replace("\0", "\n")
    except OSError as error:
        return f"{error}\n"


def bundle(texts: Iterable[tuple[str, str]], redaction: Redaction, target: Path, made_at_s: int) -> None:
    """Write the texts, each as a file of its name, into a `.tar.gz` at `target`. Raises `OSError`."""
    with tarfile.open(target, "w:gz") as tar:
        for name, text in texts:
            content = redaction(text[-LARGEST:]).encode()
            entry = tarfile.TarInfo(f"nimmt-support/{name}")
            entry.size, entry.mtime, entry.mode = len(content), made_at_s, 0o644
            tar.addfile(entry, io.BytesIO(content))


def _word(name: str) -> re.Pattern[str]:
    """A name as a word of its own, in capitals or not; the display shows capitals."""
    return re.compile(rf"(?<!\w){re.escape(name)}(?!\w)", re.IGNORECASE)
