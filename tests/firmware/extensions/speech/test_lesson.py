"""The voice reads the pages of a kiosk's lesson aloud, and is quiet while the kiosk is closed."""

from pathlib import Path

import pytest

from companion.protocol.snapshot import Localized
from firmware.config.sections import KioskOptions
from firmware.extensions.speech.at_table import LESSON, VOICE, SpeechTable
from firmware.extensions.speech.config import SpeechOptions
from firmware.extensions.speech.moments import lesson
from firmware.extensions.speech.phrases import pieces, voice
from firmware.extensions.speech.voices import as_line
from firmware.text.translation import LANGUAGES
from tests.firmware.extensions.speech.recording import DEVICE, install, needs_sound, spoken
from tests.firmware.extensions.speech.test_phrases import with_spoken_form
from tests.firmware.kiosk.kiosk_box import KioskBox, kiosk_box
from tests.gallery.pictures import KIOSK_SCREENS
from tests.patience import comes

ON = SpeechOptions(driver="espeak", device=DEVICE)
LESSON_PAGES = sorted(name for name in KIOSK_SCREENS if name.startswith("lesson-"))
FIRST = KIOSK_SCREENS["lesson-row"]


def told(at: KioskBox) -> tuple[Localized, ...]:
    at.wait(0.1)
    found: tuple[Localized, ...] = at.table.extension(SpeechTable).state(at.runtime.session)[LESSON]
    return found


@pytest.mark.slow
@pytest.mark.parametrize("name", LESSON_PAGES)
def test_every_page_of_the_lesson_has_a_spoken_form(tmp_path: Path, name: str) -> None:
    with kiosk_box(tmp_path, KIOSK_SCREENS[name], added={SpeechOptions: ON}) as at:
        pages = told(at)
    assert pages
    assert {page.text for page in pages} - with_spoken_form() == set()
    for language in LANGUAGES:
        t = voice(language)
        assert all(as_line([pieces(t, text)]) for text in lesson(pages, "rulings"))


def test_only_pages_of_a_lesson_are_told_and_only_where_a_voice_is_configured(tmp_path: Path) -> None:
    with kiosk_box(tmp_path / "a", KIOSK_SCREENS["kiosk-menu"], added={SpeechOptions: ON}) as at:
        assert told(at) == ()
    with kiosk_box(tmp_path / "b", FIRST) as at:
        assert told(at) == ()


@pytest.mark.parametrize(("hours", "volume"), [("09:00-18:00", ON.volume), ("11:00-18:00", 0)])
def test_a_kiosk_is_quiet_while_it_is_closed(tmp_path: Path, hours: str, volume: int) -> None:
    """It is ten o'clock. Who comes when it is closed can play all the same."""
    with kiosk_box(tmp_path, FIRST, kiosk=KioskOptions(open=hours), added={SpeechOptions: ON}) as at:
        assert told(at)
        assert at.table.extension(SpeechTable).state(at.runtime.session)[VOICE] == volume


@needs_sound
def test_a_visitor_hears_the_lesson_the_newest_page_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    played = install(tmp_path, monkeypatch)
    menu = KIOSK_SCREENS["kiosk-menu"]
    with spoken(tmp_path, menu, options=ON, made=kiosk_box, added={SpeechOptions: ON}) as at:
        for key in ("row_1", "row_1"):  # learn it, 6 nimmt!
            at.client.act("key", key=key)
        at.comes("Which row does 57 go to? To the closest lower card.")
        at.client.act("key", key="row_1")
        at.comes("Not this one. 43 is closer.")
        at.client.act("key", key="row_3")
        at.comes("Right! To the closest lower card.")
        at.client.act("key", key="ok")
        at.comes("Which row does 56 go to? A row with five cards is full.")
        assert comes(played.is_file)


@needs_sound
def test_a_visitor_hears_it_in_the_language_that_was_chosen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    install(tmp_path, monkeypatch)
    with spoken(tmp_path, "+1", options=ON, made=kiosk_box, added={SpeechOptions: ON}) as at:
        for key in ("row_2", "row_1", "row_1"):  # German, learn it, 6 nimmt!
            at.client.act("key", key=key)
        at.comes("In welche Reihe kommt die 57? Zur nächstniedrigeren Karte.")
