"""`python -m tests.network.web.pictures`: the picture of the page for README and docs/web.md."""

import sys
import tempfile
from pathlib import Path
from typing import Final

from PIL import Image

from firmware.config.sections import TableOptions
from tests.network.web.browser import PHONE, TELEVISION, browser
from tests.network.web.served import Served, served

TO: Final = Path(__file__).parents[3] / "docs" / "pictures" / "page.png"
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
    """Play a match so far, and put a television and a phone beside each other."""
    seen = []
    with (
        tempfile.TemporaryDirectory() as folder,
        served(Path(folder), table=TABLE) as at,
        browser() as chromium,
    ):
        play(at, "six")
        for path, look in (("/tv", TELEVISION), ("/", PHONE)):
            chromium.open(f"http://127.0.0.1:{at.port}{path}?language=en", look)
            one = chromium.seen()
            size = one.width * _HIGH // one.height, _HIGH
            seen.append(one.resize(size, Image.Resampling.LANCZOS))
    both = Image.new("RGB", (sum(one.width for one in seen) + _GAP, _HIGH), "white")
    both.paste(seen[0], (0, 0))
    both.paste(seen[1], (seen[0].width + _GAP, 0))
    both.quantize(128).save(TO, optimize=True)
    return 0


def play(at: Served, game: str) -> None:
    scores = game == "score"
    at.play_to(12 if scores else STEPS, at.begin(game, 4 if scores else 5))


if __name__ == "__main__":
    sys.exit(main())
