"""The activity light of the Raspberry Pi blinks a number where there is no picture to read.

    2   no display answers
    3   the configuration or a file on the card has a fault
    4   the journal cannot be written

Otherwise the light shows what it always does, the traffic of the card.
"""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final

CODES: Final[Mapping[str, int]] = {"display": 2, "configuration": 3, "journal": 4}
"""By the id of what is wrong; the first of these is shown."""

LIGHT: Final = Path("/sys/class/leds/ACT")
ON_S: Final = 0.25
OFF_S: Final = 0.35
PAUSE_S: Final = 2.0


def code_of(said: Mapping[str, Any] | None) -> int:
    """How often to blink for a status of the service; 0 if nothing is wrong, or nothing is known."""
    if said is None:
        return 0
    ids = {issue["id"] for issue in said["issues"]}
    return next((code for name, code in CODES.items() if name in ids), 0)


class BoardLed:
    """The light in `folder`. It belongs to the kernel until something is to be said. Raises `OSError`."""

    def __init__(self, folder: Path = LIGHT) -> None:
        self._folder = folder
        self._before = ""

    def blink(self, code: int, wait: Callable[[float], object]) -> None:
        """Blink so many times and pause; with 0 only pause. Blocks by `wait`."""
        if not code:
            self.give_back()
            wait(PAUSE_S)
            return
        if not self._before:
            self._before = _chosen((self._folder / "trigger").read_text())
            (self._folder / "trigger").write_text("none")
        on = (self._folder / "max_brightness").read_text().strip()
        for _ in range(code):
            (self._folder / "brightness").write_text(on)
            wait(ON_S)
            (self._folder / "brightness").write_text("0")
            wait(OFF_S)
        wait(PAUSE_S)

    def give_back(self) -> None:
        """Let the kernel use it again as before."""
        if self._before:
            (self._folder / "trigger").write_text(self._before)
            self._before = ""


def _chosen(triggers: str) -> str:
    """The trigger in use: `none kbd-numlock [mmc0] timer`, see Documentation/leds/leds-class.rst."""
    return triggers.partition("[")[2].partition("]")[0] or "mmc0"
