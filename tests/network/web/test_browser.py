"""The pages in a real browser; one test looks at many things."""

import io
import time
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest
from PIL import Image
from starlette.routing import BaseRoute, Route

from companion.core import games
from companion.core.codes import card_code
from firmware.paper.symbols import CodeKind, symbol
from network.web.application import routes
from network.web.certificate import OwnCertificate
from network.web.frame import STATIC
from tests.network.web.browser import (
    DESKTOP,
    LARGEST,
    PHONE,
    SMALLEST,
    TELEVISION,
    Browser,
    Look,
    browser,
    needed,
)
from tests.network.web.decks import taught
from tests.network.web.served import QUICK, Served, served
from tests.patience import comes

AXE = Path(__file__).parents[3] / "build" / "axe.min.js"
READER = STATIC / "vendor" / "zxing.wasm"

pytestmark = [needed, pytest.mark.slow]

PATHS = (
    "/",
    "/tv",
    "/host",
    "/join",
    "/scan",
    "/settings",
    "/decks",
    "/teach?deck=Klub",
    "/print",
    "/records",
    "/records/1",
    "/records/people",
)
UNPAIRED = ("/host", "/print")
"""What a phone sees there that is not paired yet."""
NO_PAGES = {
    *(
        "/live",
        "/manifest.webmanifest",
        "/worker.js",
        "/print/file",
        "/display",
        "/decks/file",
        "/phones",
        "/backup",
    ),
    *("/records/all/{kind}", "/records/{which}/{kind}"),
}
ROWS = """[...document.querySelectorAll(".row")].map((row) =>
        [...row.querySelectorAll(".card:not(.place) .middle")].map((card) => card.textContent))
"""
TOTALS = """Object.fromEntries([...document.querySelectorAll(".standing")].map((one) =>
        [one.querySelector(".name").textContent, one.querySelector(".total").textContent]))
"""


def test_a_phone_a_desktop_and_a_television_follow_a_match(at: Served, chromium: Browser) -> None:
    players, seen = at.begin("six", 4), 0
    base = f"http://127.0.0.1:{at.port}"
    tabs = [
        chromium.open(f"{base}/?language=en", PHONE),
        chromium.open(f"{base}/?language=en", DESKTOP),
        chromium.open(f"{base}/tv?language=en", TELEVISION),
    ]
    while seen < 15:
        assert at.next(players)
        match = at.session.match
        if match is None or match.steps == seen:
            continue
        seen = match.steps
        number = at.site.link.snapshot.number if at.site.link.snapshot else 0
        rows = [list(stack.cards) for stack in match.board.stacks]
        totals = {QUICK.names[seat]: str(match.totals[seat] + match.points[seat]) for seat in match.players}
        for tab in tabs[seen % 3 :: 3] if seen < 12 else tabs:  # each of them in turn, at the end all
            chromium.tab(tab)
            assert chromium.is_true(f"Number(document.body.dataset.number) >= {number}")
            assert comes(lambda rows=rows: chromium.run(ROWS) == rows)  # type: ignore[misc]
            assert chromium.run(TOTALS) == totals
    for tab in tabs:
        chromium.tab(tab)
        assert chromium.run("document.documentElement.scrollWidth <= innerWidth")
        assert chromium.run("document.querySelector('.name b') === null")  # <b>Max</b> is a name
        chromium.run("navigator.wakeLock.request = async () => { window.stays = true; }")
        chromium.run("document.dispatchEvent(new Event('visibilitychange'))")  # it is asked again
        assert chromium.is_true("window.stays && document.getElementById('dark').hidden")
    at.box.close()
    for tab in tabs:
        chromium.tab(tab)
        assert chromium.is_true("document.body.dataset.state === 'away'")
        assert chromium.run("document.getElementById('state').textContent.includes('not current')")
    at.server.should_exit = True
    chromium.tab(tabs[0])
    assert chromium.is_true("document.body.dataset.state === 'lost'")
    outside = [
        one
        for one in chromium.complaints()
        if "ERR_CONNECTION_REFUSED" not in one and "ERR_INCOMPLETE" not in one
    ]
    assert outside == []


def unvisited(routes: Iterable[BaseRoute], paths: Iterable[str]) -> set[str]:
    """What a browser can get that none of the paths is."""
    gets = [route for route in routes if isinstance(route, Route) and "GET" in (route.methods or ())]
    known = [path.partition("?")[0] for path in paths]
    return {route.path for route in gets if not any(map(route.path_regex.fullmatch, known))}


def test_the_list_of_pages_is_whole(at: Served) -> None:
    assert unvisited(routes(at.site), PATHS) == NO_PAGES


def test_every_page_can_be_used_by_everybody_on_every_screen(at: Served, chromium: Browser) -> None:
    if not AXE.exists():
        pytest.skip("axe-core is not there: make vendor")
    at.play_to(10)
    at.box.settings.write_text("")
    taught(at.folder / "decks", [1, 2, 3])
    cookie = at.pair(hosts=True)
    base = f"http://127.0.0.1:{at.port}"
    chromium.open(f"{base}/?language=en", SMALLEST)
    found = []
    for number, path in enumerate((*UNPAIRED, *PATHS)):
        if number == len(UNPAIRED):
            chromium.give(cookie, base)
        wide = LARGEST if path in ("/", "/tv") else DESKTOP
        narrow = [TELEVISION] * 2 if path == "/tv" else [Look(390, 844, 1, "dark"), SMALLEST]
        for language, look in zip(("fa", "de"), narrow, strict=True):
            chromium.look(look)
            query = f"{'&' if '?' in path else '?'}language={language}"
            chromium.driver.get(f"{base}{path}{query}")
            if not (path.startswith("/records") or path == "/print" or number < len(UNPAIRED)):
                assert chromium.is_true("document.body.dataset.state === 'live'")
            if (language == "fa") is (number % 2 == 0):  # both schemes have the same colours on all pages
                found += [(path, language, one) for one in barriers(chromium)]
            for screen in (look, wide):
                chromium.look(screen)
                over = chromium.run("document.documentElement.scrollWidth - innerWidth")
                found += [(path, language, f"{over} px too wide")] if over > 0 else []
    assert found == []
    assert chromium.complaints() == []


def test_the_page_reads_aloud_what_is_new_for_who_has_pressed_its_button(
    at: Served, chromium: Browser
) -> None:
    """What the page was opened with is not new; the newest sentence ends the one before."""
    players = at.begin("six", 4)
    chromium.open(f"http://127.0.0.1:{at.port}/?language=de", PHONE)
    chromium.driver.execute_script(
        "window.calls = []; speechSynthesis.cancel = () => calls.push('cancel');"
        "speechSynthesis.speak = (words) => calls.push([words.text, words.lang]);"
    )
    assert chromium.is_true("!document.getElementById('voice').hidden")
    while at.session.match is None or at.session.match.steps < 4:
        assert at.next(players)
    chromium.is_true("document.querySelector('.card')")
    assert chromium.run("calls") == []
    chromium.run("document.getElementById('voice').click()")
    assert chromium.run("calls") == ["cancel", [" ", ""]]
    while at.session.match.steps < 12:
        assert at.next(players)
    assert chromium.is_true("calls.length > 3 && calls.at(-2) === 'cancel'")
    assert chromium.is_true("calls.some(([text]) => /^\\d+ in Reihe \\d/.test(text))")
    assert chromium.run("calls.at(-1)[1]") == "de"
    chromium.run("document.getElementById('voice').click()")
    assert chromium.run("calls.at(-1)") == "cancel"


def test_tables_are_sorted_an_export_says_how_far_it_is_and_a_page_that_was_seen_opens_without_a_network(
    at: Served, chromium: Browser
) -> None:
    players = at.begin("six", 4)
    while at.session.match is None or not at.match.position.score_sheet.deals:
        assert at.next(players)
    base = f"http://127.0.0.1:{at.port}"
    chromium.open(f"{base}/records/people?language=fa", DESKTOP)
    column = "[...document.querySelectorAll('tbody tr')].map((row) => row.cells[6].textContent)"
    chromium.click("thead button", 6)
    highest = chromium.run(column)
    chromium.click("thead button", 6)
    assert chromium.run(column) == highest[::-1]
    assert [int(text) for text in highest] == sorted(map(int, highest), reverse=True)
    chromium.driver.get(f"{base}/records/1?language=fa")
    chromium.click("a[download]")
    assert chromium.is_true("/[۱-۹]/.test(document.getElementById('progress').textContent)")
    chromium.driver.get(f"{base}/?language=en")
    assert chromium.is_true("navigator.serviceWorker.controller !== null")
    chromium.driver.refresh()
    assert chromium.is_true("document.body.dataset.state === 'live'")
    at.server.should_exit = True
    assert chromium.is_true("document.body.dataset.state === 'lost'")
    chromium.driver.refresh()
    assert chromium.is_true("document.body.dataset.state === 'lost'")
    assert "not current" in chromium.run("document.getElementById('state').textContent")


def barriers(chromium: Browser) -> list[Any]:
    """What axe-core finds: the rule and the first place."""
    chromium.driver.execute_script(AXE.read_text())
    report = chromium.driver.execute_async_script(
        "axe.run(document, {resultTypes: ['violations'], rules: {'target-size': {enabled: true}}}).then("
        "(found) => arguments[0](found.violations.map((one) => "
        "[one.id, one.nodes[0].html.slice(0, 120), one.nodes[0].failureSummary.slice(0, 200)])))"
    )
    return list(report)


PERSIAN_LETTERS = (
    "document.fonts.status === 'loaded'"
    " && [...document.fonts].filter((one) => one.status === 'loaded').map((one) => one.family).join()"
)


def test_persian_pages_bring_their_letters_and_no_other_page_loads_them(
    at: Served, chromium: Browser
) -> None:
    for path in ("/", "/tv"):
        chromium.open(f"http://127.0.0.1:{at.port}{path}?language=fa", PHONE)
        assert comes(lambda: chromium.run(PERSIAN_LETTERS) == "Vazirmatn")
    chromium.open(f"http://127.0.0.1:{at.port}/?language=de", PHONE)
    assert chromium.run(PERSIAN_LETTERS) == ""
    assert chromium.complaints() == []


def test_a_phone_scans_cards_in_a_photo(tmp_path: Path, at: Served, chromium: Browser) -> None:
    if not READER.exists():
        pytest.skip("the reader of codes is not there: make vendor")
    at.deal_a_turn()
    chromium.open(f"http://127.0.0.1:{at.port}/scan?language=en", PHONE, at.pair())
    lie = {int(card) for stack in at.match.board.stacks for card in stack.cards}
    numbers = [number for number in range(1, 105) if number not in lie][30:34]
    steps = at.match.steps
    photo = tmp_path / "turn.png"
    photo.write_bytes(_photo([card_code(games.module("six").CODE, number) for number in numbers]))
    chromium.find("#photo").send_keys(str(photo))
    assert chromium.is_true("document.querySelectorAll('#found .good').length === 4")
    assert at.match.steps >= steps + 4
    photo.write_bytes(_photo(["4007396032"]))
    steps = at.match.steps
    chromium.find("#photo").send_keys(str(photo))
    assert chromium.is_true("document.getElementById('answer').className === 'told bad'")
    assert at.match.steps == steps
    assert [one for one in chromium.complaints() if "409" not in one] == []


def test_the_live_camera_of_the_encrypted_page_scans_a_card_once(tmp_path: Path) -> None:
    if not READER.exists():
        pytest.skip("the reader of codes is not there: make vendor")
    own = OwnCertificate(tmp_path / "certificate.pem", (), time.time)
    film = tmp_path / "film.y4m"
    film.write_bytes(_film(card_code(games.module("six").CODE, 77)))
    camera = ("--use-fake-device-for-media-stream", f"--use-file-for-fake-video-capture={film}")
    with (
        served(tmp_path, certificate=own, table=QUICK) as at,
        browser(*camera, "--ignore-certificate-errors") as chromium,
    ):
        at.deal_a_turn()
        steps = at.match.steps
        chromium.open(f"https://127.0.0.1:{at.encrypted_port}/scan?language=en", PHONE)
        chromium.find("[name='code']").send_keys(at.code())
        chromium.click("#pair button")
        assert chromium.is_true("document.getElementById('camera') !== null")
        assert "nimmt_host" not in chromium.run("document.cookie")
        at.table.home()
        chromium.click("#camera")
        assert chromium.is_true("document.querySelector('#found .good b')?.textContent === '77'")
        assert at.match.steps == steps + 1
        assert at.match.asks[0].have == ("77",)
        assert chromium.is_true("document.getElementById('video').videoWidth > 0")
        chromium.click("#camera")
        assert chromium.run("document.getElementById('video').hidden")


def _film(text: str) -> bytes:
    """Two pictures of a label for Chromium's simulated camera."""
    label = Image.open(io.BytesIO(_photo([text]))).convert("L")
    seen = Image.new("L", (640, 480), 120)
    seen.paste(label.resize((500, 500 * label.height // label.width)), (60, 20))
    grey = bytes([128]) * (640 * 480 // 2)
    picture = b"FRAME\n" + seen.tobytes() + grey
    return b"YUV4MPEG2 W640 H480 F10:1 Ip A1:1 C420jpeg\n" + picture * 2


def _photo(texts: list[str]) -> bytes:
    """Labels side by side on a table, a little turned, as a phone sees them."""
    table = Image.new("RGB", (320 * len(texts) + 80, 420), "#b9a88a")
    for place, text in enumerate(texts):
        grid = symbol(CodeKind.DATAMATRIX, text).rows
        code = Image.new("1", (len(grid[0]), len(grid)), 1)
        for y, line in enumerate(grid):
            for x, dark in enumerate(line):
                code.putpixel((x, y), 0 if dark else 1)
        label = Image.new("RGB", (240, 240), "white")
        label.paste(code.resize((180, 180), Image.Resampling.NEAREST).convert("RGB"), (30, 30))
        table.paste(label, (60 + 320 * place, 90))
    photo = io.BytesIO()
    table.rotate(4, expand=True, fillcolor="#b9a88a").save(photo, "PNG")
    return photo.getvalue()
