"""Voices: each makes sound of sentences, as the bytes of a WAV file. One thread; a voice may take 0.3 s."""

from __future__ import annotations

import io
import re
import subprocess
import wave
from array import array
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Final, TypeAlias

from companion.text.errors import CompanionError
from companion.text.sentence import count, in_sentences, say
from firmware.extensions.speech.config import SpeechOptions
from firmware.extensions.speech.phrases import spoken_words
from firmware.text.os_errors import reason_of

Sentences: TypeAlias = Sequence[tuple[str, ...]]
"""Sentences, each as its pieces; see `phrases.pieces`."""

_MAX_RUN_S: Final = 60.0
"""espeak-ng needs 0.1 s of a processor for a sentence: only one that hangs takes so long."""

_USUAL_RATE: Final = 22_050
"""Samples in a second, where there are no words to say."""

_WORD_GAP_S: Final = 0.03
_SENTENCE_GAP_S: Final = 0.25
_EDGE_S: Final = 0.005
"""A clip becomes louder and quieter again within this time, so that its ends do not click."""

_HOW_TO_SAVE: Final = say("save it as a WAV file with 16 bits and one channel")


def voice_of(options: SpeechOptions, language: str) -> Clips | Espeak:
    """The voice that is configured."""
    return Clips(Path(options.folder)) if options.driver == "clips" else Espeak(language, options.speed)


def as_line(sentences: Sentences) -> str:
    """Sentences as they are read by a program or a person."""
    lines = map("".join, sentences)
    return in_sentences(*(f"{line[:1].upper()}{line[1:]}" for line in lines))


def as_it_sounds(text: str) -> str:
    """A text with the German words that espeak-ng 1.51 reads wrongly as it reads them rightly."""
    return text.replace("ochse", "oxe").replace("sechste", "sexte")


class Espeak:
    """espeak-ng, in a process for each utterance: 8 MB while it runs, and gone if it hangs."""

    def __init__(self, language: str, words_in_a_minute: int) -> None:
        self._command = ("espeak-ng", "-v", language, "-s", str(words_in_a_minute), "--stdin", "--stdout")

    def sound(self, sentences: Sentences, volume: int) -> bytes:
        """A WAV file (PCM, 16 bits, one channel), `volume` from 1 to 100. Raises `CompanionError`."""
        try:
            done = subprocess.run(  # noqa: S603 - the text goes in as data
                [*self._command, "-a", str(volume)],
                input=as_it_sounds(as_line(sentences)).encode(),
                capture_output=True,
                check=True,
                timeout=_MAX_RUN_S,
            )
        except FileNotFoundError as bad:
            fault = say("espeak-ng is not installed")
            raise CompanionError(fault, say("run sudo apt install espeak-ng")) from bad
        except subprocess.SubprocessError as bad:
            raise CompanionError(
                say("espeak-ng failed: {why}", why=str(bad)), say("run nimmt speak --try")
            ) from bad
        return done.stdout


def file_name(words: str) -> str:
    """The name of the recording of these words, without `.wav`."""
    return re.sub(r"[^\w\s\u200c'-]", "", words).lower()


class Clips:
    """A folder with a WAV file for each piece, named like its words: `44.wav`, `goes to row.wav`.

    Of a sentence for which a recording is missing nothing is said: half of it might say something else.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def sound(self, sentences: Sentences, volume: int) -> bytes:
        """As `Espeak.sound`."""
        spoken = [[words for piece in sentence if (words := spoken_words(piece))] for sentence in sentences]
        complete = [sentence for sentence in spoken if sentence and not self.missing(sentence)]
        missing = self.missing([words for sentence in spoken for words in sentence])
        if not complete and missing:
            raise CompanionError(
                say("{folder} has no recording of {words}", folder=str(self._folder), words=repr(missing[0])),
                say("record the words that `nimmt print script` lists"),
            )
        clips = [[self._clip(words) for words in sentence] for sentence in complete]
        rates = {rate for sentence in clips for rate, _ in sentence}
        if len(rates) > 1:
            raise CompanionError(
                say("the recordings in {folder} have different rates", folder=str(self._folder)),
                say("save all with the same rate, such as 22050 samples per second"),
            )
        rate = rates.pop() if rates else _USUAL_RATE
        samples = array("h")
        for sentence in clips:
            for _, clip in sentence:
                samples.extend(sample * volume // 100 for sample in clip)
                samples += _silence(rate, _WORD_GAP_S)
            samples += _silence(rate, _SENTENCE_GAP_S)
        return _wav(samples, rate)

    def missing(self, words: Sequence[str]) -> list[str]:
        """Those of the words that have no recording."""
        return [piece for piece in words if not self._file(piece).is_file()]

    def _file(self, words: str) -> Path:
        """Signs and vowel marks are not in the name: not every disk keeps them, and few people type them."""
        return self._folder / f"{file_name(words)}.wav"

    def _clip(self, words: str) -> tuple[int, array[int]]:
        file = self._file(words)
        try:
            return _read(file)
        except OSError as bad:
            raise CompanionError(
                say("the recording {file} cannot be read: {why}", file=str(file), why=reason_of(bad)),
                say("allow the voice to read it"),
            ) from bad
        except (wave.Error, EOFError, ValueError) as bad:
            raise CompanionError(
                say("the recording {file} cannot be used: {why}", file=str(file), why=str(bad)),
                _HOW_TO_SAVE,
            ) from bad


@lru_cache(maxsize=500)  # half a second of 22,050 samples is 22 kB: 11 MB at most
def _read(file: Path) -> tuple[int, array[int]]:
    """The rate of a recording and its samples, whose ends rise and fall.

    Raises `CompanionError`, and what `Clips._clip` tells.
    """
    with wave.open(str(file)) as opened:
        if (opened.getnchannels(), opened.getsampwidth()) != (1, 2):
            raise CompanionError(
                count(
                    "the recording {file} has {count} channel of {bits} bits",
                    "the recording {file} has {count} channels of {bits} bits",
                    opened.getnchannels(),
                    file=str(file),
                    bits=8 * opened.getsampwidth(),
                ),
                _HOW_TO_SAVE,
            )
        rate, samples = opened.getframerate(), array("h", opened.readframes(opened.getnframes()))
    edge = min(int(rate * _EDGE_S), len(samples) // 2)
    for at in range(edge):
        samples[at] = samples[at] * at // edge
        samples[-1 - at] = samples[-1 - at] * at // edge
    return rate, samples


def _silence(rate: int, seconds: float) -> array[int]:
    return array("h", bytes(2 * int(rate * seconds)))


def _wav(samples: array[int], rate: int) -> bytes:
    made = io.BytesIO()
    with wave.open(made, "wb") as opened:
        opened.setnchannels(1)
        opened.setsampwidth(2)
        opened.setframerate(rate)
        opened.writeframes(samples.tobytes())
    return made.getvalue()
