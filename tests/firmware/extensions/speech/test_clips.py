"""Recorded words: the list of what to record is whole, and joined they do not click."""

from __future__ import annotations

import io
import subprocess
import wave
from array import array
from collections.abc import Iterator, Mapping
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Final

import pytest

from companion.core.cards import Seat
from companion.match.dealer import Dealer, by_chance
from companion.match.match import Step, Terms, begin
from companion.protocol.snapshot import TableSnapshot, public_step, table_snapshot
from companion.text.errors import CompanionError
from companion.text.sentence import Text
from firmware.extensions.speech.moments import moment
from firmware.extensions.speech.phrases import PLAYER, TOTAL, pieces, voice
from firmware.extensions.speech.script_sheet import words_of
from firmware.extensions.speech.voices import Clips, file_name
from firmware.table_socket.messages import StepEvent
from firmware.text.translation import LANGUAGES
from tests.firmware.extensions.speech.recording import needs_sound

RATE = 22050
LOUDEST = 32767


def record(file: Path, *, rate: int = RATE, channels: int = 1, width: int = 2) -> None:
    """A recording that is loud from its first to its last sample, as no good one is."""
    with wave.open(str(file), "wb") as opened:
        opened.setnchannels(channels)
        opened.setsampwidth(width)
        opened.setframerate(rate)
        opened.writeframes(array("h", [LOUDEST] * (rate // 4)).tobytes())


def samples(wav: bytes) -> array[int]:
    with wave.open(io.BytesIO(wav)) as opened:
        return array("h", opened.readframes(opened.getnframes()))


MATCHES: Final[Mapping[str, Mapping[str, object]]] = {
    "six": {"end": {"deals": 1}},
    "eleven": {"deals": 1},
    "ciao": {"end": {"deals": 1}},
}
"""The options of a match that is over after one deal."""


def utterances(game: str, level: str) -> Iterator[tuple[Text, ...]]:
    """What the voice tells of a match of two players who play by chance, one utterance after the other."""
    random = Random(1)
    people = Dealer(random, by_chance(random), named=True)
    match = begin(Terms(game, 2, MATCHES[game], Seat(0)))
    before: TableSnapshot | None = None
    while True:
        now = table_snapshot(match, [(1, ""), (2, "")], str, 1)
        events = [] if match.newest is None else [StepEvent(0, 1, public_step(match.newest, match, str))]
        if said := moment(before, now, events, level):
            yield said
        if match.position.over:
            return
        answer = people.answer(match)
        step = match.propose(match.game.read(answer.ask, answer.seat, answer.text))
        assert isinstance(step, Step)
        match, before = match.then(step), now


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for words in words_of("en"):
        record(tmp_path / f"{file_name(words)}.wav")
    return tmp_path


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", MATCHES)
def test_the_list_has_every_word_of_a_whole_match(tmp_path: Path, language: str, game: str) -> None:
    words = words_of(language)
    assert len(words) == len(set(words))
    for word in words:
        record(tmp_path / f"{file_name(word)}.wav")
    clips = Clips(tmp_path)
    assert clips.missing(words) == []
    for level in ("rulings", "short"):
        t = voice(language, short=level == "short")
        for said in utterances(game, level):
            assert all(clips.sound([pieces(t, text)], 100) for text in said)


def test_no_sample_jumps_where_two_words_meet(folder: Path) -> None:
    """The recordings begin and end as loudly as they can; the ends rise and fall within 5 ms all the same."""
    t, clips = voice("en"), Clips(folder)
    largest = 0
    for said in utterances("six", "rulings"):
        made = samples(clips.sound([pieces(t, text) for text in said], 100))
        largest = max(largest, *(abs(one - other) for one, other in pairwise(made)))
    assert largest <= LOUDEST / (0.005 * RATE) + 1


def test_half_the_volume_is_half_as_high(folder: Path) -> None:
    sentences = [pieces(voice("en"), PLAYER.with_facts(number=3))]
    loud, quiet = (max(samples(Clips(folder).sound(sentences, volume))) for volume in (100, 50))
    assert (loud, quiet) == (LOUDEST, LOUDEST // 2)


@pytest.mark.parametrize(
    ("bad", "says"),
    [
        ({"channels": 2}, "2 channels of 16 bits"),
        ({"width": 1}, "1 channel of 8 bits"),
        ({"rate": 8000}, "different rates"),
    ],
)
def test_a_recording_of_another_kind_is_told_with_what_to_do(
    folder: Path, bad: dict[str, int], says: str
) -> None:
    record(folder / "player.wav", **bad)
    with pytest.raises(CompanionError, match=says):
        Clips(folder).sound([pieces(voice("en"), PLAYER.with_facts(number=3))], 100)


def test_of_a_sentence_without_all_its_recordings_nothing_is_said(folder: Path) -> None:
    (folder / "12.wav").unlink()
    clips, t = Clips(folder), voice("en")
    whole = pieces(t, PLAYER.with_facts(number=3))
    half = pieces(t, PLAYER.with_facts(number=12))
    assert clips.sound([half, whole], 100) == clips.sound([whole], 100)
    with pytest.raises(CompanionError, match="no recording of '12'"):
        clips.sound([half], 100)


def test_of_sentences_without_words_nothing_is_heard(folder: Path) -> None:
    assert not samples(Clips(folder).sound([(), (": ", ".")], 100))


@pytest.mark.parametrize("content", [b"", b"RIFF", b"\0" * 4000])
def test_a_recording_that_is_no_sound_is_named(folder: Path, content: bytes) -> None:
    (folder / "12.wav").write_bytes(content)
    with pytest.raises(CompanionError, match=r"12\.wav"):
        Clips(folder).sound([pieces(voice("en"), TOTAL.with_facts(players="3", total=12))], 100)


@needs_sound
def test_words_of_a_real_voice_join(tmp_path: Path) -> None:
    for words in [*words_of("de")[:20], "spieler"]:
        subprocess.run(
            ["espeak-ng", "-v", "de", "-w", str(tmp_path / f"{file_name(words)}.wav"), words], check=True
        )
    sentence = pieces(voice("de"), PLAYER.with_facts(number=3))
    assert len(samples(Clips(tmp_path).sound([sentence], 80))) > RATE / 2
