"""The pages of the evening in a real browser, against the pictures in docs/pictures/hub.

They are compared as those of a table are (tests/network/web/test_pictures.py). To make them again, after a
look: python -m pytest tests/network/hub/test_pictures.py --rewrite-pictures
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Final

import pytest
from PIL import Image

from tests.network.hub.hall import begun_in_a_hall, free_matches
from tests.network.hub.opened import opened
from tests.network.web.asking import post
from tests.network.web.browser import DESKTOP, PHONE, SMALLEST, TELEVISION, Browser, Look, needed
from tests.network.web.test_pictures import FONT, FOUND, differing, has_font

STORED: Final = Path(__file__).parents[3] / "docs" / "pictures" / "hub"
HOW_TO_REWRITE: Final = "python -m pytest tests/network/hub/test_pictures.py --rewrite-pictures"
HALLS: Final = {"hall": 12, "many": 24, "few": 4}
"""How many tables: those of a tournament with 46 players, else free matches."""

_SMALL_TV, _ON_PHONE = Look(1280, 720), Look(PHONE.width, PHONE.height)
_DARK, _ON_SMALLEST = Look(DESKTOP.width, DESKTOP.height, 1, "dark"), Look(SMALLEST.width, SMALLEST.height)

PAGES: Final = {
    "hall-tv": ("hall", "/tv?language=en", TELEVISION),
    "hall-tv-rtl": ("hall", "/tv?language=fa", _SMALL_TV),
    "many-tv": ("many", "/tv?language=de", _SMALL_TV),
    "few-tv": ("few", "/tv?language=de", _SMALL_TV),
    "hall-desktop-rtl-dark": ("hall", "/?language=fa", _DARK),
    "hall-phone": ("hall", "/?language=en", _ON_PHONE),
    "table-tv": ("hall", "/table/table-2/tv?language=de", _SMALL_TV),
    "gone-phone": ("hall", "/table/table-3?language=de", _ON_PHONE),
    "standing-phone": ("hall", "/standing?language=de", _ON_PHONE),
    "history-desktop": ("hall", "/history?language=en", DESKTOP),
    "tournament-phone": ("hall", "/tournament?language=en", _ON_PHONE),
    "tournament-desktop-rtl": ("hall", "/tournament?language=fa", DESKTOP),
    "pair-320-rtl": ("hall", "/director?language=fa", _ON_SMALLEST),
}  # fmt: skip
FOR_DIRECTORS: Final = {
    "director-phone": ("/director?language=de", _ON_PHONE),
    "leading-desktop": ("/tournament?language=de", DESKTOP),
    "leading-320-rtl": ("/tournament?language=fa", _ON_SMALLEST),
    "faults-desktop": ("/faults?language=de", DESKTOP),
    "log-phone-rtl": ("/log?language=fa", _ON_PHONE),
}
DRAWN: Final = (
    "document.body.dataset.state !== 'connecting' || !document.querySelector('script[src]')"
    " || document.getElementById('pair')"
)
QUIET: Final = (
    "document.querySelectorAll('.entry > .soft').forEach((one) => (one.textContent = '1 Jan 20:00'))"
)
"""Without the time of the log, and the number of who has acted."""


def drawn(folder: Path, chromium: Browser) -> Mapping[str, Image.Image]:
    """Every page as the browser draws it now."""
    found = dict[str, Image.Image]()

    def take(page: str, address: str, look: Look) -> None:
        chromium.go(address, look)
        assert chromium.is_true(DRAWN), page
        if "/log" in address:
            chromium.run(QUIET)
        found[page] = chromium.seen()

    for hall, tables in HALLS.items():
        (folder / hall).mkdir()
        with opened(folder / hall) as at:
            if hall == "hall":
                begun_in_a_hall(at, tables, 46)
            else:
                free_matches(at, tables)
            for page, (where, path, look) in PAGES.items():
                if where == hall:
                    take(page, f"{at.base}{path}", look)
            for page, (path, look) in FOR_DIRECTORS.items() if hall == "hall" else ():
                chromium.give(at.director["cookie"], at.base)
                if path.startswith("/log"):
                    post(at.app, "/faults", {"id": 1}, headers=at.director)
                take(page, f"{at.base}{path}", look)
    return found


@needed
@pytest.mark.slow
@pytest.mark.skipif(not has_font(), reason=f"the pictures are in {FONT}: apt install fonts-dejavu fontconfig")
def test_every_page_of_the_evening_looks_as_in_its_picture(
    tmp_path: Path, chromium: Browser, request: pytest.FixtureRequest
) -> None:
    different = differing(drawn(tmp_path, chromium), STORED, "hub", request)
    assert different == {}, f"see hub-*.png in {FOUND}; if that is meant: {HOW_TO_REWRITE}"


def test_every_picture_is_of_a_page_of_the_evening() -> None:
    assert {file.stem for file in STORED.glob("*.png")} == {*PAGES, *FOR_DIRECTORS}
