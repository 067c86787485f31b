"""The page that prints gives what `nimmt print` makes, to paired phones alone."""

import re
import subprocess
import sys
from html import unescape
from pathlib import Path
from urllib.parse import urlencode

import pytest

from companion.core import games
from tests.firmware.paper.printing import printed_in
from tests.network.web.served import Served

ORDERS = (
    ({"sheet": "test-page", "on": "a4"}, ("test-page",)),
    ({"sheet": "cards", "game": "ciao", "on": "5167"}, ("cards", "--game", "ciao", "--labels", "5167")),
    ({"sheet": "badges", "on": "letter", "code": "qr"}, ("badges", "--paper", "letter", "--code", "qr")),
)


@pytest.mark.parametrize(("order", "words"), ORDERS, ids=lambda one: "" if isinstance(one, dict) else one[0])
@pytest.mark.parametrize("language", ["de", "fa"])
def test_a_sheet_is_what_nimmt_print_makes_in_the_language_that_was_chosen(
    at: Served, order: dict[str, str], words: tuple[str, ...], language: str, tmp_path: Path
) -> None:
    asked = f"/print/file?{urlencode({**order, 'language': language})}"
    status, pdf, headers = at.ask("GET", asked, Cookie=at.pair())
    assert (status, headers["content-type"]) == (200, "application/pdf")
    assert headers["content-disposition"] == f'attachment; filename="nimmt-{order["sheet"]}.pdf"'
    assert pdf == printed_in(language, tmp_path, *words).decode(errors="replace")


@pytest.mark.slow
def test_everything_that_is_offered_can_be_chosen_and_every_game_is(at: Served) -> None:
    cookie = at.pair()
    page = at.ask("GET", "/print?language=en", Cookie=cookie)[1]
    offered = {
        name: [unescape(value) for value in re.findall(r'<option value="([^"]*)"', options)]
        for name, options in re.findall(r'(?s)<select name="(\w+)">(.*?)</select>', page)
    }
    assert "\u20686 NIMMT!\u2069" in at.ask("GET", "/print?language=fa", Cookie=cookie)[1]
    assert {key for key in games.GAMES if games.module(key).DECK} < set(offered["game"])
    assert re.findall(r'value="([^"]*)" selected', page) == ["test-page", "six", "a4", "datamatrix", "en"]
    for name, values in offered.items():
        for value in values:
            order = {"sheet": "control", "game": "six", "on": "a4", "code": "qr", "language": "en"}
            status, _, headers = at.ask(
                "GET", f"/print/file?{urlencode(order | {name: value})}", Cookie=cookie
            )
            assert (status, headers["content-type"]) == (200, "application/pdf")


@pytest.mark.parametrize(
    ("order", "said"),
    [
        ({"sheet": "carts"}, "cards"),
        ({"sheet": "cards", "game": "seven"}, "eleven"),
        ({"sheet": "cards", "on": "L9999"}, "L4731"),
        ({"sheet": "cards", "on": "L4730", "code": "code128"}, "Code 128"),
    ],
)
def test_what_cannot_be_printed_is_told_with_what_can(at: Served, order: dict[str, str], said: str) -> None:
    status, page, _ = at.ask("GET", f"/print/file?{urlencode(order)}", Cookie=at.pair())
    assert status == 404
    assert said in page


def test_the_game_itself_does_not_load_what_draws_sheets() -> None:
    parts = "firmware.service.run, firmware.extensions.phones.table"
    loaded = f"import sys, {parts}; print('reportlab' in sys.modules)"
    said = subprocess.run([sys.executable, "-c", loaded], capture_output=True, text=True, check=True).stdout
    assert said.strip() == "False"
