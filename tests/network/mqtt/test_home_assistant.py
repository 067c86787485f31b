"""A real Home Assistant finds a table at a real broker, shows what it tells, and presses its keys.

Home Assistant is no dependency: it needs a Python of its own and minutes to be installed.
NIMMT_HOME_ASSISTANT names the Python that has it (CONTRIBUTING tells how); else these tests are skipped.
"""

import json
import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

import pytest

from firmware import __version__
from network.mqtt.command import forget
from network.mqtt.config import MqttOptions
from tests.firmware.table_socket.at_table import table
from tests.network.mqtt.bridged import DEVICE, bridge
from tests.network.mqtt.mosquitto import mosquitto, needs_mosquitto
from tests.no_orphan import NO_ORPHAN
from tests.patience import comes

PYTHON: Final = os.environ.get("NIMMT_HOME_ASSISTANT", "")
START: Final = "R1 b1 b2 b3 OK R1 R1 12 37 43 58"

pytestmark = [
    needs_mosquitto,
    pytest.mark.skipif(not PYTHON, reason="NIMMT_HOME_ASSISTANT names no Python with Home Assistant"),
]


class HomeAssistant:
    """The program `home_assistant.py`."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self._process = process
        self.known: dict[str, Any] = self._answer()

    def _answer(self) -> dict[str, Any]:
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        assert line, "Home Assistant has ended"
        found: dict[str, Any] = json.loads(line)
        return found

    def _tell(self, what: dict[str, str]) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(what) + "\n")
        self._process.stdin.flush()
        self.known = self._answer()

    def press(self, key: str) -> None:
        self._tell({"press": f"{DEVICE.client}-{key}"})

    def entity(self, name: str) -> dict[str, Any]:
        """One of the entities of the table, as it is now; empty if there is none."""
        self._tell({})
        found: dict[str, Any] = self.known["entities"].get(f"{DEVICE.client}-{name}", {})
        return found

    def comes(self, name: str, state: str) -> bool:
        """Whether an entity comes to be in a state in time."""
        return comes(lambda: self.entity(name).get("state") == state)


@contextmanager
def home_assistant(folder: Path, port: int) -> Iterator[HomeAssistant]:
    """One that is connected to the broker."""
    program = Path(__file__).with_name("home_assistant.py")
    words = [*NO_ORPHAN, PYTHON, str(program), str(folder), str(port)]
    with (
        (folder / "log.txt").open("w") as log,
        subprocess.Popen(
            words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=log, text=True, cwd=folder
        ) as process,
    ):
        try:
            yield HomeAssistant(process)
        finally:
            process.kill()


@pytest.mark.parametrize("control", [False, True])
def test_it_finds_the_table_shows_what_is_played_and_presses_its_keys(tmp_path: Path, control: bool) -> None:
    home = tmp_path / "home"
    home.mkdir()
    with mosquitto(tmp_path) as broker, home_assistant(home, broker.port) as seen:
        assert not seen.known["devices"]
        with table(tmp_path, START) as box, bridge(tmp_path, broker.port, control=control):
            assert seen.comes("running", "on")
            assert [DEVICE.name, "nimmt-companion", __version__] in seen.known["devices"]
            assert seen.entity("standing")["state"] == "1. P1 0 · 1. P2 0 · 1. P3 0"
            assert seen.comes("turn", "1")
            assert seen.comes("problem", "off")
            assert seen.entity("waiting")["state"] not in ("unknown", "unavailable", "")
            client = box.client()
            for card in ("14", "44", "15"):
                assert client.act("type", text=card)["accepted"]
            assert seen.comes("turn", "2")
            if control:
                seen.press("undo")
                assert seen.comes("turn", "1")
                seen.press("mute")
                assert comes(lambda: box.device.controller.muted)
            else:
                assert not seen.entity("undo")
                assert not seen.entity("mute")
        assert seen.comes("running", "unavailable")
        forget(MqttOptions(host="127.0.0.1", port=broker.port, table=DEVICE.table), DEVICE)
        assert comes(lambda: not seen.entity("running"))
