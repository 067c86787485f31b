"""What happens at a table is heard, the newest first, and a speaker that fails or hangs costs nothing."""

import logging
import os
import sys
from pathlib import Path
from typing import Any

import pytest

from companion.core.codes import Control, badge_code, card_code, control_code
from companion.text.errors import CompanionError
from firmware.config.sections import ScreenOptions, TableOptions
from firmware.extensions.speech.at_table import VOICE
from firmware.extensions.speech.config import SpeechOptions
from firmware.extensions.speech.speaking import try_out
from tests.firmware.evening import FOUR, ROWS, choose_in_menu, device
from tests.firmware.extensions.speech.recording import DEVICE, install, needs_sound, spoken
from tests.patience import comes

ON = SpeechOptions(driver="espeak", device=DEVICE)


@needs_sound
def test_a_turn_is_heard_with_its_reasons_and_what_is_asked_next(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    played = install(tmp_path, monkeypatch)
    with spoken(tmp_path, FOUR + ROWS, options=ON, added={SpeechOptions: ON}) as at:
        for card in ("14", "44", "61", "15"):
            at.client.act("type", text=card)
        at.comes(
            "14 goes to row 1: only 12 is lower. 15 goes to row 1: only 14 is lower. "
            "44 goes to row 3: 43 is the closest. 61 goes to row 4: 58 is the closest. "
        )
        assert comes(lambda: played.is_file() and len(played.read_bytes()) > 44_100)  # more than a second


@needs_sound
def test_a_refused_card_is_heard_with_what_to_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    install(tmp_path, monkeypatch)
    with spoken(tmp_path, FOUR + ROWS, options=ON, added={SpeechOptions: ON}) as at:
        at.client.act("type", text="12")
        at.comes("12 is already in row 1. Scan the card again, or undo the wrong one.")


@needs_sound
@pytest.mark.parametrize(
    ("language", "says"), [("de", "12 liegt schon in Reihe 1."), ("fa", "12 از قبل در ردیفِ 1 است.")]
)
def test_it_is_said_in_the_language_of_the_display(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, language: str, says: str
) -> None:
    install(tmp_path, monkeypatch)
    screen = ScreenOptions(language=language)
    with spoken(tmp_path, FOUR + ROWS, options=ON, screen=screen, added={SpeechOptions: ON}) as at:
        at.client.act("type", text="12")
        at.comes(says)


@needs_sound
def test_names_are_spoken_where_that_is_switched_on_and_as_they_sound(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    install(tmp_path, monkeypatch)
    table = TableOptions(names=("Siân", "Max", "Ida", "Leo"))
    options = SpeechOptions(driver="espeak", device=DEVICE, names=True, sounds={"Siân": "Shahn"})
    with spoken(tmp_path, FOUR + ROWS, options=options, table=table, added={SpeechOptions: options}) as at:
        for code in (badge_code(1), card_code("6N", 1), badge_code(2), card_code("6N", 44)):
            at.client.act("scan", code=code)
        for code in (badge_code(3), card_code("6N", 61), badge_code(4), card_code("6N", 15)):
            at.client.act("scan", code=code)
        at.comes("Which row does Shahn take?")


@needs_sound
@pytest.mark.parametrize("quiet", ["00:00-00:01", "23:00-07:00"])
def test_nothing_is_said_in_the_quiet_hours(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, quiet: str
) -> None:
    played = install(tmp_path, monkeypatch)
    options = SpeechOptions(driver="espeak", device=DEVICE, quiet=quiet)
    with spoken(tmp_path, FOUR + ROWS, options=options, added={SpeechOptions: options}) as at:
        at.client.act("type", text="12")
        at.client.act("type", text="37")
    assert at.said == []
    assert not played.exists()


@needs_sound
def test_the_code_for_sound_off_mutes_the_voice(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    install(tmp_path, monkeypatch)
    with spoken(tmp_path, FOUR + ROWS, options=ON, added={SpeechOptions: ON}) as at:
        at.client.act("scan", code=control_code(Control.MUTE))
        at.client.until(lambda: at.client.known[VOICE] == 0)
        at.client.act("type", text="12")
        at.client.act("scan", code=control_code(Control.MUTE))
        at.client.until(lambda: at.client.known[VOICE] == ON.volume)
        at.client.act("type", text="37")
        at.comes("37 is already in row 2")
        assert not any("12 is" in one for one in at.said)


@needs_sound
def test_what_is_new_ends_what_is_still_being_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The first sound hangs in a device that takes nothing; the second one is played all the same."""
    fifo = tmp_path / "fifo"
    os.mkfifo(fifo)
    install(tmp_path, monkeypatch, str(fifo))
    with spoken(tmp_path, FOUR + ROWS, options=ON, added={SpeechOptions: ON}) as at:
        at.client.act("type", text="12")
        at.comes("12 is already")
        at.client.act("type", text="37")
        at.comes("37 is already")


def test_a_missing_program_is_logged_once_and_the_game_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with (
        caplog.at_level(logging.WARNING),
        spoken(tmp_path, FOUR + ROWS, options=ON, added={SpeechOptions: ON}) as at,
    ):
        for card in ("12", "37"):
            assert at.client.act("type", text=card)["why"] == "refused"
        assert at.client.act("type", text="14")["accepted"]
        assert comes(lambda: "espeak-ng is not installed" in caplog.text)
    assert caplog.text.count("espeak-ng is not installed") == 1


def test_a_voice_that_hangs_is_ended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program = tmp_path / "espeak-ng"
    program.write_text(f"#!{sys.executable}\nimport threading; threading.Event().wait()\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr("firmware.extensions.speech.voices._MAX_RUN_S", 0.2)
    with pytest.raises(CompanionError, match="espeak-ng failed"):
        try_out(ON, "en")


@needs_sound
def test_a_device_that_is_not_there_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    install(tmp_path, monkeypatch)
    with pytest.raises(CompanionError, match="nowhere"):
        try_out(SpeechOptions(driver="espeak", device="nowhere"), "en")
    try_out(ON, "en")


@needs_sound
@pytest.mark.slow
def test_a_device_that_takes_no_sound_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fifo = tmp_path / "fifo"
    os.mkfifo(fifo)
    install(tmp_path, monkeypatch, str(fifo))
    monkeypatch.setattr("firmware.extensions.speech.speaking._TIMEOUT_S", 0.2)
    with pytest.raises(CompanionError, match="does not accept audio"):
        try_out(ON, "en", silent=True)


def test_the_volume_is_chosen_in_the_menu_and_kept(tmp_path: Path) -> None:
    sections: dict[str, Any] = {"added": {SpeechOptions: ON}}
    with device(tmp_path, FOUR + ROWS, **sections) as at:
        choose_in_menu(at, "VOICE")
        at.people("R3")
    with device(tmp_path, "", **sections) as at:
        assert at.runtime.session.notes.recall(VOICE) == 35


def test_a_box_without_a_voice_has_no_row_for_it(tmp_path: Path) -> None:
    with device(tmp_path, FOUR + ROWS + "hold-OK") as at:
        menu: Any = at.table.front
        assert "VOICE" not in menu.labels(at.table.session)
