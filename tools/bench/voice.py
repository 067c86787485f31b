"""How long after an act a voice is heard: through the socket, espeak-ng and a sound device that is a file."""

import os
import shutil
import subprocess
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from statistics import median
from typing import Final

from firmware.extensions.speech.config import SpeechOptions
from firmware.extensions.speech.speaking import Speaking
from firmware.table_socket.client import Connection
from tools.bench.figure import Clock, Effort, Figure, at_most, late
from tools.bench.machine import MEMORY, fresh_folder
from tools.bench.wired import live_table

_LIMIT_MS: Final = 300.0
_DEVICE: Final = "bench"
_BEGIN: Final = "R1 b1 b2 b3 b4 OK R1 R1 12 37 43 58"
_REFUSED: Final = ("12", "37", "43", "58")
"""Cards that lie already: each is refused, in one sentence, and changes nothing."""

_SENTENCE: Final = "12 is already in row 1. Scan the card again, or undo the wrong one."
_LOOK_S: Final = 0.002
_PATIENCE_S: Final = 30.0


def voice(effort: Effort) -> list[Figure]:
    """From an act at the socket to the first sound; the floor is espeak-ng alone."""
    if not (shutil.which("espeak-ng") and shutil.which("aplay")):
        note = "install espeak-ng and alsa-utils"
        return [Figure("voice.heard", None, "ms", at_most(_LIMIT_MS), note=note)]
    with fresh_folder(MEMORY) as folder:
        took_ms = _heard_ms(folder, max(4, effort.cards // 4))
        floor_ms = [_alone_ms(folder) for _ in range(max(4, effort.cards // 10))]
    return [
        Figure(
            "voice.heard",
            late(took_ms, 95),
            "ms",
            at_most(_LIMIT_MS),
            floor=median(floor_ms),
            note=f"the median is {median(took_ms):.0f} ms; {len(took_ms)} sentences",
            timed_by=Clock.WALL,
        )
    ]


def _heard_ms(folder: Path, sentences: int) -> list[float]:
    played, config = folder / "played.raw", folder / "asound.conf"
    config.write_text(
        "pcm.silent { type null }\n"
        f'pcm.{_DEVICE} {{ type file slave.pcm "silent" file "{played}" format "raw" }}\n'
    )
    os.environ["ALSA_CONFIG_PATH"] = str(config)
    options = SpeechOptions(driver="espeak", device=_DEVICE)
    took_ms: list[float] = []
    added = {SpeechOptions: options}
    with live_table(folder, _BEGIN, added=added), Connection(folder / "table.sock") as listens:
        speaking = Speaking(options, lambda: 0)

        def follow() -> None:
            with suppress(OSError, ValueError):  # the connection is closed at the end
                speaking.hear(listens)

        reader = threading.Thread(target=follow, daemon=True)
        speaker = threading.Thread(target=speaking.run)
        reader.start()
        speaker.start()
        try:
            _wait(lambda: speaking.follows)
            with Connection(folder / "table.sock") as acts:
                for number in range(sentences):
                    played.unlink(missing_ok=True)
                    sent_s = time.perf_counter()
                    acts.send({"kind": "act", "id": str(number), "act": "type", "text": _REFUSED[number % 4]})
                    _wait(lambda: played.is_file() and played.stat().st_size > 0)
                    took_ms.append(1000 * (time.perf_counter() - sent_s))
        finally:
            speaking.end()
            speaker.join()
            del os.environ["ALSA_CONFIG_PATH"]
    return took_ms


def _wait(holds: Callable[[], bool]) -> None:
    """Look every two milliseconds. Raises `TimeoutError`."""
    pause, end_s = threading.Event(), time.monotonic() + _PATIENCE_S
    while not holds():
        if time.monotonic() > end_s:
            raise TimeoutError("nothing is heard")
        pause.wait(_LOOK_S)


def _alone_ms(folder: Path) -> float:
    began_s = time.perf_counter()
    words = ["espeak-ng", "-w", str(folder / "alone.wav"), _SENTENCE]
    subprocess.run(words, check=True)  # noqa: S603 - fixed words
    return 1000 * (time.perf_counter() - began_s)
