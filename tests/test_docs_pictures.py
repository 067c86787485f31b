"""The pictures of the documentation: every screen has one, with a caption, and drawings name what exists."""

import re
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Final

import pytest
from PIL import Image

from firmware.cli import main as cli
from firmware.display.status_pictures import Notice
from firmware.scripted import animation
from firmware.scripted.gallery import KIOSK_SCREENS, PREPARED_SCREENS, SCREENS, DrawnScreen
from firmware.scripted.scripts import NAMED_SCREENS
from tools import drawings, pictures

ROOT: Final = Path(__file__).parents[1]
PICTURES: Final = ROOT / "docs" / "pictures"
PAGE: Final = (ROOT / "docs" / "screens.md").read_text(encoding="utf-8")
NAMES: Final = (
    *SCREENS,
    *NAMED_SCREENS,
    *KIOSK_SCREENS,
    *PREPARED_SCREENS,
    "device-away",
    *map(pictures.status_name, Notice),
)
"""Every screen, and every picture that stays on the display while no game runs."""
DRAWINGS: Final = ("overview", "packages", "scan")


def words_of(drawing: str) -> list[str]:
    """The texts of a drawing that is stored."""
    root = ET.fromstring((PICTURES / f"{drawing}.svg").read_text(encoding="utf-8"))  # noqa: S314 - our own
    return [text.text or "" for text in root.iter("{http://www.w3.org/2000/svg}text")]


def test_every_screen_has_one_caption_and_every_caption_a_screen() -> None:
    captions = re.findall(r"^\| !\[([\w-]+)\]\(pictures/screens/\1\.png\) \| (.+) \|$", PAGE, re.MULTILINE)
    assert sorted(name for name, _ in captions) == sorted(NAMES)
    assert all(caption.endswith((".", "?")) for _, caption in captions)


def test_the_page_of_the_screens_has_the_heights_of_today(drawn_screens: tuple[DrawnScreen, ...]) -> None:
    assert pictures.with_letters(PAGE, drawn_screens) == PAGE, "write it again: make pictures"


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


def test_the_drawing_of_the_packages_names_every_package() -> None:
    assert (PICTURES / "packages.svg").read_text(encoding="utf-8") == drawings.packages(), "make pictures"
    top = ("companion", "hardware", "firmware", "network")
    folders = {file.parent.name for name in top for file in (ROOT / name).glob("*/__init__.py")}
    assert {*top, *folders} <= set(words_of("packages"))


def test_every_step_of_the_way_of_a_scan_exists() -> None:
    assert (PICTURES / "scan.svg").read_text(encoding="utf-8") == drawings.scan(), "make pictures"
    files = [
        file for folder in ("companion", "firmware", "hardware") for file in (ROOT / folder).rglob("*.py")
    ]
    sources = [file.read_text(encoding="utf-8") for file in files]
    named = {word for word in words_of("scan") if re.fullmatch(r"[A-Z]\w+\.\w+|\w+_\w+", word)}
    assert len(named) >= 8
    for word in named:
        owner, _, name = word.rpartition(".")
        found = re.compile(
            rf"^class {owner}\b.*?^    def {name}\(" if owner else rf"^def {name}\(", re.MULTILINE | re.DOTALL
        )
        assert any(found.search(source) for source in sources), word


@pytest.mark.parametrize("language", drawings.WORDS)
def test_the_drawings_from_a_card_to_a_table_are_in_the_language_of_their_page(language: str) -> None:
    page = ROOT / "docs" / ("card.md" if language == "en" else f"card.{language}.md")
    stored = re.findall(r"^!\[.+\]\((.+\.svg)\)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    drawn = list(pictures.card_pictures(language))
    assert [(page.parent / name).read_text(encoding="utf-8") for name in stored] == drawn, "make pictures"


@pytest.mark.parametrize("language", drawings.WORDS)
def test_a_readme_begins_with_the_overview_in_its_language(language: str) -> None:
    page = ROOT / ("README.md" if language == "en" else f"README.{language}.md")
    alt, stored = re.findall(r"^!\[(.+)\]\((.+)\)$", page.read_text(encoding="utf-8"), re.MULTILINE)[0]
    drawn = pictures.overview(language)
    assert (ROOT / stored).read_text(encoding="utf-8") == drawn, "make pictures"
    assert f"<title>{alt}.</title>" in drawn


@pytest.mark.parametrize("ending", ["gif", "png"])
def test_a_recording_has_every_step_and_is_the_same_each_time(
    ending: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    first, second = tmp_path / f"first.{ending}", tmp_path / f"second.{ending}"
    for file in (first, second):
        assert cli.main(["screens", "--animation", str(file)]) == 0
    assert capsys.readouterr().out.splitlines() == [str(first), str(second)]
    assert first.read_bytes() == second.read_bytes()
    with Image.open(first) as picture:
        assert getattr(picture, "n_frames", 1) == len(animation.TURNS)


def test_the_recording_of_the_readme_is_small() -> None:
    assert (PICTURES / "turn.gif").stat().st_size < 100_000
    assert "docs/pictures/turn.gif" in (ROOT / "README.md").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("words", "fault"),
    [
        ([], "neither a folder nor --animation is given"),
        (["--animation", "turn.txt"], "is not the name of an animated picture"),
    ],
)
def test_screens_without_a_folder_or_with_another_kind_of_file_says_what_to_do(
    words: list[str], fault: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(["screens", *words]) == 1
    assert fault in capsys.readouterr().err
