"""What docs/reliability.md says: every complaint has its heading, and every test that it names exists."""

import re
from pathlib import Path

from firmware.plugins import added
from firmware.service.health import GRAVE, PAGE
from hardware.registry import DRIVERS

ROOT = Path(__file__).parents[2]
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


def test_every_test_in_the_table_of_faults_exists() -> None:
    named = set(re.findall(r"`(test_\w+)`", TEXT))
    assert len(named) > 25
    found = {
        name
        for file in (ROOT / "tests").rglob("test_*.py")
        for name in re.findall(r"^def (test_\w+)", file.read_text(encoding="utf-8"), re.MULTILINE)
    }
    assert named - found == set()
