"""The hands of the test inside the virtual Pi: runs commands and presses keys. Nothing of the product.

One JSON object a line, on a virtio serial port:

    {"id": 1, "run": ["uname", "-r"], "within_s": 30}  ->  {"id": 1, "status": 0, "said": "6.1.0"}
    {"id": 2, "press": 26, "for_s": 0.1}               ->  {"id": 2, "status": 0, "said": "0.102"}

To a press it says for how many seconds the switch was closed.

The first line that it sends is {"up": true}.
"""

import json
import os
import subprocess
import threading
import time
from pathlib import Path
from typing import Any

PORT = "virtual-pi"
PINS = Path("/run/virtual-pi/pins")
PAUSE = threading.Event()  # nobody sets it: waiting for it is doing something a little later


def port() -> str:
    """The device of the port; without waiting for udev."""
    while True:
        for name in Path("/sys/class/virtio-ports").glob("*/name"):
            if name.read_text().strip() == PORT:
                return "/dev/" + name.parent.name
        PAUSE.wait(0.05)


def run(words: list[str], within_s: float) -> tuple[int, str]:
    """The status of a command and what it says."""
    try:
        done = subprocess.run(
            words,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=within_s,
            check=False,
        )
    except subprocess.TimeoutExpired as late:
        return 124, (late.stdout or b"").decode(errors="replace")
    except OSError as seen:
        return 127, str(seen)
    return done.returncode, done.stdout.decode(errors="replace")


def press(pin: int, for_s: float) -> float:
    """Close the switch of a pin to ground for a while; gives how long it really was, in seconds."""
    pull = PINS / f"sim_gpio{pin}" / "pull"
    closed_s = time.monotonic()
    pull.write_text("pull-down")
    PAUSE.wait(for_s)
    pull.write_text("pull-up")
    return time.monotonic() - closed_s


def answer(asked: dict[str, Any]) -> tuple[int, str]:
    """Do what is asked for."""
    if "press" in asked:
        return 0, f"{press(asked['press'], asked['for_s']):.3f}"
    return run(asked["run"], asked["within_s"])


def say(wire: int, what: dict[str, Any]) -> None:
    """Send a line."""
    data = json.dumps(what).encode() + b"\n"
    while data:
        data = data[os.write(wire, data) :]


def main() -> None:
    """Answer for ever."""
    wire = os.open(port(), os.O_RDWR)
    say(wire, {"up": True})
    heard = b""
    while True:
        piece = os.read(wire, 65536)
        if not piece:
            PAUSE.wait(0.05)  # nobody is at the other end
        heard += piece
        *lines, heard = heard.split(b"\n")
        for line in lines:
            asked = json.loads(line)
            status, said = answer(asked)
            say(wire, {"id": asked["id"], "status": status, "said": said})


if __name__ == "__main__":
    main()
