"""`python -m tests.network.web.pictures`: the picture of the page for each README and for docs/web.md."""

import sys
import tempfile
from pathlib import Path
from typing import Final

from PIL import Image

from firmware.config.sections import TableOptions
from firmware.text.translation import DEFAULT, LANGUAGES
from tests.network.web.browser import PHONE, TELEVISION, Browser, browser
from tests.network.web.served import Served, served

TO: Final = Path(__file__).parents[3] / "docs" / "pictures"
STEPS: Final = 42
TABLE: Final = TableOptions(
    names=("Sara", "Max", "Leila", "Ben", "Ayşe"),
    ruling_s=0.0,
    take_shown_s=0.0,
    extra_card_s=0.5,
    duplicate_s=0.0,
)
_HIGH, _GAP = 675, 24


def main() -> int:
    """Play a match so far, and put a television and a phone beside each other, in each language."""
    with (
        tempfile.TemporaryDirectory() as folder,
        served(Path(folder), table=TABLE) as at,
        browser() as chromium,
    ):
        play(at, "six")
        for language in LANGUAGES:
            mark = "" if language == DEFAULT else f"-{language}"
            both = beside_each_other(chromium, f"http://127.0.0.1:{at.port}", language)
            both.quantize(128).save(TO / f"page{mark}.png", optimize=True)
            chromium.leave()  # a tab holds one of the few connections that a browser opens to an address
    return 0


def beside_each_other(chromium: Browser, address: str, language: str) -> Image.Image:
    seen = []
    for path, look in (("/tv", TELEVISION), ("/", PHONE)):
        chromium.open(f"{address}{path}?language={language}", look)
        one = chromium.seen()
        size = one.width * _HIGH // one.height, _HIGH
        seen.append(one.resize(size, Image.Resampling.LANCZOS))
    both = Image.new("RGB", (sum(one.width for one in seen) + _GAP, _HIGH), "white")
    both.paste(seen[0], (0, 0))
    both.paste(seen[1], (seen[0].width + _GAP, 0))
    return both


SCANNED: Final = {"six": {"hands": True}}
"""House rules: the cards of each hand are scanned when they are dealt."""


def play(at: Served, game: str) -> None:
    """Play so far; "hands" is 6 nimmt! in the middle of the first hand that is scanned."""
    scores, hands = game == "score", game == "hands"
    at.play_to(
        6 if hands else 12 if scores else STEPS, at.begin("six" if hands else game, 4 if scores else 5)
    )


if __name__ == "__main__":
    sys.exit(main())
