"""Follow a table and say what happens there: the newest wins, and nobody waits for it.

A thread reads the table's socket, whatever is said meanwhile. `Announcer.run`, in another thread, makes one
utterance of all that has come within a moment. It ends what is still being said, also if only that is old.
"""

import logging
import os
import queue
import re
import subprocess
import time
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final

from msgspec import convert

from companion.protocol.snapshot import Localized
from companion.text.errors import CompanionError, quoted
from companion.text.sentence import Text, say
from firmware.extensions.speech.at_table import LESSON, VOICE
from firmware.extensions.speech.config import SpeechOptions
from firmware.extensions.speech.moments import lesson, moment
from firmware.extensions.speech.phrases import TRY, pieces, voice
from firmware.extensions.speech.voices import as_line, voice_of
from firmware.table_socket.messages import RefusedEvent, Snapshot, StepEvent, after

_LOG: Final = logging.getLogger(__name__)

TOGETHER_S: Final = 0.03
"""What comes within this time is said together: people often scan several cards at once."""

_CHOOSE_DEVICE: Final = say("choose another device under [speech]: aplay --list-devices names them")
_PREFIX: Final = re.compile(r"^aplay: (\w+:\d+: )?")
"""What stands before an error of aplay."""

_POLL_S: Final = 0.25
_TIMEOUT_S: Final = 30.0
"""How much longer than its sound a player may take before the device is said to take no sound."""


class SoundPlayer:
    """Plays one WAV file at a time through ALSA's aplay. One thread; no method waits for the sound."""

    def __init__(self, device: str) -> None:
        self._device = device or "default"
        self._command = ("aplay", "--quiet", *(("--device", device) if device else ()), "-")
        self._playing: subprocess.Popen[bytes] | None = None

    def play(self, wav: bytes) -> None:
        """Begin to play; what still plays is ended. Raises `CompanionError` where there is no aplay."""
        self.stop()
        # A file in memory, so that a device that takes nothing holds up nobody who writes.
        with open(os.memfd_create("speech"), "r+b") as file:  # noqa: PTH123 - a descriptor
            file.write(wav)
            file.seek(0)
            try:
                self._playing = subprocess.Popen(  # noqa: S603 - a name of a device is no command
                    self._command, stdin=file, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE
                )
            except FileNotFoundError as missing:
                raise CompanionError(
                    say("aplay is not installed"), say("run sudo apt install alsa-utils")
                ) from missing

    @property
    def is_playing(self) -> bool:
        """Whether something is still being played."""
        return self._playing is not None and self._playing.poll() is None

    def playback_error(self, timeout_s: float = 0.0) -> CompanionError | None:
        """Why the sound that is over was not heard, once; None where it was.

        A sound that is not over within `timeout_s` is ended, and that is why.
        """
        playing, self._playing = self._playing, None
        if playing is None or playing.stderr is None:
            return None
        with playing.stderr as errors:
            try:
                playing.wait(timeout_s)
            except subprocess.TimeoutExpired:
                playing.kill()
                playing.wait()
                fault = say("the sound device {device} does not accept audio", device=quoted(self._device))
                return CompanionError(fault, _CHOOSE_DEVICE)
            lines = errors.read().decode(errors="replace").split("\n")
        # The last line says it best: "aplay: main:831: audio open error: No such file or directory".
        why = next((_PREFIX.sub("", line) for line in reversed(lines) if line), "")
        if not why:
            return None
        fault = say("the sound device {device} plays nothing: {why}", device=quoted(self._device), why=why)
        return CompanionError(fault, _CHOOSE_DEVICE)

    def stop(self) -> None:
        """End what plays."""
        if self._playing is not None:
            self._playing.kill()
            self.playback_error(_TIMEOUT_S)


class Announcer:
    """Says what happens at a table. `read` is for the thread of the socket; all else for one other thread.

    `minute` returns the minute of the day by the clock of the box. `on_playing` gets each utterance in words.
    """

    def __init__(
        self, options: SpeechOptions, minute: Callable[[], int], on_playing: Callable[[str], None]
    ) -> None:
        self._options, self._minute, self._on_playing = options, minute, on_playing
        self._speaker = SoundPlayer(options.device)
        self._inbox = queue.SimpleQueue[dict[str, Any] | None]()
        self._snapshot: Snapshot | None = None
        self._volume = options.volume
        self._lesson: tuple[Localized, ...] = ()
        self._ends_at_s = 0.0
        self._logged = ""

    @property
    def follows(self) -> bool:
        """Whether it knows the table as it is; only what happens from then on is said. Any thread."""
        return self._snapshot is not None

    def read(self, records: Iterable[dict[str, Any]]) -> None:
        """Read what the table sends, until that ends. Raises what reading raises."""
        for record in records:
            self._inbox.put(record)

    def disconnected(self) -> None:
        """The table is gone: what it sends first when it is back is not news."""
        self._inbox.put({"kind": "gone"})

    def end(self) -> None:
        """Let `run` return."""
        self._inbox.put(None)

    def run(self) -> None:
        """Say what was read, until `end`."""
        while (first := self._next()) is not None:
            records = [first]
            deadline_s = time.monotonic() + TOGETHER_S
            while (left_s := _TIMEOUT_S if _lacks_table(records) else deadline_s - time.monotonic()) > 0:
                try:
                    record = self._inbox.get(timeout=left_s)
                except queue.Empty:
                    break
                if record is None:
                    self._speaker.stop()
                    return
                records.append(record)
            self._update(records)
        self._speaker.stop()

    def _next(self) -> dict[str, Any] | None:
        """The next record; meanwhile a sound that does not end is ended, and errors are logged."""
        while True:
            try:
                return self._inbox.get(timeout=_POLL_S)
            except queue.Empty:
                if not self._speaker.is_playing or time.monotonic() > self._ends_at_s:
                    self._log_error(self._speaker.playback_error())

    def _update(self, records: Iterable[dict[str, Any]]) -> None:
        """Bring the table up to date, and say what is new."""
        before, events = self._snapshot, list[StepEvent | RefusedEvent]()
        lesson_before = self._lesson
        for record in records:
            kind = record["kind"]
            if kind == "gone":
                before = self._snapshot = None
                continue
            if kind == "step" and self._volume:
                events.append(convert(record, StepEvent))
            elif kind == "refused" and self._volume:
                events.append(convert(record, RefusedEvent))
            self._snapshot = after(self._snapshot, record)
            self._volume = record.get(VOICE, self._volume)
            if LESSON in record:
                self._lesson = convert(record[LESSON], tuple[Localized, ...])
        now = self._snapshot
        if now is None or before is None:
            return  # what happened before the voice came is over
        if not self._volume or self._options.is_quiet(self._minute()):
            self._speaker.stop()
            return
        texts = moment(before.table, now.table, events, self._options.level)
        turned = self._lesson != lesson_before
        if turned:
            texts += lesson(self._lesson, self._options.level)
        if texts:
            self._play(texts, now)
        elif events or turned:
            self._speaker.stop()  # what is being said is old

    def _play(self, texts: Iterable[Text], now: Snapshot) -> None:
        names = None
        if self._options.names and now.table is not None:
            names = [self._options.sounds.get(player.name, player.name) for player in now.table.players]
        t = voice(now.language, short=self._options.level == "short", names=names)
        sentences = [pieces(t, text) for text in texts]
        try:
            wav = voice_of(self._options, now.language).sound(sentences, self._volume)
            self._speaker.play(wav)
        except CompanionError as bad:
            self._log_error(bad)
        else:
            self._ends_at_s = time.monotonic() + _length_s(wav) + _TIMEOUT_S
            self._on_playing(as_line(sentences))

    def _log_error(self, why: CompanionError | None) -> None:
        """Log why nothing is heard, once for the same reason."""
        if why is not None and str(why) != self._logged:
            _LOG.warning("nothing is heard: %s", why)
            self._logged = str(why)


def _lacks_table(records: Sequence[dict[str, Any]]) -> bool:
    """Whether the table that a step has led to is still to come: it is sent right after the step."""
    kinds = [record["kind"] for record in records]
    return [kind for kind in kinds if kind in ("step", "table", "snapshot", "gone")][-1:] == ["step"]


def _length_s(wav: bytes) -> float:
    """How long a WAV file is. Its head has the bytes of a second; espeak-ng leaves out how many follow."""
    return len(wav) / int.from_bytes(wav[28:32], "little")


def try_out(options: SpeechOptions, language: str, *, silent: bool = False) -> None:
    """Say one sentence, and wait until it is over. Raises `CompanionError` where it cannot be heard.

    `silent`: all is done as ever, as quietly as it goes.
    """
    speaker = SoundPlayer(options.device)
    sentence = pieces(voice(language), TRY)
    wav = voice_of(options, language).sound([sentence], 1 if silent else max(options.volume, 1))
    speaker.play(wav)
    if why := speaker.playback_error(_length_s(wav) + _TIMEOUT_S):
        raise why
