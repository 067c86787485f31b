"""The pages as people see them, in a real browser, against the pictures in docs/pictures/pages.

Browsers and fonts draw the edges of letters a little differently from version to version. So pictures are
compared in blocks of a few pixels by their mean colour: of that half a pixel is little, a letter much.

To make them again, after a look at what has changed:
python -m pytest tests/network/web/test_pictures.py --rewrite-pictures
"""

import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Final

import pytest
from PIL import Image, ImageChops

from tests.network.web.browser import DESKTOP, PHONE, SMALLEST, Browser, Look, needed
from tests.network.web.decks import taught
from tests.network.web.pictures import SCANNED, TABLE, play
from tests.network.web.served import served
from tests.network.web.test_browser import READER

STORED: Final = Path(__file__).parents[3] / "docs" / "pictures" / "pages"
FOUND: Final = Path(__file__).parents[3] / "build" / "pictures"
HOW_TO_REWRITE: Final = "python -m pytest tests/network/web/test_pictures.py --rewrite-pictures"
PAGES: Final = {
    "table-desktop": ("six", "/?language=en", DESKTOP),
    "table-phone": ("six", "/?language=en", Look(PHONE.width, PHONE.height)),
    "table-phone-rtl-dark": ("six", "/?language=fa", Look(PHONE.width, PHONE.height, 1, "dark")),
    "table-320": ("six", "/?language=de", Look(SMALLEST.width, SMALLEST.height)),
    "tv": ("six", "/tv?language=en", Look(1280, 720)),
    "tv-eleven": ("eleven", "/tv?language=de", Look(1280, 720)),
    "ciao-phone": ("ciao", "/?language=en", Look(PHONE.width, PHONE.height)),
    "sums-phone": ("score", "/?language=en", Look(PHONE.width, PHONE.height)),
    "hand-phone": ("hands", "/join?language=en", Look(PHONE.width, PHONE.height)),
    "hand-320-rtl": ("hands", "/?language=fa", Look(SMALLEST.width, SMALLEST.height)),
    "host-desktop": ("six", "/host?language=en", DESKTOP),
    "host-320-rtl": ("six", "/host?language=fa", Look(SMALLEST.width, SMALLEST.height)),
    "join-phone": ("six", "/join?language=en", Look(PHONE.width, PHONE.height)),
    "scan-320": ("six", "/scan?language=de", Look(SMALLEST.width, SMALLEST.height)),
    "print-phone": ("six", "/print?language=en", Look(PHONE.width, PHONE.height)),
    "print-320-rtl": ("six", "/print?language=fa", Look(SMALLEST.width, SMALLEST.height)),
    "print-desktop-dark": ("six", "/print?language=de", Look(DESKTOP.width, DESKTOP.height, 1, "dark")),
    "decks-phone": ("six", "/decks?language=en", Look(PHONE.width, PHONE.height)),
    "teach-phone": ("six", "/teach?deck=Club&language=en", Look(PHONE.width, PHONE.height)),
    "teach-320-rtl": ("six", "/teach?deck=Club&language=fa", Look(SMALLEST.width, SMALLEST.height)),
    "settings-desktop": ("six", "/settings?language=de", DESKTOP),
    "records-phone": ("six", "/records?language=en", Look(PHONE.width, PHONE.height)),
    "match-desktop-dark": ("six", "/records/1?language=de", Look(DESKTOP.width, DESKTOP.height, 1, "dark")),
    "match-320-rtl": ("six", "/records/1?language=fa", Look(SMALLEST.width, SMALLEST.height)),
    "people-phone": ("six", "/records/people?language=en", Look(PHONE.width, PHONE.height)),
}  # fmt: skip
FONT: Final = "DejaVu Sans"
BLOCK_PX: Final = 8
MUCH: Final = 40
"""Of 255, between the mean colours of a block."""
MOST_BLOCKS: Final = 2


def blocks(one: Image.Image, other: Image.Image) -> int:
    """How many blocks of two pictures differ by much; those of different size differ everywhere."""
    if one.size != other.size:
        return one.width * one.height // BLOCK_PX**2
    size = one.width // BLOCK_PX, one.height // BLOCK_PX
    means = [each.convert("RGB").resize(size, Image.Resampling.BOX) for each in (one, other)]
    differing = ImageChops.difference(*means).split()
    most = ImageChops.lighter(ImageChops.lighter(differing[0], differing[1]), differing[2])
    return sum(most.histogram()[MUCH:])


def differing(
    seen: Mapping[str, Image.Image], folder: Path, name: str, request: pytest.FixtureRequest
) -> dict[str, int]:
    """How many blocks of a page differ from its picture in the folder; with --rewrite-pictures, none do.

    What differs is put into build/pictures, under this name.
    """
    different = {}
    for page, picture in seen.items():
        stored = folder / f"{page}.png"
        count = blocks(picture, Image.open(stored)) if stored.exists() else picture.width * picture.height
        if count <= MOST_BLOCKS:
            continue
        if request.config.getoption("--rewrite-pictures"):
            picture.quantize(256, dither=Image.Dither.NONE).save(stored, optimize=True)
            continue
        different[page] = count
        FOUND.mkdir(parents=True, exist_ok=True)
        picture.save(FOUND / f"{name}-{page}.png")
    return different


def drawn(folder: Path, chromium: Browser) -> Mapping[str, Image.Image]:
    """Every page as the browser draws it now."""
    found = dict[str, Image.Image]()
    for game in dict.fromkeys(game for game, _, _ in PAGES.values()):
        (folder / game).mkdir()
        with served(folder / game, table=TABLE, rules=SCANNED if game == "hands" else {}) as at:
            at.box.settings.write_text('[screen]\nlanguage = "de"\n')
            play(at, game)
            if game == "six":
                taught(folder / game / "decks", range(1, 13), "Club")
            cookie = at.pair(hosts=True)
            base = f"http://127.0.0.1:{at.port}"
            chromium.open(f"{base}/tv", DESKTOP, cookie)
            chromium.run("localStorage.setItem('nimmt-badge', 1)")
            for page, (of, path, look) in PAGES.items():
                if of == game:
                    chromium.go(f"{base}{path}", look)
                    assert chromium.is_true(COMPLETE)
                    chromium.run(QUIET)
                    found[page] = chromium.seen()
    return found


# Pages of what is over follow nothing.
COMPLETE: Final = "document.body.dataset.state === 'live' || document.querySelector('script[src]') === null"

# Without what is not the same each time.
QUIET: Final = """(() => {
    document.getElementById("display")?.style.setProperty("visibility", "hidden");
    for (const one of document.querySelectorAll("time, .facts bdi:nth-child(-n + 2)"))  // and how long
        one.textContent = document.documentElement.lang === "fa" ? "۱۴۰۴/۱۲/۰۲ ۱۹:۳۰" : "1 Jan 20:00";
    const file = document.querySelector("main > p > code");
    if (file) file.textContent = "/etc/nimmt/nimmt.toml";
})()"""


def has_font() -> bool:
    found = shutil.which("fc-match")
    if found is None:
        return False
    said = subprocess.run([found, "system-ui"], capture_output=True, text=True, check=False).stdout
    return FONT in said


@needed
@pytest.mark.slow
@pytest.mark.skipif(not has_font(), reason=f"the pictures are in {FONT}: apt install fonts-dejavu fontconfig")
@pytest.mark.skipif(not READER.exists(), reason="the reader of codes is not there: make vendor")
def test_every_page_looks_as_in_its_picture(
    tmp_path: Path, chromium: Browser, request: pytest.FixtureRequest
) -> None:
    different = differing(drawn(tmp_path, chromium), STORED, "page", request)
    assert different == {}, f"see page-*.png in {FOUND}; if that is meant: {HOW_TO_REWRITE}"


def test_every_picture_is_of_a_page() -> None:
    assert {file.stem for file in STORED.glob("*.png")} == set(PAGES)
