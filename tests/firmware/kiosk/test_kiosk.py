"""A kiosk: the attract loop, the first touch, coming back, and what strangers cannot reach."""

from pathlib import Path

import pytest

from companion.core.codes import card_code
from companion.text.errors import CompanionError
from companion.text.sentence import BULL, NOTHING, literal
from firmware.config.configuration import parse
from firmware.config.keys import ConfigError
from firmware.config.sections import KioskOptions
from firmware.extensions.robots.deal_pages import SentencePage
from firmware.kiosk.counts import COLUMNS, FILE, UNKNOWN_DAY, Counts
from firmware.kiosk.visitor import StillThere
from firmware.loop.react import tick
from firmware.play.effects import WasRefused
from firmware.screens.before.lesson import Lesson
from firmware.text.translation import LANGUAGES
from hardware.ports import DeviceFault, DeviceRecovered, Key, KeyPressed, KeyReleased, Light, Press, Scanned
from tests.firmware.display.read_canvas import CardsCanvas, ReadCanvas
from tests.firmware.kiosk.kiosk_box import KioskBox, kiosk_box
from tests.firmware.text.test_language import hold_both
from tests.gallery.pictures import KIOSK_SCREENS
from tests.gallery.scripts import PIN

DAY = "2026-02-21"


def test_nobody_there_the_loop_shows_six_pictures_of_six_seconds_each_in_all_languages(
    tmp_path: Path,
) -> None:
    with kiosk_box(tmp_path) as at:
        said: dict[tuple[str, int], set[str]] = {}
        for second in range(36 * 2):
            front = at.table.front
            place = (front.NAME, getattr(front, "picture", 0))
            said.setdefault(place, set()).add(at.runtime.session.language)
            assert list(said).index(place) == second % 36 // 6
            at.wait(1)
        assert len(said) == 6
        assert all(languages == set(LANGUAGES) for languages in said.values())


def test_in_the_loop_a_card_goes_to_its_row_among_four_and_lies_there_while_the_next_one_comes(
    tmp_path: Path,
) -> None:
    with kiosk_box(tmp_path) as at:
        at.wait(12)
        places: list[list[tuple[int, int, str, bool]]] = []
        while at.page == "scene":
            canvas = CardsCanvas()
            at.runtime.app.picture(canvas)
            places.append(canvas.cards)
            at.wait(0.25, step_s=0.25)
        rows = [(0, 16 * row, end, False) for row, end in enumerate(("12", "37", "43", "58"))]
        assert all(shown[:4] == rows for shown in places)
        comes, lies = places[0][-1], places[7][-1]
        assert (comes[2:], lies) == (("42", True), (28, 16, "42", True))
        assert len({shown[-1][:2] for shown in places[:8]}) > 3, "it moves"
        assert places[-1][4:] == [(28, 16, "42", False), (28, 32, "44", False), (28, 48, "60", True)]


def test_every_picture_of_the_loop_has_each_language_beside_its_key(tmp_path: Path) -> None:
    titles = [language.title for language in LANGUAGES.values()]
    with kiosk_box(tmp_path) as at:
        for _ in range(36):
            canvas = ReadCanvas()
            at.runtime.app.picture(canvas)
            assert [canvas.labels[key].casefold() for key in ("1", "2", "3")] == [
                title.casefold() for title in titles
            ]
            at.wait(1)


@pytest.mark.parametrize("key", [key for key in Key if not key.value.startswith("seat")])
def test_any_key_ends_the_loop_at_once_with_sound_and_picture(key: Key, tmp_path: Path) -> None:
    with kiosk_box(tmp_path) as at:
        at.wait(2)
        before = at.runtime.app.picture()
        at.give(KeyPressed(key))
        assert at.runtime.app.picture().tobytes() != before.tobytes()
        assert at.signals == ["accepted"]
        assert at.page == ("visitor_menu" if key in (Key.ROW_1, Key.ROW_2, Key.ROW_3) else "visitor_language")


@pytest.mark.parametrize(
    ("code", "page"),
    [("55", "card_shown"), ("6NC-UNDOL", "visitor_language"), ("4007396032", "visitor_language")],
)
def test_any_scan_does_so_too_and_a_card_is_shown_large(code: str, page: str, tmp_path: Path) -> None:
    with kiosk_box(tmp_path) as at:
        at.give(Scanned(code, typed=code.isdigit()))
        assert at.page == page
        assert at.signals == ["accepted"]


def test_a_card_of_each_game_is_known_and_leads_to_that_game(tmp_path: Path) -> None:
    with kiosk_box(tmp_path, "55 91") as at:
        assert at.page == "card_shown"
        at.people(":6N055Y +1 OK R1")
        assert at.page == "visitor_menu"
        at.people("500")
        assert at.page == "visitor_menu"
        assert at.signals[-1] == "refused"


def test_who_has_the_wrong_language_finds_the_others_in_their_own_letters(tmp_path: Path) -> None:
    with kiosk_box(tmp_path, "R1") as at:
        canvas = ReadCanvas()
        at.runtime.app.picture(canvas)
        assert canvas.labels["4"] == "Deutsch فارسی"
        at.people("R4 R2")
        assert (at.page, at.runtime.session.language) == ("visitor_menu", "de")


@pytest.mark.parametrize("before", ["", "OK", "R1", "R1 R1", "R1 R2 R1", "55"])
def test_a_card_is_answered_with_its_number_and_its_heads_on_every_page_before_the_game(
    before: str, tmp_path: Path
) -> None:
    with kiosk_box(tmp_path, before) as at:
        page = at.page if before else "visitor_language"
        at.people("+2 55")
        assert (at.page, at.signals[-1]) == ("card_shown", "accepted")
        canvas = ReadCanvas()
        at.runtime.app.picture(canvas)
        assert f"55: 7{BULL}" in canvas.words
        at.people("OK")
        assert at.page == ("visitor_language" if page == "card_shown" else page)


def test_the_game_of_a_card_that_was_shown_is_under_the_cursor(tmp_path: Path) -> None:
    with kiosk_box(tmp_path, f"OK :{card_code('11', 31)} OK R1 R1 OK") as at:
        front = at.table.front
        assert isinstance(front, Lesson)
        assert front.game == "eleven"


def test_why_a_card_is_refused_is_said_with_its_number_and_told_to_those_who_watch(tmp_path: Path) -> None:
    with kiosk_box(tmp_path, "R1 R1 R1 42") as at:
        assert at.table.notice == "42: USE A KEY HERE"
        assert [str(one.fault) for one in at.table.happened if isinstance(one, WasRefused)] == [
            "42: USE A KEY HERE"
        ]


def test_the_language_is_asked_once_and_forgotten_with_the_visitor(tmp_path: Path) -> None:
    with kiosk_box(tmp_path, "OK R2") as at:
        assert (at.page, at.runtime.session.language) == ("visitor_menu", "de")
        at.wait(31)
        assert at.page == "attract"
        assert at.runtime.session.language == "en"


COVERED = {
    "attract": "visitor_menu",
    "scene": "visitor_menu",
    "visitor_language": "visitor_menu",
    "still_there": "visitor_menu",
}
"""What comes after the list of languages where it is no list over a page that goes on."""


def lies_over(at: KioskBox, choice: str, language: str) -> bool:
    """Whether the list of languages comes over the page in front, and this choice leaves all as it was."""
    front, before = at.table.front, at.runtime.app.picture().tobytes()
    deal = getattr(front, "deal", None)
    match = deal and deal.match
    hold_both(at)
    listed = at.page
    at.people(choice)
    if front.NAME in COVERED:
        goes_on = at.page == COVERED[front.NAME]
    else:
        goes_on = at.table.front == front
        goes_on &= language != "en" or at.runtime.app.picture().tobytes() == before
    chosen = (listed, at.runtime.session.language) == ("visitor_language", language)
    return goes_on and chosen and not (deal and deal.match is not match)


@pytest.mark.slow
def test_the_languages_lie_over_every_page_of_a_kiosk_and_answer_nothing_of_a_deal(tmp_path: Path) -> None:
    seen, wrong = set(), []
    for name, script in KIOSK_SCREENS.items():
        with kiosk_box(tmp_path / name, script, kiosk=KioskOptions(pin=PIN)) as at:
            front = at.table.front
            seen.add(front.NAME)
            wrong += [] if lies_over(at, "UNDO", "en") else [(name, "UNDO", at.page)]
            if at.table.front == front:
                wrong += [] if lies_over(at, "R3", "fa") else [(name, "R3", at.page)]
                continue
        with kiosk_box(tmp_path / f"{name}-fa", script, kiosk=KioskOptions(pin=PIN)) as at:
            wrong += [] if lies_over(at, "R3", "fa") else [(name, "R3", at.page)]
    assert wrong == []
    assert {"hand", "placement", "which_row", "leave_deal", "pass_on", "deal_result", "after_deal"} < seen


@pytest.mark.parametrize("game", ["R1", "R2", "R3"])
def test_a_deal_goes_on_in_the_language_that_a_visitor_chose_within_it(game: str, tmp_path: Path) -> None:
    turns = "OK OK OK R2 OK OK OK WHY OK OK OK UNDO R1"
    pictures: dict[str, list[tuple[str, bytes]]] = {}
    for name, before, within in (("within", "R1", "R3"), ("before", "R3", "")):
        with kiosk_box(tmp_path / f"{game}{name}", f"{before} R2 {game} R1") as at:
            if within:
                hold_both(at)
                at.people(within)
            drawn = pictures[name] = []
            for turn in turns.split():
                at.do(lambda table: table.say(NOTHING))
                drawn.append((at.page, at.runtime.app.picture().tobytes()))
                at.people(turn)
    assert pictures["within"] == pictures["before"]
    assert len(set(pictures["before"])) > 4


def test_the_languages_take_the_place_of_a_question_and_lie_over_a_sentence(tmp_path: Path) -> None:
    with kiosk_box(tmp_path, "R1 R1 R1") as at:
        at.wait(46)
        assert at.page == "still_there"
        hold_both(at)
        assert at.page == "visitor_language"
        at.people("R2")
        assert (at.page, at.runtime.session.language) == ("lesson", "de")
        at.table.open(SentencePage(literal("EIN SATZ")), lasts_s=12.0)
        hold_both(at)
        hold_both(at)
        at.people("R1")
        assert (at.page, at.runtime.session.language) == ("sentence", "en")
        at.wait(75)
        assert at.page == "attract"
        hold_both(at)
        assert (at.page, at.state.at_rest, len(at.table.pages.opened)) == ("visitor_language", False, 1)


def test_who_leaves_is_asked_and_then_the_loop_begins_anew(tmp_path: Path) -> None:
    with kiosk_box(tmp_path, "R1 R1 R1") as at:
        assert at.page == "lesson"
        at.wait(44)
        assert at.page == "lesson", "who reads has time"
        at.wait(2)
        front = at.table.front
        assert isinstance(front, StillThere)
        at.wait(4)
        later = at.table.front
        assert isinstance(later, StillThere)
        assert later.left_s < front.left_s
        at.people("R3")
        assert at.page == "lesson", "the key has only said that somebody is there"
        at.wait(59)
        assert at.page == "still_there"
        at.wait(2)
        assert at.page == "attract"
        assert at.table.pages.opened == ((at.table.front, None),)


def test_the_times_are_those_of_the_configuration(tmp_path: Path) -> None:
    with kiosk_box(tmp_path, "R1", kiosk=KioskOptions(menu_warn_s=6.0, menu_leave_s=3.0)) as at:
        at.wait(7)
        assert at.page == "still_there"
        at.wait(3)
        assert at.page == "attract"


@pytest.mark.slow
@pytest.mark.parametrize(
    "script",
    [
        "hold-OK",
        ":6NC-MENUM",
        ":6NC-LANGJ",
        "hold-R1 hold-R3 +3",
        ":6NC-ERASEZ b1",
        ":6NC-GAME6",
        "UNDO UNDO UNDO",
        ":6NC-SWAPV",
        "b1 b2",
    ],
)
def test_nothing_leads_a_stranger_to_the_owner(script: str, tmp_path: Path) -> None:
    ours = {"visitor_language", "visitor_menu", "which_game", "card_shown", "lesson", "attract"}
    for before in ("", "R1 ", "R1 R1 R1 ", "55 "):
        with kiosk_box(tmp_path / before, before + script) as at:
            assert at.page in ours
            assert at.runtime.session.match is None


def test_a_fault_that_closes_every_page_does_not_uncover_the_table(tmp_path: Path) -> None:
    with kiosk_box(tmp_path, "R1 R1 R1") as at:
        at.table.home()
        at.people("R1")
        assert at.page in {"visitor_menu", "which_game"}
        at.table.home()
        at.wait(1)
        assert at.page == "visitor_menu"


def test_how_long_the_machine_has_been_on_changes_no_moment_of_the_loop(tmp_path: Path) -> None:
    seen = set()
    for number, on_s in enumerate((0.1, 8077.4, 8171.8, 2**25 / 7)):
        with kiosk_box(tmp_path / str(number)) as at:
            tick(at.table, on_s)
            at.people("R1")
            pages = []
            for _ in range(200):
                at.wait(1)
                pages.append(at.page)
            seen.add(tuple(pages))
    assert len(seen) == 1


def test_after_closing_time_it_is_dim_then_dark_and_visitors_are_still_served(tmp_path: Path) -> None:
    with kiosk_box(tmp_path, kiosk=KioskOptions(open="09:00-10:10")) as at:
        lights = [at.light]
        at.wait(9 * 60, step_s=5)
        lights.append(at.light)
        at.people("R1")
        at.wait(120)
        assert at.page == "attract"
        lights.append(at.light)
        at.wait(601, step_s=5)
        lights.append(at.light)
        at.people("OK +1")
        assert at.page == "visitor_language"
        lights.append(at.light)
        at.wait(31)
        lights.append(at.light)
        assert lights == [Light.FULL, Light.FULL, Light.DIM, Light.OFF, Light.FULL, Light.DIM]


def test_a_box_that_does_not_know_the_time_stays_open(tmp_path: Path) -> None:
    with kiosk_box(tmp_path, knows_time=False, kiosk=KioskOptions(open="01:00-01:01")) as at:
        at.wait(1200, step_s=10)
        assert at.light is Light.FULL
        assert not at.kiosk.figures(at.table)["clock_is_set"]
        at.people("R1")
        assert at.kiosk.counts.of(UNKNOWN_DAY)["visitors"] == 1


def test_a_key_that_something_holds_down_is_ignored_until_it_is_released(tmp_path: Path) -> None:
    with kiosk_box(tmp_path) as at:
        at.give(KeyPressed(Key.ROW_1, Press.LONG))
        at.wait(65)
        assert at.state.stuck == {Key.ROW_1}
        assert at.page == "attract"
        at.people("R1")
        assert at.page == "attract"
        at.people("OK")
        assert at.page == "visitor_language"
        at.give(KeyReleased(Key.ROW_1))
        at.people("R1")
        assert at.page == "visitor_menu"
        assert at.kiosk.counts.of(DAY)["stuck_keys"] == 1


def test_a_device_that_is_away_is_known_and_no_stranger_reads_of_it(tmp_path: Path) -> None:
    with kiosk_box(tmp_path) as at:
        at.give(DeviceFault("scanner", "it was unplugged", "plug it in"))
        at.wait(1)
        assert at.page == "attract"
        assert "scanner" in at.runtime.session.faults
        at.give(DeviceRecovered("scanner"))
        assert not at.runtime.session.faults


def test_what_visitors_do_is_counted_by_day_and_survives_a_power_cut(tmp_path: Path) -> None:
    with kiosk_box(tmp_path, "R1 R1 R1 R3 OK R3 OK R2 OK R4 OK R2 OK R3") as at:
        at.people(":4007396032")
        at.wait(61)
        today = at.kiosk.counts.of(DAY)
        assert (today["visitors"], today["lessons_begun"], today["lessons_finished"]) == (1, 2, 1)
        assert (today["scans"], today["bad_scans"]) == (0, 1)
        at.kiosk.save_counts = lambda: None  # type: ignore[method-assign] # its power is cut
    again = Counts(tmp_path / FILE)
    assert again.of(DAY) == today
    again.add("2026-02-22", "visitors")
    assert again.in_all()["visitors"] == 2


def test_a_line_of_the_counts_that_cannot_be_read_costs_only_itself(tmp_path: Path) -> None:
    file = tmp_path / FILE
    rest = ",0" * (len(COLUMNS) - 1)
    file.write_text(f"day,{','.join(COLUMNS)}\n2026-02-20,4{rest}\n2026-02-21,many{rest}\n", encoding="utf-8")
    assert Counts(file).in_all()["visitors"] == 4
    file.write_bytes(b"\xff\xfe\x00")
    assert Counts(file).in_all()["visitors"] == 0


def test_counts_that_cannot_be_written_stop_nobody(tmp_path: Path) -> None:
    (tmp_path / FILE).mkdir()
    with kiosk_box(tmp_path, "R1 R1") as at:
        at.wait(40)
        assert at.page == "attract"
        assert at.kiosk.counts.of(DAY)["visitors"] == 1


@pytest.mark.parametrize(
    "faulty",
    [
        'open = "late"',
        'open = "10:00-10:00"',
        'open = "10:00-24:30"',
        'pin = "12345"',
        'pin = "1235"',
        "menu_warn_s = 1",
    ],
)
def test_a_configuration_that_cannot_be_meant_is_refused(faulty: str) -> None:
    with pytest.raises((ConfigError, CompanionError)):
        parse(f"[kiosk]\n{faulty}\n", "a test")


def test_hours_may_go_past_midnight() -> None:
    assert parse('[kiosk]\nopen = "22:00-2:00"\n', "a test").kiosk.hours == (1320, 120)
