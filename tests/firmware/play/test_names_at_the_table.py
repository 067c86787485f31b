"""Names given at the table: entered, typed or scanned, kept with the badge, shown everywhere, forgotten."""

from contextlib import closing
from pathlib import Path

import pytest
from msgspec.structs import replace

from firmware.config.configuration import load
from firmware.config.sections import ScreenOptions
from firmware.display.glyphs import CONDENSED, NARROW, SMALL, TALL
from firmware.history.erasing import erase
from firmware.history.players import given_names, named
from firmware.history.stored_matches import MatchHistory
from firmware.journal.store import Journal
from firmware.screens.parts.names import join_names, letters
from firmware.text.translation import LANGUAGES, Translator
from tests.firmware.evening import FOUR, device

NAMES = "menu:NAMES "
B_E = "b2 DOWN OK DOWN DOWN DOWN OK "


def test_a_name_is_entered_with_keys_and_shown_everywhere(tmp_path: Path) -> None:
    with device(tmp_path, NAMES + B_E + "R4") as at:
        assert at.page == "start"
        assert at.table.notice == "2 IS BE"
        assert at.runtime.session.names.all == ("P1", "Be")
        at.people("R1 b1 b2 OK R1 R1")
        assert [at.runtime.session.name(seat) for seat in at.match.players] == ["P1", "BE"]
    with device(tmp_path) as at:
        assert at.runtime.session.names.of(2) == "BE"


def test_a_knob_alone_is_enough(tmp_path: Path) -> None:
    with device(tmp_path, NAMES + "TURN_RIGHT OK OK TURN_RIGHT OK TURN_LEFT TURN_LEFT OK") as at:
        assert at.runtime.session.names.all == ("P1", "Ab")


@pytest.mark.parametrize(
    ("typed", "name"), [("SARA", "Sara"), ("ANNA-LENA", "Anna-Lena"), ("سارا", "سارا"), ("JÜRGEN", "Jürgen")]
)
def test_a_name_is_typed_or_scanned(tmp_path: Path, typed: str, name: str) -> None:
    with device(tmp_path, NAMES + f"b1 :{typed}") as at:
        assert at.page == "start"
        assert at.runtime.session.names.all == (name,)


def test_in_the_middle_of_the_players_a_name_is_given_and_the_players_stay(tmp_path: Path) -> None:
    with device(tmp_path, "R1 b1 b2 b3 " + NAMES + "b3 :LEILA") as at:
        assert at.page == "players"
        assert at.table.front.joined == (1, 2, 3)
        assert at.runtime.session.names.of(3) == "LEILA"


def test_a_name_at_the_table_wins_over_the_configuration_and_an_empty_one_gives_it_back(
    tmp_path: Path,
) -> None:
    table = replace(load(None).table, names=("Max", "Ali"))
    with device(tmp_path, NAMES + "b2 :SARA", table=table) as at:
        assert at.runtime.session.names.all == ("Max", "Sara")
        at.people(NAMES + "b2 R4")
        assert at.runtime.session.names.all == ("Max", "Ali")


@pytest.mark.parametrize("taken", ["MAX", "P1", "P7", "علي"])
def test_a_name_that_looks_like_another_one_is_refused(tmp_path: Path, taken: str) -> None:
    table = replace(load(None).table, names=("P1", "Max", "علی"))
    with device(tmp_path, NAMES + f"b4 :{taken}", table=table) as at:
        assert at.page == "enter_name"
        assert at.table.notice == "THIS NAME IS TAKEN"
        assert len(at.runtime.session.names.all) == 3


def test_a_name_of_an_arabic_keyboard_is_kept_in_persian_letters(tmp_path: Path) -> None:
    table = replace(load(None).table, names=("كيان",))
    with device(tmp_path, NAMES + "b2 :علي", table=table) as at:
        assert at.runtime.session.names.all == ("کیان", "علی")
        assert at.runtime.session.names.of(2) == "علی"


@pytest.mark.parametrize(("language", "called"), [("en", "P2"), ("de", "S2"), ("fa", "نفر\u00a0۲")])
def test_a_player_without_a_name_is_called_in_the_language_of_the_display(
    tmp_path: Path, language: str, called: str
) -> None:
    with device(tmp_path, "R1 b1 b2 OK R1 R1", screen=ScreenOptions(language=language)) as at:
        session = at.runtime.session
        assert [session.name(seat) for seat in at.match.players][1] == called
        assert session.names.is_free(2, "Max")
        assert not session.names.is_free(1, called.replace("\u00a0", " "))


@pytest.mark.parametrize(("language", "many"), [("de", "4 SPIELER"), ("fa", "۴ بازیکن")])
def test_where_there_is_no_room_for_names_it_is_said_how_many_they_are(
    tmp_path: Path, language: str, many: str
) -> None:
    with device(tmp_path, FOUR, screen=ScreenOptions(language=language)) as at:
        session, seats = at.runtime.session, at.match.players
        wide = "/".join(map(session.name, seats))
        assert join_names(session, seats, 200, SMALL) == wide
        assert join_names(session, seats, SMALL.width_px(many), SMALL) == many


def test_the_persian_wheel_has_what_persian_names_need() -> None:
    wheel = letters("fa", 0)
    assert wheel[:3] == ("آ", "ا", "ب")
    assert set("ئؤء\u200c۰۹") <= set(wheel)
    assert set("0۰") & set(letters("fa", 1)) == {"0"}


def test_a_card_or_a_number_is_no_name(tmp_path: Path) -> None:
    with device(tmp_path, NAMES + "b3 :4007396032") as at:
        assert at.runtime.session.names.all == ()
        assert at.refused is not None


def test_undo_takes_the_last_letter_and_then_leaves(tmp_path: Path) -> None:
    with device(tmp_path, NAMES + B_E + "UNDO") as at:
        assert (at.page, at.table.front.name) == ("enter_name", "B")  # type: ignore[attr-defined]
        at.people("UNDO UNDO")
        assert at.page == "start"
        assert at.runtime.session.names.all == ()


def test_an_erased_player_loses_the_name_with_the_badge(tmp_path: Path) -> None:
    with device(tmp_path, NAMES + "b2 :SARA " + NAMES + "b3 :LEILA") as at:
        at.runtime.session.erase(2)
        assert at.runtime.session.names.all == ("P1", "P2", "Leila")
        assert b"Sara" not in (tmp_path / "journal.sqlite").read_bytes()
        erase(at.runtime.journal, 3)
        assert at.runtime.journal.recall("names") is None


def test_commands_know_the_names_that_were_given_at_the_table(tmp_path: Path) -> None:
    with device(tmp_path, NAMES + "b2 :SARA"), closing(Journal.read(tmp_path / "journal.sqlite")) as journal:
        assert MatchHistory(journal, (), Translator()).names == ("P1", "Sara")


@pytest.mark.parametrize("note", [None, [], "x", {"3": 7}, {"11": "A"}, {"3": "x" * 99}, {"a": "b"}])
def test_a_note_that_holds_no_names_is_none(note: object) -> None:
    assert given_names(note) == {}
    assert named(("Max",), note) == ("Max",)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_letter_that_can_be_entered_has_a_picture_in_every_font(language: str) -> None:
    for alphabet in range(3):
        for font in (SMALL, NARROW, CONDENSED, TALL):
            assert font.lacks("".join(letters(language, alphabet)).upper() + "_✓□") == ""
