"""A game in which somebody else's callback raises in lgpio's only thread; started as a process of its own.

It ends with status 0 where the fault was told on the display and the keys worked on.
"""

from __future__ import annotations

import sys
from pathlib import Path

from tests.firmware.evening import FOUR, ROWS, device
from tests.whole import reading
from tests.whole.real_device import RealDevice

_FREE_GPIO = 4


def main(folder: Path) -> None:
    with device(folder, FOUR + ROWS + "14 44"):
        pass
    with RealDevice(folder) as box:
        from gpiozero import Button

        def raises() -> None:
            raise RuntimeError("a callback of somebody else")

        button = Button(_FREE_GPIO)
        button.when_pressed = raises
        box.chip.press(_FREE_GPIO)
        box.wait_title("BUTTONS")
        assert reading.alike("NOT REPORTED") in box.body()
        box.ok_until("collecting")
        box.scan("90")
        box.making_a_step(lambda: box.press("undo"))
        box.scan("61", "15")
        box.wait_title("PLACE IN ORDER")
        box.ok_until("home")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
