"""The language is chosen at the device: from the menu, by a code, with two keys, or on the first page."""

from pathlib import Path

import pytest

from companion.core.codes import Control, control_code
from firmware.config.sections import ScreenOptions, TableOptions
from firmware.journal.writes import Note
from firmware.loop.react import handle_message, tick
from firmware.screens.before.start import LanguagePage
from firmware.session.actions import CHORD_S, TOGETHER_S, Chord
from firmware.session.language import translator
from firmware.text.translation import ASK, LANGUAGES, Translator
from hardware.ports import Key, KeyPressed, KeyReleased, Message, Press
from tests.examples import TIMES
from tests.firmware.evening import EXAMPLE_1, FOUR, ROWS, Device, device
from tests.gallery.pictures import SCREENS


def held(key: Key) -> KeyPressed:
    return KeyPressed(key, Press.LONG)


def hold_both(at: Device, for_s: float = CHORD_S + 0.1) -> None:
    table = at.table
    for key in (Key.ROW_1, Key.ROW_3):
        handle_message(table, held(key), table.now_s)
    tick(table, table.now_s + for_s)
    for key in (Key.ROW_1, Key.ROW_3):
        handle_message(table, KeyReleased(key), table.now_s)


@pytest.mark.slow
def test_two_keys_that_are_held_open_the_languages_on_any_screen_of_a_table(tmp_path: Path) -> None:
    elsewhere = {}
    names = sorted({*list(SCREENS)[:: max(1, round(4 / TIMES))], "language"})
    for name, script in ((name, SCREENS[name]) for name in names):
        (folder := tmp_path / name).mkdir()
        with device(folder, script) as at:
            before = at.runtime.session.match
            hold_both(at)
            if at.page != LanguagePage.NAME or at.runtime.session.match != before:
                elsewhere[name] = at.page
    assert elsewhere == {"language": "start"}, (
        "on the list of languages the key of row 1 has chosen the first"
    )


def test_keys_that_are_not_held_together_open_nothing(tmp_path: Path) -> None:
    with device(tmp_path, FOUR + ROWS) as at:
        at.people(f"hold-R1 +{round(TOGETHER_S + 1)} hold-R3 +3")
        assert at.page != LanguagePage.NAME


@pytest.mark.parametrize("end", [KeyReleased(Key.ROW_1), KeyPressed(Key.OK)])
def test_another_key_and_a_release_end_the_hold(end: Message) -> None:
    chord = Chord().after(held(Key.ROW_1), 1.0).after(held(Key.ROW_3), 1.1)
    assert (chord.held, chord.due(9.0)) == (True, True)
    chord = chord.after(end, 1.5)
    assert (chord.held, chord.due(9.0)) == (False, False)


def test_the_code_of_the_control_sheet_opens_the_languages_and_undo_leaves_them(tmp_path: Path) -> None:
    code = control_code(Control.LANGUAGE)
    assert code.startswith("6NC-LANGJ")
    with device(tmp_path, f"{EXAMPLE_1} :{code}") as at:
        assert at.page == LanguagePage.NAME
        at.people("UNDO")
        assert (at.page, at.runtime.session.language) == ("ruling", "en")


def test_the_menu_has_the_languages_with_and_without_a_match(tmp_path: Path) -> None:
    with device(tmp_path, "menu:LANGUAGE") as at:
        assert at.page == LanguagePage.NAME
        at.people("UNDO R1 b1 b2 OK R1 R1 menu:LANGUAGE")
        assert at.page == LanguagePage.NAME


def test_a_language_that_was_chosen_is_used_at_once_and_after_a_restart(tmp_path: Path) -> None:
    with device(tmp_path, EXAMPLE_1 + "hold-OK :6NC-LANGJ R3") as at:
        assert at.runtime.session.language == "fa"
        assert at.page == "ruling"
        assert at.table.notice == LANGUAGES["fa"].title
    with device(tmp_path, "") as at:
        assert at.runtime.session.language == "fa"
        assert at.runtime.session.translate("HISTORY") == "گام‌های بازی"
        at.people(":6NC-LANGJ OK")
        assert at.runtime.session.language == "fa"
        at.people(":6NC-LANGJ UP UP OK")
        assert at.runtime.session.language == "en"


def test_names_are_said_in_the_new_language_too(tmp_path: Path) -> None:
    with device(tmp_path, EXAMPLE_1 + ":6NC-LANGJ R2", table=TableOptions(names=("Ana",))) as at:
        translate = at.runtime.session.translate
        assert translate.naming is not None
        assert "ANA" in str(translate.naming(0))


def test_a_new_language_in_the_configuration_counts_more_than_what_was_chosen_before(tmp_path: Path) -> None:
    with device(tmp_path, ":6NC-LANGJ R3"):
        pass
    with device(tmp_path, "", screen=ScreenOptions(language="de")) as at:
        assert at.runtime.session.language == "de"


ASKING = ScreenOptions(language=ASK)


def test_a_new_device_asks_for_the_language_once(tmp_path: Path) -> None:
    with device(tmp_path, "", screen=ASKING) as at:
        assert at.page == LanguagePage.NAME
        at.people("UNDO")
        assert at.page == LanguagePage.NAME
        at.people("DOWN DOWN OK")
        assert (at.page, at.runtime.session.language) == ("start", "fa")
    with device(tmp_path, "", screen=ASKING) as at:
        assert (at.page, at.runtime.session.language) == ("start", "fa")


@pytest.mark.parametrize(("scan", "page"), [("55", "players"), ("b2", "players")])
def test_a_card_on_the_first_page_begins_a_match_in_english(tmp_path: Path, scan: str, page: str) -> None:
    with device(tmp_path, "DOWN " + scan, screen=ASKING) as at:
        assert (at.page, at.runtime.session.language) == (page, "en")


def test_a_choice_that_cannot_be_read_is_none(tmp_path: Path) -> None:
    with device(tmp_path, "") as at:
        for note in ("fa", {"chosen": "xx", "configured": "en"}, {"chosen": ["fa"], "configured": "en"}):
            at.runtime.journal.write([Note("language", note)])
            assert translator(at.runtime.config, at.runtime.journal.recall).language == "en"


def test_words_in_capitals_are_written_in_a_sentence_as_the_language_writes_them() -> None:
    assert Translator("en").in_a_sentence("TAKES ROW 3") == "takes row 3"
    assert Translator("de").in_a_sentence("NIMMT REIHE 3") == "nimmt Reihe 3"
    assert Translator("de").in_a_sentence("HÖHERES SYMBOL") == "höheres Symbol"
    assert Translator("fa").in_a_sentence("\u2068Ben\u2069: \u06f3 کارت") == "\u2068Ben\u2069: \u06f3 کارت"
