"""A paired phone offers its time to a box whose clock was not set."""

import json
import threading
import time
from datetime import date
from pathlib import Path

import pytest
from msgspec.structs import replace

from firmware.config.sections import ScreenOptions
from firmware.service.clock import Clock
from firmware.text.translation import CALENDAR_CHOICES, Translator
from network.web.pairing import LASTS_S, Phones
from tests.network.web.browser import PHONE, Browser, needed
from tests.network.web.served import Served, served
from tests.patience import comes

PHONE_MS = 1_800_000_000_000


def unset(at: Served) -> Clock:
    """A box without a clock, which takes one from a phone."""
    folder = at.folder / "clock"
    (folder / "offered").mkdir(parents=True)
    clock = Clock(at.folder / "rtc", at.folder / "synchronized", folder)
    at.site.setting = replace(at.site.setting, clock=clock)
    return clock


def answers(clock: Clock, *, takes: bool) -> threading.Thread:
    """What systemd starts when a time is offered; it takes the time, or does not."""

    def decide() -> None:
        if comes(clock.is_offered):
            if takes:
                clock.tell()
            clock.withdraw()

    thread = threading.Thread(target=decide)
    thread.start()
    return thread


def test_a_paired_phone_sets_the_clock_once_and_nobody_else_does(at: Served) -> None:
    cookie = at.pair()
    assert 'id="clock"' not in at.ask("GET", "/host", Cookie=cookie)[1]
    status, answer, _ = at.ask("POST", "/clock", {"now_ms": PHONE_MS}, Cookie=cookie)
    assert (status, answer["fault"]) == (409, "The clock is set already.")
    clock = unset(at)
    assert 'id="clock"' in at.ask("GET", "/host", Cookie=cookie)[1]
    assert 'id="clock"' not in at.ask("GET", "/host")[1]
    assert at.ask("POST", "/clock", {"now_ms": PHONE_MS})[0] == 403
    for wrong in (None, "now", -5, 1.5, True, [PHONE_MS]):
        assert at.ask("POST", "/clock", {"now_ms": wrong}, Cookie=cookie)[1]["why"] == "malformed"
    assert not clock.is_offered()
    thread = answers(clock, takes=False)
    status, answer, _ = at.ask("POST", "/clock", {"now_ms": PHONE_MS}, Cookie=cookie)
    thread.join()
    assert (status, answer["accepted"]) == (409, False)
    assert "rejects this time" in answer["fault"]
    thread = answers(clock, takes=True)
    assert at.ask("POST", "/clock", {"now_ms": PHONE_MS}, Cookie=cookie)[1]["accepted"]
    thread.join()
    assert 'id="clock"' not in at.ask("GET", "/host", Cookie=cookie)[1]


@needed
@pytest.mark.parametrize("calendar", CALENDAR_CHOICES)
def test_the_button_sends_the_time_of_the_phone_which_is_shown_in_calendar_and_digits_of_the_table(
    tmp_path: Path, chromium: Browser, calendar: str
) -> None:
    with served(tmp_path, screen=ScreenOptions(language="fa", calendar=calendar)) as at:
        cookie, clock, before_s = at.pair(), unset(at), time.time()
        chromium.open(f"http://127.0.0.1:{at.port}/host?language=fa", PHONE, cookie)
        t, days = Translator("fa", calendar=calendar), [date.today()]  # noqa: DTZ011 - as the page
        shown = str(chromium.run("document.querySelector('#clock time').textContent"))
        days.append(date.today())  # noqa: DTZ011 - it may be a year later by now
        assert any(t.number(t.date(day)[0]) in shown for day in days), shown
        chromium.click("#clock button")
        assert comes(clock.is_offered)
        said_s = clock.offered_s()
        assert said_s is not None
        assert before_s - 1 <= said_s <= time.time() + 1
        clock.tell()
        clock.withdraw()
        assert chromium.is_true("document.getElementById('clock').hidden")
        assert chromium.complaints() == []


def test_a_phone_stays_paired_when_the_clock_goes_on_by_years(at: Served) -> None:
    at.pair()
    now_s = time.time()
    later = Phones(at.folder / "phones.json", lambda: now_s + 3 * LASTS_S)
    before = json.loads((at.folder / "phones.json").read_text())["phones"][0]
    assert later.all() == ()
    later.move_times(3 * LASTS_S)
    (phone,) = later.all()
    assert phone.used_s - before["used_s"] == 3 * LASTS_S
    assert phone.hash == before["hash"]
