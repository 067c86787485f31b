"""`nimmt doctor` says whether the voice can be heard."""

from pathlib import Path

import pytest
from msgspec.structs import replace

from firmware.commands.doctor import Finding
from firmware.config.configuration import load
from firmware.extensions.speech.check import findings
from firmware.extensions.speech.config import SpeechOptions
from firmware.extensions.speech.script_sheet import words_of
from firmware.extensions.speech.voices import file_name
from firmware.plugins import parts
from tests.firmware.extensions.speech.recording import DEVICE, install, needs_sound
from tests.firmware.extensions.speech.test_clips import record


def found(driver: str, folder: str = "") -> list[Finding]:
    options = SpeechOptions(driver=driver, device=DEVICE, folder=folder)
    return findings(replace(load(None), added={SpeechOptions: options}))


def test_the_doctor_asks_it_and_says_nothing_of_a_voice_that_is_off() -> None:
    assert dict(parts("check"))["speech"] is findings
    assert findings(load(None)) == []


@needs_sound
def test_a_voice_that_can_be_heard_is_well(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    install(tmp_path, monkeypatch)
    assert [one.ok for one in found(driver="espeak")] == [True]


@needs_sound
def test_words_without_a_recording_are_counted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    install(tmp_path, monkeypatch)
    for words in words_of("en")[:-2]:
        record(tmp_path / f"{file_name(words)}.wav")
    (one,) = found(driver="clips", folder=str(tmp_path))
    assert (one.ok, str(one.says)) == (False, "2 words not recorded")


def test_a_missing_program_is_told_with_what_to_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    (one,) = found(driver="espeak")
    assert not one.ok
    assert "espeak-ng is not installed" in str(one.says)
