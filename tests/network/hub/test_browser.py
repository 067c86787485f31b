"""The pages of the evening in a real browser; one test looks at many things."""

from pathlib import Path

import pytest
from msgspec.structs import replace

from network.hub.tournament_pages import FILES
from network.mqtt import topics
from network.mqtt.payloads import encode
from tests.network.hub.hall import begun_in_a_hall, ties
from tests.network.hub.opened import OPEN, opened
from tests.network.web.browser import DESKTOP, LARGEST, PHONE, SMALLEST, TELEVISION, Browser, Look, needed
from tests.network.web.test_browser import AXE, barriers, unvisited

pytestmark = [needed, pytest.mark.slow]

FOR_EVERYBODY = (
    *(
        "/tournament",
        "/winners",
        "/",
        "/tv",
        "/standing",
        "/history",
        "/table/table-1",
        "/table/table-1/tv",
        "/faults",
    ),
    *("/director", "/log"),  # the form that pairs a phone
)
NO_PAGES = {
    *(
        "/live",
        "/manifest.webmanifest",
        "/worker.js",
        "/table/{name}/live",
        "/tournament/live",
        "/faults/live",
    ),
    *(f"/tournament/{at}" for at in FILES),
}
FOR_DIRECTORS = ("/tournament", "/faults", "/director", "/log")
NARROW = "document.documentElement.scrollWidth - innerWidth"
DRAWN = "document.body.dataset.state === 'live' || !document.querySelector('script[src]')"
AWAY = "document.body.dataset.state === 'away'"
DARK = Look(SMALLEST.width, SMALLEST.height, 1, "dark")


def test_every_page_of_the_evening_can_be_used_by_everybody_on_every_screen(
    tmp_path: Path, chromium: Browser
) -> None:
    if not AXE.exists():
        pytest.skip("axe-core is not there: make vendor")
    with opened(tmp_path) as at:
        boxes = begun_in_a_hall(at, 4, 11, duplicate="on")
        told = boxes[0].matches[-1].events[5]
        other = replace(told, record={"events": [], "because": []})
        at.hub.hear(topics.table_topic("table-1", topics.EVENT), encode(other))
        at.hub.work()
        chromium.open(f"{at.base}/tournament?language=en", SMALLEST)
        found = []
        match, gone = f"/match/{boxes[0].matches[0].uid}", "/table/table-3"
        paths = (*FOR_EVERYBODY, match, gone, *FOR_DIRECTORS)
        assert unvisited(at.routes, paths) == NO_PAGES
        for number, path in enumerate(paths):
            if path == FOR_DIRECTORS[0] and number:
                chromium.give(at.director["cookie"], at.base)
            for language, look in (("fa", DARK), ("de", DESKTOP)):
                chromium.look(TELEVISION if path.endswith("/tv") else look)
                chromium.driver.get(f"{at.base}{path}?language={language}")
                assert chromium.is_true(f"{DRAWN} || {AWAY} || document.getElementById('pair')"), path
                assert chromium.run("document.dir") == ("rtl" if language == "fa" else "ltr")
                chromium.run("document.querySelectorAll('details').forEach((one) => (one.open = true))")
                over = chromium.run(NARROW)
                found += [(path, language, f"{over} px too wide")] if over > 0 else []
                if path == gone or (language == "fa") is (number % 2 == 0):
                    found += [(path, language, one) for one in barriers(chromium)]
        assert found == []
        assert chromium.complaints() == []


def test_the_pages_of_the_director_follow_what_happens_and_keep_what_is_typed(
    tmp_path: Path, chromium: Browser
) -> None:
    with opened(tmp_path) as at:
        visitor = chromium.open(f"{at.base}/tournament?language=en", PHONE)
        assert chromium.run("document.querySelector('main').textContent.includes('No tournament')")
        at.must(**OPEN)
        assert chromium.is_true("document.querySelector('h1').textContent === 'Friday <b>'")
        chromium.give(at.director["cookie"], at.base)
        director = chromium.open(f"{at.base}/tournament?language=en", DESKTOP)
        for badge in (1, 2, 3):
            at.must("register", badge=str(badge), name=f"Player {badge}")
        assert chromium.is_true("document.querySelectorAll('#players li').length === 3")
        field = chromium.find("[name='name']")
        field.send_keys("So")
        at.must("register", badge="4", name="Player 4")
        assert chromium.is_true("document.querySelectorAll('#players li').length === 4")
        chromium.driver.switch_to.active_element.send_keys("phie")
        assert chromium.run("document.querySelector('[name=name]').value") == "Sophie"
        chromium.run("document.querySelector('[data-do=register] .main').click()")
        assert chromium.is_true("document.querySelectorAll('#players li').length === 5")
        assert chromium.is_true("document.querySelector('[name=name]').value === ''")
        chromium.run("document.querySelector('button[data-do=draw]').click()")
        assert chromium.is_true("document.querySelectorAll('.entries .totals li').length === 5")
        chromium.tab(visitor)
        assert chromium.is_true("document.querySelector('main').textContent.includes('who sits where')")
        at.must("rename", badge="5", name="Sophia")
        assert chromium.is_true("document.querySelector('main').textContent.includes('Sophia')")
        faults = chromium.open(f"{at.base}/faults?language=en", DESKTOP)
        assert chromium.run("document.querySelector('main').textContent.includes('Nothing is wrong')")
        at.hub.hear(topics.table_topic("table-9", topics.STATE), b"rubbish")
        at.hub.work()
        assert chromium.is_true("document.querySelectorAll('.fault button').length === 1")
        chromium.run("document.querySelector('[data-fault]').click()")
        assert chromium.is_true("document.querySelectorAll('.fault button').length === 0")
        chromium.tab(director)
        chromium.run("document.querySelector('button[data-do=close]').click()")
        assert chromium.is_true("document.getElementById('answer').textContent !== ''")
        at.hub.intake.changed_broker(connected=True)
        at.hub.intake.changed_broker(connected=False)
        at.hub.work()
        for tab in (visitor, director, faults):
            chromium.tab(tab)
            assert chromium.is_true("document.body.dataset.state === 'away'")


@pytest.mark.parametrize("language", ["en", "de", "fa"])
def test_a_television_shows_every_table_below_the_line_that_says_it_is_not_current_and_no_winner_is_cut(
    tmp_path: Path, chromium: Browser, language: str
) -> None:
    with opened(tmp_path) as at:
        ties(at)
        for look in (TELEVISION, Look(1280, 720), LARGEST):
            chromium.go(f"{at.base}/tv?language={language}", look)
            assert chromium.is_true("document.querySelectorAll('.says').length === 12")
            if language == "fa":
                assert chromium.is_true("document.fonts.check('16px Vazirmatn', 'پ')")
            assert chromium.is_true(f"{CUT}.length === 0"), chromium.run(CUT)
        at.hub.intake.changed_broker(connected=False)
        at.hub.work()
        assert chromium.is_true("document.body.dataset.state === 'away'")
        over = chromium.run("document.getElementById('state').getBoundingClientRect().bottom")
        tables = chromium.run("document.getElementById('hall').getBoundingClientRect().toJSON()")
        assert 0 < over <= tables["top"]
        assert tables["bottom"] <= LARGEST.height
        assert chromium.run(CUT) == []


CUT = (
    "[...document.querySelectorAll('.says')].filter((one) => one.scrollWidth > one.clientWidth + 1"
    " || one.scrollHeight > one.clientHeight + 2).map((one) => one.textContent)"
)
