"""What all pages share, those of a hub too: templates and the frame around a page, its language, files."""

from functools import partial
from pathlib import Path
from typing import Any, Final

from starlette.requests import Request
from starlette.responses import FileResponse, HTMLResponse, Response
from starlette.routing import BaseRoute, Mount, Route
from starlette.staticfiles import StaticFiles

from companion.text.sentence import SIGNS, Decimals, Text
from firmware.history.rendering import templates
from firmware.text import persian_font
from firmware.text.translation import DIGITS, LANGUAGES, Translator

STATIC: Final = Path(__file__).parent / "static"
_TEMPLATES: Final = Path(__file__).parent / "templates"

LANGUAGE_COOKIE: Final = "language"
_YEAR_S: Final = 365 * 86_400

DIGIT: Final = r"\p{Nd}"
"""A digit of any script in the `pattern` of a field; `in_latin_digits` reads what is typed there."""


class Renderer:
    """Makes pages from templates: those of `folders`, and those of templates/ that all pages share.

    In a template `t` says texts in the language of the page. Whatever is put into one is escaped.
    `layout` is the template that has the frame of every page, `names` are further names in templates.
    """

    def __init__(self, layout: str, *folders: Path, **names: object) -> None:
        self._environment = templates(*folders, _TEMPLATES)
        self._environment.policies["json.dumps_kwargs"] = {"ensure_ascii": False, "separators": (",", ":")}
        unless_a_page_sets_them = {"script": "", "texts": {}, "bare": False}
        known = {"DIGIT": DIGIT, "DIGITS": DIGITS, "LANGUAGES": LANGUAGES, "number_cell": number_cell}
        self._environment.globals.update(unless_a_page_sets_them | known | names, layout=layout, signs=signs)

    def respond(
        self,
        request: Request,
        template: str,
        t: Translator,
        status: int = 200,
        **facts: Any,  # noqa: ANN401 - what the template asks for
    ) -> Response:
        """A page, which keeps the language that was asked for. Every thread may call it."""

        def script_text(template: str) -> str:
            """A text whose fields a script fills in."""
            return t.template(Text(template), 1)

        facts |= {"t": t, "script_text": script_text, "current": request.url.path}
        response = HTMLResponse(self._environment.get_template(template).render(facts), status)
        chosen = t.language
        if request.query_params.get("language") == chosen:
            response.set_cookie(LANGUAGE_COOKIE, chosen, max_age=_YEAR_S, httponly=True, samesite="strict")
        return response


def signs(t: Translator) -> dict[str, dict[str, str]]:
    """The signs of cards for scripts, by their characters in texts."""
    return {
        sign.character: {
            "drawing": sign.drawing,
            "word": t.say(sign.word),
            "letter": sign.letter,
            "emoji": sign.emoji,
        }
        for sign in SIGNS
    }


def number_cell(number: float | str | None, t: Translator) -> str:
    """A cell of a table as text: a whole number, a mean, a word, or nothing."""
    match number:
        case None:
            return "–"
        case int():
            return t.number(number)
        case float():
            return t.decimals(Decimals(number, 1))
    return number


def language_of(request: Request, usual: str) -> str:
    """The language for this request: asked for, chosen before, wanted by the browser, or `usual` here."""
    asked, cookie = request.query_params.get("language"), request.cookies.get(LANGUAGE_COOKIE)
    # Browsers sort the languages of this header by preference.
    header = request.headers.get("accept-language", "")[:200].split(",")
    accepted = (part.partition(";")[0].strip().partition("-")[0].lower() for part in header)
    choices = (choice for choice in (asked, cookie, *accepted) if choice is not None)
    return next((choice for choice in choices if choice in LANGUAGES), usual)


# ------------------------------------------------------------------------------------- files


def common_routes() -> list[BaseRoute]:
    """What all pages are made of."""
    return [
        Route("/manifest.webmanifest", partial(_file, "manifest.json", "application/manifest+json")),
        Route("/worker.js", partial(_file, "worker.js", "text/javascript")),  # here it is for all addresses
        Mount("/static/fonts", StaticFiles(directory=persian_font.FOLDER)),
        Mount("/static", StaticFiles(directory=STATIC)),
    ]


async def _file(name: str, media: str, _request: Request) -> Response:
    """What a phone needs to put the page on its home screen."""
    return FileResponse(STATIC / name, media_type=media)
