from __future__ import annotations

import json
import logging
import socket
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from firmware.text.translation import translator
from network.web.application import switched_off
from network.web.bodies import BODIES, LARGEST_JSON, Body
from network.web.middleware import is_own_name
from network.web.rate_limit import RateLimit
from network.web.server import LINES, LogLimit
from tests.network.web.asking import HOST, ask, post
from tests.network.web.served import Served, served
from tests.patience import PATIENCE_S

if TYPE_CHECKING:
    from starlette.types import ASGIApp


OWN = (
    "127.0.0.1:8066 192.168.1.7 [::1]:8066 [fe80::1] localhost:80 nimmt.local NIMMT.LOCAL:1 table.example "
    "nimmt nimmt.fritz.box"
)
FOREIGN = (
    "evil.example table.example.evil.example fritz.box.evil.example nimmt.local.evil.example",
    "127.0.0.1.evil.example [::1",
    "[::1]evil",
)


@pytest.mark.parametrize("host", [*OWN.split(), *" ".join(FOREIGN).split(), ""])
def test_only_names_are_answered_that_nobody_else_can_own(host: str) -> None:
    assert is_own_name(host, frozenset({"table.example"})) is (host in OWN.split())


def test_a_page_of_somebody_else_that_points_its_name_here_gets_nothing(app: ASGIApp) -> None:
    assert ask(app, "/", {"host": "evil.example"}).status == 421
    assert post(app, "/act", {}, {"host": "evil.example", "origin": "http://evil.example"}).status == 421


@pytest.mark.parametrize("path", ["/act", "/pair", "/scan", "/phones", "/settings", "/decks"])
@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"origin": "http://evil.example"}, 403),
        ({"origin": f"https://{HOST}"}, 403),
        ({"origin": "null"}, 403),
        ({"origin": ""}, 403),
        ({"sec-fetch-site": "cross-site"}, 403),
        ({"content-type": "application/x-www-form-urlencoded"}, 415),
        ({"content-type": "text/plain"}, 415),
        ({"content-length": str(LARGEST_JSON + 1)}, 413),
        ({"content-length": ""}, 413),
        ({"content-length": "-1"}, 413),
        ({"transfer-encoding": "chunked"}, 400),
        ({}, 403),  # of this very page, but not paired; /pair has no table to ask
    ],
)
def test_what_changes_something_comes_from_a_page_of_this_server_as_json(
    app: ASGIApp, path: str, headers: dict[str, str], status: int
) -> None:
    answer = post(app, path, {"code": "123456", "name": "me"}, headers)
    if path == "/pair" and not headers:
        assert (answer.status, answer.json["why"]) == (503, "away")
    else:
        assert answer.status == status


@pytest.mark.parametrize(("path", "body"), BODIES.items())
def test_a_photo_or_a_file_comes_as_such_from_a_page_of_ours(app: ASGIApp, path: str, body: Body) -> None:
    own = {"content-type": body.media}
    assert ask(app, path, own, b"x").status == 403  # it is not paired
    assert ask(app, path, {**own, "origin": "http://evil.example"}, b"x").status == 403
    assert ask(app, path, {**own, "content-length": str(body.largest + 1)}, b"x").status == 413
    for media in ("application/json", "multipart/form-data", "text/plain", ""):
        assert ask(app, path, {"content-type": media}, b"x").status == 415


def test_a_body_that_is_longer_than_it_says_is_not_read_to_its_end(app: ASGIApp) -> None:
    long = json.dumps({"code": "1" * (LARGEST_JSON + 10)}).encode()
    assert ask(app, "/pair", {"content-length": "20"}, long).status == 400


def test_an_address_that_asks_too_often_waits_and_no_other_one_does() -> None:
    now_s = [0.0]
    rates = RateLimit(2.0, 3.0, lambda: now_s[0])
    assert [rates.allows("a") for _ in range(5)] == [True, True, True, False, False]
    assert rates.allows("b")
    now_s[0] = 0.5
    assert [rates.allows("a"), rates.allows("a")] == [True, False]
    now_s[0] = 1000.0
    assert [rates.allows("a") for _ in range(4)] == [True, True, True, False]


def test_what_anybody_can_make_a_server_complain_of_is_logged_a_few_times_a_minute() -> None:
    now_s = [0.0]
    limit = LogLimit(lambda: now_s[0])

    def lets_through(text: str, *facts: object) -> bool:
        return limit.filter(logging.LogRecord("uvicorn.error", 30, "", 0, text, facts, None))

    assert [lets_through("Invalid request %s", number) for number in range(9)] == [True] * 5 + [False] * 4
    assert lets_through("Something else")
    now_s[0] = 60.0
    assert lets_through("Invalid request %s", 10)


def test_bad_requests_do_not_fill_the_log(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with served(tmp_path) as at:
        for _ in range(12):
            with socket.create_connection(("127.0.0.1", at.port), PATIENCE_S) as client:
                client.sendall(b"NOT HTTP\r\n\r\n")
                assert client.recv(100).startswith(b"HTTP/1.1 400")
    assert capsys.readouterr().err.count("Invalid HTTP request") == LINES


@pytest.mark.parametrize(
    ("path", "host", "status"), [("/", HOST, 503), ("/live", HOST, 503), ("/", "evil.example", 421)]
)
def test_a_page_that_is_switched_off_says_how_it_is_switched_on(path: str, host: str, status: int) -> None:
    answer = ask(switched_off((), translator("de", "language")), path, {"host": host})
    assert (answer.status, "[web]" in answer.text) == (status, True)


def test_every_answer_forbids_what_is_not_of_this_server(app: ASGIApp) -> None:
    pages = ("/", "/tv", "/host", "/scan", "/records")
    for path in (*pages, "/static/page.css", "/nothing", "/manifest.webmanifest"):
        policy = ask(app, path).headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "unsafe-inline" not in policy
        assert ("wasm-unsafe-eval" in policy) is (path == "/scan")
        assert ask(app, path).headers["x-content-type-options"] == "nosniff"


def test_so_does_the_answer_to_a_fault_of_the_program(at: Served) -> None:
    at.site.reading[False].close()
    status, _, headers = at.ask("GET", "/records")
    assert (status, "default-src 'none'" in headers["content-security-policy"]) == (500, True)
