"""Chromium 85, as televisions of 2022 have it: `make old-browser` fetches it. Its driver is not there."""

import itertools
import json
import re
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, cast
from urllib.request import urlopen

import pytest

from tests.network.web.browser import Browser, Look
from tests.patience import PATIENCE_S

CHROMIUM_85 = Path(__file__).parents[3] / "build" / "chromium-85"
needed = pytest.mark.skipif(not CHROMIUM_85.is_file(), reason="there is no Chromium 85: make old-browser")

_ARGUMENTS = ("--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars")


class OldBrowser(Browser):
    """A tab of it, by the protocol of its developer tools at `address`."""

    def __init__(self, address: str) -> None:
        from websocket import create_connection  # selenium brings it

        self._wire = create_connection(address, timeout=PATIENCE_S, suppress_origin=True)
        self._numbers = itertools.count(1)
        self._faults: list[str] = []
        for name in ("Page", "Runtime", "Log"):
            self.command(f"{name}.enable")

    def command(self, name: str, /, **what: Any) -> Any:
        number = next(self._numbers)
        self._wire.send(json.dumps({"id": number, "method": name, "params": what}))
        while (said := json.loads(self._wire.recv())).get("id") != number:
            if said["method"] in ("Runtime.exceptionThrown", "Log.entryAdded"):
                self._faults.append(json.dumps(said["params"]))
        return said["result"]

    def close(self) -> None:
        self._wire.close()

    def go(self, address: str, look: Look) -> None:
        self.look(look)
        self.command("Page.navigate", url=address)

    def run(self, script: str, *_arguments: Any) -> Any:
        return self.command("Runtime.evaluate", expression=script, returnByValue=True)["result"].get("value")

    def complaints(self) -> list[str]:
        return self._faults


@contextmanager
def old_browser() -> Iterator[OldBrowser]:
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        command = [str(CHROMIUM_85), *_ARGUMENTS, "--remote-debugging-port=0", f"--user-data-dir={folder}"]
        with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
            try:
                found = next(
                    filter(None, (re.search(r"ws://([\d.:]+)/", line) for line in process.stderr or ()))
                )
                with urlopen(f"http://{found[1]}/json/new", timeout=PATIENCE_S) as answer:
                    tab = cast("str", json.load(answer)["webSocketDebuggerUrl"])
                with closing(OldBrowser(tab)) as made:
                    yield made
            finally:
                process.kill()
