"""What pages offer: every key that does something is told of, and none that does nothing."""

from pathlib import Path

import pytest
from msgspec.structs import replace

from companion.text.sentence import say
from firmware.config.configuration import choose, load
from firmware.config.sections import ScreenOptions
from firmware.screens.before.start import HelloPage
from firmware.session.state import DeviceState, state_of
from tests.firmware.evening import Device, device
from tests.firmware.telling import told
from tests.gallery.pictures import SCREENS


@pytest.mark.parametrize(("game", "seats"), [("R1", 10), ("R2", 7), ("R3", 6), ("R4", 10)])
def test_who_plays_says_how_many_can_and_how_the_next_one_joins(
    tmp_path: Path, game: str, seats: int
) -> None:
    with device(tmp_path, game + " b3") as at:
        for joined in range(1, seats + 1):
            says = told(at)
            assert f"{joined}/{seats}" in says
            assert any("BADGE" in line for line in says) == (joined < min(seats, 9))
            assert joined >= min(seats, 9) or any("R1=ONE MORE" in line for line in says)
            at.people("R1 +3")
        assert f"{seats}/{seats}" in told(at)
    with device(tmp_path / "large", game + " b3 R1 R1", screen=ScreenOptions(size="large")) as at:
        assert "R1=ONE MORE" in told(at)


def joined(at: Device) -> tuple[int, ...] | None:
    return at.table.front.joined


def test_a_badge_that_is_scanned_twice_stays_and_a_key_takes_its_player_out(tmp_path: Path) -> None:
    with device(tmp_path, "R1 b1 b2 b3 b2") as at:
        assert (at.table.notice, at.signals[-1]) == ("P2 IS ALREADY IN", "duplicate")
        assert joined(at) == (1, 2, 3)
        assert "R2=P2 OUT" in told(at)
        at.people("R2")
        assert at.table.notice == "P2 IS OUT"
        assert joined(at) == (1, 3)
        at.people("UNDO")
        assert at.table.notice == "P3 IS OUT"


def test_a_person_whose_badge_a_robot_has_gets_it(tmp_path: Path) -> None:
    with device(tmp_path, "R1 b1 R3 b2 OK R1 R1") as at:
        assert at.match.terms.badges == (1, 3, 2)
        assert [bool(level) for level in at.match.terms.robots] == [False, True, False]


def test_without_a_match_why_tells_what_can_be_done(tmp_path: Path) -> None:
    with device(tmp_path, "R1 WHY") as at:
        assert at.page == "help"


def test_the_start_page_tells_of_a_match_that_was_suspended_also_when_nobody_plays_again(
    tmp_path: Path,
) -> None:
    with device(tmp_path, SCREENS["start-suspended"]) as at:
        at.runtime.session.erase(5)
        assert {"SCAN CARD", "OK=CONTINUE"} <= set(told(at))


@pytest.mark.parametrize("game", ["R2", "R3"])
def test_who_begins_is_asked_in_the_same_words_in_every_game(tmp_path: Path, game: str) -> None:
    with device(tmp_path, game + " b1 b2 OK") as at:
        assert told(at)[0] == "THE YOUNGEST BEGINS"


def test_one_card_is_one_card(tmp_path: Path) -> None:
    with device(tmp_path, SCREENS["score-rows"] + " 12") as at:
        assert "1 CARD" in told(at)
        at.people("13")
        assert "2 CARDS" in told(at)


def test_a_deal_that_does_not_add_up_says_so_and_offers_to_put_it_right(tmp_path: Path) -> None:
    with device(tmp_path, SCREENS["score-check-failed"] + " OK R3") as at:
        assert at.page == "deal_end"
        assert told(at)[0] == "CHECK FAILED"
        assert "R2=EDIT" in told(at)


@pytest.mark.parametrize(
    ("counting", "left"), [("R2 b1 b2 b3 OK OK R2 31 36 46 :6NC-NEXTK 50 51", 8), (SCREENS["ciao-hands"], 3)]
)
def test_ok_before_a_hand_is_scanned_says_what_is_missing(tmp_path: Path, counting: str, left: int) -> None:
    with device(tmp_path, counting) as at:
        assert at.page == "hands"
        before = at.table.front
        at.people("OK")
        assert (at.table.notice, at.signals[-1]) == (f"{left} CARDS ARE MISSING", "refused")
        at.people("OK")
        assert at.table.front == before


def test_a_keyboard_that_takes_the_place_of_keys_and_scanner_is_named_at_the_start(tmp_path: Path) -> None:
    plain = load(None)
    assert {port: state_of(port, plain, ()) for port in ("display", "buttons", "scanner", "buzzer")} == {
        "display": DeviceState.OK,
        "buttons": DeviceState.KEYBOARD,
        "scanner": DeviceState.KEYBOARD,
        "buzzer": DeviceState.NONE,
    }
    on_a_panel = replace(plain, display=choose("display", "simulated"))
    assert state_of("scanner", on_a_panel, ()) is DeviceState.NONE
    with device(tmp_path) as at:
        at.runtime.session._config = plain
        assert HelloPage._state("scanner", at.runtime.session) == "KEYBOARD"


@pytest.mark.parametrize("screen", ["between-turns", "collecting", "choose-row", "who-played", "ciao-joker"])
def test_a_notice_covers_nothing_but_the_title(tmp_path: Path, screen: str) -> None:
    with device(tmp_path, SCREENS[screen]) as at:
        below = (0, 10, 128, 63)  # the heartbeat is in the last row
        at.people("+10")
        plain = at.runtime.app.picture()
        at.do(lambda table: table.say(say("87 OF MAXIMILIAN TAKEN BACK")))
        noted = at.runtime.app.picture()
        assert noted.tobytes() != plain.tobytes()
        assert noted.crop(below).tobytes() == plain.crop(below).tobytes()
