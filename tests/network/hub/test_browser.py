"""The pages of the evening in a real browser. A start takes seconds, so one test looks at many things."""

from pathlib import Path

import pytest
from selenium.webdriver.common.by import By

from companion.tournament.acts import Renamed
from network.hub.tournament import Conductor
from network.mqtt import topics
from tests.network.hub.opened import OPEN, begun, opened
from tests.network.web.browser import DESKTOP, PHONE, SMALLEST, TELEVISION, Look, browser, needed
from tests.network.web.test_browser import AXE, barriers

pytestmark = [needed, pytest.mark.slow]

FOR_DIRECTORS = ("/tournament", "/faults", "/director", "/log")
FOR_EVERYBODY = ("/tournament", "/", "/tv", "/standing", "/history", "/table/table-1", "/faults")
NARROW = "document.documentElement.scrollWidth - innerWidth"
DRAWN = "document.body.dataset.state === 'live' || !document.querySelector('script[src]')"


@pytest.mark.parametrize(("directs", "paths"), [(False, FOR_EVERYBODY), (True, FOR_DIRECTORS)])
def test_every_page_of_the_evening_can_be_used_by_everybody_on_every_screen(
    tmp_path: Path, directs: bool, paths: tuple[str, ...]
) -> None:
    if not AXE.exists():
        pytest.skip("axe-core is not there: make vendor")
    with opened(tmp_path) as at, browser() as chromium:
        begun(at)
        chromium.open(f"{at.base}/tournament?language=en", SMALLEST)
        if directs:
            chromium.give(at.director["cookie"])
        found = []
        for path in paths:
            for language, look in (("fa", SMALLEST), ("de", DESKTOP)):
                wide = TELEVISION if path == "/tv" else Look(look.width, look.height, 1, "light")
                chromium.look(wide if language != "fa" else Look(wide.width, wide.height, 1, "dark"))
                chromium.driver.get(f"{at.base}{path}?language={language}")
                if directs or path != "/faults":  # there it is the form that pairs
                    assert chromium.is_true(DRAWN), path
                assert chromium.run("document.dir") == ("rtl" if language == "fa" else "ltr")
                chromium.run("document.querySelectorAll('details').forEach((one) => (one.open = true))")
                over = chromium.run(NARROW)
                found += [(path, language, f"{over} px too wide")] if over > 0 else []
                found += [(path, language, one) for one in barriers(chromium)]
        assert found == []
        assert chromium.complaints() == []


def test_the_pages_of_the_director_follow_what_happens_and_keep_what_is_typed(tmp_path: Path) -> None:
    with opened(tmp_path) as at, browser() as chromium:
        visitor = chromium.open(f"{at.base}/tournament?language=en", PHONE)
        assert chromium.run("document.querySelector('main').textContent.includes('No tournament')")
        at.must(**OPEN)
        assert chromium.is_true("document.querySelector('h1').textContent === 'Friday <b>'")
        chromium.give(at.director["cookie"])
        director = chromium.open(f"{at.base}/tournament?language=en", DESKTOP)
        for badge in (1, 2, 3):
            at.must("register", badge=str(badge), name=f"Player {badge}")
        assert chromium.is_true("document.querySelectorAll('#players li').length === 3")
        field = chromium.driver.find_element(By.NAME, "name")
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
        other = Conductor(at.hub.store, at.hub.evening, at.hub.matches, lambda _topic, _payload: None)
        other.act(Renamed(5, "Sophia"), "another hub")
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
        at.hub.intake.turned(True)
        at.hub.intake.turned(False)
        at.hub.work()
        for tab in (visitor, director, faults):
            chromium.tab(tab)
            assert chromium.is_true("document.body.dataset.state === 'away'")
