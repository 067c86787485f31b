"""What `make bench` promises to its readers; how fast the product is, is not tested but measured."""

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from companion.core import games
from tests.network.mqtt.mosquitto import needs_mosquitto
from tests.patience import PATIENCE_S
from tools.bench.__main__ import MEASURES, measure
from tools.bench.figure import (
    QUICK,
    Clock,
    Figure,
    Limit,
    Verdict,
    at_least,
    at_most,
    exactly,
    outcome,
    summary,
)
from tools.bench.journals import counted
from tools.bench.start import needless_for_laptop, needless_for_version

HOUSE = Path(__file__).parents[3]
CHEAP = ("referee", "journal", "start")


def figure(measured: float | None, limit: Limit) -> Figure:
    return Figure("start.version", measured, "ms", limit, 31.4)


@pytest.fixture(scope="module")
def measured(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What the cheap measures write, and how the program ended."""
    out = tmp_path_factory.mktemp("bench") / "new" / "bench.json"
    only = [word for name in CHEAP for word in ("--only", name)]
    done = subprocess.run(
        [sys.executable, "-m", "tools.bench", "--quick", *only, "--out", str(out)],
        cwd=HOUSE,
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
        check=False,
    )
    assert out.exists(), done.stderr
    written: dict[str, Any] = json.loads(out.read_text(encoding="utf-8"))
    return {**written, "status": done.returncode, "printed": done.stdout}


def test_every_figure_stands_beside_its_limit(measured: dict[str, Any]) -> None:
    for one in measured["figures"]:
        assert one["name"].startswith(tuple(f"{name}." for name in CHEAP))
        assert one["limit"] is not None
        assert one["bound"] in ("≤", "≥", "=")
        assert one["floor"] is not None
        assert one["name"] in measured["printed"]
    assert measured["machine"]["processor"]


def test_every_game_has_its_referee_measured(measured: dict[str, Any]) -> None:
    names = {one["name"] for one in measured["figures"]}
    assert {f"referee.{key}-to-json" for key in games.GAMES} <= names


def test_the_exit_status_tells_whether_all_limits_are_held(measured: dict[str, Any]) -> None:
    verdicts = {one["verdict"] for one in measured["figures"]}
    unclear = 75 if "not measurable" in verdicts else 0
    assert measured["status"] == (1 if "missed" in verdicts else unclear)


@pytest.mark.skipif(shutil.which("strace") is None, reason="counting needs strace")
def test_a_step_is_one_sync_of_the_disk_and_nothing_else_is_any(measured: dict[str, Any]) -> None:
    syncs = next(one for one in measured["figures"] if one["name"] == "journal.syncs")
    assert syncs["measured"] == 1
    assert syncs["detail"]["steps"] == syncs["detail"]["syncs"] > 0


def test_every_measure_stands_in_the_documentation() -> None:
    page = (HOUSE / "docs" / "performance.md").read_text(encoding="utf-8")
    assert [name for name in MEASURES if f"### `{name}`" not in page] == []
    told = set(re.findall(r"^### `([\w-]+)`", page, re.MULTILINE))
    assert told == set(MEASURES)


@pytest.mark.parametrize(
    ("value", "limit", "verdict"),
    [
        (6.0, at_most(6), Verdict.HELD),
        (6.1, at_most(6), Verdict.MISSED),
        (2000, at_least(2000), Verdict.HELD),
        (1999, at_least(2000), Verdict.MISSED),
        (1, exactly(1), Verdict.HELD),
        (2, exactly(1), Verdict.MISSED),
        (0, exactly(1), Verdict.MISSED),
        (None, at_most(6), Verdict.UNMEASURABLE),
    ],
)
def test_a_limit_is_held_or_missed(value: float | None, limit: Limit, verdict: Verdict) -> None:
    assert figure(value, limit).verdict is verdict


@pytest.mark.parametrize(
    ("clock", "others_percent", "value", "limit", "verdict"),
    [
        (Clock.WALL, 9.0, 7.0, at_most(6), Verdict.MISSED),
        (Clock.WALL, 10.0, 7.0, at_most(6), Verdict.UNMEASURABLE),
        (Clock.WALL, 170.0, 600.0, at_most(6), Verdict.UNMEASURABLE),
        (Clock.WALL, 170.0, 6.0, at_most(6), Verdict.HELD),
        (Clock.PROCESSOR, 170.0, 12.0, at_most(6), Verdict.UNMEASURABLE),
        (Clock.PROCESSOR, 170.0, 12.1, at_most(6), Verdict.MISSED),
        (Clock.PROCESSOR, 0.0, 6.1, at_most(6), Verdict.MISSED),
        (Clock.PROCESSOR, 170.0, 1000, at_least(2000), Verdict.UNMEASURABLE),
        (Clock.PROCESSOR, 170.0, 999, at_least(2000), Verdict.MISSED),
        (Clock.NONE, 170.0, 2, exactly(1), Verdict.MISSED),
        (Clock.NONE, 170.0, 0.2, at_least(0.28), Verdict.MISSED),
    ],
)
def test_a_busy_machine_is_not_taken_for_a_slow_program_nor_a_slow_program_for_a_busy_machine(
    clock: Clock, others_percent: float, value: float, limit: Limit, verdict: Verdict
) -> None:
    busy = replace(figure(value, limit), timed_by=clock, others_percent=others_percent)
    assert busy.verdict is verdict
    assert busy.record()["verdict"] == verdict.value.lower()


@pytest.mark.parametrize(
    ("values", "status"),
    [((1.0, None), 75), ((1.0, 2.0), 1), ((None, 2.0), 1), ((1.0, 1.0), 0), ((), 0)],
)
def test_a_run_that_could_not_be_judged_has_an_exit_status_of_its_own(
    values: tuple[float | None, ...], status: int
) -> None:
    assert outcome([figure(value, at_most(1)) for value in values]) == status


def test_what_could_not_be_measured_is_neither_met_nor_missed() -> None:
    told = summary([figure(None, at_most(1)), figure(1, at_most(1)), figure(2, at_most(1))], 0)
    assert told == "1 of 3 limits are met; not met: start.version; not measurable: start.version"


def test_a_step_without_a_sync_and_one_with_two_are_both_seen() -> None:
    trace = """\
    10 fdatasync(4) = 0
    10 write(3, "steps -1\\n", 9) = 9
    10 fsync(5) = 0
    10 write(3, "steps 0\\n", 8) = 8
    10 fdatasync(4) = 0
    10 write(3, "steps 1\\n", 8) = 8
    10 write(7, "fsync(4)", 8) = 8
    10 write(3, "steps 2\\n", 8) = 8
    11 fdatasync(4 <unfinished ...>
    10 fdatasync(4) = 0
    11 <... fdatasync resumed>) = 0
    10 write(3, "steps 3\\n", 8) = 8
    10 write(3, "steps 3\\n", 8) = 8
    """
    assert counted(trace) == [(1, 1), (1, 0), (1, 2), (0, 0)]


@pytest.mark.parametrize("name", ["PIL.Image", "sqlite3", "serial.serialposix", "hardware.ports", "luma"])
def test_a_version_number_needs_no_library(name: str) -> None:
    lean = {"firmware", "firmware.cli.main", "argparse", "re"}
    assert needless_for_version(lean) == []
    assert needless_for_version({*lean, name}) == [name]


@pytest.mark.parametrize(
    "name", ["gpiozero.pins", "luma.oled.device", "hardware.drivers.luma_oled", "hardware.simulation.panels"]
)
def test_a_laptop_needs_no_library_of_a_device(name: str) -> None:
    lean = {"firmware.play.app", "PIL.Image", "hardware.drivers.terminal", "firmware.commands.run"}
    assert needless_for_laptop(lean) == []
    assert needless_for_laptop({*lean, name}) == [name]


@needs_mosquitto
@pytest.mark.slow
def test_the_hub_shows_and_keeps_every_step_of_its_tables() -> None:
    page, lost = measure("hub", QUICK)
    assert (page.name, lost.name) == ("hub.page", "hub.lost")
    assert lost.measured == 0
    assert page.measured is not None
    assert page.floor is not None
    assert page.measured > page.floor
