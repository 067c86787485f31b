"""The pictures of the documentation: every screen has one, most a caption, and drawings name what exists."""

import re
import tomllib
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Final

import pytest
from PIL import Image

from firmware.display.status_pictures import Notice
from tests.gallery.parts import PREPARED_SCREENS
from tests.gallery.pictures import KIOSK_SCREENS, SCREENS
from tests.gallery.scripts import NAMED_SCREENS
from tools import animation, drawings, pictures

ROOT: Final = Path(__file__).parents[1]
PICTURES: Final = ROOT / "docs" / "pictures"
PAGE: Final = (ROOT / "docs" / "screens.md").read_text(encoding="utf-8")
ARCHITECTURE: Final = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
NAMES: Final = (
    *SCREENS,
    *NAMED_SCREENS,
    *KIOSK_SCREENS,
    *PREPARED_SCREENS,
    "device-away",
    *map(pictures.status_name, Notice),
)
"""Every screen, and every picture that stays on the display while no game runs."""
DRAWINGS: Final = ("overview", "scan")


def test_a_caption_is_a_sentence() -> None:
    captions = re.findall(r"^\| !\[([\w-]+)\]\(pictures/screens/\1\.png\) \| (\w.+) \|$", PAGE, re.MULTILINE)
    assert all(caption.endswith((".", "?")) for _, caption in captions)
    assert len(captions) > len(NAMES) / 2


def test_every_picture_of_the_page_is_there_and_small_and_no_other() -> None:
    shown = re.findall(r"\(pictures/screens/([\w-]+)\.png\)", PAGE)
    stored = {file.stem: file.stat().st_size for file in (PICTURES / "screens").glob("*.png")}
    assert sorted(shown) == sorted(stored) == sorted(NAMES)
    assert max(stored.values()) < 4_000


@pytest.mark.parametrize("name", DRAWINGS)
def test_a_drawing_is_for_light_and_dark_pages_and_says_what_it_shows(name: str) -> None:
    text = (PICTURES / f"{name}.svg").read_text(encoding="utf-8")
    assert "prefers-color-scheme:dark" in text
    assert "<title>" in text
    assert len(text) < 40_000


def test_the_drawing_of_the_packages_has_the_layers_of_the_import_rules() -> None:
    graphs = re.findall(r"^  subgraph (\w+)\n(.*?)^  end$", ARCHITECTURE, re.MULTILINE | re.DOTALL)
    assert [package for package, _ in graphs] == ["network", "firmware", "companion", "hardware"]
    rules = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["importlinter"]
    for package, graph in graphs:
        (rule,) = (rule for rule in rules["contracts"] if rule.get("containers") == [package])
        drawn = [re.findall(r"<b>(\w+)</b>", line) for line in graph.splitlines() if "<b>" in line]
        assert drawn == [layer.split(" | ") for layer in rule["layers"]]


def test_every_step_of_the_way_of_a_scan_and_of_other_ways_exists() -> None:
    folders = ("companion", "firmware", "hardware", "network")
    sources = [file.read_text("utf-8") for folder in folders for file in (ROOT / folder).rglob("*.py")]
    texts = ET.parse(PICTURES / "scan.svg").iter("{http://www.w3.org/2000/svg}text")  # noqa: S314 - our own
    words = [text.text or "" for text in texts]
    named = {word for word in words if re.fullmatch(r"[A-Z]\w+\.\w+|\w+_\w+", word)}
    chapter = ARCHITECTURE.partition("## Three other ways")[2].partition("\n## ")[0]
    named |= set(re.findall(r"`([A-Z]\w+\.\w+)`", chapter))
    assert len(named) >= 20
    for word in named:
        owner, _, name = word.rpartition(".")
        line = rf"^class {owner}\b.*?^    (?:async )?def {name}\(" if owner else rf"^def {name}\("
        assert any(re.search(line, source, re.MULTILINE | re.DOTALL) for source in sources), word


def stored(drawing: str, language: str) -> str:
    return (PICTURES / drawings.file_name(drawing, language)).read_text(encoding="utf-8")


@pytest.mark.parametrize("language", ["en", *drawings.words()])
def test_a_drawing_shows_the_screens_and_says_the_words_of_its_language(language: str) -> None:
    screens = pictures.screens_of_drawings(language)
    for name in drawings.NAMES:
        assert stored(name, language) == drawings.drawn(name, language, screens), "make pictures"


@pytest.mark.parametrize("language", ["en", *drawings.words()])
def test_the_pages_show_the_drawings_of_their_language_and_say_what_is_on_them(language: str) -> None:
    mark = "" if language == "en" else f".{language}"
    readme, card = (
        (ROOT / f"{page}{mark}.md").read_text(encoding="utf-8") for page in ("README", "docs/card")
    )
    shown = re.findall(r"^!\[(.+)\]\(docs/pictures/(.+)\)$", readme, re.MULTILINE)[:1]
    shown += re.findall(r"^!\[\d+: (.+)\]\(pictures/(.+\.svg)\)$", card, re.MULTILINE)
    assert [file for _, file in shown] == [drawings.file_name(name, language) for name in drawings.NAMES]
    for (said, _), name in zip(shown, drawings.NAMES, strict=True):
        assert f"<title>{said}" in stored(name, language)


def test_a_recording_has_every_step_and_is_the_same_each_time(tmp_path: Path) -> None:
    first, second = tmp_path / "first.gif", tmp_path / "second.gif"
    for file in (first, second):
        animation.write(file)
    assert first.read_bytes() == second.read_bytes()
    with Image.open(first) as picture:
        assert getattr(picture, "n_frames", 1) == len(animation.TURNS)


def test_the_recording_of_the_readme_is_small() -> None:
    assert (PICTURES / "turn.gif").stat().st_size < 100_000
    assert "docs/pictures/turn.gif" in (ROOT / "README.md").read_text(encoding="utf-8")
