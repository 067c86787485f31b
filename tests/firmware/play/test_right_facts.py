"""What is shown is true: points at the end of a deal, who was meant, what was refused, what time it is."""

import time
from datetime import UTC, datetime
from pathlib import Path

import pytest

from companion.core.codes import card_code
from companion.text.sentence import say
from firmware.config.sections import ScreenOptions
from firmware.history.stored_time import day_of_year, shown
from firmware.screens.turn.refusal import RefusalPage
from firmware.text.translation import Translator
from tests.firmware.evening import FOUR, PLACED, ROWS, Device, device
from tests.firmware.telling import told
from tests.gallery.pictures import SCREENS
from tests.whole.reading import alike, title

TWO = "R1 b1 b2 OK R1 R1 30 50 70 90 "
NINE_TURNS = "91 92 OK 93 94 OK 95 96 b1 OK OK 97 98 OK 99 100 b2 OK OK 51 52 OK 53 54 OK 71 72 OK 73 74 OK "


def test_the_last_taking_of_a_deal_is_shown_with_the_points_of_that_deal(tmp_path: Path) -> None:
    with device(tmp_path, TWO + NINE_TURNS + "31 75 +5 UNDO 55 b2") as at:
        assert at.page == "taken"
        deal, total = at.match.position.score_sheet.deals[-1][1], at.match.totals[1]
        assert deal > 0
        texts = [text.replace("\N{NO-BREAK SPACE}", " ") for text in told(at)]
        assert f"DEAL +{deal}" in texts
        assert any(text.endswith(f" {total}") for text in texts)


def test_the_badge_of_the_player_who_gives_is_answered_with_a_name_and_what_to_do(tmp_path: Path) -> None:
    with device(tmp_path, "R3 b1 b2 b3 OK OK R1 R1 55 8 b2") as at:
        refusal = at.refused
        assert isinstance(refusal, RefusalPage)
        assert [str(one) for one in refusal.refusal] == [
            "P2 chooses another player",
            "scan the badge of another player",
        ]
        at.people("b3")
        assert at.refused is None


def test_a_code_that_was_misread_is_to_be_scanned_again(tmp_path: Path) -> None:
    code = card_code("6N", 12)
    torn = code[:-1] + ("X" if code[-1] != "X" else "Y")
    with device(tmp_path, FOUR + f":{torn}") as at:
        fault, fix = at.table.refusal
        assert (fault.facts["why"], fix) == (say("misread"), say("scan it again"))


SEVEN = "R2 b1 b2 b3 b4 b5 b6 b7 OK OK R1 20 21 "
"""11 nimmt! with all who can play."""


@pytest.mark.parametrize(
    ("script", "named"),
    [
        (TWO + "2 95 :6NC-ABSENTS b1", "CANNOT LEAVE NOW"),
        (SEVEN + ":6NC-ABSENTS b8", "CANNOT JOIN NOW"),
        (FOUR + ROWS + ":6NC-WRONGE 14 15", "NOT CORRECTED"),
        (PLACED + ":6NC-SWAPV b1 b2", "NOT SWAPPED"),
        (PLACED + "21 :6NC-NEXTK", "NOT ENDED"),
        (PLACED + "44", "EACH CARD EXISTS ONCE"),
    ],
)
def test_the_title_of_a_refusal_is_about_the_case(tmp_path: Path, script: str, named: str) -> None:
    with device(tmp_path, script + " WHY") as at:
        assert title(at.runtime.app.picture()) == alike(named)


def test_who_cannot_leave_or_join_is_told_before_a_badge_is_scanned(tmp_path: Path) -> None:
    with device(tmp_path, SEVEN + ":6NC-ABSENTS") as at:
        assert "the deal has begun" in str(at.table.refusal[0])


TEN = "R1 " + " ".join(f"b{badge}" for badge in range(1, 11)) + " OK R1 R1 30 50 70 90 "
PLACED_BY_TEN = TEN + "31 32 33 34 35 51 52 71 72 2 R1 b5 OK b3 OK OK "


def owners(at: Device) -> dict[int, int | None]:
    """Whose cards the device knows of the newest turn."""
    return dict(at.match.position.table.newest)


def test_a_correction_keeps_the_row_and_the_owners_that_still_hold(tmp_path: Path) -> None:
    with device(tmp_path, PLACED_BY_TEN) as at:
        before = [pile for pile in at.match.position.table.taken if pile]
        at.people(":6NC-WRONGE 72 73")
        assert at.page in ("ruling", "taken")
        assert [pile for pile in at.match.position.table.taken if pile] == before
        assert (owners(at)[2], owners(at)[35], owners(at)[73]) == (4, 2, None)
        at.people("OK OK OK OK :6NC-AUDITE 35 52 73 90 OK")
        assert "refused" not in at.signals[-5:]


def test_a_correction_asks_only_what_became_open(tmp_path: Path) -> None:
    with device(tmp_path, PLACED_BY_TEN + ":6NC-WRONGE 72 1") as at:
        assert (at.page, at.match.asks[0].card) == ("choose_stack", "1")
    with device(tmp_path / "low", PLACED_BY_TEN + ":6NC-WRONGE 2 36") as at:
        assert at.match.asks[0].kind.value != "choose a row"
        assert owners(at)[35] == 2


def test_a_correction_before_the_owner_is_known_keeps_the_row(tmp_path: Path) -> None:
    with device(tmp_path, TEN + "31 32 33 34 35 51 52 71 72 2 R2 :6NC-WRONGE 72 73") as at:
        assert (at.page, at.match.asks[0].card) == ("choose_player", "2")
        at.people("b5")
        assert at.match.position.table.rows[1][0] == 2


@pytest.mark.parametrize(
    ("zone", "language", "expected", "in_short"),
    [
        ("UTC", "en", "2026-02-21 20:45 UTC", "02-21"),
        ("Asia/Tehran", "en", "2026-02-22 00:15 UTC+03:30", "02-22"),
        ("America/St_Johns", "en", "2026-02-21 17:15 UTC-03:30", "02-21"),
        ("Europe/Berlin", "de", "21.02.2026 21:45 UTC+01:00", "21.02."),
        ("Asia/Tehran", "fa", "۱۴۰۴/۱۲/۰۳ ۰۰:۱۵ UTC+03:30", "۱۲/۰۳"),
        ("Asia/Tehran", "fa gregorian", "۲۰۲۶/۰۲/۲۲ ۰۰:۱۵ UTC+03:30", "۰۲/۲۲"),
    ],
)
def test_a_time_is_that_of_the_table_with_its_zone_as_the_language_writes_it(
    monkeypatch: pytest.MonkeyPatch, zone: str, language: str, expected: str, in_short: str
) -> None:
    language, _, calendar = language.partition(" ")
    monkeypatch.setenv("TZ", zone)
    time.tzset()
    try:
        when = datetime(2026, 2, 21, 20, 45, tzinfo=UTC)
        t = Translator(language, calendar=calendar or "language")
        assert shown(when, t) == expected
        assert day_of_year(when.astimezone(), t) == in_short
    finally:
        monkeypatch.undo()
        time.tzset()


@pytest.mark.parametrize("deal", ["", "12 37 43 58 1 14 44 61 R1 b1 OK OK :6NC-NEXTK OK OK "])
@pytest.mark.parametrize(("script", "asked"), [("", "3 FITS NOWHERE"), (" R1", "WHO PLAYED 3?")])
def test_why_while_something_is_asked_says_what_is_asked_and_nothing_of_the_deal_before(
    tmp_path: Path, deal: str, script: str, asked: str
) -> None:
    with device(tmp_path, FOUR + deal + "12 37 43 58 3 16 17 18" + script + " WHY") as at:
        assert at.page == "help"
        assert asked in told(at)


def test_why_between_two_deals_tells_of_the_result_also_when_a_score_was_corrected(tmp_path: Path) -> None:
    with device(tmp_path, SCREENS["deal-end"] + " OK WHY") as at:
        assert told(at)[0].startswith("THE RESULT: WHY?")


def test_a_number_typed_where_points_are_set_is_the_points_and_no_card(tmp_path: Path) -> None:
    with device(tmp_path, SCREENS["ciao-hands"] + " R1") as at:
        asked, steps = told(at)[0], at.match.steps
        assert asked.startswith("POINTS FOR")
        at.people("501")
        assert (told(at)[0], at.match.steps) == (asked, steps)
        at.people("7")
        assert at.page != "dial"
        assert at.match.newest is not None
        assert "7 points" in str(at.match.newest.because[0].says)


def test_a_number_typed_where_a_limit_is_set_is_the_limit(tmp_path: Path) -> None:
    with device(tmp_path, "R1 b1 b2 OK R4") as at:
        assert at.page == "dial"
        at.people("80")
        assert at.page == "agree"
        at.people("R1")
        assert at.match.terms.options["end"]["target"] == 80


@pytest.mark.parametrize("language", ["en", "de", "fa"])
def test_a_fault_and_what_to_do_are_two_sentences_on_the_display(tmp_path: Path, language: str) -> None:
    with device(tmp_path, PLACED + "44 WHY", screen=ScreenOptions(language=language)) as at:
        page, session = at.table.front, at.runtime.session
        assert isinstance(page, RefusalPage)
        lines = [line for part in page.pages(session) for line in part]
        ends = [place for place, line in enumerate(lines) if line.endswith(".")]
        assert len(ends) == 2
        assert ends[-1] == len(lines) - 1
