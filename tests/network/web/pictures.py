"""`python -m tests.network.web.pictures [FOLDER]`: pictures of the pages as people see them, for docs/web.md.

Without a folder those of the documentation are written; into a folder, every page in each language.
"""

import sys
import tempfile
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

from PIL import Image

from firmware.config.sections import TableOptions
from firmware.text.translation import LANGUAGES
from tests.network.web.browser import DESKTOP, PHONE, TELEVISION, browser
from tests.network.web.served import Served, served

DOCS: Final = Path(__file__).parents[3] / "docs" / "pictures"
PATHS: Final = (
    "/",
    "/tv",
    "/host",
    "/join",
    "/scan",
    "/settings",
    "/records",
    "/records/1",
    "/records/people",
)
STEPS: Final = 42
TABLE: Final = TableOptions(
    names=("Sara", "Max", "Leila", "Ben", "Ayşe"),
    ruling_s=0.0,
    take_shown_s=0.0,
    extra_card_s=0.5,
    duplicate_s=0.0,
)


_HIGH, _GAP = 675, 24

_DRAWN: Final = (
    "document.body.dataset.state !== 'connecting' || document.querySelector('script[src]') === null"
)


def main(words: Sequence[str]) -> int:
    """Play a match so far, and take the pictures."""
    with tempfile.TemporaryDirectory() as folder:
        for game in ("six", "eleven", "ciao", "score") if words else ("six",):
            (Path(folder) / game).mkdir()
            with served(Path(folder) / game, table=TABLE) as at, browser() as chromium:
                play(at, game)
                base = f"http://127.0.0.1:{at.port}"
                if not words:
                    seen = []
                    for path, look in (("/tv", TELEVISION), ("/", PHONE)):
                        chromium.open(f"{base}{path}?language=en", look)
                        chromium.picture(Path(folder) / "seen.png")
                        seen.append(Image.open(Path(folder) / "seen.png").convert("RGB"))
                    _beside(seen).save(DOCS / "page.png", optimize=True)
                    continue
                cookie = at.pair()
                chromium.open(f"{base}/?language=en", DESKTOP)
                chromium.give(cookie)
                for path in PATHS if game == "six" else PATHS[:2]:
                    for number, language in enumerate(LANGUAGES):
                        for look in (TELEVISION,) if path == "/tv" else (PHONE, DESKTOP):
                            scheme = "dark" if number % 2 else "light"
                            chromium.look(replace(look, scheme=scheme))
                            chromium.driver.get(f"{base}{path}?language={language}")
                            chromium.is_true(_DRAWN)
                            at_ = path.strip("/").replace("/", "-") or "table"
                            chromium.picture(Path(words[0]) / f"{game}-{at_}-{language}-{look.width}.png")
    return 0


def _beside(seen: Sequence[Image.Image]) -> Image.Image:
    """Pictures side by side, of one height."""
    scaled = [one.resize((one.width * _HIGH // one.height, _HIGH), Image.Resampling.LANCZOS) for one in seen]
    both = Image.new("RGB", (sum(one.width for one in scaled) + _GAP * (len(scaled) - 1), _HIGH), "white")
    left = 0
    for one in scaled:
        both.paste(one, (left, 0))
        left += one.width + _GAP
    return both.quantize(128)


def play(at: Served, game: str) -> None:
    scores = game == "score"
    at.play_to(12 if scores else STEPS, at.begin(game, 4 if scores else 5))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
