"""A sound device of ALSA that writes what is played into a file, and a table whose voice uses it."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from shutil import which
from typing import Any

import pytest

from firmware.extensions.speech.config import SpeechOptions
from firmware.extensions.speech.speaking import Announcer
from firmware.table_socket.client import TableClient
from tests.firmware.table_socket.at_table import Client, table
from tests.patience import PATIENCE_S, comes

needs_sound = pytest.mark.skipif(
    not (which("espeak-ng") and which("aplay")), reason="espeak-ng and alsa-utils are not installed"
)
DEVICE = "record"


def install(folder: Path, monkeypatch: pytest.MonkeyPatch, file: str = "") -> Path:
    """Give this process the device; gives the file that holds the samples of the newest sound."""
    played = Path(file) if file else folder / "played.raw"
    config = folder / "asound.conf"
    config.write_text(
        "pcm.silent { type null }\n"
        f'pcm.{DEVICE} {{ type file slave.pcm "silent" file "{played}" format "raw" }}\n'
    )
    monkeypatch.setenv("ALSA_CONFIG_PATH", str(config))
    return played


class Spoken:
    """A voice at a table, and what it has said."""

    def __init__(self, at: Any, options: SpeechOptions, minute: int) -> None:
        self.said: list[str] = []
        self._more = threading.Condition()
        self.client: Client = at.client()
        self.device = at.device
        self.voice = Announcer(options, lambda: minute, self._note)
        self._connection = TableClient(at.path)
        self._thread = threading.Thread(target=self.voice.run)
        threading.Thread(target=self._follow, daemon=True).start()
        self._thread.start()
        assert comes(lambda: self.voice.follows)

    def _follow(self) -> None:
        with self._connection, suppress(OSError, ValueError):
            self.voice.read(self._connection)

    def _note(self, line: str) -> None:
        with self._more:
            self.said.append(line)
            self._more.notify_all()

    def comes(self, words: str) -> None:
        """Wait until something with these words was said."""
        with self._more:
            assert self._more.wait_for(lambda: any(words in one for one in self.said), PATIENCE_S), self.said

    def close(self) -> None:
        self.voice.end()
        self._thread.join(PATIENCE_S)
        assert not self._thread.is_alive()


@contextmanager
def spoken(
    folder: Path, script: str, *, minute: int = 0, options: SpeechOptions, **sections: Any
) -> Iterator[Spoken]:
    """A table in play whose events are spoken."""
    with table(folder, script, **sections) as at:
        made = Spoken(at, options, minute)
        try:
            yield made
        finally:
            made.close()
