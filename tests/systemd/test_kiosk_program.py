"""A kiosk as a service: a journal of its own, and back to the attract loop after a power cut."""

import json
import signal
from pathlib import Path
from typing import Any

from tests.systemd.program import CONFIG, Program

KIOSK = f"{CONFIG}[kiosk]\non = true\n"


def counted(program: Program) -> dict[str, int]:
    said: dict[str, Any] = json.loads(program.status.read_text())
    found: dict[str, int] = said["kiosk"]["in_all"]
    return found


def test_power_that_is_cut_within_a_visitors_deal_brings_back_the_attract_loop(tmp_path: Path) -> None:
    with Program(tmp_path, config=KIOSK) as program:
        program.manager.wait_for("WATCHDOG=1")

        def has_come() -> bool:
            program.scanner.scan("6N055Y")
            return counted(program)["visitors"] == 1

        program.wait_until(has_come)
        for code in ("6NC-OKB", "6NC-R1U", "6NC-R2A", "6NC-R1U", "6NC-R1U", "6NC-OKB"):
            program.scanner.scan(code)
        program.wait_until(lambda: counted(program)["deals_begun"] == 1)
        assert program.end(signal.SIGKILL)[0] == -signal.SIGKILL
    with Program(tmp_path, "--kiosk") as program:
        program.manager.wait_for("WATCHDOG=1")
        said = json.loads(program.status.read_text())
        assert said["match"] is None
        assert said["kiosk"]["open"]
        assert program.end()[0] == 0
        assert not program.journal.exists(), "nothing of it is the household's"
