"""What the machine says of itself, read from a folder for /sys, /run and /etc; docs explain all of it."""

import os
import re
from pathlib import Path

import pytest
from msgspec.structs import replace

from firmware.plugins import added
from firmware.service.clock import KNOWN_PAST_S, Clock
from firmware.service.health import GRAVE, PAGE, Issue, Severity
from firmware.service.machine import LATCH_S, Machine, Sources
from hardware.registry import DRIVERS

ROOT = Path(__file__).parents[2]
GIB = 1024**3


def disk(*, free: int = 10 * GIB, flags: int = 0) -> os.statvfs_result:
    return os.statvfs_result((4096, 4096, 64 * GIB // 4096, free // 4096, free // 4096, 1, 1, 1, flags, 255))


class Box:
    """A machine that is well; `write` makes it ill."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.at = Sources(
            hwmon=folder / "hwmon",
            thermal=folder / "thermal",
            ext4=folder / "ext4",
            watchdog=folder / "watchdog0",
            watchdog_wanted=folder / "60-nimmt-watchdog.conf",
            statvfs=lambda _: disk(),
            clock=Clock(
                folder / "rtc", folder / "synchronized", folder / "clock", lambda: KNOWN_PAST_S + 1.0
            ),
        )
        self.write("synchronized", "")
        self.write("hwmon/hwmon0/name", "cpu_thermal")  # not the power supply
        self.write("hwmon/hwmon0/in0_lcrit_alarm", "1")
        self.write("hwmon/hwmon1/name", "rpi_volt")
        self.write("hwmon/hwmon1/in0_lcrit_alarm", "0")
        self.write("thermal/thermal_zone0/temp", "54000")
        self.write("thermal/cooling_device0/temp", "99000")
        self.write("ext4/mmcblk0p2/errors_count", "3")

    def write(self, name: str, text: str) -> None:
        file = self.folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(f"{text}\n")

    def machine(self) -> Machine:
        return Machine(self.folder, self.at)


@pytest.fixture
def box(tmp_path: Path) -> Box:
    return Box(tmp_path)


def ids(issues: list[Issue]) -> list[str]:
    return [issue.id for issue in issues]


WATCHDOG = {"60-nimmt-watchdog.conf": "[Manager]", "watchdog0/state": "active", "watchdog0/timeout": "14"}
"""One that was asked for and runs."""
SILENT = ["hardware-watchdog"]


@pytest.mark.parametrize(
    ("files", "found"),
    [
        ({"watchdog0/state": "inactive"}, []),  # nobody has asked for it
        ({"thermal/thermal_zone1/temp": "79999"}, []),
        ({"thermal/thermal_zone1/temp": "80000"}, ["temperature"]),  # here it begins to slow down
        ({"thermal/thermal_zone1/temp": "rubbish"}, []),
        (WATCHDOG, []),
        ({**WATCHDOG, "watchdog0/timeout": "30"}, SILENT),
        ({**WATCHDOG, "watchdog0/state": "inactive"}, SILENT),
        ({**WATCHDOG, "watchdog0/state": "", "watchdog0/timeout": ""}, SILENT),
    ],
)
def test_what_the_files_of_a_machine_say_is_told(box: Box, files: dict[str, str], found: list[str]) -> None:
    for name, text in files.items():
        box.write(name, text)
    assert ids(box.machine().look(0.0)) == found


def test_a_laptop_without_any_of_the_files_is_well(tmp_path: Path, box: Box) -> None:
    nowhere = replace(
        box.at, hwmon=tmp_path / "no", thermal=tmp_path / "no", ext4=tmp_path / "no", watchdog=tmp_path / "no"
    )
    assert Machine(tmp_path, nowhere).look(0.0) == []


@pytest.mark.parametrize(
    ("seen", "found", "severity"),
    [
        (disk(free=50 * 1024 * 1024), "disk-space", Severity.WARNING),
        (disk(flags=os.ST_RDONLY), "disk-read-only", Severity.FAULT),
    ],
)
def test_a_full_or_locked_disk_is_said(
    box: Box, seen: os.statvfs_result, found: str, severity: Severity
) -> None:
    box.at = replace(box.at, statvfs=lambda _: seen)
    (issue,) = box.machine().look(0.0)
    assert (issue.id, issue.severity) == (found, severity)


def test_a_disk_that_does_not_answer_is_told(box: Box) -> None:
    gone = box.folder / "gone"
    (issue,) = Machine(gone, replace(box.at, statvfs=os.statvfs)).look(0.0)
    assert issue.id == "disk"
    assert str(gone) in str(issue.says)


def test_errors_that_a_card_has_met_in_its_life_are_no_alarm_and_new_ones_are(box: Box) -> None:
    machine = box.machine()
    assert machine.look(0.0) == []
    box.write("ext4/sda1/errors_count", "700")  # a stick is plugged in that was ill elsewhere
    assert machine.look(2.0) == []
    box.write("ext4/mmcblk0p2/errors_count", "4")
    assert ids(machine.look(4.0)) == ["disk-failing"]


def test_a_clock_that_nobody_has_set_is_worth_a_note_and_one_with_a_battery_counts_as_set(box: Box) -> None:
    (box.folder / "synchronized").unlink()
    (issue,) = box.machine().look(0.0)
    assert (issue.id, issue.severity) == ("clock", Severity.NOTE)
    (box.folder / "rtc" / "rtc0").mkdir(parents=True)
    assert box.machine().look(0.0) == []
    box.at = replace(box.at, clock=replace(box.at.clock, now_s=lambda: 0.0))  # before this program was made
    (issue,) = box.machine().look(0.0)
    assert "not set" in str(issue.says)


def test_a_clock_that_a_phone_may_set_is_told_with_that_way(box: Box) -> None:
    (box.folder / "synchronized").unlink()
    (box.folder / "clock" / "offered").mkdir(parents=True)
    (issue,) = box.machine().look(0.0)
    assert "from a phone" in str(issue.fix)
    box.at.clock.tell()
    assert box.machine().look(LATCH_S) == []
    assert box.machine().local_time() is not None


TEXT = (ROOT / PAGE).read_text(encoding="utf-8")


def complaints() -> set[str]:
    """Every id that the program can give."""
    made = (ROOT / "firmware" / "service" / name for name in ("machine.py", "watchdog.py"))
    known = {*GRAVE, *DRIVERS, "configuration", "power", *(part.name for part in added("start"))}
    known |= {
        found
        for file in (ROOT / "firmware" / "extensions").rglob("*.py")
        for found in re.findall(
            r'^DEVICE: Final = "([\w-]+)"', file.read_text(encoding="utf-8"), re.MULTILINE
        )
    }
    return known | {
        found
        for file in made
        for found in re.findall(r'Issue\(\s*"([\w-]+)"', file.read_text(encoding="utf-8"))
    }


def test_everything_that_is_complained_of_is_explained() -> None:
    explained = set(re.findall(r"^### ([\w-]+)$", TEXT, re.MULTILINE))
    assert len(complaints()) > 12
    assert explained == complaints() | {"overlays"}
