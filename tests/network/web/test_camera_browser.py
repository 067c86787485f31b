"""The camera of a phone in a browser: cards without codes are read at the box and drawn into the picture."""

from __future__ import annotations

from pathlib import Path

import pytest

from firmware.extensions.camera import deck_files
from tests.network.web.browser import PHONE, Browser, browser, needed
from tests.network.web.decks import film, jpeg, lesson, packed, taught
from tests.network.web.served import Served
from tests.network.web.test_camera import deal
from tests.network.web.test_forms import paired

pytestmark = [needed, pytest.mark.slow]

SCANNED = "[...document.querySelectorAll('#found .good b')].map((one) => one.textContent).sort().join()"
DRAWN = """(() => {
    const canvas = document.getElementById("picture");
    const seen = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data;
    let green = 0;
    for (let at = 0; at < seen.length; at += 4) {
        green += seen[at] === 25 && seen[at + 1] === 163 && seen[at + 2] === 72;
    }
    return green;
})()"""
"""How many pixels have the colour that goes around a card that was read."""


def test_a_photo_of_cards_without_codes_is_a_turn_and_a_doubt_is_a_question(
    tmp_path: Path, at: Served, chromium: Browser
) -> None:
    free = deal(at)
    taught(at.folder / "decks", free[:6], twins=free[6:7])
    paired(at, chromium, "/scan?language=en")
    steps = at.match.steps
    photo = tmp_path / "turn.jpg"
    photo.write_bytes(jpeg(free[:3]))
    chromium.find("#photo").send_keys(str(photo))
    read = sorted(map(str, free[1:3]))
    assert chromium.is_true(f"{SCANNED} === '{','.join(read)}'")
    assert at.match.steps == steps + 2
    assert chromium.run(DRAWN) > 1000
    words = chromium.run("document.querySelector('.question p').textContent")
    assert words in (f"{free[0]} or {free[6]}?", f"{free[6]} or {free[0]}?")
    chromium.click(".question button")
    assert chromium.is_true("document.querySelector('.question') === null")
    assert chromium.is_true("document.querySelectorAll('#found .good').length === 1")
    assert at.match.steps == steps + 3
    photo.write_bytes(b"no picture")
    chromium.find("#photo").send_keys(str(photo))
    assert chromium.is_true("document.getElementById('answer').className === 'told bad'")
    assert chromium.complaints() == []


def test_the_live_camera_scans_cards_without_codes_once(tmp_path: Path, at: Served) -> None:
    free = deal(at)
    lies = [int(stack.cards[0]) for stack in at.match.board.stacks][:1]
    taught(at.folder / "decks", [*free, *lies])
    (tmp_path / "film.y4m").write_bytes(film([*free[:2], *lies]))
    camera = f"--use-file-for-fake-video-capture={tmp_path / 'film.y4m'}"
    with browser("--use-fake-device-for-media-stream", camera) as chromium:
        paired(at, chromium, "/scan?language=fa")
        steps = at.match.steps
        chromium.click("#camera")
        assert chromium.is_true(f"{SCANNED} === '{','.join(sorted(map(str, free[:2])))}'")
        assert chromium.is_true(f"({DRAWN}) > 1000")
        assert at.match.steps == steps + 2
        chromium.click("#camera")
        assert chromium.run("document.getElementById('view').hidden")
        assert chromium.complaints() == []


def test_a_lesson_takes_its_pictures_by_itself_when_nothing_moves(tmp_path: Path, at: Served) -> None:
    cookie = at.pair(hosts=True)
    (tmp_path / "film.mjpeg").write_bytes(lesson(range(1, 13)))
    camera = f"--use-file-for-fake-video-capture={tmp_path / 'film.mjpeg'}"
    with browser("--use-fake-device-for-media-stream", camera) as chromium:
        chromium.open(f"http://127.0.0.1:{at.port}/decks?language=en", PHONE, cookie)
        chromium.find("details [name='deck']").send_keys("Club")
        chromium.click("details button")
        assert chromium.is_true("document.querySelectorAll('#lay .card').length === 12")
        assert chromium.run("document.getElementById('advice').textContent.startsWith('Lay out these cards')")
        chromium.click("#camera")
        assert chromium.is_true("document.getElementById('taught').textContent === '12 of 104 cards'")
        assert chromium.run("document.querySelectorAll('#results .card').length") == 12
        assert chromium.run("document.querySelector('#lay .middle').textContent") == "13"
        assert chromium.complaints() == []
        chromium.run("HTMLCanvasElement.prototype.getContext = () => null")  # a browser without a canvas
        (tmp_path / "photo.jpg").write_bytes(jpeg([1]))
        chromium.find("#photo").send_keys(str(tmp_path / "photo.jpg"))
        assert chromium.is_true("document.body.textContent.includes('cannot take pictures')")
    assert len(deck_files.load(at.folder / "decks", "Club").codes) == 12


def test_a_host_renames_and_removes_a_deck_and_takes_one_from_a_file(
    tmp_path: Path, at: Served, chromium: Browser
) -> None:
    cookie, folder = at.pair(hosts=True), at.folder / "decks"
    taught(folder, [1, 2, 3])
    chromium.open(f"http://127.0.0.1:{at.port}/decks?language=de", PHONE, cookie)
    chromium.click("[data-deck='Klub'] summary")
    chromium.fill("[data-do='rename'] input", "Verein")
    chromium.click("[data-do='rename'] button")
    assert chromium.is_true("document.querySelector('[data-deck=Verein]') !== null")
    file = tmp_path / "other.deck"
    for content, done in ((b"rubbish", ".told.bad"), (packed((4, 5), "Two"), "[data-deck='Two']")):
        file.write_bytes(content)
        chromium.find("#file").send_keys(str(file))
        assert chromium.is_true(f'document.querySelector("{done}") !== null')
    chromium.click("[data-deck='Two'] summary", 1)
    chromium.click("[data-deck='Two'] [data-do='remove'] button")
    assert chromium.is_true("document.querySelector('[data-deck=Two]') === null")
    assert deck_files.names(folder) == ["Verein"]
    assert [one for one in chromium.complaints() if "409" not in one] == []
