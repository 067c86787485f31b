"""The report in a language that runs from right to left, looked at by a browser: no word lies on another.

The tests with a browser need Chromium, and are skipped without it (Debian: apt install chromium).
"""

import json
import re
from pathlib import Path

import pytest

from tests.firmware.past_evenings import Evenings
from tests.network.web.browser import Browser, Look, needed

NAMES = ["سارا", "Max", "علی", "لیلا", "Ирина", "Bo", "Sara & Co", "مریم"]
RECTANGLES = """(() => {
  const of = (kind, found) => [...document.querySelectorAll(found)].flatMap(one => {
    const range = document.createRange();
    range.selectNodeContents(one);
    const box = (kind.startsWith("svg") ? one : range).getBoundingClientRect();
    return box.width ? [[kind, one.textContent, box.left, box.top, box.right, box.bottom]] : [];
  });
  return [...of("name", ".places bdi"), ...of("rank", ".rank"), ...of("total", ".total"),
          ...of("svg sign", ".places .sign"), ...of("svg text", "figure svg text"),
          ...of("svg mark", "figure svg > path:last-of-type"), ...of("title", "h1")];
})()"""


def report(folder: Path, language: str) -> str:
    evenings = Evenings(folder, ("match-of-four", "score-put-right"))
    names = json.dumps(NAMES, ensure_ascii=False)
    config = f'[table]\nnames = {names}\n[screen]\nlanguage = "{language}"\n'
    evenings.config.write_text(config, encoding="utf-8")
    return evenings.said("export", "1", "--format", "html")


def test_the_page_says_its_direction_and_no_rule_of_it_knows_left_or_right(tmp_path: Path) -> None:
    page = report(tmp_path, "fa")
    assert '<html lang="fa" dir="rtl">' in page
    style = page[page.index("<style>") : page.index("</style>")]
    assert re.findall(r"(?<!-)\b(?:left|right)\b", style) == []
    assert "<h1><bdi>6 NIMMT!</bdi></h1>" in page
    assert style.count("@font-face") == style.count('url("data:font/woff2;base64,') == 1
    assert "۱۴۰۴/۱۲/۰۲" in page
    assert page.count('direction="ltr"') == page.count('role="img"') > 0


def test_an_english_page_runs_from_left_to_right(tmp_path: Path) -> None:
    page = report(tmp_path, "en")
    assert '<html lang="en" dir="ltr">' in page
    assert "@font-face" not in page, "only Persian needs letters of its own"


@needed
@pytest.mark.slow
@pytest.mark.parametrize("wide_px", [1000, 500])
@pytest.mark.parametrize("language", ["fa", "en"])
def test_in_a_browser_no_word_lies_on_another(
    tmp_path: Path, chromium: Browser, language: str, wide_px: int
) -> None:
    file = tmp_path / "report.html"
    file.write_text(report(tmp_path, language), encoding="utf-8")
    chromium.go(file.as_uri(), Look(wide_px, 2000))
    assert chromium.is_true("document.fonts.status === 'loaded'")
    assert chromium.run("document.documentElement.scrollWidth") <= wide_px
    boxes = chromium.run(RECTANGLES)
    of_svg = {"svg sign", "svg text", "svg mark"}
    assert {kind for kind, *_ in boxes} == {"name", "rank", "total", "title"} | of_svg
    over = [
        (one[:2], other[:2])
        for place, one in enumerate(boxes)
        for other in boxes[place + 1 :]
        if min(one[4], other[4]) - max(one[2], other[2]) > 1
        and min(one[5], other[5]) - max(one[3], other[3]) > 4
    ]
    assert over == []
