"""The same in every browser that Debian has: the pages open, and a phone plays."""

import os
from pathlib import Path

import pytest

from companion.core.codes import badge_code, card_code
from hardware.ports import Key, Scanned
from tests.network.web.other_browsers import BROWSERS, becomes
from tests.network.web.served import Served
from tests.network.web.test_browser import PATHS
from tests.patience import comes

# Selenium calls what it no longer wants to be called.
pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore:setting remote_server_addr")]

SHEETS = os.environ.get("NIMMT_SHEETS", "")
"""A folder for what is seen, to look at it."""


@pytest.mark.parametrize("name", BROWSERS)
def test_the_pages_open_and_a_phone_plays_in_every_browser(at: Served, name: str) -> None:
    base, cookie = f"http://127.0.0.1:{at.port}", at.pair(hosts=True).partition("=")
    at.box.settings.write_text("")
    with BROWSERS[name]() as tab:
        tab.go(f"{base}/?language=en")
        tab.give(cookie[0], cookie[2])
        at.press(Key.ROW_1)
        tab.go(f"{base}/join?language=en")
        assert becomes(tab, "!document.getElementById('sit').hidden")
        tab.run("document.querySelector('#sit [name=name]').value = 'Ana'")
        tab.run("document.querySelector('#sit button').click()")
        assert comes(lambda: at.table.front.joined == (1,))
        for badge in (2, 3):
            at.do(Scanned(badge_code(badge)))
        at.press(Key.OK, Key.ROW_1, Key.ROW_1)
        for card in (20, 30, 40, 50):
            at.do(Scanned(card_code("6N", card)))
        assert becomes(tab, "document.querySelectorAll('#board .card').length === 4")
        tab.run("document.querySelector('#mine [name=card]').value = '۵'")
        tab.run("document.querySelector('#mine button').click()")
        assert comes(lambda: at.match.asks[0].have == ("5",))
        assert becomes(tab, "document.getElementById('turn').textContent.includes('You played 5')")
        found = []
        for path in PATHS:
            if path.startswith(("/decks", "/teach")):
                continue  # they need OpenCV
            for language in ("en", "de", "fa"):
                tab.go(f"{base}{path}{'&' if '?' in path else '?'}language={language}")
                scripted = tab.run("document.querySelector('script[src]') !== null")
                assert not scripted or becomes(tab, "document.body.dataset.state === 'live'"), path
                over = tab.run("document.documentElement.scrollWidth - innerWidth")
                found += [(path, language, over)] if over > 0 else []
                if SHEETS:
                    shown = path.strip("/").replace("/", "-") or "table"
                    Path(SHEETS, f"{name}-{shown}-{language}.png").write_bytes(tab.screen())
        assert found == []
