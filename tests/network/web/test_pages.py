from __future__ import annotations

import json
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from firmware.text.translation import LANGUAGES
from network.web.frame import STATIC
from tests.network.web.asking import ask
from tests.network.web.served import Served

if TYPE_CHECKING:
    from starlette.types import ASGIApp

PATHS = ("/", "/tv", "/host", "/join", "/scan", "/settings")
OWN = [file for file in STATIC.iterdir() if file.suffix in {".js", ".css", ".svg"}]


class Tags(HTMLParser):
    """Every tag with its attributes, and the data of scripts."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.scripts: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        if self.found and self.found[-1][0] == "script" and data.strip():
            self.scripts.append(data)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("path", PATHS)
def test_a_page_has_no_code_of_its_own_and_names_nobody_else(app: ASGIApp, path: str, language: str) -> None:
    page = ask(app, f"{path}?language={language}").text
    tags = Tags(page)
    assert "://" not in page
    assert [attrs for tag, attrs in tags.found if tag in {"style", "iframe", "object", "base"}] == []
    names = {name for _, attrs in tags.found for name in attrs}
    assert [name for name in names if name.startswith("on") or name == "style"] == []
    scripts = [attrs for tag, attrs in tags.found if tag == "script"]
    assert [attrs for attrs in scripts if "src" not in attrs and attrs["type"] != "application/json"] == []
    html = dict(tags.found)["html"]
    assert (html["lang"], html["dir"]) == (language, "rtl" if language == "fa" else "ltr")


@pytest.mark.parametrize("file", OWN, ids=lambda file: file.name)
def test_no_file_of_the_pages_names_an_address_of_somebody_else(file: Path) -> None:
    assert set(re.findall(r"https?://[^\"'\s)]+", file.read_text())) <= {"http://www.w3.org/2000/svg"}


@pytest.mark.parametrize("path", PATHS)
def test_every_text_that_a_script_says_is_in_its_page(app: ASGIApp, path: str) -> None:
    tags = Tags(ask(app, path).text)
    known = json.loads(tags.scripts[0])
    (script,) = [str(attrs["src"]) for tag, attrs in tags.found if tag == "script" and "src" in attrs]
    assert {name for name in said_by(STATIC / Path(script).name) if name not in known} == set()


def said_by(file: Path) -> set[str]:
    """The names of the texts that a module says, with those of the modules that it imports."""
    source = file.read_text()
    found = set(re.findall(r"\bsay\(\"(\w+)\"", source))
    for other in re.findall(r"from \"\./(\w+\.js)\"", source):
        found |= said_by(STATIC / other)
    return found


def test_no_text_is_there_that_no_script_says(at: Served) -> None:
    sources = "".join(file.read_text() for file in OWN if file.suffix == ".js")
    own = {"Cookie": at.pair(hosts=True)}
    texts = [json.loads(Tags(at.ask("GET", path, **own)[1]).scripts[0]) for path in (*PATHS, "/decks")]
    named = set().union(*texts) - {"digits", "calendar"}
    assert {name for name in named if f'"{name}"' not in sources and f".{name}" not in sources} == set()


@pytest.mark.parametrize(
    ("path", "headers", "language"),
    [
        ("/?language=de", {"accept-language": "fa"}, "de"),
        ("/", {"accept-language": "xx, de-AT;q=0.9, en;q=0.8"}, "de"),
        ("/", {"cookie": "language=fa", "accept-language": "de"}, "fa"),
        ("/?language=../../etc", {"accept-language": "fa-IR"}, "fa"),
        ("/", {}, "en"),
    ],
)
def test_a_page_is_in_the_language_that_was_chosen_or_the_browser_wants(
    app: ASGIApp, path: str, headers: dict[str, str], language: str
) -> None:
    answer = ask(app, path, headers)
    assert f'<html lang="{language}"' in answer.text
    assert ("set-cookie" in answer.headers) is path.endswith("=de")


@pytest.mark.parametrize("path", ["/nothing", "/static/nothing.css", "/records/999999999999", "/records/1/x"])
def test_an_address_where_nothing_is_says_so_in_the_language_of_the_reader(app: ASGIApp, path: str) -> None:
    answer = ask(app, f"{path}?language=de")
    assert answer.status == 404
    assert "<h1>Unter dieser Adresse gibt es nichts.</h1>" in answer.text
    assert 'href="/join"' in answer.text


@pytest.mark.parametrize("path", ["/records/all/csv", "/backup", "/print/file"])
def test_a_file_that_a_phone_may_not_have_asks_for_its_code(app: ASGIApp, path: str) -> None:
    answer = ask(app, f"{path}?language=fa")
    assert answer.status == 403
    assert 'name="code"' in answer.text
    assert 'dir="rtl"' in answer.text
