"""The state of the machine: power, temperature, disk, clock.

Everything is a small file of the kernel or one system call, so that looking every two seconds costs nothing
and never touches the card. Where a file does not exist, there is nothing to say: a laptop has no `rpi_volt`.
"""

import os
from collections.abc import Callable, Iterator
from contextlib import suppress
from datetime import UTC, datetime
from itertools import chain
from pathlib import Path
from typing import Final

from companion.text.sentence import say
from companion.values import Value, field
from firmware.service.clock import KNOWN_PAST_S, Clock
from firmware.service.health import Issue, Severity
from firmware.text.os_errors import reason_of

LATCH_S: Final = 30.0
"""An issue is over when it was not seen for this long: the kernel's under-voltage alarm lasts two seconds."""

HOT_C: Final = 80
"""The processor is throttled above this (Raspberry Pi documentation, Frequency management)."""
SCARCE_BYTES: Final = 100 * 1024 * 1024
"""Room for thousands of matches, and for a log that explains why space is short."""
WATCHDOG_LIMIT_S: Final = 15
"""The longest timeout of a Raspberry Pi's timer (bcm2835_wdt); above it there is no watchdog at all."""


class Sources(Value):
    """Where the state of the machine is read; other places are for tests."""

    hwmon: Path = Path("/sys/class/hwmon")
    thermal: Path = Path("/sys/class/thermal")
    ext4: Path = Path("/sys/fs/ext4")
    clock: Clock = field(default_factory=Clock)
    watchdog: Path = Path("/sys/class/watchdog/watchdog0")
    watchdog_wanted: Path = Path("/etc/systemd/system.conf.d/60-nimmt-watchdog.conf")
    statvfs: Callable[[Path], os.statvfs_result] = os.statvfs


class Machine:
    """The machine that has the journal in `folder`. For one thread; times are monotonic seconds."""

    def __init__(self, folder: Path, sources: Sources = Sources()) -> None:
        self._folder = folder
        self._at = sources
        self._ext4_before = _ext4_errors(sources.ext4)  # the card's own count is of its whole life
        self._seen: dict[str, tuple[float, Issue]] = {}

    def look(self, now_s: float) -> list[Issue]:
        """What is wrong now, or was within the last `LATCH_S`."""
        at = self._at
        found = (_power(at.hwmon), _heat(at.thermal), self._disk(), self._clock(), _watchdog(at))
        for issue in chain.from_iterable(found):
            self._seen[issue.key] = (now_s, issue)
        self._seen = {key: seen for key, seen in self._seen.items() if now_s - seen[0] < LATCH_S}
        return [issue for _, issue in self._seen.values()]

    def celsius(self) -> int | None:
        """The temperature of the processor in whole degrees; None where nothing measures it."""
        hottest = _hottest(self._at.thermal)
        return hottest // 1000 if hottest else None

    def local_time(self) -> datetime | None:
        """The time of day at this place; None while the clock was not set since startup."""
        wall_s = self._at.clock.now_s()
        if wall_s < KNOWN_PAST_S or not self._at.clock.is_told():
            return None
        return datetime.fromtimestamp(wall_s, tz=UTC).astimezone()

    def _disk(self) -> Iterator[Issue]:
        try:
            disk = self._at.statvfs(self._folder)
        except OSError as error:
            yield Issue(
                "disk",
                Severity.FAULT,
                say("{file} cannot be read: {why}", file=str(self._folder), why=reason_of(error)),
                say("switch off, and check the SD card in another computer"),
            )
            return
        free = disk.f_bavail * disk.f_frsize
        if disk.f_flag & os.ST_RDONLY:
            yield Issue(
                "disk-read-only",
                Severity.FAULT,
                say("the disk is read-only; what is played now cannot be saved"),
                say("insert a new SD card; the old one can still be read"),
            )
        elif disk.f_blocks and free < SCARCE_BYTES:
            yield Issue(
                "disk-space",
                Severity.WARNING,
                say("only {free} MB are free on the disk", free=free // 1_000_000),
                say("delete what is not needed; `du -xh / | sort -h` shows what is large"),
            )
        errors = _ext4_errors(self._at.ext4)
        if any(count > self._ext4_before.setdefault(disk, count) for disk, count in errors.items()):
            yield Issue(
                "disk-failing",
                Severity.FAULT,
                say("the file system has reported errors since the program was started"),
                say("copy the journal (`nimmt export`), then replace the SD card"),
            )

    def _clock(self) -> Iterator[Issue]:
        clock = self._at.clock
        fix = (
            say("connect to a network once, or set it from a phone")
            if clock.asks()
            else say("connect to a network once, or fit a battery for the clock of a Raspberry Pi 5")
        )
        if clock.now_s() < KNOWN_PAST_S:
            fault = say("the clock is not set: dates in the journal will be wrong, but their order is right")
            yield Issue("clock", Severity.NOTE, fault, fix)
        elif not clock.is_told():
            fault = say("the clock has not been set since startup: dates in the journal may be wrong")
            yield Issue("clock", Severity.NOTE, fault, fix)


def _power(hwmon: Path) -> Iterator[Issue]:
    for sensor in _entries(hwmon):
        # Linux, drivers/hwmon/raspberrypi-hwmon.c: the firmware is asked every two seconds.
        if _text(sensor / "name") == "rpi_volt" and _number(sensor / "in0_lcrit_alarm"):
            yield Issue(
                "under-voltage",
                Severity.WARNING,
                say("the power supply is too weak: the voltage is below 4.63 V"),
                say("use the power supply made for this Raspberry Pi, and a short cable"),
            )


def _hottest(thermal: Path) -> int:
    """Thousandths of a degree; 0 where nothing measures it."""
    zones = (zone for zone in _entries(thermal) if zone.name.startswith("thermal_zone"))
    return max((_number(zone / "temp") for zone in zones), default=0)


def _heat(thermal: Path) -> Iterator[Issue]:
    hottest = _hottest(thermal)
    if hottest >= HOT_C * 1000:
        yield Issue(
            "temperature",
            Severity.WARNING,
            say("the processor is at {celsius} degrees and is slowing down", celsius=hottest // 1000),
            say("improve the airflow or fit a heat sink"),
        )


def _watchdog(at: Sources) -> Iterator[Issue]:
    if not at.watchdog_wanted.exists():
        return
    state, timeout_s = _text(at.watchdog / "state"), _number(at.watchdog / "timeout")
    if state != "active" or not 0 < timeout_s <= WATCHDOG_LIMIT_S:
        yield Issue(
            "hardware-watchdog",
            Severity.WARNING,
            say("the hardware watchdog is configured but not running ({state})", state=state or "no device"),
            say("set RuntimeWatchdogSec=14 (not more), then reboot"),
        )


def _ext4_errors(ext4: Path) -> dict[str, int]:
    return {disk.name: _number(disk / "errors_count") for disk in _entries(ext4)}


def _entries(folder: Path) -> list[Path]:
    try:
        return sorted(folder.iterdir())
    except OSError:
        return []


def _text(file: Path) -> str:
    with suppress(OSError, UnicodeDecodeError):
        return file.read_text(encoding="ascii").strip()
    return ""


def _number(file: Path) -> int:
    text = _text(file)
    return int(text) if text.removeprefix("-").isdecimal() else 0
